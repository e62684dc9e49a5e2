package cmd

import (
	"cmp"
	"slices"
	"strings"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/session"
)

// diffSchema names the format of a difference of two selections.
const diffSchema = "pacms.diff/1"

// diffDocument is a difference as it is printed.
type diffDocument struct {
	Schema    string       `json:"schema"`
	Build     build        `json:"build"`
	A         diffSide     `json:"a"`
	B         diffSide     `json:"b"`
	Entered   []diffChange `json:"entered"`
	Left      []diffChange `json:"left"`
	Unchanged int          `json:"unchanged"`
	Factors   []diffFactor `json:"factors"`
	// Warnings are what a reader should know of the sides.
	Warnings []session.Warning `json:"warnings"`
}

// diffSide is what one selection was made of.
type diffSide struct {
	// Name is what was named on the command line.
	Name     string `json:"name"`
	Turn     int    `json:"turn,omitempty"`
	Query    string `json:"query"`
	Items    int    `json:"items"`
	Kept     int    `json:"kept"`
	Tokens   int    `json:"tokens"`
	Strategy string `json:"strategy"`
	Budget   int    `json:"budget"`
	Embedder string `json:"embedder"`
	Counter  string `json:"counter"`
	// Rules are those that came before the choice.
	Rules    []string `json:"rules"`
	PoolHash string   `json:"pool_hash"`
	// Recorded is true where what was kept is as a record says it.
	Recorded bool `json:"recorded"`
}

// diffChange is an item that only one side keeps.
type diffChange struct {
	ID      string         `json:"id"`
	Number  int            `json:"number,omitempty"`
	Kind    session.Kind   `json:"kind"`
	Tokens  int            `json:"tokens"`
	Excerpt string         `json:"excerpt"`
	Cause   compare.Factor `json:"cause"`
	// Offered is false where the other side was not offered it.
	Offered bool `json:"offered"`

	label string
}

// diffFactor is something in which the sides differ, and what it does.
type diffFactor struct {
	Factor compare.Factor `json:"factor"`
	Was    string         `json:"was"`
	Is     string         `json:"is"`
	// Alone is how many of the changes it makes by itself.
	Alone   int    `json:"alone"`
	Untried string `json:"untried,omitempty"`
}

func newDiffDocument(d *compare.Diff, sides [2]*side) *diffDocument {
	doc := &diffDocument{
		Schema: diffSchema, Build: readBuild(), A: sides[0].document(d.A), B: sides[1].document(d.B),
		Entered: changes(d.Entered, sides[0].Pool), Left: changes(d.Left, sides[1].Pool), Unchanged: d.Unchanged, Factors: []diffFactor{},
		Warnings: []session.Warning{},
	}
	for _, e := range d.Effects {
		was, is := doc.A.part(e.Factor), doc.B.part(e.Factor)
		doc.Factors = append(doc.Factors, diffFactor{e.Factor, was, is, e.Alone, e.Untried})
	}
	return doc
}

func (s *side) document(now *selector.Selection) diffSide {
	d := diffSide{
		Name: s.name, Turn: s.turn, Query: s.Pool.Query, Items: len(s.Pool.Candidates), Kept: len(now.Kept), Tokens: now.Tokens.Kept,
		Strategy: now.Strategy, Budget: now.Budget, Embedder: now.Embedder, Counter: s.Counter.Name(), Rules: now.Rules,
		PoolHash: s.hash, Recorded: s.Recorded != nil,
	}
	if d.Recorded {
		d.Kept, d.Tokens = len(s.Recorded), 0
		for i := range s.Pool.Candidates {
			if c := &s.Pool.Candidates[i]; slices.Contains(s.Recorded, c.ID) {
				d.Tokens += c.Tokens
			}
		}
	}
	return d
}

// part is what a side has for a factor.
func (s *diffSide) part(f compare.Factor) string {
	switch f {
	case compare.FactorVersion:
		if s.Recorded {
			return "as recorded"
		}
		return "this build"
	case compare.FactorQuery:
		if s.Query == "" {
			return "no text"
		}
		return "“" + excerpt(s.Query, quoteWidth/2) + "”"
	case compare.FactorBudget:
		return tokens(s.Budget)
	case compare.FactorPool:
		return session.Counted(s.Items, "item")
	case compare.FactorCounter:
		return s.Counter
	case compare.FactorEmbedder:
		return s.Embedder
	case compare.FactorStrategy:
		return s.Strategy
	case compare.FactorRules:
		return cmp.Or(strings.Join(s.Rules, ","), "none")
	case compare.FactorSeveral:
	}
	return ""
}

// changes are those of one side; other is the pool of the other one, which has the text
// of an item where that side has none.
func changes(list []compare.Change, other *session.Pool) []diffChange {
	out := make([]diffChange, len(list))
	for i := range list {
		c := &list[i].Candidate
		text := c.Content()
		if text == "" {
			if k := slices.IndexFunc(other.Candidates, func(o session.Candidate) bool { return o.ID == c.ID }); k >= 0 {
				text = other.Candidates[k].Content()
			}
		}
		out[i] = diffChange{
			ID: c.ID, Number: c.Number, Kind: c.Kind, Tokens: c.Tokens, Excerpt: excerpt(text, quoteWidth),
			Cause: list[i].Cause, Offered: !list[i].Absent, label: c.Label(list[i].Index) + " " + string(c.Kind) + saidIn(c),
		}
	}
	return out
}
