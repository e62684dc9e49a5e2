package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/klauspost/compress/zstd"

	"pacms/selector"
	"pacms/session"
)

// maxBlob is how large a blob may be once it is unpacked: more than the largest pool.
const maxBlob = 512 << 20

// maxQuestion is how many characters of a question a list of captures has.
const maxQuestion = 200

// hash names an item by what it says.
type hash [sha256.Size]byte

// entry is a capture as it is written.
type entry struct {
	from *queued

	time     int64 // in nanoseconds since 1970
	session  string
	turn     int
	request  string
	question string // the beginning of it
	strategy string
	// All in tokens, but for items and kept.
	budget, effective, items, kept, poolTokens, keptTokens int
	partial, redacted                                      bool
	record                                                 []byte // packed
	list                                                   []item
}

// item is a candidate as it is written, once for all pools that have it.
type item struct {
	hash hash
	body []byte // not packed
}

// itemBody is a candidate as a blob. Whether it is required is part of the pool, in
// which it changes from turn to turn.
type itemBody struct {
	session.Candidate
	Embedding []byte `json:"embedding,omitempty"`
}

// record is everything of a capture but its items, as a blob.
type record struct {
	Pool           recordPool          `json:"pool"`
	Required       []int               `json:"required,omitempty"` // pool indices
	QueryEmbedding []byte              `json:"query_embedding,omitempty"`
	FromSession    bool                `json:"from_session,omitempty"`
	IDsRepaired    int                 `json:"ids_repaired,omitempty"`
	Warnings       []session.Warning   `json:"warnings,omitempty"`
	Selection      *selector.Selection `json:"selection"`
	Codes          []selector.Code     `json:"codes,omitempty"`
}

// recordPool is a pool without what stands elsewhere.
type recordPool struct {
	session.Pool
	Candidates     *struct{} `json:"candidates,omitempty"`
	QueryEmbedding *struct{} `json:"query_embedding,omitempty"`
	FromSession    *struct{} `json:"from_session,omitempty"`
}

// newEntry makes a capture ready to be written; redact, unless it is nil, is applied
// to its texts.
func newEntry(q *queued, redact func(string) string) (*entry, error) {
	p, s := q.Pool, q.Selection
	if redact != nil {
		p = redacted(p, redact)
	}
	e := &entry{
		from: q, time: q.Time.UnixNano(), session: q.Session, turn: q.Turn, request: q.RequestID,
		question: beginning(p.Query, maxQuestion), strategy: s.Strategy,
		budget: asked(s), effective: s.EffectiveBudget, items: len(p.Candidates), kept: len(s.Kept),
		poolTokens: s.Tokens.Pool, keptTokens: s.Tokens.Kept, partial: s.Partial, redacted: redact != nil,
		list: make([]item, len(p.Candidates)),
	}
	r := record{
		Pool: recordPool{Pool: *p}, QueryEmbedding: packVector(p.QueryEmbedding),
		FromSession: p.FromSession, IDsRepaired: p.IDsRepaired, Warnings: p.Warnings, Selection: s, Codes: q.codes,
	}
	for i := range p.Candidates {
		c := itemBody{Candidate: p.Candidates[i], Embedding: packVector(p.Candidates[i].Embedding)}
		if c.Required {
			r.Required = append(r.Required, i)
			c.Required = false
		}
		body, err := encode(c)
		if err != nil {
			return nil, fmt.Errorf("candidate %d: %w", i, err)
		}
		e.list[i] = item{sha256.Sum256(body), body}
	}
	body, err := encode(r)
	if err != nil {
		return nil, err
	}
	e.record = pack(body)
	return e, nil
}

// asked is the budget that a selection was asked to keep to, in tokens: what is left
// of it once what the host appends is taken off is the effective one.
func asked(s *selector.Selection) int {
	if t, ok := s.BudgetTerms["budget"]; ok {
		return t.Value
	}
	return s.EffectiveBudget + s.Tokens.Pending
}

// encode is v as JSON, with every text as it is: what is no UTF-8 becomes U+FFFD.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err //nolint:wrapcheck // the callers do
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeItem reads what an item was made of.
func decodeItem(packed []byte) (session.Candidate, error) {
	var c itemBody
	body, err := unpack(packed)
	if err == nil {
		err = json.Unmarshal(body, &c)
	}
	if err == nil {
		c.Candidate.Embedding, err = unpackVector(c.Embedding)
	}
	if err != nil {
		return session.Candidate{}, fmt.Errorf("read an item: %w", err)
	}
	return c.Candidate, nil
}

