package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strconv"
)

// Hash is a digest, in hexadecimal, of all of the pool from which a selection can
// follow: what is asked, what there is to choose from, what it costs, the budget
// and the vectors. Two pools with the same hash give the same selections. When a
// message was said, and what it is called by number, is not part of it.
func (p *Pool) Hash() string {
	d := digest{sha256.New()}
	d.text("pacms.pool/1", p.Query, strconv.FormatBool(p.FromSession))
	d.vector(p.QueryEmbedding)
	for _, n := range []*int{p.Budget, p.Window, p.Reserve, p.System, p.Tools} {
		if n == nil {
			d.number(-1)
			continue
		}
		d.number(0)
		d.number(*n)
	}
	d.number(len(p.Pending))
	for _, m := range p.Pending {
		d.number(m.Tokens)
	}
	d.number(len(p.Candidates))
	for i := range p.Candidates {
		d.candidate(&p.Candidates[i])
	}
	if s := p.Similarity; s != nil {
		d.vector(s.Query)
		d.text(s.Pairs, s.Containment)
	}
	d.exactly(p)
	return hex.EncodeToString(d.h.Sum(nil))
}

// exactly adds what a pool without texts may have besides its cosines. One that has
// none of it keeps the hash that it always had.
func (d digest) exactly(p *Pool) {
	if s := p.Similarity; s != nil && (s.Grams != nil || s.Unlike != nil || s.Mean != nil || s.Duplicate != 0 || s.Noise != 0 || s.Asked != nil) {
		d.numbers(s.Grams)
		d.numbers(s.Unlike)
		d.text(fmt.Sprint(s.Mean != nil, s.Asked != nil, s.Duplicate, s.Noise))
		if s.Mean != nil {
			d.text(strconv.FormatFloat(*s.Mean, 'g', -1, 64))
		}
		if s.Asked != nil {
			d.text(strconv.FormatBool(*s.Asked))
		}
	}
	f := p.Findings
	if f == nil {
		return
	}
	d.numbers(f.Empty)
	d.number(len(f.Polls))
	for _, family := range f.Polls {
		d.number(len(family))
		for _, groups := range family {
			d.numbers(groups)
		}
	}
	d.number(len(f.Reads))
	for _, r := range f.Reads {
		d.number(r.At)
		d.numbers(r.Files)
	}
}

func (d digest) numbers(list []int) {
	d.number(len(list))
	for _, n := range list {
		d.number(n)
	}
}

// digest writes values so that no two lists of them are the same bytes.
type digest struct{ h hash.Hash }

// number writes a number. A hash never fails to be written.
func (d digest) number(n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(int64(n)))
	_, _ = d.h.Write(b[:])
}

func (d digest) text(texts ...string) {
	for _, t := range texts {
		d.number(len(t))
		_, _ = d.h.Write([]byte(t))
	}
}

func (d digest) vector(v []float32) {
	d.number(len(v))
	var b [4]byte
	for _, x := range v {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
		_, _ = d.h.Write(b[:])
	}
}

func (d digest) candidate(c *Candidate) {
	d.text(c.ID, string(c.Kind), c.Text, c.Group, c.Internal)
	d.text(strconv.FormatBool(c.Required), strconv.FormatBool(c.ThinkingUnsigned))
	d.number(c.Tokens)
	d.number(len(c.Calls))
	for i := range c.Calls {
		d.use(&c.Calls[i])
	}
	if c.Tool == nil {
		d.number(0)
	} else {
		d.number(1)
		d.use(c.Tool)
	}
	d.vector(c.Embedding)
}

func (d digest) use(u *ToolUse) {
	d.text(u.Name, u.CallID, string(u.Args), strconv.FormatBool(u.Error))
}
