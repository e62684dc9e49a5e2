package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/kernel"
	"pacms/session"
)

// comparisons are the lines, in the order in which they are printed.
var comparisons = []comparison{
	{"gram, n=1000 d=768: a plain Go loop", 20, gramPlain},
	{"gram, n=1000 d=768: OpenBLAS ssyrk", 0.5, gramBLAS},
	{"pacms with certificate, n=1000: numpy CELF", 3, func(ctx context.Context, b *bench) (times, error) { return whole(ctx, b, 1000, false) }},
	{"pacms with certificate, n=1000, with cosines: numpy CELF", 0, func(ctx context.Context, b *bench) (times, error) { return whole(ctx, b, 1000, true) }},
	{"pacms, budget moved, n=5000: numpy CELF", 8, func(ctx context.Context, b *bench) (times, error) { return moved(ctx, b, "pacms", 5000) }},
	{"pacms+, budget moved, n=5000: numpy CELF", 100, func(ctx context.Context, b *bench) (times, error) { return moved(ctx, b, "pacms+", 5000) }},
	{"mmr, all of n=960 ranked: LangChain's loop, 300 of them", 1000, diverse},
}

const gramRows, gramDim = 1000, 768

// gramPlain compares the kernel with three nested loops over the lower triangle.
func gramPlain(ctx context.Context, b *bench) (times, error) {
	rows, _, err := random(b.folder, gramRows, gramDim)
	if err != nil {
		return times{}, err
	}
	dst := square(gramRows)
	plain := square(gramRows)
	return inTurns(rounds, timed(func() error { return kernel.Gram(ctx, dst, rows, 0) }), timed(func() error {
		for i, a := range rows {
			for j := range i + 1 {
				var sum float32
				for k, x := range rows[j] {
					sum += a[k] * x
				}
				plain[i][j], plain[j][i] = sum, sum
			}
		}
		return nil
	}))
}

// gramBLAS compares the kernel with cblas_ssyrk, which fills one triangle only.
func gramBLAS(ctx context.Context, b *bench) (times, error) {
	rows, m, err := random(b.folder, gramRows, gramDim)
	if err != nil {
		return times{}, err
	}
	dst := square(gramRows)
	var theirs float64
	t, err := inTurns(rounds, timed(func() error { return kernel.Gram(ctx, dst, rows, 0) }), func() (time.Duration, error) {
		return b.peer.run(request{Peer: "ssyrk", N: gramRows, D: gramDim, Vectors: m.vectors}, &theirs)
	})
	if err != nil {
		return t, err
	}
	ours := 0.0
	for i := range dst {
		for j := i; j < len(dst); j++ {
			ours += float64(dst[i][j])
		}
	}
	if math.Abs(ours-theirs) > 1e-3*math.Abs(ours) {
		return t, fmt.Errorf("bench: the two matrices differ: their sums are %g and %g", ours, theirs)
	}
	return t, nil
}

func square(n int) [][]float32 {
	rows := make([][]float32, n)
	back := make([]float32, n*n)
	for i := range rows {
		rows[i] = back[i*n : (i+1)*n]
	}
	return rows
}

// whole compares the first selection from a pool, nothing of it known but its
// cosines. With cosines both sides compute those as well, from unit vectors.
func whole(ctx context.Context, b *bench, n int, cosines bool) (times, error) {
	m, err := conversation(ctx, b.folder, n)
	if err != nil {
		return times{}, err
	}
	pool, err := withVectors(ctx, m)
	if err != nil {
		return times{}, err
	}
	var ours, theirs float64
	t, err := inTurns(rounds, func() (time.Duration, error) {
		start := time.Now()
		p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(ctx, pool, selector.PrepareOptions{})
		if err != nil {
			return 0, fmt.Errorf("bench: %w", err)
		}
		if !cosines {
			start = time.Now()
		}
		s, err := p.Select(ctx, options("pacms", m.budget))
		if err != nil {
			return 0, fmt.Errorf("bench: %w", err)
		}
		ours = *s.Objective
		return time.Since(start), nil
	}, func() (time.Duration, error) { return b.peer.run(m.celf(cosines, m.budget), &theirs) })
	return t, orFirst(err, alike(ours, theirs))
}

