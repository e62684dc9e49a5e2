package selector

import (
	"context"

	"pacms/session"
)

// SelectionSchema names the format of a selection document.
const SelectionSchema = "pacms.selection/1"

// Code says why a candidate was kept or dropped.
type Code string

// Reason codes of kept candidates.
const (
	Required Code = "required" // by the request or a rule
	Tail     Code = "tail"     // in the newest complete turn
	Pinned   Code = "pinned"   // by a person
	Selected Code = "selected" // chosen by the strategy
	Fill     Code = "fill"     // pacms+: took what was left of the budget
	Fits     Code = "fits"     // everything fits
)

// Reason codes of dropped candidates.
const (
	Budget       Code = "budget"             // wanted, no room
	TooLarge     Code = "too_large"          // larger than the whole budget
	CoveredBy    Code = "covered_by"         // kept candidates say what it would add
	Irrelevant   Code = "irrelevant"         // adds nothing to this question
	Rank         Code = "rank"               // below the cut of the strategy
	DuplicateOf  Code = "duplicate_of"       // a newer near-duplicate stands for it
	Diversity    Code = "diversity"          // mmr preferred something less similar
	Older        Code = "older"              // lastk filled the budget with newer ones
	Heartbeat    Code = "heartbeat"          // an older poll of a family
	SupersededBy Code = "superseded_by"      // the file was read again later
	Empty        Code = "empty"              // no visible text
	OrphanResult Code = "orphan_tool_result" // a result without its call
	Banned       Code = "banned"             // by a person
	WithGroup    Code = "with_group"         // shares the fate of its group
)

// Share is a candidate's part in a reason: a keeper and how much of what the
// dropped candidate would add it already covers (0 to 1).
type Share struct {
	ID    string  `json:"id"`
	Share float64 `json:"share,omitempty"`
	// Only is the part of Share that no other kept candidate covers: leaving this
	// one out of what is kept raises what the dropped one would add by exactly
	// this part of what it would add to nothing.
	Only float64 `json:"only,omitempty"`
}

// Reason is the cause of a verdict.
type Reason struct {
	Code Code `json:"code"`
	// By names the candidates that caused it: keepers with shares
	// (covered_by), the newer copy (duplicate_of, superseded_by, heartbeat), or
	// the member that decided for its group (with_group).
	By []Share `json:"by,omitempty"`
	// Newer is true where the dropped candidate is newer than the kept one that
	// covers it: perhaps an update.
	Newer bool `json:"newer,omitempty"`
	// Text is the reason as one plain sentence with its numbers.
	Text string `json:"text,omitempty"`
}

// Verdict is what became of one candidate.
type Verdict struct {
	ID        string       `json:"id"`
	Index     int          `json:"index"`
	Kind      session.Kind `json:"kind"`
	Tokens    int          `json:"tokens"`
	Group     string       `json:"group,omitempty"`
	Kept      bool         `json:"kept"`
	Reason    Reason       `json:"reason"`
	Relevance float64      `json:"relevance"` // max(0, cosine to the query)
	Score     float64      `json:"score"`     // what the strategy ranks by
	Gain      float64      `json:"gain"`      // what it added when chosen, or would add now
	Rank      int          `json:"rank"`      // from 1, see Selection.Rank
	// Steps and Covers are those of Why, with Options.Debug alone.
	Steps  []Step  `json:"steps,omitempty"`
	Covers []Share `json:"covers,omitempty"`
	// ReturnsAt is set by who asked Prepared.ReturnsAtAll.
	ReturnsAt *ReturnsAt `json:"returns_at,omitempty"`
}

// Term is one term of the budget and where it came from.
type Term struct {
	Value  int    `json:"value"`
	Source string `json:"source"`
}

// TokenCounts are sums over the pool.
type TokenCounts struct {
	Pool     int `json:"pool"`
	Kept     int `json:"kept"`
	Dropped  int `json:"dropped"`
	Required int `json:"required"`
	Pending  int `json:"pending"`
}

// Timing is in milliseconds.
type Timing struct {
	Embed  float64 `json:"embed"`
	Select float64 `json:"select"`
}

// Selection is what a strategy keeps of a pool, and why.
type Selection struct {
	Schema          string            `json:"schema"`
	RequestID       string            `json:"request_id,omitempty"` // set by who was asked over a network
	Strategy        string            `json:"strategy"`
	Budget          int               `json:"budget"`
	EffectiveBudget int               `json:"effective_budget"`
	BudgetTerms     map[string]Term   `json:"budget_terms"`
	QuerySource     string            `json:"query_source"`
	Kept            []string          `json:"kept"`
	KeptIndices     []int             `json:"kept_indices"`
	Order           []int             `json:"order"`
	Tokens          TokenCounts       `json:"tokens"`
	OverBudget      bool              `json:"over_budget"`
	Partial         bool              `json:"partial"`
	Objective       *float64          `json:"objective,omitempty"`
	UpperBound      *float64          `json:"upper_bound,omitempty"`
	Certificate     *float64          `json:"certificate,omitempty"`
	Coverage        float64           `json:"coverage"`
	Optimum         *Optimum          `json:"optimum,omitempty"` // set by who asked Prepared.Optimum
	Embedder        string            `json:"embedder"`
	Tokenizer       string            `json:"tokenizer"`
	Rules           []string          `json:"rules"`
	MS              Timing            `json:"ms"`
	Warnings        []session.Warning `json:"warnings"`
	Candidates      []Verdict         `json:"candidates,omitempty"`

	why   *reasons
	codes []Code
	kept  []bool
}

// Keeps reports whether the candidate at pool index i is kept.
func (s *Selection) Keeps(i int) bool { return s.kept[i] }

// Code is the reason code of the candidate at pool index i.
func (s *Selection) Code(i int) Code { return s.codes[i] }

// Explain gives the verdict on the candidate at pool index i with its full
// reason. It costs more than Code and is meant for the candidate under the cursor.
func (s *Selection) Explain(i int) Verdict { return s.why.verdict(i) }

// Ranked is how many groups have a rank: all that neither a rule nor a person set
// aside.
func (s *Selection) Ranked() int {
	n := 0
	for g := range s.why.pb.groups {
		if pb := s.why.pb; pb.client[pb.groups[g].first()] {
			n++
		}
	}
	return n
}

// Rank is the Rank that Explain gives for the candidate at pool index i, without
// the cost of a reason; 0 where a rule set the candidate aside.
func (s *Selection) Rank(i int) int { return s.why.rank(i) }

// Ready computes what Explain, Rank and the like need of the whole pool, so that
// none of them takes long after it. Without it the first of them does that.
func (s *Selection) Ready(ctx context.Context) error { return s.why.ready(ctx) }

// IsReady reports whether what Ready computes is there.
func (s *Selection) IsReady() bool { return s.why.isReady() }
