package selector_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pacms/selector"
	"pacms/session"
)

// varied makes a pool of n messages of which no two are much alike.
func varied(n int) *session.Pool {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	p := &session.Pool{Schema: session.PoolSchema, Query: "which port does the staging database use", FromSession: true}
	for i := range n {
		var text strings.Builder
		for range 8 + r.IntN(40) {
			fmt.Fprintf(&text, "%s%s ", syllables[r.IntN(len(syllables))], syllables[r.IntN(len(syllables))])
		}
		p.Candidates = append(p.Candidates, session.Candidate{
			ID: fmt.Sprint("c", i), Kind: session.User, Text: text.String(), Tokens: text.Len() / 4,
		})
	}
	return p
}

var syllables = strings.Fields("ba port sta ging do ver ka lim on test ra mi tor que ser vice lo gin fer ry data base oven bread thy me in voice pay log")

// BenchmarkLarge is a pool four times as large as one whose cosines are kept: making
// it ready, then a first selection and one at another budget. peak-MB is the most
// memory that was in use at a time.
func BenchmarkLarge(b *testing.B) {
	const n = 20_000
	pool := varied(n)
	for _, name := range selector.Strategies() {
		b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
			peak := watchMemory(b)
			for b.Loop() {
				start := time.Now()
				p := prepare(b, pool)
				ready := time.Now()
				for k := range 2 {
					begin := time.Now()
					opt := selector.Options{Strategy: mustStrategy(b, name), Budget: selector.Term{Value: pool.Tokens()/5 + 50*k, Source: "flag"}}
					if _, err := p.Select(b.Context(), opt); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(time.Since(begin).Seconds(), []string{"s-first", "s-next"}[k])
				}
				b.ReportMetric(ready.Sub(start).Seconds(), "s-prepare")
			}
			b.ReportMetric(float64(peak())/1e6, "peak-MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// watchMemory notes the memory in use now and then; the function gives the most.
func watchMemory(b *testing.B) func() uint64 {
	runtime.GC()
	var most atomic.Uint64
	done := make(chan struct{})
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most.Store(max(most.Load(), m.HeapInuse+m.StackInuse))
	}
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
				look()
			}
		}
	}()
	b.Cleanup(func() { close(done) })
	return func() uint64 { look(); return most.Load() }
}
