//go:build unix

package selector_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
)

// soon is how long work may go on after its context was cancelled.
const soon = 10 * time.Millisecond

// processorTime is what this process has used of the processors: other programs on the
// machine do not count.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// wentOn is how much processor time work used, on all processors, after it was cancelled
// when it had used some; false where it had ended before.
func wentOn(t *testing.T, work func(ctx context.Context) error, after time.Duration) (time.Duration, bool) {
	t.Helper()
	runtime.GC() // what was done before is not to be cleaned up in between
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	cancelled := make(chan time.Duration, 1)
	start := processorTime(t)
	go func() {
		defer close(cancelled)
		for processorTime(t)-start < after {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Microsecond):
			}
		}
		cancelled <- processorTime(t)
		cancel()
	}()
	err := work(ctx)
	end := processorTime(t)
	close(ended)
	at, was := <-cancelled
	if err == nil {
		return 0, false
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return end - at, was
}

// Wherever work is on a large pool, it ends within ten milliseconds of processor time.
// Of some attempts at about the same place the shortest counts, which the collector of
// memory and other tests disturbed least.
func TestCancelledSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	pool := varied(5000)
	few := prefix(pool, 1500)
	budget := func(name string) selector.Options {
		return selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: pool.Tokens() / 5, Source: "test"}}
	}
	type job struct {
		name string
		work func(ctx context.Context, p *selector.Prepared) error
		far  bool
	}
	jobs := []job{{"prepare", func(ctx context.Context, _ *selector.Prepared) error {
		_, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(ctx, pool, selector.PrepareOptions{})
		return err
	}, false}}
	for _, name := range selector.Strategies() {
		for _, isFar := range []bool{false, true} {
			jobs = append(jobs, job{fmt.Sprintf("select %s, far %v", name, isFar), func(ctx context.Context, p *selector.Prepared) error {
				_, err := p.Select(ctx, budget(name))
				return err
			}, isFar})
		}
	}
	opt := selector.Options{Strategy: mustStrategy(t, "pacms"), Budget: selector.Term{Value: few.Tokens() / 5, Source: "test"}}
	for name, ask := range map[string]func(ctx context.Context, p *selector.Prepared) error{
		"returns at": func(ctx context.Context, p *selector.Prepared) error {
			_, err := p.ReturnsAt(ctx, opt, 700)
			return err
		},
		"would be kept": func(ctx context.Context, p *selector.Prepared) error {
			_, err := p.WouldBeKept(ctx, opt, 700, []selector.Strategy{mustStrategy(t, "mmr"), mustStrategy(t, "pacms+")})
			return err
		},
		"sweep": func(ctx context.Context, p *selector.Prepared) error {
			_, err := p.Sweep(ctx, opt, 20, nil)
			return err
		},
		"optimum":   func(ctx context.Context, p *selector.Prepared) error { _, _, err := p.Optimum(ctx, opt); return err },
		"force in":  func(ctx context.Context, p *selector.Prepared) error { _, err := p.ForceIn(ctx, opt, 700); return err },
		"force out": func(ctx context.Context, p *selector.Prepared) error { _, err := p.ForceOut(ctx, opt, 3); return err },
	} {
		jobs = append(jobs, job{name, ask, false})
	}
	near, away := selector.NewEngine(embed.NewBuiltin(), "chars4"), selector.NewEngine(embed.NewBuiltin(), "chars4")
	away.KeepCosines(0)
	for _, j := range jobs {
		offered := pool
		if !strings.HasPrefix(j.name, "select") && j.name != "prepare" {
			offered = few
		}
		for _, after := range []int{0, 3, 10, 30, 70, 130, 250, 500} {
			least := time.Duration(1 << 62)
			for range 4 {
				e := near
				if j.far {
					e = away
				}
				// Made ready anew it holds nothing of what was asked before.
				p, err := e.Prepare(t.Context(), offered, selector.PrepareOptions{})
				if err != nil {
					t.Fatal(err)
				}
				took, was := wentOn(t, func(ctx context.Context) error { return j.work(ctx, p) }, time.Duration(after)*time.Millisecond)
				if !was {
					least = 0
					break
				}
				if least = min(least, took); least < soon {
					break
				}
			}
			if least >= soon {
				t.Errorf("%s, cancelled after %d ms of work: went on for %v", j.name, after, least)
			}
			if least == 0 {
				break
			}
			t.Logf("%s, cancelled after %d ms: %v", j.name, after, least)
		}
	}
}
