package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"pacms/selector/embed"
	"pacms/selector/kernel"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
)

// budgetShare is the share of a pool's tokens that is the budget.
const budgetShare = 0.2

// material is a pool in the form in which each side takes it.
type material struct {
	pool    *session.Pool
	vectors string // file of float32: unit vectors row by row, then the unit query
	dim     int
	tokens  []int
	budget  int
}

// random are n unit vectors of d numbers, independent of each other: for what
// does not depend on what they mean.
func random(folder string, n, d int) ([][]float32, *material, error) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	rows := make([][]float32, n+1)
	for i := range rows {
		v := make([]float32, d)
		for k := range v {
			v[k] = float32(r.NormFloat64())
		}
		rows[i], _ = kernel.Unit(v)
	}
	m := &material{dim: d}
	return rows[:n], m, m.save(folder, rows)
}

// conversation is a pool of n messages made of the sentences of the demo's
// recorded session, embedded by the built-in embedder.
func conversation(ctx context.Context, folder string, n int) (*material, error) {
	sentences, query, err := spoken(ctx)
	if err != nil {
		return nil, err
	}
	m := &material{pool: &session.Pool{Schema: session.PoolSchema, Query: query}}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	texts := make([]string, n)
	for i := range texts {
		said := make([]string, 1+r.IntN(6))
		for k := range said {
			said[k] = sentences[r.IntN(len(sentences))]
		}
		texts[i] = strings.Join(said, " ")
		tokens := max(1, len(texts[i])/4)
		m.tokens = append(m.tokens, tokens)
		m.pool.Candidates = append(m.pool.Candidates, session.Candidate{
			ID: fmt.Sprint("c", i), Kind: session.User, Text: texts[i], Tokens: tokens,
		})
	}
	m.budget = int(budgetShare * float64(m.pool.Tokens()))
	e := embed.NewBuiltin()
	rows, err := e.Documents(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("bench: embed: %w", err)
	}
	q, err := e.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("bench: embed: %w", err)
	}
	m.dim = e.Dim()
	return m, m.save(folder, append(rows, q))
}

var sentenceEnd = regexp.MustCompile(`[.!?]\s+|\n+`)

// spoken are the distinct sentences of the demo and a question of its own.
func spoken(ctx context.Context) (sentences []string, query string, err error) {
	counter, err := token.New("chars4")
	if err != nil {
		return nil, "", fmt.Errorf("bench: read the demo: %w", err)
	}
	s, err := openclaw.Read(ctx, testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	if err != nil {
		return nil, "", fmt.Errorf("bench: read the demo: %w", err)
	}
	story, err := testdata.LoadStory()
	if err != nil {
		return nil, "", fmt.Errorf("bench: read the demo: %w", err)
	}
	seen := make(map[string]bool)
	for i := range s.Turns {
		for _, c := range s.Pool(i, session.PoolWindow).Candidates {
			for _, text := range sentenceEnd.Split(c.Text, -1) {
				if text = strings.TrimSpace(text); len(text) > 20 && !seen[text] {
					seen[text] = true
					sentences = append(sentences, text)
				}
			}
		}
	}
	return sentences, story.Mark.Question, nil
}

// save writes the vectors where the peer reads them.
func (m *material) save(folder string, rows [][]float32) error {
	f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%d-%d.f32", len(rows), m.dim)))
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer f.Close()
	m.vectors = f.Name()
	for _, row := range rows {
		if err := binary.Write(f, binary.LittleEndian, row); err != nil {
			return fmt.Errorf("bench: write %s: %w", m.vectors, err)
		}
	}
	return nil
}
