package share

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/selector/kernel"
	"pacms/session"
	"pacms/session/poolfile"
	"pacms/session/redact"
	"pacms/session/token"
)

// Source is a selection of which a case is to be made.
type Source struct {
	Pool    *session.Pool
	Turn    int
	Options selector.Options
	NoWiden bool
	// Embedder makes the vectors, unless the pool brings them; Model is a digest of its
	// model, empty where there is none.
	Embedder embed.Embedder
	Model    string
	Counter  token.Counter
	Build    compare.Build
	// Engine is one by Embedder that may know texts already; nil: a new one.
	Engine *selector.Engine
	// Redactor masks secrets; nil where that is not wished.
	Redactor *redact.Redactor
	// NoText leaves every text out.
	NoText bool
}

// mostPairs is how many candidates a case without texts may have: a document of a pool
// is at most 64 MiB long, and each pair takes up to eleven bytes of it.
const mostPairs = 3400

// Make makes a case. What it says was kept is what its own pool gives, read back from
// how it is written.
func Make(ctx context.Context, s Source) (*Case, error) {
	engine := s.Engine
	if engine == nil {
		engine = selector.NewEngine(s.Embedder, s.Counter.Name())
	}
	prepared, err := engine.Prepare(ctx, s.Pool, selector.PrepareOptions{NoWiden: s.NoWiden})
	if err != nil {
		return nil, fmt.Errorf("share: prepare the pool: %w", err)
	}
	s.Options.Debug = false
	source, err := prepared.Select(ctx, s.Options)
	if err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	c := &Case{
		Turn: s.Turn, Text: Full, Build: s.Build,
		Config: Config{
			Strategy: s.Options.Strategy.String(), Rules: append([]string{}, s.Options.Rules.Names()...), Tail: s.Options.Tail,
			Pins: s.Options.Pins, Bans: s.Options.Bans, NoWiden: s.NoWiden, FromSession: s.Pool.FromSession,
			Embedder: source.Embedder, Model: s.Model, Counter: s.Counter.Name(),
		},
	}
	if s.Options.Budget.Source != "" {
		c.Config.Budget = &s.Options.Budget
	}
	if source.Embedder != s.Embedder.Name() {
		c.Config.Model = "" // the vectors came with the pool
	}
	pool := settled(s.Pool)
	switch {
	case s.NoText:
		c.Text = None
		if pool, err = c.strip(ctx, prepared, pool); err != nil {
			return nil, err
		}
	case s.Redactor != nil:
		c.Text = Redacted
		before := s.Redactor.Counts()
		c.redact(pool, s.Redactor)
		c.Masked = map[string]int{}
		for kind, n := range s.Redactor.Counts() {
			if n -= before[kind]; n > 0 {
				c.Masked[kind] = n
			}
		}
	}
	if c.Pool, err = writtenAndRead(pool, s.Counter); err != nil {
		return nil, err
	}
	c.Pool.FromSession = c.Config.FromSession
	r, err := c.again(ctx, engine, c.Pool)
	if err != nil {
		return nil, err
	}
	c.Result, c.Evidence = r.Result, r.Evidence
	c.Same = slices.Equal(c.Result.KeptIndices, source.KeptIndices)
	if err := c.Sign(); err != nil {
		return nil, err
	}
	return c, nil
}

// run is a result with what was found on the way to it.
type run struct {
	Result
	Evidence
}

// again selects from a pool as the case says.
func (c *Case) again(ctx context.Context, engine *selector.Engine, pool *session.Pool) (*run, error) {
	opt, err := c.Options()
	if err != nil {
		return nil, err
	}
	prepared, err := engine.Prepare(ctx, pool, selector.PrepareOptions{NoWiden: c.Config.NoWiden})
	if err != nil {
		return nil, fmt.Errorf("share: prepare the pool: %w", err)
	}
	selection, err := prepared.Select(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	r := &run{Result: Result{Selection: selection, Codes: make([]selector.Code, len(pool.Candidates))}}
	for i := range r.Codes {
		r.Codes[i] = selection.Code(i)
	}
	r.Kernel = kernel.Name()
	if r.Numbers, err = prepared.NumbersHash(ctx); err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	if pool.Similarity == nil {
		r.Found = prepared.Findings()
	}
	if c.Text == Full {
		counter, err := token.New(c.Config.Counter)
		if err != nil {
			return nil, fmt.Errorf("share: %w", err)
		}
		n := counted(pool, counter)
		r.Counted = &n
	}
	return r, nil
}

// counted is for how many candidates a counter gives the tokens that they have.
func counted(pool *session.Pool, counter token.Counter) int {
	n := 0
	for i := range pool.Candidates {
		c := &pool.Candidates[i]
		parts := token.Parts{Text: c.Text, Images: c.Images}
		for _, call := range c.Calls {
			parts.Calls = append(parts.Calls, token.Call{Name: call.Name, Args: string(call.Args)})
		}
		if counter.Count(parts) == c.Tokens {
			n++
		}
	}
	return n
}

// settled is a copy of a pool in which every call and every result of a tool has a
// group: whoever reads it pairs nothing anew.
func settled(pool *session.Pool) *session.Pool {
	p := *pool
	p.Candidates = slices.Clone(pool.Candidates)
	taken := make(map[string]bool)
	for i := range p.Candidates {
		taken[p.Candidates[i].Group] = true
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Group != "" || c.Kind != session.Tool && c.Tool == nil && len(c.Calls) == 0 {
			continue
		}
		c.Group = c.ID
		for taken[c.Group] {
			c.Group += "+"
		}
		taken[c.Group] = true
	}
	return &p
}

// writtenAndRead is a pool as it comes out of its document.
func writtenAndRead(pool *session.Pool, counter token.Counter) (*session.Pool, error) {
	text, err := json.Marshal(poolfile.NewDocument(pool))
	if err != nil {
		return nil, fmt.Errorf("share: write the pool: %w", err)
	}
	p, err := poolfile.Decode(bytes.NewReader(text), counter)
	if err != nil {
		return nil, fmt.Errorf("share: read the pool back: %w", err)
	}
	return p, nil
}

// ruleSet is the set of some rules; none where the list is empty.
func ruleSet(names []string) (selector.Rules, error) {
	if len(names) == 0 {
		return selector.Rules{}, nil
	}
	rules, err := selector.ParseRules(strings.Join(names, ","))
	if err != nil {
		return selector.Rules{}, fmt.Errorf("share: %w", err)
	}
	return rules, nil
}
