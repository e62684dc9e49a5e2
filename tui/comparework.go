package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/session"
	versus "pacms/tui/compare"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// reopened is a session that was opened for a side of the compare view.
type reopened struct {
	place     Place
	session   *session.Session
	engine    *selector.Engine
	hindsight *selector.Hindsight
	turns     []int // those that can be shown
	prepared  recent
}

// duel is one complete comparison, made outside Update and never changed after it.
type duel struct {
	sides [2]*faced
	// turn and budget are those of the screen.
	turn, budget int
	pairs        []compare.Pair
	items        []versus.Item
	only         [2][]versus.Entry
	agreement    compare.Agreement
	labels       []string // of the items
	differences  []int    // the items that one side alone keeps
}

// faced is one side of a comparison.
type faced struct {
	contender
	opened *reopened // nil: the session on screen
	turn   int       // index in the session
	number int
	// estimated is set where its tokens are.
	estimated bool
	prepared  *selector.Prepared
	pool      *session.Pool
	options   selector.Options
	sel       *selector.Selection
	needs     []selector.Need
	cell      compare.Cell
}

// duelMsg carries a comparison, and what was opened for it.
type duelMsg struct {
	generation int
	duel       *duel
	opened     [2]*reopened
	err        error
}

// sideWork is what one side needs to be worked on beside Update.
type sideWork struct {
	contender
	opened   *reopened // nil: not opened yet, or the session on screen
	known    recent
	options  selector.Options
	position int // of the turn on screen among those that can be
	shown    int // its number
}

// contestWork makes the work on both sides.
func (m *Model) contestWork(generation int) func(ctx context.Context) duelMsg {
	position, _ := slices.BinarySearch(m.turns, m.want.turn)
	number := m.session.Turns[m.want.turn].Number
	var jobs [2]sideWork
	for k, c := range m.contest.sides {
		job := sideWork{contender: c, position: position, shown: number}
		job.options = m.options(request{m.want.turn, c.strategy, max(m.want.budget+c.more, 0), m.want.choices})
		if c.rules != nil {
			job.options.Rules = *c.rules
		}
		if c.place == (Place{}) {
			job.opened = &reopened{session: m.session, engine: m.engine, hindsight: m.hindsight, turns: slices.Clone(m.turns), prepared: m.prepared}
		} else {
			job.opened = m.reopened[c.place]
		}
		if job.opened != nil {
			r := job.opened.prepared
			job.known = recent{turns: slices.Clone(r.turns), ready: slices.Clone(r.ready)}
		}
		jobs[k] = job
	}
	cfg, relay, turn, budget, pictures := m.cfg, m.relay, m.want.turn, m.want.budget, m.generation
	progress := func(what string, done, total int64) {
		relay.send(progressMsg{pictures, what, done, total})
	}
	return func(ctx context.Context) duelMsg {
		msg := duelMsg{generation: generation}
		d := &duel{turn: turn, budget: budget}
		for k := range jobs {
			if k == 1 && jobs[1].opened == nil && jobs[1].place == jobs[0].place {
				jobs[1].opened = jobs[0].opened
			}
			f, err := jobs[k].run(ctx, &cfg, progress)
			msg.opened[k] = jobs[k].opened
			if err != nil {
				msg.err = fmt.Errorf("%s: %w", sideNames[k], err)
				return msg
			}
			d.sides[k] = f
		}
		d.hold()
		msg.duel = d
		return msg
	}
}

