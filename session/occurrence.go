package session

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Occurrence is a message of the store that holds a text, or a file that the host
// sends with it.
type Occurrence struct {
	// Candidate is the message. Of what is no candidate of the session the Number
	// is 0; the ID of a host's file is its name.
	Candidate
	// Count is how often the text is in it; of several texts the rarest.
	Count int
	// Excerpt is what it says around the first of them, as it is written, in one
	// line, with … where something is left out.
	Excerpt string

	at    []int // indices into Candidates, ascending: several where pools repeat it
	aside int   // index into Aside, -1
}

// excerptBefore and excerptAfter are about how many bytes of a text an excerpt
// shows before the first hit and after its beginning.
const (
	excerptBefore = 40
	excerptAfter  = 160
)

// Lookup finds a text in all that is stored, as Occurrences does. Where it is in
// nothing as it stands, what holds all of its words is found, and byWords is true.
func (s *Session) Lookup(ctx context.Context, n Needle) (found []Occurrence, byWords bool, err error) {
	found, err = s.Occurrences(ctx, n)
	if words := n.Words(); err == nil && len(found) == 0 && words != nil {
		found, err = s.Occurrences(ctx, words...)
		byWords = len(found) > 0
	}
	return found, byWords, err
}

// Occurrences finds what holds all of some texts in all that is stored: every
// candidate, what is set aside, and the files of the host, in this order. What is
// looked at of a message is what it says and what it calls tools with.
func (s *Session) Occurrences(ctx context.Context, texts ...Needle) ([]Occurrence, error) {
	var out []Occurrence
	byID := make(map[string]int) // of pools, which repeat what they offer
	for c := range s.Candidates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o, found := holding(s.Candidates[c], texts)
		if !found {
			continue
		}
		if k, known := byID[o.ID]; known {
			out[k].at = append(out[k].at, c)
			continue
		}
		if s.Pools != nil {
			byID[o.ID] = len(out)
		} else {
			o.Number = c + 1
		}
		o.at = []int{c}
		out = append(out, o)
	}
	for a := range s.Aside {
		if o, found := holding(s.Aside[a].Candidate, texts); found {
			o.aside = a
			out = append(out, o)
		}
	}
	for _, f := range s.Host {
		if o, found := holding(Candidate{ID: f.Name, Kind: Memory, Text: f.Text, Tokens: f.Tokens}, texts); found {
			out = append(out, o)
		}
	}
	return out, ctx.Err()
}

// shortID is how many characters of an id tell it from others.
const shortID = 8

// Name is what people call the message: its number, "#17"; without one the
// beginning of its id; of a file of the host its name.
func (o *Occurrence) Name() string {
	switch {
	case o.Number > 0:
		return o.Label(0)
	case o.aside < 0:
		return o.ID
	}
	id := []rune(o.ID)
	return string(id[:min(len(id), shortID)])
}

// Named is the message that people call by its number, "17" or "#17", by its id, or
// by the beginning of an id; false if there is none, or are several.
func (s *Session) Named(name string) (Occurrence, bool) {
	number, _ := strconv.Atoi(strings.TrimPrefix(name, "#"))
	for _, match := range []func(id string, n int) bool{
		func(id string, _ int) bool { return id == name },
		func(_ string, n int) bool { return number > 0 && n == number },
		func(id string, _ int) bool { return len(name) >= shortID && strings.HasPrefix(id, name) },
	} {
		if o, several := s.matching(match); !several && o.ID != "" {
			o.Excerpt = excerpt(o.visible(), Span{})
			return o, true
		}
	}
	return Occurrence{}, false
}

// matching is the message whose id and number match, and whether there are several;
// what is set aside has the number 0.
func (s *Session) matching(match func(id string, n int) bool) (o Occurrence, several bool) {
	o.aside = -1
	for c := range s.Candidates {
		switch id := s.Candidates[c].ID; {
		case !match(id, s.numberOf(c)):
		case o.ID == "":
			o.Candidate, o.at = s.Candidates[c], []int{c}
			o.Number = s.numberOf(c)
		case o.ID == id: // pools repeat it
			o.at = append(o.at, c)
		default:
			several = true
		}
	}
	for a := range s.Aside {
		switch id := s.Aside[a].ID; {
		case !match(id, 0):
		case o.ID == "":
			o.Candidate, o.aside = s.Aside[a].Candidate, a
		default:
			several = true
		}
	}
	return o, several
}

// numberOf is the number that people know the candidate at index c by.
func (s *Session) numberOf(c int) int {
	if n := s.Candidates[c].Number; n > 0 {
		return n
	}
	return c + 1
}

// Find is where an occurrence stands at the turn at index i of Turns.
func (p *Places) Find(i int, o *Occurrence) Place {
	switch {
	case o.aside >= 0:
		return p.OfAside(i, o.aside)
	case o.at == nil && p.session.Turns[i].Branch == BranchActive:
		return Place{Index: -1, Absence: HostInjected}
	case o.at == nil:
		return Place{Index: -1, Absence: OtherBranch}
	}
	place := Place{}
	for _, c := range o.at {
		if place = p.Of(i, c); place.Index >= 0 {
			break
		}
	}
	return place
}

// holding looks for texts in a candidate; the excerpt is around the first of them.
func holding(c Candidate, texts []Needle) (Occurrence, bool) {
	said := c.visible()
	o := Occurrence{Candidate: c, aside: -1}
	for k, n := range texts {
		count, first := n.Find(said)
		if count == 0 {
			return Occurrence{}, false
		}
		if k == 0 || count < o.Count {
			o.Count = count
		}
		if k == 0 {
			o.Excerpt = excerpt(said, first)
		}
	}
	return o, true
}

// visible is Content with the arguments of tool calls as they read: a line break
// in them is one.
func (c *Candidate) visible() string {
	if len(c.Calls) == 0 {
		return c.Text
	}
	parts := make([]string, 0, 1+2*len(c.Calls))
	if c.Text != "" {
		parts = append(parts, c.Text)
	}
	for _, call := range c.Calls {
		parts = append(parts, strings.TrimSpace(call.Name+" "+unescape(string(call.Args))))
	}
	return strings.Join(parts, "\n")
}

// unescape replaces the escapes in the strings of a JSON text by what they stand
// for.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '"')
		if open < 0 {
			break
		}
		end := open + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			break
		}
		b.WriteString(text[:open+1])
		var plain string
		if json.Unmarshal([]byte(text[open:end+1]), &plain) == nil {
			b.WriteString(plain)
		} else {
			b.WriteString(text[open+1 : end])
		}
		b.WriteByte('"')
		text = text[end+1:]
	}
	return b.String() + text
}

// excerpt is what a text says around a span.
func excerpt(text string, around Span) string {
	from, to := max(0, around.From-excerptBefore), min(len(text), around.From+excerptAfter)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	// Not half a word, if there is a blank nearby.
	if from > 0 {
		if blank := strings.IndexAny(text[from:max(from, around.From)], " \n\t"); blank >= 0 {
			from += blank + 1
		}
	}
	out := strings.Join(strings.Fields(text[from:to]), " ")
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return out
}
