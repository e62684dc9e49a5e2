package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pack makes a package with one file.
func pack(t *testing.T, name, content string) *bytes.Buffer {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	if err := files.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return &packed
}

// document is what the package holds, with a vector of n times its place for
// each of vectors.
func document(t *testing.T, words, vectors []string, n int) string {
	t.Helper()
	list, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for i, w := range vectors {
		vector := make([]int, n)
		for k := range vector {
			vector[k] = i
		}
		data, err := json.Marshal(vector)
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, `"`+w+`":`+string(data))
	}
	return `{"precision":8,"words":` + string(list) + `,"vectors":{` + strings.Join(fields, ",") + `}}`
}

func TestUnpack(t *testing.T) {
	const file = "package/" + packageName + ".json"
	words := []string{"the", "of", "to"}
	rows, err := unpack(pack(t, file, document(t, words, words, dim+2)), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[1].word != "of" || len(rows[1].vector) != dim || rows[1].vector[dim-1] != 1 {
		t.Errorf("rows = %v", rows)
	}
	for _, c := range []struct{ name, file, doc, want string }{
		{"no file", "package/other.json", "{}", "look for the vectors"},
		{"few words", file, document(t, words[:1], words, dim), "1 words, need 2"},
		{"other order", file, document(t, words, []string{"of", "the"}, dim), `vector 0 is of "of", word 0 is "the"`},
		{"short vector", file, document(t, words, words, 3), `vector of "the" has 3 components`},
		{"no vectors", file, `{"words":["the","of"]}`, "no vectors"},
		{"cut off", file, `{"words":["the","of"],"vectors":{"the":[1`, `vector of "the"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := unpack(pack(t, c.file, c.doc), 2)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("unpack = %v, want %q", err, c.want)
			}
		})
	}
}

// TestClean removes a direction that all words share, but for those that carry
// no meaning: they would turn it.
func TestClean(t *testing.T) {
	vector := func(at map[int]float32) []float32 {
		v := make([]float32, dim)
		for i, c := range at {
			v[i] = c
		}
		return v
	}
	rows := []row{
		{"cat", vector(map[int]float32{0: 5, 1: 1})},
		{"dog", vector(map[int]float32{0: 5, 1: -1})},
		{"ours", vector(map[int]float32{0: 5})},
		{"the", vector(map[int]float32{2: 9, 3: 2})},
		{"--", vector(map[int]float32{2: 9, 3: -2})},
	}
	clean(rows, map[string]bool{"the": true, "ours": true})
	for _, r := range rows {
		if math.Abs(float64(r.vector[0])) > 1e-6 {
			t.Errorf("%s keeps %g of the common direction", r.word, r.vector[0])
		}
	}
	for _, r := range rows[3:] {
		if math.Abs(length(r.vector)-1) > 1e-6 {
			t.Errorf("%s lost what it does not share: length %g", r.word, length(r.vector))
		}
	}
}

func TestEncode(t *testing.T) {
	v := make([]float32, dim)
	v[0], v[1], v[2] = -2, 1, 0.004
	words, vectors := encode([]row{{"a", v}, {"b", v}})
	if string(words) != "a\nb" {
		t.Errorf("words %q", words)
	}
	want := []int8{-127, 64, 0}
	for i, w := range want {
		if got := int8(vectors[dim+i]); got != w {
			t.Errorf("component %d = %d, want %d", i, got, w)
		}
	}
	if len(vectors) != 2*dim {
		t.Errorf("%d bytes, want %d", len(vectors), 2*dim)
	}
}

func TestPutChecks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	if err := put(path, []byte("abc"), true); err == nil {
		t.Error("a missing file passes")
	}
	if err := put(path, []byte("abc"), false); err != nil {
		t.Fatal(err)
	}
	if err := put(path, []byte("abc"), true); err != nil {
		t.Errorf("the same bytes: %v", err)
	}
	err := put(path, []byte("axcd"), true)
	if err == nil || !strings.Contains(err.Error(), "2 of 4 bytes differ") {
		t.Errorf("other bytes: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "abc" {
		t.Errorf("checking wrote %q, %v", data, err)
	}
}

func TestReadPackageRefusesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.tgz")
	if err := os.WriteFile(path, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readPackage(path); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("readPackage = %v", err)
	}
}
