package poolfile

import "pacms/session"

// Document is a pool as it is written in JSON.
type Document struct {
	session.Pool
	Candidates []candidate `json:"candidates"`
}

// candidate is a candidate as it is written: an empty text is left out only
// where something else stands in for it.
type candidate struct {
	*session.Candidate
	Text  *string   `json:"text,omitempty"`
	Tool  *toolUse  `json:"tool,omitempty"`
	Calls []toolUse `json:"calls,omitempty"`
}

// NewDocument returns p as it is written, which Decode reads back as an equal
// pool. Its candidates keep their groups, so nothing needs to be paired again.
func NewDocument(p *session.Pool) *Document {
	doc := &Document{Pool: *p, Candidates: make([]candidate, len(p.Candidates))}
	doc.Schema = session.PoolSchema
	for i := range p.Candidates {
		c := &p.Candidates[i]
		doc.Candidates[i].Candidate = c
		if c.Text != "" || c.Embedding == nil && p.Similarity == nil {
			doc.Candidates[i].Text = &c.Text
		}
		if c.Tool != nil {
			use := newToolUse(c.Tool)
			doc.Candidates[i].Tool = &use
		}
		for k := range c.Calls {
			doc.Candidates[i].Calls = append(doc.Candidates[i].Calls, newToolUse(&c.Calls[k]))
		}
	}
	return doc
}
