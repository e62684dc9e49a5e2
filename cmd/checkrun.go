package cmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"pacms/selector"
	"pacms/selector/expect"
	"pacms/session"
)

// checkSchema names the format of the result of a check.
const checkSchema = "pacms.check/1"

// checkDocument is the result of a check with all that is needed to make it again.
type checkDocument struct {
	Schema string `json:"schema"`
	Build  build  `json:"build"`
	// Repeat is the command line that checks the same again.
	Repeat string `json:"repeat"`
	// Expect is the file of expectations; Marks is true where they were the marks of
	// the screen.
	Expect      string         `json:"expect,omitempty"`
	Marks       bool           `json:"marks,omitempty"`
	Embedder    string         `json:"embedder"`
	Tokenizer   string         `json:"tokenizer"`
	Estimated   bool           `json:"estimated"`
	Rules       []string       `json:"rules"`
	Tail        int            `json:"tail"`
	Widen       bool           `json:"widen"`
	Pool        string         `json:"pool"`
	BudgetBasis string         `json:"budget_basis"`
	Sessions    []checkSession `json:"sessions"`
	// Done is the number of expectations that were looked at, of Total. Partial is true
	// where that is not all: it was interrupted.
	Done    int  `json:"done"`
	Total   int  `json:"total"`
	Partial bool `json:"partial"`
	// Checked is the number of Results, Missed that of those that are not met.
	Checked int `json:"checked"`
	Missed  int `json:"missed"`
	// PoolHash is a digest of the hashes of the pools that were looked at.
	PoolHash string            `json:"pool_hash"`
	Results  []checkResult     `json:"results"`
	Warnings []session.Warning `json:"warnings"`
}

type checkSession struct {
	Source  session.Source `json:"source"`
	Session string         `json:"session"`
	// Skipped is the number of records of it that could not be used.
	Skipped int `json:"skipped"`
}

// checkResult is what became of one expectation under one strategy and budget.
type checkResult struct {
	// Line is where it stands in the file; 0 for a mark.
	Line int `json:"line,omitempty"`
	// Session is the index of the session.
	Session int       `json:"session"`
	Turn    int       `json:"turn"`
	Time    time.Time `json:"time,omitzero"`
	Query   string    `json:"query"`
	// Want is "keep" or "drop".
	Want   string `json:"want"`
	ID     string `json:"id"`
	Number int    `json:"number,omitempty"`
	// Kind is empty where the item is not there.
	Kind    session.Kind `json:"kind,omitempty"`
	Excerpt string       `json:"excerpt"`
	Note    string       `json:"note,omitempty"`

	Strategy string `json:"strategy"`
	// Budget is as it was named, or "default" or "recorded"; Tokens and Effective are
	// those of the selection, nil where the item is not offered.
	Budget    string `json:"budget"`
	Tokens    *int   `json:"budget_tokens,omitempty"`
	Effective *int   `json:"effective_budget,omitempty"`

	Met   bool           `json:"met"`
	State selector.State `json:"state"`
	Code  selector.Code  `json:"code"`
	// Into is the id of the summary that stands for an item that was compacted.
	Into string `json:"into,omitempty"`
	// Text is why, as a sentence.
	Text string `json:"text"`
	// Otherwise is what would turn a miss.
	Otherwise []whyChange `json:"otherwise,omitempty"`

	// name is what people call the item, turns what would turn a miss, a sentence each.
	name  string
	turns []string
}

// check fills the document. tell is told how many expectations are done; it may be
// nil. Where it ends early, it returns why, and the document has what was done by then.
func (d *checkDocument) check(ctx context.Context, p *plan, e *embedding, sets []*expectedIn, tell func(done, total int)) error {
	for _, s := range sets {
		d.Total += len(s.cases) + len(s.unresolved)
		d.Sessions = append(d.Sessions, checkSession{s.Source, s.Key, len(s.Skipped)})
		d.Warnings = append(d.Warnings, s.Warnings...)
	}
	var digest poolDigest
	var failed error
	for i, s := range sets {
		var results []checkResult
		results, failed = d.session(ctx, p, e, s, &digest, tell)
		for k := range results {
			results[k].Session = i
		}
		d.Results = append(d.Results, results...)
		if failed != nil {
			break
		}
	}
	d.Checked, d.Partial, d.PoolHash = len(d.Results), d.Done < d.Total, digest.String()
	for i := range d.Results {
		if !d.Results[i].Met {
			d.Missed++
		}
	}
	return failed
}

