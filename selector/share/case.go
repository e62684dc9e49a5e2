// Package share makes a case of a selection: one document with the pool of a turn, how
// it was selected from, what came of it and what made it, for somebody else to look at
// and to run again. It can be made without any text, with the same ids kept, and it
// says on another machine what differs there, and why.
package share

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/session"
	"pacms/session/poolfile"
)

// Schema names the format of a case.
const Schema = "pacms.case/1"

// Text says what a case has of the texts.
type Text string

// What a case may have of the texts.
const (
	// Full is everything.
	Full Text = "full"
	// Redacted is everything but what package redact takes for a secret.
	Redacted Text = "redacted"
	// None is no word of a person, a model or a tool: numbers stand in for texts.
	None Text = "none"
)

// Case is one selection with all that is needed to make it again.
type Case struct {
	// Turn is the number of the turn in its session; 0 for a pool that has none.
	Turn int
	Text Text
	// Masked is how many secrets of each kind were masked; nil where none was looked
	// for.
	Masked map[string]int
	// Same is whether the session itself, with all its texts, gives the same kept
	// candidates. Without it Result is that of the pool as it is in the case.
	Same   bool
	Build  compare.Build
	Config Config
	Pool   *session.Pool
	Result Result
	// Evidence is what was found on the way from the texts to the result.
	Evidence Evidence
	// Digests are those of the parts of the case, by name, in hexadecimal: they tell
	// what was changed after it was written.
	Digests map[string]string
	// read are the digests of the file that the case was read from; nil where it was not.
	read map[string]string
}

// Config is how the pool was selected from.
type Config struct {
	Strategy string `json:"strategy"`
	// Budget is what was asked for; nil: what the pool says.
	Budget *selector.Term `json:"budget,omitempty"`
	Rules  []string       `json:"rules"`
	Tail   int            `json:"tail"`
	// Pins and Bans are ids of candidates.
	Pins    []string `json:"pins,omitempty"`
	Bans    []string `json:"bans,omitempty"`
	NoWiden bool     `json:"no_widen,omitempty"`
	// FromSession is true for the pool of a recorded turn.
	FromSession bool `json:"from_session,omitempty"`
	// Embedder is its name, Model a digest of its model where there is one.
	Embedder string `json:"embedder"`
	Model    string `json:"model,omitempty"`
	Counter  string `json:"counter"`
}

// Result is a selection with the reason code of each candidate.
type Result struct {
	*selector.Selection
	Codes []selector.Code
}

// Evidence is what was found on the way from the texts to the result: where another
// machine finds something else, that is where it differs.
type Evidence struct {
	// Numbers is selector.Prepared.NumbersHash.
	Numbers string `json:"numbers"`
	// Kernel is the arithmetic, see kernel.Name.
	Kernel string `json:"kernel"`
	// Found is what the rules found in the texts; nil where the pool has it.
	Found *session.Findings `json:"found,omitempty"`
	// Counted is for how many candidates the counter gives the tokens that they have;
	// nil where there is nothing to count.
	Counted *int `json:"counted,omitempty"`
}

// document is a case as it is written.
type document struct {
	Schema    string              `json:"schema"`
	Turn      int                 `json:"turn,omitempty"`
	Text      Text                `json:"text"`
	Masked    map[string]int      `json:"masked,omitempty"`
	Same      bool                `json:"same_as_source"`
	Build     compare.Build       `json:"build"`
	Config    Config              `json:"config"`
	Pool      *poolfile.Document  `json:"pool"`
	Selection *selector.Selection `json:"selection"`
	Codes     []selector.Code     `json:"codes"`
	Evidence  Evidence            `json:"evidence"`
	Digests   map[string]string   `json:"digests"`
}

// MarshalJSON writes a case as pacms.case/1.
func (c *Case) MarshalJSON() ([]byte, error) {
	pool := poolfile.NewDocument(c.Pool)
	pool.FromSession = false // a case says it once, in its config, which its digests cover
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it is no part of a page, and commands are full of &&
	if err := e.Encode(document{
		Schema, c.Turn, c.Text, c.Masked, c.Same, c.Build, c.Config, pool,
		c.Result.Selection, c.Result.Codes, c.Evidence, c.Digests,
	}); err != nil {
		return nil, fmt.Errorf("share: write a case: %w", err)
	}
	return b.Bytes(), nil
}

// Options are those of the selection.
func (c *Case) Options() (selector.Options, error) {
	strategy, err := selector.ParseStrategy(c.Config.Strategy)
	if err != nil {
		return selector.Options{}, fmt.Errorf("share: %w", err)
	}
	rules, err := ruleSet(c.Config.Rules)
	if err != nil {
		return selector.Options{}, err
	}
	opt := selector.Options{
		Strategy: strategy, Rules: rules, Tail: c.Config.Tail,
		Pins: slices.Clone(c.Config.Pins), Bans: slices.Clone(c.Config.Bans),
	}
	if c.Config.Budget != nil {
		opt.Budget = *c.Config.Budget
	}
	return opt, nil
}