// moved compares a selection from a pool that is ready, at budgets that differ
// from round to round. The peer's weights are ready as well.
func moved(ctx context.Context, b *bench, name string, n int) (times, error) {
	m, err := conversation(ctx, b.folder, n)
	if err != nil {
		return times{}, err
	}
	p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(ctx, m.pool, selector.PrepareOptions{})
	if err != nil {
		return times{}, fmt.Errorf("bench: %w", err)
	}
	if _, err := p.Select(ctx, options(name, m.budget/2)); err != nil {
		return times{}, fmt.Errorf("bench: %w", err)
	}
	var ours, theirs float64
	kept, budget, round := 0, m.budget, 0
	// A budget is moved again and again. After the other side the memory that a move
	// needs is in no cache, which a second one in a row does not find so.
	t, err := inTurns(rounds, twice(timed(func() error {
		round++
		budget = m.budget + 10*round
		s, err := p.Select(ctx, options(name, budget))
		if err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		kept = len(s.KeptIndices)
		if name == "pacms" {
			ours = *s.Objective
		}
		return nil
	})), twice(func() (time.Duration, error) { return b.peer.run(m.celf(false, budget), &theirs) }))
	t.note = fmt.Sprintf("%d of %d kept", kept, n)
	if name == "pacms" {
		err = orFirst(err, alike(ours, theirs))
	} else {
		t.note += "; the peer maximises the paper's objective, not that of " + name
	}
	return t, err
}

// alike reports where the peer solved another problem: ours may only be better,
// since it also tries Greedy+Max.
func alike(ours, theirs float64) error {
	if ours < theirs*(1-1e-4) || ours > theirs*1.05 {
		return fmt.Errorf("bench: the objectives are %g and %g, which cannot be the same problem", ours, theirs)
	}
	return nil
}

func (m *material) celf(whole bool, budget int) request {
	return request{Peer: "celf", N: len(m.tokens), D: m.dim, Vectors: m.vectors, Tokens: m.tokens, Budget: budget, Whole: whole}
}

// withVectors is the pool with the vectors of its texts in their place.
func withVectors(ctx context.Context, m *material) (*session.Pool, error) {
	e := embed.NewBuiltin()
	pool := *m.pool
	pool.Candidates = slices.Clone(m.pool.Candidates)
	texts := make([]string, len(pool.Candidates))
	for i := range texts {
		texts[i] = pool.Candidates[i].Text
	}
	rows, err := e.Documents(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("bench: embed: %w", err)
	}
	if pool.QueryEmbedding, err = e.Query(ctx, pool.Query); err != nil {
		return nil, fmt.Errorf("bench: embed: %w", err)
	}
	for i, v := range rows {
		pool.Candidates[i].Embedding = v
		pool.Candidates[i].Text = ""
	}
	return &pool, nil
}

// diverse compares a full ranking with the first 300 of LangChain's loop.
func diverse(ctx context.Context, b *bench) (times, error) {
	const n, first = 960, 300
	m, err := conversation(ctx, b.folder, n)
	if err != nil {
		return times{}, err
	}
	engine := selector.NewEngine(embed.NewBuiltin(), "chars4")
	var order, ranked []int
	ours := func() (time.Duration, error) {
		least := time.Duration(math.MaxInt64)
		for range rounds {
			// A pool that is made ready anew holds no ranking.
			p, err := engine.Prepare(ctx, m.pool, selector.PrepareOptions{})
			if err != nil {
				return 0, fmt.Errorf("bench: %w", err)
			}
			start := time.Now()
			s, err := p.Select(ctx, options("mmr", m.pool.Tokens()-1))
			if err != nil {
				return 0, fmt.Errorf("bench: %w", err)
			}
			least = min(least, time.Since(start))
			order = s.Order
		}
		return least, nil
	}
	t, err := inTurns(1, ours, func() (time.Duration, error) {
		return b.peer.run(request{Peer: "mmr", N: n, D: m.dim, Vectors: m.vectors, K: first}, &ranked)
	})
	if err != nil {
		return t, err
	}
	if !slices.Equal(order[:first], ranked) {
		return t, errors.New("bench: the two rankings differ")
	}
	return t, nil
}

func options(name string, budget int) selector.Options {
	return selector.Options{Strategy: strategy(name), Budget: selector.Term{Value: budget, Source: "flag"}}
}