// run opens what the side is taken from, and selects.
func (j *sideWork) run(ctx context.Context, cfg *Config, progress Progress) (*faced, error) {
	if j.opened == nil {
		s, engine, err := cfg.Other(ctx, j.place, progress)
		if err != nil {
			return nil, err
		}
		if why := s.WhyNoPool(); why != "" {
			return nil, errors.New("there is nothing to choose from: " + why)
		}
		j.opened = &reopened{place: j.place, session: s, engine: engine, hindsight: selector.NewHindsight(s)}
		for i := range s.Turns {
			if t := &s.Turns[i]; t.Branch == session.BranchActive && t.Internal == "" {
				j.opened.turns = append(j.opened.turns, i)
			}
		}
		if story := cfg.Story; story != nil && j.place.Path == "" {
			if i := slices.IndexFunc(s.Turns, func(t session.Turn) bool { return t.Number == story.Mark.Turn }); i >= 0 {
				j.opened.hindsight.Name(i, story.Mark.Needed)
			}
		}
	}
	o := j.opened
	turn, err := j.turnIn(o)
	if err != nil {
		return nil, err
	}
	f := &faced{contender: j.contender, turn: turn, number: o.session.Turns[turn].Number, estimated: o.session.Estimated, options: j.options}
	if j.place != (Place{}) {
		f.opened = o
	}
	if f.prepared = j.known.get(turn); f.prepared == nil {
		f.prepared, err = o.engine.Prepare(ctx, o.session.Pool(turn, cfg.PoolMode), selector.PrepareOptions{
			QueryExplicit: cfg.QueryExplicit, NoWiden: cfg.NoWiden, Progress: func(done, total int) {
				if done < total {
					progress("reading the meaning of items", int64(done), int64(total))
				}
			},
		})
		if err != nil {
			return nil, fmt.Errorf("tui: turn %d: %w", f.number, err)
		}
	}
	f.pool = f.prepared.Pool
	if f.sel, err = f.prepared.Select(ctx, f.options); err != nil {
		return nil, fmt.Errorf("tui: select with %s: %w", f.strategy, err)
	}
	if err := f.sel.Ready(ctx); err != nil {
		return nil, fmt.Errorf("tui: explain %s: %w", f.strategy, err)
	}
	f.needs = o.hindsight.Needs(turn, f.pool)
	f.cell = compare.CellOf(f.pool, f.sel, f.needs)
	return f, nil
}

// turnIn is the index of the turn of the side.
func (j *sideWork) turnIn(o *reopened) (int, error) {
	at, wanted := j.position, cmp.Or(j.number, j.shown)
	if j.place.Path != "" || j.number != 0 {
		by := func(i int) bool { return o.session.Turns[i].Number == wanted }
		at = slices.IndexFunc(o.turns, by)
		switch {
		case at < 0 && j.number != 0:
			return 0, errors.New("there is no turn " + strconv.Itoa(j.number) + " with a pool")
		case at < 0:
			at = len(o.turns) - 1
		case j.number != 0:
			at += j.position - j.base
		}
	} else if j.place != (Place{}) { // the same turns, of which others may be folded
		at = slices.IndexFunc(o.session.Turns, func(t session.Turn) bool { return t.Number == wanted })
		return at, nil
	}
	if at < 0 || at >= len(o.turns) {
		return 0, errors.New("no turn is as far from the one on screen")
	}
	return o.turns[at], nil
}

// hold puts the two sides into one order, and finds what one of them alone keeps.
func (d *duel) hold() {
	a, b := d.sides[0], d.sides[1]
	d.pairs = compare.Aligned(a.pool, b.pool)
	d.agreement = compare.Agree(a.pool, b.pool, d.pairs, a.sel.Keeps, b.sel.Keeps)
	d.items = make([]versus.Item, len(d.pairs))
	d.labels = make([]string, len(d.pairs))
	for i, p := range d.pairs {
		it := &d.items[i]
		for k, f := range d.sides {
			if p[k] < 0 {
				continue
			}
			it.Fates[k] = versus.Dropped
			if f.sel.Keeps(p[k]) {
				it.Fates[k] = versus.Kept
			}
			c := &f.pool.Candidates[p[k]]
			if c.Kind != session.Summary {
				it.Turn = max(it.Turn, c.Turn)
			}
			if d.labels[i] == "" {
				d.labels[i] = c.Label(p[k])
			}
		}
	}
	d.need()
	for i := range d.items {
		if d.items[i].Differs() {
			d.differences = append(d.differences, i)
			side := 0
			if d.items[i].Fates[1] == versus.Kept {
				side = 1
			}
			d.only[side] = append(d.only[side], d.entry(i, side))
		}
	}
	for k := range d.only {
		slices.SortStableFunc(d.only[k], func(x, y versus.Entry) int {
			if x.Needed != y.Needed {
				if x.Needed {
					return -1
				}
				return 1
			}
			return cmp.Compare(y.Tokens, x.Tokens)
		})
	}
}