// decodeRecord reads what a record was made of. The pool has no candidates yet.
func decodeRecord(packed []byte) (*record, error) {
	r := new(record)
	body, err := unpack(packed)
	if err == nil {
		err = json.Unmarshal(body, r)
	}
	if err == nil && r.Selection == nil {
		err = errors.New("it has no selection")
	}
	if err == nil {
		r.Pool.Pool.QueryEmbedding, err = unpackVector(r.QueryEmbedding)
	}
	if err != nil {
		return nil, fmt.Errorf("read a capture: %w", err)
	}
	return r, nil
}

// capture puts a record and its items together.
func (r *record) capture(items []session.Candidate) (*session.Pool, *selector.Selection, error) {
	p := r.Pool.Pool
	p.Candidates = items
	p.FromSession, p.IDsRepaired, p.Warnings = r.FromSession, r.IDsRepaired, r.Warnings
	for _, i := range r.Required {
		if i < 0 || i >= len(items) {
			return nil, nil, fmt.Errorf("read a capture: it requires candidate %d of %d", i, len(items))
		}
		items[i].Required = true
	}
	if n := len(r.Codes); n > 0 && n != len(items) {
		return nil, nil, fmt.Errorf("read a capture: it has %d reasons for %d candidates", n, len(items))
	}
	for _, i := range r.Selection.KeptIndices {
		if i < 0 || i >= len(items) {
			return nil, nil, fmt.Errorf("read a capture: it keeps candidate %d of %d", i, len(items))
		}
	}
	codes := r.Codes
	if codes == nil {
		codes = make([]selector.Code, len(items))
	}
	r.Selection.Restore(codes)
	return &p, r.Selection, nil
}

// packVector is a vector as little-endian float32, nil where there is none.
func packVector(v []float32) []byte {
	if v == nil {
		return nil
	}
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func unpackVector(b []byte) ([]float32, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("a vector of %d bytes", len(b))
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}

// packItems writes the ids of items, each as its distance from the one before: in
// one session those of a pool mostly follow each other.
func packItems(ids []int64) []byte {
	b := make([]byte, 0, len(ids))
	before := int64(0)
	for _, id := range ids {
		b = binary.AppendVarint(b, id-before)
		before = id
	}
	return b
}

func unpackItems(b []byte) ([]int64, error) {
	ids := make([]int64, 0, len(b))
	at := int64(0)
	for len(b) > 0 {
		step, n := binary.Varint(b)
		if n <= 0 {
			return nil, errors.New("the list of its items is cut short")
		}
		at += step
		if at <= 0 {
			return nil, fmt.Errorf("it has an item %d", at)
		}
		ids = append(ids, at)
		b = b[n:]
	}
	return ids, nil
}

// The packer and the unpacker are used by several goroutines; both are made for that.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlob))
)

// pack compresses a blob. It carries a checksum.
func pack(b []byte) []byte { return packer.EncodeAll(b, nil) }

func unpack(b []byte) ([]byte, error) {
	return unpacker.DecodeAll(b, nil) //nolint:wrapcheck // the callers do
}

// beginning is the first n characters of a text, on one line.
func beginning(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// redacted is a pool with its texts as redact makes them.
func redacted(p *session.Pool, redact func(string) string) *session.Pool {
	q := *p
	q.Query = redact(p.Query)
	q.Pending = append([]session.Pending(nil), p.Pending...)
	for i := range q.Pending {
		q.Pending[i].Text = redact(q.Pending[i].Text)
	}
	use := func(u session.ToolUse) session.ToolUse {
		if len(u.Args) == 0 {
			return u
		}
		args := redact(string(u.Args))
		if u.Args = json.RawMessage(args); !json.Valid(u.Args) {
			// What it made of them is no JSON any more, but a text.
			u.Args, _ = json.Marshal(args) // a text never fails
		}
		return u
	}
	q.Candidates = append([]session.Candidate(nil), p.Candidates...)
	for i := range q.Candidates {
		c := &q.Candidates[i]
		c.Text = redact(c.Text)
		if c.Tool != nil {
			tool := use(*c.Tool)
			c.Tool = &tool
		}
		calls := c.Calls
		c.Calls = nil
		for _, call := range calls {
			c.Calls = append(c.Calls, use(call))
		}
	}
	return &q
}

// timeOf is the time of a capture.
func timeOf(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }
