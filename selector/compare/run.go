package compare

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"pacms/selector"
	"pacms/selector/expect"
	"pacms/session"
)

// job is one turn to be compared.
type job struct {
	*place
	turn int // index in Session.Turns
	done chan answer
}

// answer is what came of a job.
type answer struct {
	outcome *Outcome
	err     error
}

// place is a session of the plan while its turns are worked on.
type place struct {
	index     int
	session   *session.Session
	engine    *selector.Engine
	hindsight *selector.Hindsight
	largest   int
}

// Run compares. It tells each, unless that is nil, how many turns are done. Where
// it ends early, interrupted or by an error, it returns that error and the result
// of the turns before. It holds what has been made ready of as many turns as there
// are workers, and of the other turns their cells alone.
func Run(ctx context.Context, plan *Plan, each func(done, total int)) (*Result, error) {
	r := &Result{Turns: make([]Turns, len(plan.Sessions))}
	turns := make([][]int, len(plan.Sessions))
	for i, s := range plan.Sessions {
		turns[i], r.Turns[i] = plan.turns(s)
		r.Total += len(turns[i])
	}
	n := workers(ctx, plan.Workers)
	group, ctx := errgroup.WithContext(ctx)
	// The turns in their order, of which so many are under way or wait for one
	// before them: both queues together bound how far the workers run ahead.
	queue, order := make(chan *job), make(chan *job, n)
	group.Go(func() error {
		defer close(queue)
		defer close(order)
		for i, s := range plan.Sessions {
			at := plan.open(i, s)
			for _, turn := range turns[i] {
				j := &job{place: at, turn: turn, done: make(chan answer, 1)}
				for _, to := range []chan *job{order, queue} {
					select {
					case to <- j:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
			}
		}
		return nil
	})
	for range n {
		group.Go(func() error {
			for j := range queue {
				o, err := plan.turn(ctx, j)
				j.done <- answer{o, err}
			}
			return nil
		})
	}
	group.Go(func() error { return plan.collect(ctx, r, order, each) })
	err := group.Wait()
	r.Partial = r.Done < r.Total
	if r.Then != nil {
		r.Then.divide()
	}
	if err == nil && r.Partial {
		err = ctx.Err()
	}
	return r, err
}

// turns lists the indices of the turns of s that are compared: those that a person
// asked, on the branch that the host follows.
func (plan *Plan) turns(s *session.Session) ([]int, Turns) {
	var list []int
	t := Turns{Largest: s.LargestPool(plan.Options.Mode)}
	for i := range s.Turns {
		switch {
		case plan.Only != 0 && s.Turns[i].Number != plan.Only:
		case s.Turns[i].Branch != session.BranchActive:
			t.Left++
		case s.Turns[i].Internal != "":
			t.Internal++
		default:
			list = append(list, i)
		}
	}
	shares := false
	for _, b := range plan.Budgets {
		t.Budgets = append(t.Budgets, b.Tokens(t.Largest))
		shares = shares || b.IsShare()
	}
	if shares && plan.Options.PerTurn {
		t.Budgets = nil
	}
	return list, t
}

// open begins with the session at index i of the plan.
func (plan *Plan) open(i int, s *session.Session) *place {
	at := &place{index: i, session: s, engine: selector.NewEngine(plan.Embedder, s.Tokenizer), largest: s.LargestPool(plan.Options.Mode)}
	if plan.Hindsight != nil {
		at.hindsight = plan.Hindsight[i]
	} else {
		at.hindsight = selector.NewHindsight(s)
	}
	return at
}

// turn compares in one turn.
func (plan *Plan) turn(ctx context.Context, j *job) (*Outcome, error) {
	opt := plan.Options
	pool := j.session.Pool(j.turn, opt.Mode)
	number := j.session.Turns[j.turn].Number
	p, err := j.engine.Prepare(ctx, pool, selector.PrepareOptions{NoWiden: opt.NoWiden, Progress: plan.Embedded})
	if err != nil {
		return nil, fmt.Errorf("compare: turn %d: prepare the pool: %w", number, err)
	}
	basis := j.largest
	if opt.PerTurn {
		basis = pool.Tokens()
	}
	in := Setup{
		Strategies: plan.Strategies, Workers: 1, Needs: j.hindsight.Needs(j.turn, pool),
		Options: selector.Options{Rules: opt.Rules, Tail: opt.Tail, Pins: opt.Pins, Bans: opt.Bans},
	}
	if plan.Expected != nil {
		in.Expected = plan.expected(j, pool)
	}
	for _, b := range plan.Budgets {
		in.Budgets = append(in.Budgets, selector.Term{Value: b.Tokens(basis), Source: opt.Source})
	}
	o, err := Turn(ctx, p, in)
	if err != nil {
		return nil, fmt.Errorf("compare: turn %d: %w", number, err)
	}
	for i := range o.Cells {
		o.Cells[i].Session, o.Cells[i].Turn = j.index, number
	}
	o.then = recordedCell(pool, j.session.Turns[j.turn].Record, in.Needs)
	return o, nil
}

// expected is what counts the expectations of a turn; nil where there are none.
func (plan *Plan) expected(j *job, pool *session.Pool) func(strategy, budget int, s *selector.Selection) (expected, met int) {
	of := &plan.Expected[j.index]
	var cases []*expect.Case
	for k := range of.Cases {
		if of.Cases[k].Turn == j.turn {
			cases = append(cases, &of.Cases[k])
		}
	}
	if cases == nil {
		return nil
	}
	return func(strategy, budget int, s *selector.Selection) (expected, met int) {
		for _, c := range cases {
			if !c.Of(plan.Strategies[strategy], plan.Budgets[budget]) {
				continue
			}
			expected++
			if c.Met(c.Sight(of.Places, pool, s)) {
				met++
			}
		}
		return expected, met
	}
}

// uncounted is the number of expectations that no cell counts: of a turn that is not
// compared, or of other strategies or budgets.
func (plan *Plan) uncounted() int {
	n := 0
	for i, of := range plan.Expected {
		turns, _ := plan.turns(plan.Sessions[i])
		for k := range of.Cases {
			c := &of.Cases[k]
			counted := slices.Contains(turns, c.Turn) && slices.ContainsFunc(plan.Strategies, func(s selector.Strategy) bool {
				return slices.ContainsFunc(plan.Budgets, func(b selector.BudgetSpec) bool { return c.Of(s, b) })
			})
			if !counted {
				n++
			}
		}
	}
	return n
}

// collect takes the turns as they are done, in their order.
func (plan *Plan) collect(ctx context.Context, r *Result, order <-chan *job, each func(done, total int)) error {
	var before *Outcome
	session := -1
	for j := range order {
		var a answer
		select {
		case a = <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if a.err != nil {
			return a.err
		}
		if j.index != session {
			session, before = j.index, nil
		}
		if before != nil {
			a.outcome.Follow(before)
		}
		before = a.outcome
		contested := false
		for i := range a.outcome.Cells {
			c := a.outcome.Cells[i]
			contested = contested || c.Contested
			if !plan.IDs {
				c.Kept = nil
			}
			r.Cells = append(r.Cells, c)
		}
		if then := a.outcome.then; then != nil {
			if r.Then == nil {
				r.Then = new(Then)
			}
			r.Then.add(then, plan.AllTurns)
		}
		r.Turns[j.index].Compared++
		if contested {
			r.Turns[j.index].Contested++
		}
		r.Done++
		if each != nil {
			each(r.Done, r.Total)
		}
	}
	return nil
}
