package selector_test

import (
	"fmt"
	"testing"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
)

// BenchmarkTurn is a turn of a session that is followed: a message more than before and
// another question. ms-ready is making the pool ready, ms-first a first selection from
// it by pacms at a share of its tokens; the shortest times count.
func BenchmarkTurn(b *testing.B) {
	for _, n := range []int{200, 1000, 2000, 4900} {
		pool := varied(n)
		for _, percent := range []int{2, 20, 50} {
			b.Run(fmt.Sprintf("n=%d/%d%%", n, percent), func(b *testing.B) {
				e := selector.NewEngine(embed.NewBuiltin(), "chars4")
				turn := *pool
				var ready, first time.Duration
				for k := 0; b.Loop(); k++ {
					turn.Query = fmt.Sprintf("%s, number %d of the %s", pool.Query, k, syllables[k%len(syllables)])
					turn.Candidates = pool.Candidates[:min(n, n-20+k)]
					budget := selector.Term{Value: turn.Tokens() * percent / 100, Source: "test"}
					start := time.Now()
					p, err := e.Prepare(b.Context(), &turn, selector.PrepareOptions{})
					if err != nil {
						b.Fatal(err)
					}
					prepared := time.Now()
					if _, err := p.Select(b.Context(), selector.Options{Strategy: mustStrategy(b, "pacms"), Budget: budget}); err != nil {
						b.Fatal(err)
					}
					took := time.Since(prepared)
					if k == 0 {
						ready, first = prepared.Sub(start), took
					}
					ready, first = min(ready, prepared.Sub(start)), min(first, took)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(ready.Seconds()*1e3, "ms-ready")
				b.ReportMetric(first.Seconds()*1e3, "ms-first")
			})
		}
	}
}
