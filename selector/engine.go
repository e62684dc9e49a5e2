// Package selector decides what is kept of a pool within a token budget, and
// says why. The semantics are in docs/selection.md.
package selector

import (
	"context"
	"errors"

	"pacms/selector/embed"
	"pacms/session"
)

// Options are what a caller may choose for one selection. The zero value is not
// useful: start from DefaultOptions.
type Options struct {
	Strategy Strategy
	// Budget in tokens and where it came from ("flag", "request", "default", …).
	Budget Term
	Rules  Rules
	// Tail is how many newest complete turns the tail rule requires.
	Tail int
	// Pins and Bans are candidate ids; one that the pool lacks is ignored.
	Pins, Bans []string
	// Debug fills Selection.Candidates.
	Debug bool
}

// PrepareOptions say how a pool is made ready; they change what is embedded.
type PrepareOptions struct {
	// QueryExplicit is true where a person gave the query: it is never widened.
	QueryExplicit bool
	NoWiden       bool
	// Progress is told how many texts of how many are embedded.
	Progress func(done, total int)
}

// Engine selects for one session. Vectors and similarities are kept from pool
// to pool, so that the next turn and the next budget cost only what is new. It
// is safe for concurrent use.
type Engine struct{}

// NewEngine returns an engine that embeds with e; tokenizer is the name of the
// counter that counted the pools, for the record in each answer.
func NewEngine(e embed.Embedder, tokenizer string) *Engine { return &Engine{} }

// Prepare embeds what is new in the pool and makes ready everything that does
// not depend on budget and strategy.
func (e *Engine) Prepare(ctx context.Context, p *session.Pool, opt PrepareOptions) (*Prepared, error) {
	return nil, errors.New("selector: not implemented")
}

// Prepared is a pool ready for selections. It is safe for concurrent use.
type Prepared struct {
	Pool *session.Pool
	// QuerySource says what the query is: "request", "turn", "widened", "none".
	QuerySource string
}

// Select runs one strategy under one budget.
func (p *Prepared) Select(ctx context.Context, opt Options) (*Selection, error) {
	return nil, errors.New("selector: not implemented")
}

// NextChange is the nearest budget above (dir > 0) or below (dir < 0)
// opt.Budget at which the kept set differs, and false where there is none.
func (p *Prepared) NextChange(ctx context.Context, opt Options, dir int) (int, bool, error) {
	return 0, false, errors.New("selector: not implemented")
}
