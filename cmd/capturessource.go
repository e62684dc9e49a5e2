package cmd

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"pacms/capture/store"
	"pacms/session"
	"pacms/session/find"
	"pacms/session/openclaw"
	"pacms/session/token"
)

// lostCode is the code of the warning that captures could not be stored.
const lostCode = "captures_lost"

// readCaptures reads the captures of a session as a session whose turns are what was
// asked: the one that opt names, else the one that was captured last.
func readCaptures(ctx context.Context, path string, opt openclaw.Options) (*session.Session, error) {
	r, err := store.OpenReader(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the captures: %w", err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	sessions, err := r.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("there are no captures in %s", path)
	}
	key := opt.Session
	if key == "" {
		key = sessions[0].Key
	}
	list, damaged, err := r.Captures(ctx, key)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 && len(damaged) == 0 {
		names := make([]string, len(sessions))
		for i := range sessions {
			names[i] = "  " + sessions[i].Key
		}
		return nil, usagef("--session %s: there are no captures of it in %s; there are of:\n%s", key, path, strings.Join(names, "\n"))
	}
	info, err := r.Info(ctx)
	if err != nil {
		return nil, err
	}
	s, err := sessionOfCaptures(path, key, list, opt)
	if err != nil {
		return nil, err
	}
	for _, err := range damaged {
		s.Skipped = append(s.Skipped, session.Skip{Offset: -1, Cause: err.Error()})
	}
	if n := info.Lost(); n > 0 {
		s.Warnings = append(s.Warnings, session.Warning{
			Code: lostCode, Count: n,
			Message: session.Counted(n, "capture") + " of this file could not be stored: pacms captures list says when and why",
		})
	}
	return s, nil
}

// sessionOfCaptures makes a session of the captures of one key, the oldest first.
func sessionOfCaptures(path, key string, list []*store.Capture, opt openclaw.Options) (*session.Session, error) {
	s := &session.Session{
		Source: session.Source{Path: path, Store: "captures"}, Key: key,
		Tokenizer: opt.Counter.Name(), Estimated: opt.Counter.Estimated(),
	}
	redacted := 0
	for _, c := range list {
		s.Pools = append(s.Pools, c.Pool)
		if c.Redacted {
			redacted++
		}
	}
	number(s.Pools)
	if n := len(list); n > 0 && list[n-1].Selection.Tokenizer != "" {
		counter, err := token.New(list[n-1].Selection.Tokenizer)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		s.Tokenizer, s.Estimated = counter.Name(), counter.Estimated()
	}
	own := ascending(list)
	for _, p := range s.Pools {
		for k := 0; !own && k < len(p.Candidates); k++ {
			p.Candidates[k].Turn = 0 // turns have other numbers here
		}
	}
	u := union{session: s, versions: make(map[string][]int)}
	for i, c := range list {
		t := session.Turn{
			Number: i + 1, Time: c.Time, Branch: session.BranchActive, Query: c.Pool.Query, IDsRepaired: c.Pool.IDsRepaired,
			Record: recordOf(c),
		}
		if own {
			t.Number = c.Turn
		}
		s.Turns = append(s.Turns, t)
		u.add(i)
	}
	if redacted > 0 {
		s.Warnings = append(s.Warnings, session.Warning{
			Code: "redacted", Count: redacted,
			Message: session.Counted(redacted, "capture") + " with texts that were masked: what is selected of them may differ from what was recorded",
		})
	}
	return s, nil
}

// ascending reports whether the captures have numbers of turns that tell them apart.
func ascending(list []*store.Capture) bool {
	last := 0
	for _, c := range list {
		if c.Turn <= last {
			return false
		}
		last = c.Turn
	}
	return true
}

// recordOf is what was selected in a capture.
func recordOf(c *store.Capture) *session.Record {
	s := c.Selection
	r := &session.Record{Capture: c.ID, Strategy: s.Strategy, Rules: s.Rules, Budget: s.EffectiveBudget + s.Tokens.Pending, Kept: s.Kept, Redacted: c.Redacted}
	if t, ok := s.BudgetTerms["budget"]; ok {
		r.Budget = t.Value
	}
	return r
}

// union makes the candidates of a session of those of its pools, each once as long as
// it stays the same.
type union struct {
	session  *session.Session
	versions map[string][]int // by id, the indices of what it was
}

// add takes in the pool of the turn at index i. What is new in it was said in the turn
// before.
func (u *union) add(i int) {
	s := u.session
	t, p := &s.Turns[i], s.Pools[i]
	for k := range p.Candidates {
		c := &p.Candidates[k]
		at := u.find(c)
		if at < 0 {
			at = len(s.Candidates)
			switch before := u.versions[c.ID]; {
			case len(before) > 0:
				c.Turn = s.Candidates[before[0]].Turn
			case i > 0:
				u.saidIn(&s.Turns[i-1], c)
			}
			u.versions[c.ID] = append(u.versions[c.ID], at)
			s.Candidates = append(s.Candidates, *c)
		}
		c.Turn = s.Candidates[at].Turn
		if n := len(t.Window); n > 0 && t.Window[n-1].To == at {
			t.Window[n-1].To++
		} else {
			t.Window = append(t.Window, session.Span{From: at, To: at + 1})
		}
	}
	t.Key = t.Window
}

// saidIn notes that a candidate was said in a turn, and what the agent said last there.
func (u *union) saidIn(t *session.Turn, c *session.Candidate) {
	switch c.Kind {
	case session.User, session.Assistant, session.Tool:
	default:
		return
	}
	c.Turn = t.Number
	if c.Kind == session.Assistant && c.Text != "" {
		t.Answer = c.Text
	}
}

// find is the index of what a candidate was before, -1 where it is new or says
// something else now.
func (u *union) find(c *session.Candidate) int {
	for _, at := range u.versions[c.ID] {
		o := &u.session.Candidates[at]
		if o.Text == c.Text && o.Tokens == c.Tokens && o.Kind == c.Kind && o.Group == c.Group && len(o.Calls) == len(c.Calls) {
			return at
		}
	}
	return -1
}

// findSessions finds the sessions of this machine, those of which there are captures
// among them.
func findSessions(ctx context.Context) (*find.Result, error) {
	found, err := find.Find(ctx, find.Options{})
	if err != nil {
		return nil, err
	}
	path := store.DefaultPath()
	info, err := os.Stat(path)
	if err != nil {
		return found, nil //nolint:nilerr // nothing was ever captured
	}
	place := find.Place{Path: path, Name: "captures of pacms"}
	stored, err := capturedSessions(ctx, path)
	switch {
	case err != nil:
		place.Why = "it cannot be read"
		place.Unread = []find.Unread{{Path: path, Cause: err.Error()}}
	case len(stored) == 0:
		place.Why = "there are no captures in it"
	}
	place.Stored = len(stored)
	found.Places = append(found.Places, place)
	for i := range stored {
		c := &stored[i]
		found.Sessions = append(found.Sessions, find.Session{
			Path: path, Store: "captures", Key: c.Key, IDs: []string{c.Key}, State: find.Captured, Turns: c.Captures, First: c.First, Last: c.Last, Bytes: info.Size(),
		})
	}
	slices.SortStableFunc(found.Sessions, func(a, b find.Session) int { return b.Last.Compare(a.Last) })
	return found, nil
}

// capturedSessions are the sessions of which there are captures in the file at path.
func capturedSessions(ctx context.Context, path string) ([]store.Stored, error) {
	r, err := store.OpenReader(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the captures: %w", err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	return r.Sessions(ctx)
}
