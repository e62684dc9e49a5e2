package poolfile

import (
	"encoding/json"
	"fmt"
	"io"

	"pacms/session"
)

// Encode writes p as one line, which Decode reads back as an equal pool. Its
// candidates keep their groups, so nothing needs to be paired again.
func Encode(w io.Writer, p *session.Pool) error {
	doc := document{Pool: *p, Candidates: make([]candidate, len(p.Candidates))}
	doc.Schema = session.PoolSchema
	for i := range p.Candidates {
		c := &p.Candidates[i]
		doc.Candidates[i].Candidate = c
		if c.Text != "" || c.Embedding == nil && p.Similarity == nil {
			doc.Candidates[i].Text = &c.Text
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("poolfile: write a pool: %w", err)
	}
	return nil
}

// document is a pool as it is written.
type document struct {
	session.Pool
	Candidates []candidate `json:"candidates"`
}

// candidate is a candidate as it is written: an empty text is left out only
// where something else stands in for it.
type candidate struct {
	*session.Candidate
	Text *string `json:"text,omitempty"`
}
