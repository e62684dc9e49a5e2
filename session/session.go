// Package session holds what was said: messages as candidates, turns with the
// pool that was offered for each of them, and the session they belong to. It
// knows nothing of where a session was stored nor of what will be kept.
package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Kind says what a candidate is.
type Kind string

// The kinds of candidates, in the order in which a legend lists them.
const (
	Memory    Kind = "memory"
	User      Kind = "user"
	Assistant Kind = "assistant"
	Tool      Kind = "tool"
	Summary   Kind = "summary"
	Document  Kind = "document"
	System    Kind = "system"
)

// Kinds lists every kind in legend order.
var Kinds = []Kind{Memory, User, Assistant, Tool, Summary, Document, System}

// Valid reports whether k is one of Kinds.
func (k Kind) Valid() bool {
	switch k {
	case Memory, User, Assistant, Tool, Summary, Document, System:
		return true
	}
	return false
}

// ToolUse is a tool call, or the call that a tool result answers.
type ToolUse struct {
	Name   string          `json:"name,omitempty"`
	CallID string          `json:"call_id,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
	// Error is true on a result that the tool reported as failed.
	Error bool `json:"error,omitempty"`
}

// Candidate is one message (or memory entry, summary, document) that may be
// kept or dropped. Text is only what the model sees: no base64, no envelopes of
// the host, no details kept beside the message.
type Candidate struct {
	// ID is unique in its pool and stable over the turns of a session.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	Text string `json:"text,omitempty"`
	// Tokens is the cost by the session's counter; it includes tool calls and
	// images, which Text does not.
	Tokens   int       `json:"tokens"`
	Time     time.Time `json:"time,omitzero"`
	Required bool      `json:"required,omitempty"`
	// Group names the candidates that are kept or dropped together. Empty: alone.
	Group string `json:"group,omitempty"`
	// Tool is set on a tool result: the call that it answers.
	Tool *ToolUse `json:"tool,omitempty"`
	// Calls are the tool calls that an assistant message made.
	Calls []ToolUse `json:"calls,omitempty"`
	// Embedding is a vector that came with the pool; nil: it is to be computed.
	Embedding []float32 `json:"embedding,omitempty"`

	// Number is the candidate's place in its session, from 1, the same in every
	// pool; 0 in a pool that has no session.
	Number int `json:"number,omitempty"`
	// Turn is the number of the turn in which the candidate was said; 0 unknown.
	Turn int `json:"turn,omitempty"`
	// Internal names the host's own traffic ("heartbeat", "cron", …; "ack" for an
	// answer that says there is nothing to say); empty for people and agents.
	Internal string `json:"internal,omitempty"`
	// Images is the number of images in the message; Text has a placeholder for each.
	Images int `json:"images,omitempty"`
	// ThinkingUnsigned is true where the message has a thinking block that is
	// empty or has no signature, which a provider may refuse.
	ThinkingUnsigned bool `json:"thinking_unsigned,omitempty"`
}

// Label is how people are told of the candidate at index i of a pool: "#17".
func (c *Candidate) Label(i int) string {
	if c.Number > 0 {
		i = c.Number - 1
	}
	return "#" + strconv.Itoa(i+1)
}

// Content is the text that similarity is computed on: what the message says,
// then each tool call as its name and arguments.
func (c *Candidate) Content() string {
	if len(c.Calls) == 0 {
		return c.Text
	}
	b := []byte(c.Text)
	for _, call := range c.Calls {
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = append(b, call.Name...)
		if len(call.Args) > 0 {
			b = append(b, ' ')
			b = append(b, call.Args...)
		}
	}
	return string(b)
}

// Pending is what the host will append itself after the selection; it is never
// a candidate and its tokens come off the budget.
type Pending struct {
	ID     string `json:"id,omitempty"`
	Text   string `json:"text,omitempty"`
	Tokens int    `json:"tokens"`
}

// PoolSchema names the format of a pool document.
const PoolSchema = "pacms.pool/1"

// Pool is what was offered for one turn.
type Pool struct {
	Schema         string    `json:"schema"`
	Session        string    `json:"session,omitempty"`
	Turn           int       `json:"turn,omitempty"`
	Time           time.Time `json:"time,omitzero"`
	Query          string    `json:"query"`
	QueryEmbedding []float32 `json:"query_embedding,omitempty"`
	// Budget in tokens; nil where the pool does not say.
	Budget  *int      `json:"budget,omitempty"`
	Window  *int      `json:"window,omitempty"`
	Reserve *int      `json:"reserve,omitempty"`
	System  *int      `json:"system,omitempty"`
	Tools   *int      `json:"tools,omitempty"`
	Pending []Pending `json:"pending,omitempty"`
	// Candidates in the order in which they were appended, the newest last.
	Candidates []Candidate `json:"candidates"`
	// Similarity stands in for texts and vectors in a shared case.
	Similarity *Similarity `json:"similarity,omitempty"`
	// Findings stand in for what rules read in texts; nil: they are read.
	Findings *Findings `json:"findings,omitempty"`

	// FromSession is true for the pool of a recorded turn, also where it is read from
	// a file that says so: only such a pool has a first user message to protect, and
	// a question that may be widened.
	FromSession bool `json:"from_session,omitempty"`
	// IDsRepaired counts tool-call ids that were empty or aliased and were
	// paired by adjacency instead.
	IDsRepaired int `json:"-"`
	// Warnings are what its reader found odd but harmless.
	Warnings []Warning `json:"-"`
}

// Tokens is the sum over all candidates.
func (p *Pool) Tokens() int {
	n := 0
	for i := range p.Candidates {
		n += p.Candidates[i].Tokens
	}
	return n
}

// Branches of a turn.
const (
	BranchActive = "active"
	BranchOther  = "other"
)

// Span is a half-open range of indices into Session.Candidates.
type Span struct{ From, To int }

// The kinds of a boundary.
const (
	BoundaryCompaction = "compaction"
	BoundaryReset      = "reset"
)

// Boundary is a compaction or a reset that took effect between the previous
// turn and this one.
type Boundary struct {
	Kind    string // BoundaryCompaction or BoundaryReset
	EntryID string
	Time    time.Time
	// Summary is the number of the candidate in which a compaction put what was
	// before it; 0 where there is none.
	Summary int
	// KeptFrom is the number of the first candidate before the boundary that the
	// host still knows after it; 0 where it knows none, or that is not known.
	KeptFrom int
	// Earlier is one that took effect between the same two turns, before this one.
	Earlier *Boundary
}

// Turn is one stored user entry that started a run.
type Turn struct {
	// Number counts from 1, over the whole file, across resets and branches.
	Number  int
	EntryID string
	Time    time.Time
	// Branch is BranchActive, or BranchOther for a turn that was left behind
	// and has no pool.
	Branch string
	// Internal names the host's own run ("heartbeat", "cron", …), folded on screen.
	Internal string
	// Query is the stored text without the host's envelopes.
	Query string
	// Answer is the recorded agent's last text in this run; empty if none.
	Answer string
	// Reported is how many tokens the provider said that the first request of the
	// run had, with all that the host put around the pool; 0 unknown. It is never
	// added to what is counted here.
	Reported int
	// Boundary is set where a compaction or reset stands before this turn.
	Boundary *Boundary
	// Window and Key are what the host would offer for this turn, and all
	// windows of the session key, oldest first. Spans may touch; those of
	// different turns share memory and are not to be changed.
	Window, Key []Span
	// IDsRepaired counts ids repaired while pairing calls with results in Window.
	IDsRepaired int
	// Record is what was selected when the turn was captured; nil in a session that
	// no selector was part of.
	Record *Record
}

// Record is what was selected for a turn when it was captured: the agent had of the
// pool that alone.
type Record struct {
	// Capture is the id of the capture in its store.
	Capture int64
	// Strategy is the name that it was selected by, with its parameters; Rules are
	// those that came before the choice.
	Strategy string
	Rules    []string
	// Budget is what was asked for in tokens, with what the host appends itself.
	Budget int
	// Kept are the ids of what was kept, in the order of the pool.
	Kept []string
	// Redacted is set where the texts are not those that were selected from.
	Redacted bool
}

// Is reports whether a selection that keeps the candidates with some ids, in the order
// of the pool, is the one that was recorded. There need not be a record.
func (r *Record) Is(kept []string) bool { return r != nil && slices.Equal(r.Kept, kept) }

// PoolMode says how much of the session a pool offers.
type PoolMode string

// The two modes of a pool.
const (
	PoolWindow PoolMode = "window" // what the host would offer
	PoolKey    PoolMode = "key"    // all windows of the session key
)

// Source says where a session was read from.
type Source struct {
	Path string `json:"path"`
	// Store is "openclaw-sqlite", "openclaw-jsonl", "lcm", "captures" or "pools".
	Store string `json:"store"`
	// Version is the version in the header of the transcript, 0 unknown.
	Version int `json:"version,omitempty"`
}

// Skip is a stored record that could not be used.
type Skip struct {
	// Line counts from 1 in a file; in a database it is the row's seq.
	Line int `json:"line"`
	// Offset is the byte at which the record starts in its file; -1 in a database.
	Offset int64 `json:"offset"`
	// Bytes is the record's length.
	Bytes int    `json:"bytes"`
	Cause string `json:"cause"`
}

// String says which record it is and why it is skipped.
func (s Skip) String() string {
	unit := "line"
	if s.Offset < 0 { // a database has no lines
		unit = "record"
	}
	return unit + " " + strconv.Itoa(s.Line) + ", " + strconv.Itoa(s.Bytes) + " bytes: " + s.Cause
}

// Warning is something a reader should know about a session or selection.
type Warning struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	IDs     []string `json:"ids,omitempty"`
	Count   int      `json:"count,omitempty"`
}

// Counted is a number with the word for what is counted: "1 item", "1,204 items".
func Counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Grouped(n) + " " + word + "s"
}

// Grouped writes a number with commas between thousands: 1,204.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return sign + s
}

// Session is one session key with all its turns.
type Session struct {
	Source    Source
	Key       string
	Tokenizer string // name of the counter that made Candidate.Tokens
	Estimated bool   // whether that counter estimates
	// Candidates are all messages of the active branch and all summaries, in
	// the order of the store; the spans of the turns point here.
	Candidates []Candidate
	// Aside are the messages of the store that are in no pool of any turn.
	Aside []Aside
	Turns []Turn
	// Pools, set where the store holds pools rather than messages, are the pools
	// of Turns, index by index, with what only they have: budgets and vectors.
	Pools []*Pool
	// Host are the files that the host sends outside the budget, as far as known.
	Host     []HostFile
	Skipped  []Skip
	Warnings []Warning
	// Raw returns the stored lines of a candidate for export; nil if unknown.
	Raw func(id string) [][]byte `json:"-"`
}

// Pool builds the pool of the turn at index i of Turns, or nil where that turn
// is not on the active branch.
func (s *Session) Pool(i int, mode PoolMode) *Pool {
	if s.Pools != nil {
		return s.Pools[i]
	}
	t := &s.Turns[i]
	spans := t.Window
	if mode == PoolKey {
		spans = t.Key
	}
	if t.Branch != BranchActive {
		return nil
	}
	n := 0
	for _, sp := range spans {
		n += sp.To - sp.From
	}
	p := &Pool{
		Schema: PoolSchema, Session: s.Key, Turn: t.Number, Time: t.Time, Query: t.Query,
		Candidates: make([]Candidate, 0, n), FromSession: true, IDsRepaired: t.IDsRepaired,
	}
	for _, sp := range spans {
		for at := sp.From; at < sp.To; at++ {
			c := s.Candidates[at]
			c.Number = at + 1
			p.Candidates = append(p.Candidates, c)
		}
	}
	return p
}

// TurnNumbers says which turns there are: "turns 1 to 80", "turn 61 alone", "no turns".
func (s *Session) TurnNumbers() string {
	switch len(s.Turns) {
	case 0:
		return "no turns"
	case 1:
		return fmt.Sprintf("turn %d alone", s.Turns[0].Number)
	}
	return fmt.Sprintf("turns %d to %d", s.Turns[0].Number, s.Turns[len(s.Turns)-1].Number)
}

// WhyNoPool says why no turn of the session has a pool, as the rest of a sentence
// that begins with "there is nothing to choose from: "; it is empty where one has.
func (s *Session) WhyNoPool() string {
	if len(s.Turns) == 0 {
		return "nobody asked anything in this session"
	}
	for i := range s.Turns {
		if s.Turns[i].Branch == BranchActive {
			return ""
		}
	}
	return "every turn is on a branch that was left (--plain --turn N prints one)"
}

// LargestPool is the number of tokens of the largest pool of the session, the
// basis of a budget in percent.
func (s *Session) LargestPool(mode PoolMode) int {
	sum := make([]int, len(s.Candidates)+1)
	for i := range s.Candidates {
		sum[i+1] = sum[i] + s.Candidates[i].Tokens
	}
	largest := 0
	for i := range s.Turns {
		if s.Turns[i].Branch != BranchActive {
			continue
		}
		spans := s.Turns[i].Window
		if mode == PoolKey {
			spans = s.Turns[i].Key
		}
		n := 0
		for _, sp := range spans {
			n += sum[sp.To] - sum[sp.From]
		}
		largest = max(largest, n)
	}
	return largest
}
