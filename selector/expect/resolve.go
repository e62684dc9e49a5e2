package expect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
	"pacms/session"
)

// Case is an expectation with what it names in a session.
type Case struct {
	*Expectation
	// Turn is the index of the turn in Session.Turns.
	Turn int
	Item session.Occurrence
}

// mostPlaces is how many places an error lists.
const mostPlaces = 10

// Assign finds the session of each expectation among those that are looked at, and
// gives the expectations by the index of their session.
func Assign(list []Expectation, sessions []*session.Session) ([][]*Expectation, error) {
	out := make([][]*Expectation, len(sessions))
	var all error
	for i := range list {
		e := &list[i]
		var found []int
		for k, s := range sessions {
			if e.Session == "" || e.Session == s.Key || e.Session == filepath.Base(s.Source.Path) {
				found = append(found, k)
			}
		}
		if len(found) == 1 {
			out[found[0]] = append(out[found[0]], e)
			continue
		}
		names := make([]string, len(sessions))
		for k, s := range sessions {
			names[k] = s.Key + " in " + filepath.Base(s.Source.Path)
		}
		var what string
		switch {
		case e.Session == "":
			what = "there are several sessions, and no session: says which one is meant"
		case len(found) > 0:
			what = fmt.Sprintf("%d of the sessions that are looked at are called %q, name one by its key", len(found), e.Session)
		default:
			what = fmt.Sprintf("no session that is looked at is called %q, there is", e.Session)
			if len(names) > 1 {
				what = fmt.Sprintf("no session that is looked at is called %q, there are", e.Session)
			}
		}
		all = errors.Join(all, fmt.Errorf("%s: %s:%s", e.place(), what, listed(names, " ")))
	}
	return out, all
}

// UnresolvedError is an expectation of which the turn or the message is not there, or is not
// the only one.
type UnresolvedError struct {
	*Expectation
	// Reason is what is wrong with it, without its line.
	Reason error
}

// Error says where it stands and what is wrong with it.
func (u *UnresolvedError) Error() string { return u.place() + ": " + u.Reason.Error() }

// Unwrap is the reason.
func (u *UnresolvedError) Unwrap() error { return u.Reason }

// Resolve finds the turn and the message of each expectation in a session whose
// places are given. Those that name nothing, or several, or the contrary of one before
// are unresolved. It fails where it is interrupted.
func Resolve(ctx context.Context, s *session.Session, places *session.Places, list []*Expectation) ([]Case, []*UnresolvedError, error) {
	cases := make([]Case, 0, len(list))
	var wrong []*UnresolvedError
	for _, e := range list {
		c, err := e.resolve(ctx, s, places)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			err = c.contrary(s, cases)
		}
		if err != nil {
			wrong = append(wrong, &UnresolvedError{e, err})
			continue
		}
		cases = append(cases, c)
	}
	return cases, wrong, nil
}

// contrary is an error where one of the cases before demands the opposite of the same
// message in the same turn with the same strategy and budget: not both can be met.
func (c *Case) contrary(s *session.Session, before []Case) error {
	for k := range before {
		o := &before[k]
		if o.Turn == c.Turn && o.Keep != c.Keep && o.Item.ID == c.Item.ID && o.overlaps(c.Expectation) {
			be := map[bool]string{true: "kept", false: "dropped"}
			return fmt.Errorf("%s is to be %s in turn %d, and line %d says that it is to be %s there",
				c.Item.Name(), be[c.Keep], s.Turns[c.Turn].Number, o.Line, be[o.Keep])
		}
	}
	return nil
}

func (e *Expectation) resolve(ctx context.Context, s *session.Session, places *session.Places) (Case, error) {
	c := Case{Expectation: e}
	var err error
	if c.Turn, err = e.turn(s); err != nil {
		return c, err
	}
	if e.ID != "" {
		var ok bool
		if c.Item, ok = s.Named(e.ID); !ok {
			return c, fmt.Errorf("there is no item of the number or id %q: pacms why PATH --find TEXT lists those that say a text", e.ID)
		}
		if places.Find(c.Turn, &c.Item).Absence.Unsaid() {
			return c, fmt.Errorf("%s had not been said when turn %d began", c.Item.Name(), s.Turns[c.Turn].Number)
		}
		return c, nil
	}
	c.Item, err = e.find(ctx, s, places, c.Turn)
	return c, err
}

