package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
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
		return nil, fmt.Errorf("unzip: %w", err)
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
	if _, err := token(dec); err != nil {
		return nil, err
	}
	var rows []row
	for dec.More() {
		key, err := token(dec)
		if err != nil {
			return nil, err
		}
		switch key {
		case "words":
			rows, err = readWords(dec, n)
		case "vectors":
			return rows, fillVectors(dec, rows)
		default:
			err = value(dec, new(any))
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("no vectors in the document")
}

// readWords reads the array of words, and makes rows of the first n.
func readWords(dec *json.Decoder, n int) ([]row, error) {
	var words []string
	if err := value(dec, &words); err != nil {
		return nil, err
	}
	if len(words) < n {
		return nil, fmt.Errorf("%d words, need %d", len(words), n)
	}
	rows := make([]row, n)
	for i := range rows {
		rows[i].word = words[i]
	}
	return rows, nil
}

// fillVectors reads the object of vectors, which are in the order of the words,
// until every row has one.
func fillVectors(dec *json.Decoder, rows []row) error {
	if _, err := token(dec); err != nil {
		return err
	}
	for i := range rows {
		key, err := token(dec)
		if err != nil {
			return err
		}
		if key != rows[i].word {
			return fmt.Errorf("vector %d is of %q, word %d is %q", i, key, i, rows[i].word)
		}
		if err := value(dec, &rows[i].vector); err != nil {
			return fmt.Errorf("vector of %q: %w", rows[i].word, err)
		}
		if len(rows[i].vector) < dim {
			return fmt.Errorf("vector of %q has %d components, need %d", rows[i].word, len(rows[i].vector), dim)
		}
		rows[i].vector = rows[i].vector[:dim]
	}
	return nil
}

// token reads the next token of the document.
func token(dec *json.Decoder) (json.Token, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", dec.InputOffset(), err)
	}
	return tok, nil
}

// value reads the next value of the document into dst.
func value(dec *json.Decoder, dst any) error {
	if err := dec.Decode(dst); err != nil {
		return fmt.Errorf("byte %d: %w", dec.InputOffset(), err)
	}
	return nil
}
