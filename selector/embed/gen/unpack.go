package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
)

// dim is how many components a vector has; the package stores a norm and an
// index behind them.
const dim = 100

// row is a word and its vector.
type row struct {
	word   string
	vector []float32
}

// unpack reads the first n words and their vectors from the packed package in r.
func unpack(r io.Reader, n int) ([]row, error) {
	zipped, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(zipped)
	for {
		file, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("look for the vectors: %w", err)
		}
		if file.Name == "package/"+packageName+".json" {
			return readVectors(files, n)
		}
	}
}

// readVectors reads the document {"words":[…],"vectors":{"the":[…],…},…} as far
// as it takes to have the vectors of the first n words.
func readVectors(r io.Reader, n int) ([]row, error) {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var rows []row
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		switch key {
		case "words":
			var words []string
			if err := dec.Decode(&words); err != nil {
				return nil, err
			}
			if len(words) < n {
				return nil, fmt.Errorf("%d words, need %d", len(words), n)
			}
			for _, w := range words[:n] {
				rows = append(rows, row{word: w})
			}
		case "vectors":
			return rows, fillVectors(dec, rows)
		default:
			var other any
			if err := dec.Decode(&other); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("no vectors in the document")
}

// fillVectors reads the object of vectors, which are in the order of the words,
// until every row has one.
func fillVectors(dec *json.Decoder, rows []row) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	for i := range rows {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if key != rows[i].word {
			return fmt.Errorf("vector %d is of %q, word %d is %q", i, key, i, rows[i].word)
		}
		if err := dec.Decode(&rows[i].vector); err != nil {
			return fmt.Errorf("vector of %q: %w", rows[i].word, err)
		}
		if len(rows[i].vector) < dim {
			return fmt.Errorf("vector of %q has %d components, need %d", rows[i].word, len(rows[i].vector), dim)
		}
		rows[i].vector = rows[i].vector[:dim]
	}
	return nil
}
