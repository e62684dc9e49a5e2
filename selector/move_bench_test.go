package selector_test

import (
	"container/heap"
	"fmt"
	"testing"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/kernel"
	"pacms/session"
)

// plainLazy is what a move of the budget is measured against: the two lazy greedies
// of the paper's objective in plain Go, from cosines that are there, with nothing
// held from one budget to the next and no certificate.
type plainLazy struct {
	gram   [][]float32
	weight []float32
	tokens []int
}

func newPlainLazy(b *testing.B, pool *session.Pool) *plainLazy {
	b.Helper()
	e := embed.NewBuiltin()
	texts := make([]string, len(pool.Candidates))
	p := &plainLazy{}
	for i := range texts {
		texts[i] = pool.Candidates[i].Text
		p.tokens = append(p.tokens, pool.Candidates[i].Tokens)
	}
	rows, err := e.Documents(b.Context(), texts)
	if err != nil {
		b.Fatal(err)
	}
	query, err := e.Query(b.Context(), pool.Query)
	if err != nil {
		b.Fatal(err)
	}
	p.gram, p.weight = make([][]float32, len(rows)), make([]float32, len(rows))
	for i := range rows {
		p.gram[i] = make([]float32, len(rows))
		p.weight[i] = max(0, kernel.Dot(rows[i], query))
	}
	if err := kernel.Gram(b.Context(), p.gram, rows, 0); err != nil {
		b.Fatal(err)
	}
	return p
}

// entry is a candidate with the key that it had after so many choices.
type entry struct {
	key       float64
	candidate int
	seen      int
}

type entries []entry

func (e entries) Len() int           { return len(e) }
func (e entries) Less(i, j int) bool { return e[i].key > e[j].key }
func (e entries) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *entries) Push(x any)        { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// run is the value of one greedy.
func (p *plainLazy) run(budget int, perToken bool) float64 {
	best := make([]float32, len(p.weight))
	key := func(j int) float64 {
		gain := 0.0
		for i, v := range p.gram[j] {
			if d := p.weight[i]*v - best[i]; d > 0 {
				gain += float64(d)
			}
		}
		if perToken {
			return gain / float64(max(1, p.tokens[j]))
		}
		return gain
	}
	var open entries
	for j := range p.weight {
		open = append(open, entry{key(j), j, 0})
	}
	heap.Init(&open)
	chosen := 0
	for len(open) > 0 && open[0].key > 0 {
		switch e := &open[0]; {
		case p.tokens[e.candidate] > budget:
			heap.Pop(&open)
		case e.seen < chosen:
			e.key, e.seen = key(e.candidate), chosen
			heap.Fix(&open, 0)
		default:
			budget -= p.tokens[e.candidate]
			for i, v := range p.gram[e.candidate] {
				best[i] = max(best[i], p.weight[i]*v)
			}
			chosen++
			heap.Pop(&open)
		}
	}
	value := 0.0
	for _, v := range best {
		value += float64(v)
	}
	return value
}

// BenchmarkMove is a selection at a budget that was not asked for before, of a pool
// that answered for others. x-plain is how many times as long plainLazy takes; the
// two are measured in turns, and the shortest time counts.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{200, 1000, 5000} {
		pool := varied(n)
		p, plain := prepare(b, pool), newPlainLazy(b, pool)
		fifth := pool.Tokens() / 5
		for _, name := range selector.Strategies() {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				opt := selector.Options{Strategy: mustStrategy(b, name)}
				move := func(budget int) *selector.Selection {
					opt.Budget = selector.Term{Value: budget, Source: "slider"}
					s, err := p.Select(b.Context(), opt)
					if err != nil {
						b.Fatal(err)
					}
					return s
				}
				move(fifth / 2)
				var ours, theirs time.Duration
				at := fifth
				for b.Loop() {
					at++
					start := time.Now()
					s := move(at)
					took := time.Since(start)
					if ours == 0 || took < ours {
						ours = took
					}
					if at > fifth+5 {
						continue // it takes long, and the shortest of some times is enough
					}
					start = time.Now()
					value := max(plain.run(at, true), plain.run(at, false))
					if took := time.Since(start); theirs == 0 || took < theirs {
						theirs = took
					}
					if name == "pacms" && value > *s.Objective*(1+1e-4) {
						b.Fatalf("objective %v, the plain greedies found %v", *s.Objective, value)
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(ours.Microseconds())/1e3, "ms")
				b.ReportMetric(float64(theirs)/float64(ours), "x-plain")
			})
		}
	}
}
