package cmd

import (
	"context"
	"io"
	"time"

	"pacms/selector"
	"pacms/session"
)

// whySchema names the format of an answer to why.
const whySchema = "pacms.why/1"

// whyDocument is an answer in JSON.
type whyDocument struct {
	Schema   string         `json:"schema"`
	Source   session.Source `json:"source"`
	Session  string         `json:"session"`
	Find     string         `json:"find,omitempty"`
	ByWords  bool           `json:"by_words,omitempty"`
	ID       string         `json:"id,omitempty"`
	Strategy string         `json:"strategy"`
	Items    []whyItem      `json:"items"`
	Turns    []*whyTurn     `json:"turns"`
	Skipped  []session.Skip `json:"skipped"`
	// Warnings are those of the whole session.
	Warnings []session.Warning `json:"warnings"`
}

// whyItem is an item that the answer is about.
type whyItem struct {
	ID     string       `json:"id"`
	Number int          `json:"number,omitempty"`
	Kind   session.Kind `json:"kind"`
	Turn   int          `json:"turn,omitempty"`
	Time   time.Time    `json:"time,omitzero"`
	Tokens int          `json:"tokens"`
	// Count is how often it says the text; 0 where no text was looked for.
	Count   int    `json:"count,omitempty"`
	Excerpt string `json:"excerpt"`
}

// whyTurn is one turn of an answer.
type whyTurn struct {
	Turn     int       `json:"turn"`
	Time     time.Time `json:"time,omitzero"`
	Branch   string    `json:"branch"`
	Internal string    `json:"internal,omitempty"`
	Query    string    `json:"query"`
	// Budget is what there was to choose with, in tokens; nil where nothing had
	// to be chosen to tell.
	Budget *int `json:"budget,omitempty"`
	// Items are those that had been said when the turn ended.
	Items []whyState `json:"items"`
}

// whyState is what became of an item in one turn.
type whyState struct {
	ID    string         `json:"id"`
	State selector.State `json:"state"`
	Code  selector.Code  `json:"code"`
	// Into is the id of the summary that stands for it, Holds whether that says the
	// text; nil where no text was looked for or there is no summary.
	Into  string `json:"into,omitempty"`
	Holds *bool  `json:"holds,omitempty"`
	Text  string `json:"text"`
	// Verdict is the whole reasoning, and Otherwise what would turn it, where one
	// item is asked about in one turn.
	Verdict   *selector.Verdict `json:"verdict,omitempty"`
	Otherwise []whyChange       `json:"otherwise,omitempty"`
}

// writeDocument prints the whole answer as one document.
func (a *answer) writeDocument(ctx context.Context, to io.Writer) error {
	s := a.session
	doc := whyDocument{
		Schema: whySchema, Source: s.Source, Session: s.Key, Find: a.find, ByWords: a.byWords, ID: a.id, Strategy: a.strategy.String(),
		Items: make([]whyItem, len(a.looked)), Turns: make([]*whyTurn, 0, len(a.turns)),
		Skipped: append([]session.Skip{}, s.Skipped...), Warnings: append([]session.Warning{}, s.Warnings...),
	}
	for k := range a.looked {
		o := &a.looked[k]
		doc.Items[k] = whyItem{
			ID: o.ID, Number: o.Number, Kind: o.Kind, Turn: o.Turn, Time: o.Time, Tokens: o.Tokens, Count: o.Count, Excerpt: o.Excerpt,
		}
	}
	for _, i := range a.turns {
		t, err := a.turn(ctx, i)
		if err != nil {
			return err
		}
		doc.Turns = append(doc.Turns, t)
	}
	return writeJSON(to, doc)
}

// writeTurns prints a turn a line.
func (a *answer) writeTurns(ctx context.Context, to io.Writer) error {
	for _, i := range a.turns {
		t, err := a.turn(ctx, i)
		if err != nil {
			return err
		}
		if err := writeJSON(to, t); err != nil {
			return err
		}
	}
	return nil
}

// turn is what became of the items in the turn at index i.
func (a *answer) turn(ctx context.Context, i int) (*whyTurn, error) {
	o, sightings, err := a.sight(ctx, i)
	if err != nil {
		return nil, err
	}
	t := &whyTurn{
		Turn: o.turn.Number, Time: o.turn.Time, Branch: o.turn.Branch, Internal: o.turn.Internal, Query: o.turn.Query,
		Items: make([]whyState, len(sightings)),
	}
	if o.selection != nil {
		t.Budget = &o.selection.EffectiveBudget
	}
	for k, s := range sightings {
		state := whyState{ID: a.looked[s.Of].ID, State: s.State, Code: s.Code, Text: reason(o, s)}
		if s.Into > 0 {
			state.Into = a.session.Candidates[s.Into-1].ID
			if s.Found {
				state.Holds = &s.Holds
			}
		}
		if a.one && a.id != "" && s.Index >= 0 {
			why := o.selection.Why(s.Index)
			v := why.Verdict
			v.Steps, v.Covers = why.Steps, why.Covers
			changes, err := a.changes(ctx, o, s.Index)
			if err != nil {
				return nil, err
			}
			state.Verdict, state.Otherwise = &v, changeDocuments(o, changes)
		}
		t.Items[k] = state
	}
	return t, nil
}
