// Package compare runs several strategies under several budgets over the turns of
// recorded sessions, and says how what they keep differs. No number here measures
// the quality of an answer.
package compare

import (
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/expect"
	"pacms/session"
)

// Plan says what is compared: every strategy under every budget in every turn of
// every session.
type Plan struct {
	Sessions []*session.Session
	// Hindsight knows what the turns of Sessions needed, index by index; nil: what
	// their records show.
	Hindsight []*selector.Hindsight
	// Expected is what people expect of the turns of Sessions, index by index; nil:
	// nothing.
	Expected []Expected
	Embedder embed.Embedder
	// Strategies in the order of the list; the first is what the overlap of the
	// others is measured with. Budgets in the order in which they are told.
	Strategies []selector.Strategy
	Budgets    []selector.BudgetSpec
	Options    Options
	// AllTurns counts turns in which everything fits, too.
	AllTurns bool
	// Only is the number of the one turn of each session that is compared; 0: all.
	Only int
	// IDs has every cell list what it keeps, which takes most of the memory.
	IDs bool
	// Workers is how many turns are worked on at the same time; 0: as many as there
	// are processors.
	Workers int
	// Embedded is told how many texts of a turn have their vectors; it may be nil.
	Embedded func(done, total int)
}

// Expected is what people expect of the turns of a session.
type Expected struct {
	Places *session.Places
	Cases  []expect.Case
}

// Options are what is the same for every strategy and every budget.
type Options struct {
	Rules   selector.Rules
	Tail    int
	NoWiden bool
	// Pins and Bans are ids of candidates, as selector.Options has them.
	Pins, Bans []string
	Mode       session.PoolMode
	// PerTurn takes a budget in percent of each turn's own pool and not of the
	// largest pool of its session.
	PerTurn bool
	// Source is where the budgets came from.
	Source string
}

// Cell is one strategy under one budget in one turn.
type Cell struct {
	// Session is the index of the session in the plan, Turn the number of the turn.
	Session  int    `json:"session"`
	Turn     int    `json:"turn"`
	Strategy string `json:"strategy"`
	// Budget is what was named, in tokens; Effective what of it there was to choose
	// with, which is less where the host will append something itself.
	Budget    int `json:"budget"`
	Effective int `json:"effective_budget"`
	// Contested is true where the pool is larger than the effective budget: only
	// then something has to be dropped.
	Contested bool `json:"contested"`
	// Items and Tokens are those that are kept.
	Items    int     `json:"items"`
	Tokens   int     `json:"tokens"`
	Coverage float64 `json:"coverage"`
	// Overlap is that of what is kept with what the first strategy of the list keeps
	// under the same budget, as Overlap gives it.
	Overlap float64 `json:"overlap"`
	// Needs are what the record of the turn shows to have been needed, Missed those
	// of them of which nothing is kept, Quoted those that the recorded answer quotes
	// and of which something is kept.
	Needs  int `json:"needs"`
	Missed int `json:"missed"`
	Quoted int `json:"quoted"`
	// Expected are the expectations of this turn, strategy and budget, Met those of
	// them that are met.
	Expected int `json:"expected,omitempty"`
	Met      int `json:"met,omitempty"`
	// Prefix is how many leading kept tokens are the same as in the turn before, of
	// PrefixOf that were kept there; both are 0 in the first turn.
	Prefix   int `json:"prefix"`
	PrefixOf int `json:"prefix_of"`
	// MS is how long the selection took, in milliseconds, while others ran.
	MS float64 `json:"ms"`
	// Warnings are the codes of those that the selection has.
	Warnings []string `json:"warnings,omitempty"`
	// PoolHash is session.Pool.Hash, KeptHash the same for the ids of what is kept.
	PoolHash string `json:"pool_hash"`
	KeptHash string `json:"kept_hash"`
	// Kept are the ids of what is kept, in the order of the pool.
	Kept []string `json:"kept,omitempty"`
}

// Result is what a comparison found.
type Result struct {
	// Cells are turn by turn, in each by budget and then by strategy, both in the
	// order of the plan.
	Cells []Cell
	// Then is what was kept when the turns were captured; nil where none was.
	Then *Then
	// Turns are what became of the turns of each session of the plan.
	Turns []Turns
	// Done is the number of turns that were compared, of Total. Partial is true where
	// that is not all: they are the first ones.
	Done, Total int
	Partial     bool
}

// Turns counts the turns of a session.
type Turns struct {
	// Compared were compared; Contested are those of them in which the pool is larger
	// than the smallest budget.
	Compared  int `json:"compared"`
	Contested int `json:"contested"`
	// Internal are left out as the host's own, Left as on a branch that was left.
	Internal int `json:"internal"`
	Left     int `json:"left"`
	// Largest is the largest pool, in tokens, of which a budget in percent is a share
	// unless it is one of each turn's own.
	Largest int `json:"largest_pool"`
	// Budgets are those of the plan in tokens; nil where each turn has its own.
	Budgets []int `json:"budgets,omitempty"`
}