// need marks on each side what it misses, and on the other side what of that is kept.
func (d *duel) need() {
	place := [2]map[int]int{{}, {}}
	for i, p := range d.pairs {
		place[0][p[0]], place[1][p[1]] = i, i
	}
	for k, f := range d.sides {
		for _, n := range selector.Missed(f.needs, f.sel.Keeps) {
			for _, h := range n.Holders {
				it := &d.items[place[k][h]]
				it.Needed[k] = true
				if it.Fates[1-k] == versus.Kept {
					it.Needed[1-k] = true
				}
			}
		}
		for _, n := range f.needs {
			for _, h := range n.Holders {
				if !n.Estimate() {
					d.items[place[k][h]].Needed[k] = true
				}
			}
		}
	}
}

// entry is the item at i in the list of a side that alone keeps it.
func (d *duel) entry(i, side int) versus.Entry {
	c := &d.sides[side].pool.Candidates[d.pairs[i][side]]
	e := versus.Entry{Item: i, Label: d.labels[i], Kind: shortKind(c.Kind), Tokens: c.Tokens, Needed: d.items[i].Needed[side], Reason: "not offered"}
	if other := d.pairs[i][1-side]; other >= 0 {
		e.Reason = d.sides[1-side].cause(other).Words()
	}
	return e
}

// shortKind is a kind on at most four columns.
func shortKind(k session.Kind) string {
	switch k {
	case session.Memory:
		return "mem"
	case session.Assistant:
		return "asst"
	case session.Summary:
		return "summ"
	case session.Document:
		return "doc"
	case session.System:
		return "sys"
	default:
		return string(k)
	}
}

// cause is the reason for the verdict on a candidate, or on the one that decided for
// its group.
func (f *faced) cause(i int) selector.Code { return f.sel.Cause(i, f.pool) }

// candidate is an item as A has it, or B alone.
func (d *duel) candidate(i int) *session.Candidate {
	p := d.pairs[i]
	if p[0] >= 0 {
		return &d.sides[0].pool.Candidates[p[0]]
	}
	return &d.sides[1].pool.Candidates[p[1]]
}

// indexOf is the item with an id, -1 without one.
func (d *duel) indexOf(id string) int {
	for i := range d.items {
		if d.candidate(i).ID == id {
			return i
		}
	}
	return -1
}

// text is what an entry says on at most width columns: a tool with what it was called
// with, and the text.
func (d *duel) text(i, width int) string {
	c := d.candidate(i)
	text := safe.Line(paint.Head(c.Content(), width))
	if tool := toolLabel(c); tool != "" {
		if c.Tool == nil || text == "" {
			return tool
		}
		return tool + " " + text
	}
	return "“" + text + "”"
}

// side is the one of the sides on which an item matters: the one that drops it where
// the other keeps it, else B.
func (d *duel) side(i int) int {
	if d.items[i].Differs() && d.items[i].Fates[1] == versus.Kept && d.pairs[i][0] >= 0 || d.pairs[i][1] < 0 {
		return 0
	}
	return 1
}

// nextChange is the nearest budget of the bar in a direction at which one of the sides
// keeps something else.
func (d *duel) nextChange(ctx context.Context, dir int) (budget int, found bool, err error) {
	least := 0
	for _, f := range d.sides {
		at, ok, err := f.prepared.NextChange(ctx, f.options, dir)
		if err != nil {
			return 0, false, err
		}
		if by := at - f.options.Budget.Value; ok && (!found || by*dir < least*dir) {
			least, found = by, true
		}
	}
	budget = max(d.budget+least, 0)
	return budget, budget != d.budget, nil
}

// factors are what the sides differ in, in words.
func (d *duel) factors() []string {
	a, b := d.sides[0], d.sides[1]
	var factors []string
	for _, f := range []struct {
		word   string
		differ bool
	}{
		{"session", a.place.Path != b.place.Path},
		{"turn", a.number != b.number},
		{"strategy", a.strategy.Name() != b.strategy.Name()},
		{"parameter", a.strategy.Name() == b.strategy.Name() && a.strategy.String() != b.strategy.String()},
		{"budget", a.options.Budget.Value != b.options.Budget.Value},
		{"embedder", a.sel.Embedder != b.sel.Embedder},
		{"counter", a.sel.Tokenizer != b.sel.Tokenizer},
		{"rules", !slices.Equal(a.sel.Rules, b.sel.Rules)},
	} {
		if f.differ {
			factors = append(factors, f.word)
		}
	}
	return factors
}