// turn is the index of the turn that is meant.
func (e *Expectation) turn(s *session.Session) (int, error) {
	if len(s.Turns) == 0 {
		return 0, errors.New("this session has no turns")
	}
	switch {
	case e.At != "":
		switch i, isTime := s.TurnAt(e.At); {
		case !isTime:
			return 0, fmt.Errorf("at: %q is no time such as 15:04 or 2026-11-29 15:04", e.At)
		case i < 0:
			return 0, fmt.Errorf("at: no turn is as late as %s", e.At)
		default:
			return i, nil
		}
	case e.Question != "":
		return e.asked(s)
	}
	if i := slices.IndexFunc(s.Turns, func(t session.Turn) bool { return t.Number == e.Turn }); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no turn %d: the session has %s", e.Turn, s.TurnNumbers())
}

// asked is the index of the only turn whose question says what is looked for.
func (e *Expectation) asked(s *session.Session) (int, error) {
	n, err := session.NewNeedle(e.Question)
	if err != nil {
		return 0, fmt.Errorf("question: %w", err)
	}
	var at []int
	var names []string
	for i := range s.Turns {
		if count, _ := n.Find(s.Turns[i].Query); count > 0 && s.Turns[i].Branch == session.BranchActive {
			at, names = append(at, i), append(names, "turn "+strconv.Itoa(s.Turns[i].Number))
		}
	}
	switch len(at) {
	case 1:
		return at[0], nil
	case 0:
		return 0, fmt.Errorf("question: no turn was asked %q", e.Question)
	}
	return 0, fmt.Errorf("question: %d turns were asked %q, name one by its number:%s", len(at), e.Question, listed(names, " "))
}

// find is the only message before a turn that says what is looked for. One on a
// branch that was left is meant only where no other says it.
func (e *Expectation) find(ctx context.Context, s *session.Session, places *session.Places, turn int) (session.Occurrence, error) {
	n, err := session.NewNeedle(e.Find)
	if err != nil {
		return session.Occurrence{}, fmt.Errorf("find the item: %w", err)
	}
	all, err := s.Occurrences(ctx, n)
	if err != nil {
		return session.Occurrence{}, fmt.Errorf("find the item: %w", err)
	}
	var said, left []session.Occurrence
	for _, o := range all {
		switch a := places.Find(turn, &o).Absence; {
		case a.Unsaid():
		case a == session.OtherBranch:
			left = append(left, o)
		default:
			said = append(said, o)
		}
	}
	if len(said) == 0 {
		said = left
	}
	switch number := s.Turns[turn].Number; len(said) {
	case 1:
		return said[0], nil
	case 0:
		return session.Occurrence{}, fmt.Errorf("no item before turn %d says %q", number, e.Find)
	default:
		names := make([]string, len(said))
		for k := range said {
			names[k] = said[k].Name() + " “" + said[k].Excerpt + "”"
		}
		return session.Occurrence{}, fmt.Errorf("%d items before turn %d say %q, take a longer text or an id:%s",
			len(said), number, e.Find, listed(names, "\n  "))
	}
}

// Sight is what became of the message in a selection of the turn's pool; both are nil
// where the turn has none.
func (c *Case) Sight(places *session.Places, pool *session.Pool, sel *selector.Selection) selector.Sighting {
	// What had not been said is no case, so that there is always one.
	return selector.Sight(places, c.Turn, []session.Occurrence{c.Item}, pool, sel, false)[0]
}

// Offered reports whether the message is in the pool of the turn, so that only a
// selection can tell what becomes of it.
func (c *Case) Offered(places *session.Places) bool { return places.Find(c.Turn, &c.Item).Index >= 0 }

// Met reports whether what became of the message is what is expected. What is not
// offered is not kept.
func (c *Case) Met(s selector.Sighting) bool { return (s.State == selector.StateKept) == c.Keep }

// listed is a list of names, each after a separator, with the rest counted. Behind a
// blank commas separate them.
func listed(names []string, separator string) string {
	if n := len(names) - mostPlaces; n > 0 {
		names = append(names[:mostPlaces:mostPlaces], fmt.Sprintf("and %d more", n))
	}
	if separator == " " {
		return separator + strings.Join(names, ", ")
	}
	return separator + strings.Join(names, separator)
}
