package compare_test

import (
	"fmt"
	"runtime"
	"testing"

	"pacms/session/sessiontest"
)

// BenchmarkRun compares seven strategies under three budgets over some turns of a
// generated session, on one processor and on two.
func BenchmarkRun(b *testing.B) {
	for _, messages := range []int{500, 1000} {
		s := sessiontest.Session(messages)
		plan := planOf(b, []string{"20%", "45%", "70%"}, s)
		for _, n := range []int{1, 2} {
			b.Run(fmt.Sprintf("turns=%d/processors=%d", len(s.Turns), n), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
				for b.Loop() {
					run(b, plan)
				}
			})
		}
	}
}
