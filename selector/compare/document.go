package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pacms/session"
)

// Schema names the format of a comparison document.
const Schema = "pacms.comparison/1"

// Footnote stands under every table of a comparison.
const Footnote = "No column measures the quality of an answer."

// Build says which build of the program made a document.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Name is the build in a few words.
func (b Build) Name() string {
	name := b.Version
	if b.Revision != "" {
		name += " " + b.Revision[:min(12, len(b.Revision))]
	}
	if b.Modified {
		name += " with changes"
	}
	return name + " (" + b.Go + ", " + b.Platform + ")"
}

// Document is a comparison with all that is needed to make it again.
type Document struct {
	Schema string `json:"schema"`
	Build  Build  `json:"build"`
	// Repeat is the command line that makes the same comparison.
	Repeat string `json:"repeat"`
	// Expect is the file of the expectations that Expected and Met of rows and cells
	// count; empty where there is none.
	Expect    string `json:"expect,omitempty"`
	Embedder  string `json:"embedder"`
	Tokenizer string `json:"tokenizer"`
	// Estimated is true where that counter estimates.
	Estimated bool     `json:"estimated"`
	Rules     []string `json:"rules"`
	Tail      int      `json:"tail"`
	Widen     bool     `json:"widen"`
	// Pool is session.PoolMode, BudgetBasis what a budget in percent is a share of:
	// "largest" or "turn".
	Pool        string     `json:"pool"`
	BudgetBasis string     `json:"budget_basis"`
	AllTurns    bool       `json:"all_turns"`
	Strategies  []string   `json:"strategies"`
	Budgets     []string   `json:"budgets"`
	Sessions    []Recorded `json:"sessions"`
	// Done is the number of turns that were compared, of Total.
	Done    int  `json:"done"`
	Total   int  `json:"total"`
	Partial bool `json:"partial"`
	// PoolHash is a digest of the hashes of all pools, in their order.
	PoolHash string `json:"pool_hash"`
	Rows     []Row  `json:"rows"`
	// Then is what was kept when the turns were captured; nil where none was.
	Then     *Then             `json:"recorded,omitempty"`
	Gates    []Gate            `json:"gates,omitempty"`
	Warnings []session.Warning `json:"warnings"`
	Footnote string            `json:"footnote"`
	Cells    []Cell            `json:"cells"`
}

// Recorded is a session of a comparison.
type Recorded struct {
	Source  session.Source `json:"source"`
	Session string         `json:"session"`
	// Skipped is the number of records of it that could not be used.
	Skipped int `json:"skipped"`
	Turns
}

// Document is what a run of the plan found. The caller adds the build, the command
// to repeat it, the file of expectations, and warnings.
func (plan *Plan) Document(r *Result) *Document {
	d := &Document{
		Schema: Schema, Embedder: plan.Embedder.Name(), Rules: append([]string{}, plan.Options.Rules.Names()...),
		Tail: plan.Options.Tail, Widen: !plan.Options.NoWiden, Pool: string(plan.Options.Mode), BudgetBasis: "largest",
		AllTurns: plan.AllTurns, Done: r.Done, Total: r.Total, Partial: r.Partial, Rows: plan.Rows(r.Cells), Then: r.Then,
		Warnings: []session.Warning{}, Footnote: Footnote, Cells: append([]Cell{}, r.Cells...),
	}
	if plan.Options.PerTurn {
		d.BudgetBasis = "turn"
	}
	for _, s := range plan.Strategies {
		d.Strategies = append(d.Strategies, s.String())
	}
	for _, b := range plan.Budgets {
		d.Budgets = append(d.Budgets, b.String())
	}
	for i, s := range plan.Sessions {
		d.Tokenizer, d.Estimated = s.Tokenizer, s.Estimated
		d.Sessions = append(d.Sessions, Recorded{Source: s.Source, Session: s.Key, Skipped: len(s.Skipped), Turns: r.Turns[i]})
		d.Warnings = append(d.Warnings, s.Warnings...)
	}
	if n := plan.uncounted(); n > 0 {
		d.Warnings = append(d.Warnings, session.Warning{
			Code: "uncounted", Count: n,
			Message: session.Counted(n, "expectation") + " counted nowhere: of a turn that is not compared, or of another strategy or budget; pacms check checks all",
		})
	}
	d.Warnings = append(d.Warnings, d.alike()...)
	h := sha256.New()
	each := len(plan.Strategies) * len(plan.Budgets) // cells of a turn
	for i := 0; i < len(r.Cells); i += each {
		_, _ = io.WriteString(h, r.Cells[i].PoolHash) // a hash never fails to be written
	}
	d.PoolHash = hex.EncodeToString(h.Sum(nil))
	return d
}

// alike says which budgets are the same number of tokens in every turn, so that their
// rows repeat each other.
func (d *Document) alike() []session.Warning {
	var list []session.Warning
	each := len(d.Strategies) * len(d.Budgets)
	for a := range d.Budgets {
		for b := a + 1; b < len(d.Budgets); b++ {
			same := len(d.Cells) > 0
			for at := 0; same && at < len(d.Cells); at += each {
				same = d.Cells[at+a*len(d.Strategies)].Budget == d.Cells[at+b*len(d.Strategies)].Budget
			}
			if same {
				list = append(list, session.Warning{
					Code:    "same_budget",
					Message: fmt.Sprintf("%s and %s are the same number of tokens in every turn: their rows repeat each other", d.Budgets[a], d.Budgets[b]),
				})
			}
		}
	}
	return list
}

// BudgetTokens is the least and the greatest number of tokens that the budget at
// index b of Budgets was in the turns that were compared; both 0 where none was.
func (d *Document) BudgetTokens(b int) (least, most int) {
	for at := b * len(d.Strategies); at < len(d.Cells); at += len(d.Strategies) * len(d.Budgets) {
		n := d.Cells[at].Budget
		if at < len(d.Strategies)*len(d.Budgets) {
			least = n
		}
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// Read reads a comparison document that is complete.
func Read(r io.Reader) (*Document, error) {
	d := new(Document)
	if err := json.NewDecoder(r).Decode(d); err != nil {
		return nil, fmt.Errorf("compare: read a comparison: %w", err)
	}
	switch {
	case d.Schema != Schema:
		return nil, fmt.Errorf("compare: read a comparison: its schema is %q and not %s: pacms compare --json writes one", d.Schema, Schema)
	case d.Partial:
		return nil, fmt.Errorf("compare: read a comparison: it was interrupted after %d of %d turns", d.Done, d.Total)
	case len(d.Strategies) == 0 || len(d.Budgets) == 0 || len(d.Cells)%(len(d.Strategies)*len(d.Budgets)) != 0:
		return nil, errors.New("compare: read a comparison: its cells are not those of its strategies and budgets")
	}
	for i := range d.Cells {
		if s := d.Cells[i].Session; s < 0 || s >= len(d.Sessions) || d.Cells[i].Strategy != d.Strategies[i%len(d.Strategies)] {
			return nil, fmt.Errorf("compare: read a comparison: cell %d is of no session or strategy of it", i)
		}
	}
	return d, nil
}
