package selector_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// fatal is what testing.T and rapid.T have in common.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func mustStrategy(t fatal, spec string) selector.Strategy {
	t.Helper()
	s, err := selector.ParseStrategy(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func prepare(t fatal, pool *session.Pool) *selector.Prepared {
	t.Helper()
	p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(background, pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func selectFrom(t fatal, pool *session.Pool, opt selector.Options) *selector.Selection {
	t.Helper()
	s, err := prepare(t, pool).Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// until tries a property again until it has met what it is there for. What pools at
// random hold is chance, and a single run of few of them may lack a rare thing.
func until(t *testing.T, property func(*rapid.T), met func() bool) {
	t.Helper()
	for range 20 {
		if rapid.Check(t, property); met() {
			return
		}
	}
}

// texts makes a pool of user messages of the given tokens each.
func texts(query string, budget int, tokens int, texts ...string) *session.Pool {
	p := &session.Pool{Schema: session.PoolSchema, Query: query, Budget: &budget}
	for i, text := range texts {
		p.Candidates = append(p.Candidates, session.Candidate{
			ID: "c" + string(rune('a'+i)), Kind: session.User, Text: text, Tokens: tokens,
		})
	}
	return p
}

var background = context.Background()
