package selector_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/selectortest"
)

// endsAfter is a context that ends with err when it was asked some times.
type endsAfter struct {
	context.Context
	err   error
	mu    sync.Mutex
	asked int
	times int
	done  chan struct{}
}

func newEndsAfter(times int, err error) *endsAfter {
	return &endsAfter{Context: background, times: times, err: err, done: make(chan struct{})}
}

func (c *endsAfter) Done() <-chan struct{} { return c.done }

func (c *endsAfter) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked < c.times {
		return nil
	}
	if c.asked == c.times {
		close(c.done)
	}
	return c.err
}

// after is how often it was asked when it had ended already.
func (c *endsAfter) after() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, c.asked-c.times)
}

// few is how often a context that has ended may still be asked: once by everything
// that runs at once and by everything around it.
var few = 10 + 4*runtime.GOMAXPROCS(0)

// Work ends with the context wherever it is, and looks at it again and again: the
// work between two looks does not grow with the pool.
func TestCancelledAnywhere(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 3 // at the beginning, in the middle and near the end
	}
	for _, limit := range []int{5000, 0} {
		for _, name := range specs {
			counts := make(map[int]int)
			for _, n := range []int{60, 240} {
				pool := long(n)
				opt := selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: pool.Tokens() / 5, Source: "test"}}
				work := func(ctx context.Context) error {
					e := selector.NewEngine(embed.NewBuiltin(), "chars4")
					e.KeepCosines(limit)
					p, err := e.Prepare(ctx, pool, selector.PrepareOptions{})
					if err != nil {
						return err
					}
					s, err := p.Select(ctx, opt)
					if err != nil {
						return err
					}
					return s.Ready(ctx)
				}
				all := newEndsAfter(1<<40, nil)
				if err := work(all); err != nil {
					t.Fatal(err)
				}
				counts[n] = all.asked
				for k := 0; k < 8; k += step {
					c := newEndsAfter(1+all.asked*k/8, context.Canceled)
					if err := work(c); !errors.Is(err, context.Canceled) {
						t.Errorf("%s, ended at look %d of %d: %v", name, c.times, all.asked, err)
					}
					if c.after() > few {
						t.Errorf("%s, ended at look %d of %d: looked %d times more", name, c.times, all.asked, c.after())
					}
				}
			}
			if counts[240] < 2*counts[60] {
				t.Errorf("%s looks %d times on 60 candidates and %d times on 240", name, counts[60], counts[240])
			}
		}
	}
}

// At a deadline there is an answer, sound like any other, and it says that it is
// partial unless it is the one that there would have been.
func TestDeadline(t *testing.T) {
	pool, e := long(150), selector.NewEngine(embed.NewBuiltin(), "chars4")
	for _, name := range specs {
		opt := selector.Options{
			Strategy: mustStrategy(t, name), Pins: []string{"c7"},
			Budget: selector.Term{Value: pool.Tokens() / 5, Source: "test"},
		}
		whole := selectFrom(t, pool, opt)
		partial := 0
		for looks := 1; looks < 400; looks += 1 + looks/3 {
			p, err := e.Prepare(background, pool, selector.PrepareOptions{}) // a pool of its own, of the same vectors
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.Select(newEndsAfter(looks, context.DeadlineExceeded), opt)
			if err != nil {
				t.Fatalf("%s after %d looks: %v", name, looks, err)
			}
			if err := selectortest.Check(pool, s); err != nil {
				t.Fatal(err)
			}
			if !s.Keeps(7) || s.Partial != warned(s, "partial") {
				t.Errorf("%s after %d looks: keeps the pinned %v, partial %v, warnings %v", name, looks, s.Keeps(7), s.Partial, s.Warnings)
			}
			if !s.Partial && !slices.Equal(s.Order, whole.Order) {
				t.Errorf("%s after %d looks: not partial, but not the whole answer", name, looks)
			}
			if s.Partial {
				partial++
			}
			// What was given up is not remembered.
			if again, err := p.Select(background, opt); err != nil || !slices.Equal(again.Order, whole.Order) || again.Partial {
				t.Errorf("%s after a partial answer: %v", name, err)
			}
		}
		if reads := !strings.HasPrefix(name, "topk") && !strings.HasPrefix(name, "lastk") && !strings.HasPrefix(name, "rag"); reads != (partial > 0) {
			t.Errorf("%s was partial %d times", name, partial)
		}
	}
}

// What is done after a deadline ends, too, where its client has gone: it is looked for
// the more often the more there is to say.
func TestGoneAfterTheDeadline(t *testing.T) {
	for _, name := range specs {
		looks := make(map[int]int)
		for _, n := range []int{40, 160} {
			pool := long(n)
			opt := selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: pool.Tokens() / 5, Source: "test"}, Debug: true}
			work := func(client context.Context) error {
				p := prepare(t, pool) // what one run has worked out spares the next some looks
				ctx, cancel := selector.InTime(client, time.Now().Add(-time.Second))
				defer cancel()
				_, err := p.Select(ctx, opt)
				return err
			}
			stays := newEndsAfter(1<<40, nil)
			if err := work(stays); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			looks[n] = stays.asked
			for k := range 4 {
				gone := newEndsAfter(1+stays.asked*k/4, context.Canceled)
				if err := work(gone); !errors.Is(err, context.Canceled) || gone.after() > few {
					t.Errorf("%s, gone at look %d of %d, looked %d times more: %v", name, gone.times, stays.asked, gone.after(), err)
				}
			}
		}
		if looks[160] < 2*looks[40] {
			t.Errorf("%s looks %d times on 40 candidates and %d times on 160", name, looks[40], looks[160])
		}
	}
}

// Who asks for every budget at most gives up all of it: half an answer proves
// nothing about the others.
func TestDeadlineOfManyRuns(t *testing.T) {
	pool := long(200)
	p := prepare(t, pool)
	opt := selector.Options{Strategy: mustStrategy(t, "pacms")}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := p.Sweep(ctx, opt, 10, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("sweep: %v", err)
	}
	if _, _, err := p.NextChange(ctx, opt, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("next change: %v", err)
	}
}

func TestNewest(t *testing.T) {
	var n selector.Newest
	n.Stop()
	first, _ := n.Next(t.Context())
	second, done := n.Next(t.Context())
	if first.Err() == nil || second.Err() != nil {
		t.Fatalf("the first is %v, the second %v", first.Err(), second.Err())
	}
	done()
	third, _ := n.Next(t.Context())
	n.Stop()
	if second.Err() == nil || third.Err() == nil {
		t.Fatalf("the second is %v, the third %v", second.Err(), third.Err())
	}
}

// Selections of all kinds at once give what each gives alone.
func TestSelectionsAtOnce(t *testing.T) {
	pool := long(150)
	p := prepare(t, pool)
	var wait sync.WaitGroup
	for k := range 40 {
		opt := selector.Options{
			Strategy: mustStrategy(t, specs[k%len(specs)]),
			Budget:   selector.Term{Value: pool.Tokens() * (k + 1) / 50, Source: "test"},
		}
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if k%5 == 0 {
				go cancel()
			}
			defer cancel()
			got, err := p.Select(ctx, opt)
			if err != nil && k%5 == 0 {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			if want := selectFrom(t, pool, opt); !slices.Equal(got.Order, want.Order) || got.Coverage != want.Coverage {
				t.Errorf("%s at %d: %v, alone %v", opt.Strategy, opt.Budget.Value, got.Order, want.Order)
			}
		})
	}
	wait.Wait()
}
