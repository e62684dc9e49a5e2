// Package memory reads an agent's memory folder: the entries of its Markdown
// files as candidates, and the files that the host sends by itself.
package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pacms/session"
	"pacms/session/token"
)

const (
	// mostBytes is the size above which a file is not read.
	mostBytes = 4 << 20
	// mostFiles is how many files of a folder are read, the newest names first.
	mostFiles = 1000
)

// hostFiles are the files of a workspace that OpenClaw puts into the system
// prompt itself: they are never candidates.
var hostFiles = []string{"AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"}

// Memory is what a folder held when it was read.
type Memory struct {
	// Entries are the list items and paragraphs of memory/*.md, by file name and
	// then in the order of the file.
	Entries []session.Candidate
	// Host are the files that the host sends outside the budget.
	Host []session.HostFile
	// Warnings name what was not read.
	Warnings []session.Warning
}

// Load reads dir: a workspace with a memory folder in it, or the memory folder
// of a workspace. An error says what dir is where it is neither.
func Load(dir string, c token.Counter) (*Memory, error) {
	workspace := dir
	if filepath.Base(filepath.Clean(dir)) == "memory" {
		workspace = filepath.Dir(filepath.Clean(dir))
	} else if inner := filepath.Join(dir, "memory"); isFolder(inner) {
		dir = inner
	}
	names, err := notes(dir)
	if err != nil {
		return nil, err
	}
	m := new(Memory)
	for _, name := range hostFiles {
		text, err := read(filepath.Join(workspace, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			m.skip(name, err)
		default:
			m.Host = append(m.Host, session.HostFile{Name: name, Tokens: c.Count(token.Parts{Text: text}), Text: text})
		}
	}
	if len(names) == 0 && len(m.Host) == 0 {
		return nil, fmt.Errorf("there is no Markdown file in %s: name a workspace, or its memory folder", dir)
	}
	if skipped := len(names) - mostFiles; skipped > 0 {
		names = names[skipped:]
		m.Warnings = append(m.Warnings, session.Warning{
			Code: "memory_skipped", Message: fmt.Sprintf("only the last %d files of the memory folder were read", mostFiles), Count: skipped,
		})
	}
	for _, name := range names {
		text, err := read(filepath.Join(dir, name))
		if err != nil {
			m.skip(name, err)
			continue
		}
		for i, entry := range entries(text) {
			m.Entries = append(m.Entries, session.Candidate{
				ID: "memory/" + name + "#" + strconv.Itoa(i+1), Kind: session.Memory, Text: entry,
				Tokens: c.Count(token.Parts{Text: entry}), Time: day(name),
			})
		}
	}
	return m, nil
}

func (m *Memory) skip(name string, err error) {
	m.Warnings = append(m.Warnings, session.Warning{Code: "memory_skipped", Message: fmt.Sprintf("%s was not read: %v", name, err), Count: 1})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// notes lists the Markdown files of dir by name, without those of the host.
func notes(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the memory folder: %w", err)
	}
	var names []string
	for _, e := range list {
		if e.Type().IsRegular() && strings.EqualFold(filepath.Ext(e.Name()), ".md") && !slices.Contains(hostFiles, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// read returns a regular text file of bounded size.
func read(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err //nolint:wrapcheck // the caller names the file
	case !info.Mode().IsRegular():
		return "", errors.New("it is no regular file")
	case info.Size() > mostBytes:
		return "", fmt.Errorf("it has %d bytes, more than %d", info.Size(), mostBytes)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err //nolint:wrapcheck // the caller names the file
	}
	if !utf8.Valid(raw) {
		raw = []byte(strings.ToValidUTF8(string(raw), "\ufffd"))
	}
	return strings.TrimPrefix(string(raw), "\ufeff"), nil
}

var dated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// day is the date that a file is named after, zero where it is named otherwise.
func day(name string) time.Time {
	t, err := time.Parse(time.DateOnly, dated.FindString(name))
	if err != nil {
		return time.Time{}
	}
	return t
}