// session is what becomes of the expectations of one session, in the order of the file.
func (d *checkDocument) session(
	ctx context.Context, p *plan, e *embedding, s *expectedIn, digest *poolDigest, tell func(done, total int),
) ([]checkResult, error) {
	w := newWalker(p, selector.NewEngine(e, s.Tokenizer), s.Session, s.story)
	// Turn by turn, so that what one turn shares with the next is used.
	order := make([]int, len(s.cases))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.cases[a].Turn, s.cases[b].Turn) })
	found := make([][]checkResult, len(s.cases))
	t := &checkedTurn{walker: w, index: -1}
	for _, k := range order {
		c := &s.cases[k]
		if c.Turn != t.index {
			t = &checkedTurn{walker: w, index: c.Turn, pool: s.Pool(c.Turn, p.mode), made: make(map[string]*outcome)}
			if t.pool != nil {
				digest.add(t.pool)
			}
		}
		var err error
		if found[k], err = t.results(ctx, s, c); err != nil {
			return slices.Concat(found...), err
		}
		if d.Done++; tell != nil {
			tell(d.Done, d.Total)
		}
	}
	results := slices.Concat(found...)
	for _, u := range s.unresolved {
		results = append(results, checkResult{
			Line: u.Line, Turn: u.Turn, Want: u.Verb(), ID: u.ID, Note: u.Note, Strategy: t.strategy.String(), Budget: t.budget.String(),
			State: stateUnknown, Code: selector.Code(stateUnknown), Text: u.Reason.Error(), name: "item " + u.ID,
		})
		if d.Done++; tell != nil {
			tell(d.Done, d.Total)
		}
	}
	return results, nil
}

// stateUnknown is the state of a marked item that is not there any more, or whose turn
// is not.
const stateUnknown selector.State = "unknown"

// checkedTurn is a turn while the expectations of it are looked at.
type checkedTurn struct {
	*walker
	index    int
	pool     *session.Pool // nil where the turn has none
	prepared *selector.Prepared
	made     map[string]*outcome // by strategy and budget
}

// results are what becomes of a case under each strategy and budget that it names.
func (t *checkedTurn) results(ctx context.Context, s *expectedIn, c *expect.Case) ([]checkResult, error) {
	strategies := c.Strategies
	if strategies == nil {
		strategies = []selector.Strategy{t.strategy}
	}
	terms, names := t.terms(c)
	var results []checkResult
	for _, strategy := range strategies {
		for k := range terms {
			r, err := t.result(ctx, s, c, strategy, terms[k])
			if err != nil {
				return nil, err
			}
			r.Strategy, r.Budget = strategy.String(), names[k]
			results = append(results, r)
		}
	}
	return results, nil
}

// terms are the budgets of a case, and what they are called.
func (t *checkedTurn) terms(c *expect.Case) (terms []selector.Term, names []string) {
	if t.pool == nil {
		return []selector.Term{{}}, []string{t.budget.String()}
	}
	if c.Budgets == nil {
		term := t.optionsFor(t.index, t.pool).Budget
		name := t.budget.String()
		if term.Source == "" || term.Source == sourceRecorded {
			name = "recorded"
		}
		return []selector.Term{term}, []string{name}
	}
	basis := t.basis
	if t.perTurn {
		basis = t.pool.Tokens()
	}
	for _, b := range c.Budgets {
		terms, names = append(terms, selector.Term{Value: b.Tokens(basis), Source: "expectation"}), append(names, b.String())
	}
	return terms, names
}

// result is what becomes of a case under one strategy and budget.
func (t *checkedTurn) result(ctx context.Context, s *expectedIn, c *expect.Case, strategy selector.Strategy, term selector.Term) (checkResult, error) {
	turn := &s.Turns[c.Turn]
	r := checkResult{
		Line: c.Line, Turn: turn.Number, Time: turn.Time, Query: turn.Query, Want: c.Verb(), ID: c.Item.ID, Number: c.Item.Number,
		Kind: c.Item.Kind, Excerpt: c.Item.Excerpt, Note: c.Note, name: c.Item.Name(),
	}
	o := &outcome{turn: turn}
	if c.Offered(s.places) {
		var err error
		if o, err = t.choose(ctx, turn, strategy, term); err != nil {
			return r, err
		}
		r.Tokens, r.Effective = &o.selection.Budget, &o.selection.EffectiveBudget
	}
	sight := c.Sight(s.places, o.pool, o.selection)
	r.State, r.Code, r.Met, r.Text = sight.State, sight.Code, c.Met(sight), reason(o, sight)
	if sight.Into > 0 {
		r.Into = s.Candidates[sight.Into-1].ID
	}
	if r.Met || sight.Index < 0 {
		return r, nil
	}
	changes, err := t.changes(ctx, o, sight.Index)
	if err != nil {
		return r, err
	}
	r.Otherwise, r.turns = changeDocuments(o, changes), describeChanges(o, sight.Index, changes)
	return r, nil
}

// choose selects for the turn, once with each strategy under each budget.
func (t *checkedTurn) choose(ctx context.Context, turn *session.Turn, strategy selector.Strategy, term selector.Term) (*outcome, error) {
	key := fmt.Sprintf("%s under %d of %s", strategy, term.Value, term.Source)
	if o := t.made[key]; o != nil {
		return o, nil
	}
	if t.prepared == nil {
		var err error
		if t.prepared, err = t.prepare(ctx, t.engine, t.pool); err != nil {
			return nil, fmt.Errorf("turn %d: %w", turn.Number, err)
		}
	}
	o := &outcome{turn: turn, pool: t.pool, prepared: t.prepared, options: t.options(term)}
	o.options.Strategy = strategy
	var err error
	if o.selection, err = t.prepared.Select(ctx, o.options); err != nil {
		return nil, fmt.Errorf("turn %d: select: %w", turn.Number, err)
	}
	t.made[key] = o
	return o, nil
}
