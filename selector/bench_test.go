package selector_test

import (
	"fmt"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
)

// BenchmarkPrepare makes a pool ready in a new engine (embedding and all
// cosines), and once more in an engine that has seen all but the last message.
func BenchmarkPrepare(b *testing.B) {
	for _, n := range []int{200, 1000, 5000} {
		pool := long(n)
		b.Run(fmt.Sprintf("cold/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				e := selector.NewEngine(embed.NewBuiltin(), "chars4")
				if _, err := e.Prepare(b.Context(), pool, selector.PrepareOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("next-turn/n=%d", n), func(b *testing.B) {
			e := selector.NewEngine(embed.NewBuiltin(), "chars4")
			for b.Loop() {
				if _, err := e.Prepare(b.Context(), pool, selector.PrepareOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
