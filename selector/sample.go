package selector

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacms/session/cores"
)

// sample is what one run of a strategy at one budget decided, and for which other
// budgets that is proved.
type sample struct {
	span        // within it the same groups are kept
	outer  span // within it the same groups are decided on before the strategy
	kept   set
	fixed  set // groups that were decided on before the strategy
	budget int
}

// span is a range of budgets, both ends included; to is noSlack where there is no
// upper end.
type span struct{ from, to int }

func byBudget(a, b *sample) int { return a.budget - b.budget }

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

// differ is the number of elements that one of two sets of the same size has.
func (s set) differ(other set) int {
	n := 0
	for k, w := range s {
		n += bits.OnesCount64(w ^ other[k])
	}
	return n
}

// pending is what comes off every budget that a caller names.
func (p *Prepared) pending() int {
	n := 0
	for _, m := range p.Pool.Pending {
		n += m.Tokens
	}
	return n
}

// whole is the budget in tokens at which everything fits.
func (p *Prepared) whole() int { return p.Pool.Tokens() + p.pending() }

// named is the budget of opt in tokens, as a caller names it.
func (p *Prepared) named(opt Options) (int, error) {
	pb, err := p.problem(opt)
	if err != nil {
		return 0, fmt.Errorf("selector: %w", err)
	}
	return pb.named(), nil
}

// named is the budget in tokens as a caller names it; where a window is known and
// no budget, the one that comes to the same.
func (pb *problem) named() int {
	if t, ok := pb.terms["budget"]; ok {
		return t.Value
	}
	return pb.budget + pb.pending()
}

// at is opt with another budget.
func (opt Options) at(budget int) Options {
	source := opt.Budget.Source
	if source == "" {
		source = "step"
	}
	opt.Budget, opt.Debug = Term{budget, source}, false
	return opt
}

// around is the range of budgets about one within which a slack proves that no
// comparison comes out differently. Below what is pending a budget is as good as
// none, so that there a step up has to be counted from it.
func (p *Prepared) around(budget int, s slack) span {
	r := span{0, noSlack}
	if s.down != noSlack {
		r.from = max(0, budget-s.down+1)
	}
	if s.up != noSlack {
		r.to = max(budget, p.pending()) + s.up - 1
	}
	return r
}

// groupsKept is the set of groups that a choice keeps.
func (pb *problem) groupsKept(c *choice) set {
	kept := newSet(len(pb.groups))
	for _, groups := range [][]int{pb.must, c.picked, c.fill} {
		for _, g := range groups {
			kept.add(g)
		}
	}
	return kept
}

// sample runs a strategy at one budget.
func (p *Prepared) sample(ctx context.Context, opt Options, budget int) (*sample, error) {
	pb, c, err := p.decide(ctx, opt.at(budget))
	if err != nil {
		return nil, err
	}
	s := &sample{
		span: p.around(budget, *pb.slack), outer: p.around(budget, pb.outer),
		kept: pb.groupsKept(c), fixed: newSet(len(p.groups)), budget: budget,
	}
	for g, f := range pb.fate {
		if f.code != "" {
			s.fixed.add(g)
		}
	}
	return s, nil
}

// proves is the range of budgets within which group g is proved to share the fate
// that it has in the sample.
func (s *sample) proves(g int) span {
	if s.fixed.has(g) {
		return span{min(s.from, s.outer.from), max(s.to, s.outer.to)}
	}
	return s.span
}

// mostHeld is how many samples are kept: some megabytes on the largest pools.
const mostHeld = 4096

// sampler runs a strategy at many budgets, and at each once as long as it can keep
// what came of it.
type sampler struct {
	*Prepared
	opt   Options
	most  int        // runs for one candidate, the ends of intervals aside
	steps int        // runs from the present budget on, each way
	mu    sync.Mutex // guards done
	done  map[int]*sample
}

// sampler gives the one of these options, which may have samples already.
func (p *Prepared) sampler(ctx context.Context, opt Options) (*sampler, error) {
	key := fmt.Sprintf("%s %q %d %q %q", opt.Strategy, opt.Rules.names, opt.Tail, opt.Pins, opt.Bans)
	return p.held.samplers.get(ctx, key, func() (*sampler, error) { return p.newSampler(opt), nil })
}

func (p *Prepared) newSampler(opt Options) *sampler {
	return &sampler{Prepared: p, opt: opt, most: mostSamples, steps: mostSteps, done: make(map[int]*sample)}
}

// at gives the samples at some budgets, in their order.
func (s *sampler) at(ctx context.Context, budgets []int) ([]*sample, error) {
	out := make([]*sample, len(budgets))
	err := together(ctx, len(budgets), func(ctx context.Context, k int) error {
		s.mu.Lock()
		found := s.done[budgets[k]]
		s.mu.Unlock()
		if found == nil {
			var err error
			if found, err = s.sample(ctx, s.opt, budgets[k]); err != nil {
				return err
			}
			s.mu.Lock()
			if len(s.done) < mostHeld {
				s.done[budgets[k]] = found
			}
			s.mu.Unlock()
		}
		out[k] = found
		return nil
	})
	return out, err
}

// together calls do for 0 to n−1 on all processors and waits; the first error
// ends it.
func together(ctx context.Context, n int, do func(ctx context.Context, k int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cores.Workers(ctx))
	for k := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(ctx, k)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("selector: runs at several budgets: %w", err)
	}
	return nil
}

// spread lists about steps+1 budgets from 0 to most, evenly, each once.
func spread(most, steps int) []int {
	steps = max(1, min(steps, most))
	budgets := make([]int, 0, steps+1)
	for k := range steps + 1 {
		budgets = append(budgets, int(int64(k)*int64(most)/int64(steps)))
	}
	if most == 0 {
		return budgets[:1]
	}
	return budgets
}
