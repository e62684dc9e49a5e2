package poolfile

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pacms/session"
	"pacms/session/token"
)

// maxCount bounds every number but the budget, so that no sum over a document can
// overflow.
const maxCount = math.MaxInt32

// uncounted marks tokens that the document does not give.
const uncounted = -1

// decoder reads one document into a pool.
type decoder struct {
	*reader
	limits Limits
	pool   session.Pool
	// hasText is true for each candidate that gives a text, be it empty.
	hasText       []bool
	hasCandidates bool
	// odd counts the candidates of kinds that there are not; firstOdd is the first
	// such kind.
	odd      int
	firstOdd string
}

// decode reads the document in data, which has no byte order mark.
func decode(ctx context.Context, data []byte, c token.Counter, lim Limits) (*session.Pool, error) {
	data, broken := repairUnicode(data)
	d := &decoder{reader: newReader(ctx, data), limits: lim}
	if err := d.object(d.poolField); err != nil {
		return nil, err
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := d.fill(c); err != nil {
		return nil, err
	}
	d.warn(broken)
	return &d.pool, nil
}

// poolField reads one field of the pool.
func (d *decoder) poolField(key string) error {
	p := &d.pool
	switch key {
	case "schema":
		return d.schema()
	case "session":
		return d.text(&p.Session)
	case "turn":
		return d.count(&p.Turn, maxCount)
	case "time":
		return d.moment(&p.Time)
	case "from_session":
		return d.flag(&p.FromSession)
	case "query":
		return d.message(&p.Query)
	case "query_embedding":
		return d.vector(&p.QueryEmbedding)
	case "budget":
		return d.optionalCount(&p.Budget, math.MaxInt)
	case "window":
		return d.optionalCount(&p.Window, maxCount)
	case "reserve":
		return d.optionalCount(&p.Reserve, maxCount)
	case "system":
		return d.optionalCount(&p.System, maxCount)
	case "tools":
		return d.optionalCount(&p.Tools, maxCount)
	case "pending":
		return d.array(d.pending)
	case "candidates":
		d.hasCandidates = true
		p.Candidates = []session.Candidate{}
		return d.array(d.candidate)
	case "similarity":
		p.Similarity = &session.Similarity{}
		return d.object(d.similarityField)
	case "findings":
		p.Findings = &session.Findings{}
		return d.object(d.findingsField)
	case "selection":
		return d.skip() // what a capture kept of it stands beside it
	}
	return d.ignore()
}

// schema refuses every format but the pool's.
func (d *decoder) schema() error {
	if err := d.text(&d.pool.Schema); err != nil {
		return err
	}
	if d.pool.Schema != session.PoolSchema {
		return d.errorf("must be %q, not %q", session.PoolSchema, d.pool.Schema)
	}
	return nil
}

// pending reads one message that the host will append.
func (d *decoder) pending(int) error {
	p := session.Pending{Tokens: uncounted}
	err := d.object(func(key string) error {
		switch key {
		case "id":
			return d.text(&p.ID)
		case "text":
			return d.message(&p.Text)
		case "tokens":
			return d.count(&p.Tokens, maxCount)
		}
		return d.ignore()
	})
	d.pool.Pending = append(d.pool.Pending, p)
	return err
}

// candidate reads one candidate.
func (d *decoder) candidate(i int) error {
	if most := d.limits.Candidates; most > 0 && i == most {
		d.path = d.path[:len(d.path)-1]
		return d.tooMuch("more than %d candidates", most)
	}
	c := session.Candidate{Kind: session.User, Tokens: uncounted}
	hasText := false
	err := d.object(func(key string) error {
		hasText = hasText || key == "text"
		return d.candidateField(&c, key)
	})
	d.pool.Candidates = append(d.pool.Candidates, c)
	d.hasText = append(d.hasText, hasText)
	return err
}

// candidateField reads one field of c.
func (d *decoder) candidateField(c *session.Candidate, key string) error {
	switch key {
	case "id":
		return d.text(&c.ID)
	case "kind":
		return d.kind(&c.Kind)
	case "text":
		return d.message(&c.Text)
	case "tokens":
		return d.count(&c.Tokens, maxCount)
	case "time":
		return d.moment(&c.Time)
	case "required":
		return d.flag(&c.Required)
	case "group":
		return d.text(&c.Group)
	case "tool":
		c.Tool = &session.ToolUse{}
		return d.toolUse(c.Tool)
	case "calls":
		return d.array(func(int) error {
			var call session.ToolUse
			err := d.toolUse(&call)
			c.Calls = append(c.Calls, call)
			return err
		})
	case "embedding":
		return d.vector(&c.Embedding)
	case "number":
		return d.count(&c.Number, maxCount)
	case "turn":
		return d.count(&c.Turn, maxCount)
	case "internal":
		return d.text(&c.Internal)
	case "images":
		return d.count(&c.Images, maxImages)
	case "thinking_unsigned":
		return d.flag(&c.ThinkingUnsigned)
	}
	return d.ignore()
}

// message reads a text that people or agents wrote.
func (d *decoder) message(dst *string) error {
	if err := d.text(dst); err != nil {
		return err
	}
	return d.bounded(len(*dst))
}

// bounded refuses a text of so many bytes where that is too long.
func (d *decoder) bounded(size int) error {
	if most := d.limits.Text; most > 0 && size > most {
		return d.tooMuch("a text of %d bytes, more than %d", size, most)
	}
	return nil
}

// maxImages is how many images a candidate may have: each costs tokens that no
// byte of the document pays for.
const maxImages = 1 << 16

// kind reads the kind of a candidate, or what other programs call it. One that there
// is not is that of a document, which is chosen by what it says alone: an agent must
// not go without an answer because its host has a role more.
func (d *decoder) kind(dst *session.Kind) error {
	var name string
	if err := d.text(&name); err != nil {
		return err
	}
	kind := session.Kind(name)
	if name == "developer" {
		kind = session.System
	}
	if !kind.Valid() {
		if d.odd++; d.odd == 1 {
			d.firstOdd = beginning(name, maxKey)
		}
		kind = session.Document
	}
	*dst = kind
	return nil
}

// toolUse reads a tool call or the call that a result answers.
func (d *decoder) toolUse(use *session.ToolUse) error {
	var text string
	err := d.object(func(key string) error {
		switch key {
		case "name":
			return d.text(&use.Name)
		case "call_id":
			return d.text(&use.CallID)
		case "args":
			if err := d.raw(&use.Args); err != nil {
				return err
			}
			return d.bounded(len(use.Args))
		case "args_text":
			return d.message(&text)
		case "error":
			return d.flag(&use.Error)
		}
		return d.ignore()
	})
	if err != nil || text == "" {
		return err
	}
	return d.within(step{key: "args_text"}, func() error { return d.argsText(use, text) })
}

// similarityField reads one field of the numbers that stand in for texts.
func (d *decoder) similarityField(key string) error {
	s := d.pool.Similarity
	switch key {
	case "query":
		return d.vector(&s.Query)
	case "pairs":
		return d.text(&s.Pairs)
	case "containment":
		return d.text(&s.Containment)
	case "grams":
		return d.counts(&s.Grams)
	case "unlike":
		return d.counts(&s.Unlike)
	case "mean":
		s.Mean = new(float64)
		return d.number(s.Mean)
	case "duplicate":
		return d.number(&s.Duplicate)
	case "noise":
		return d.number(&s.Noise)
	case "asked":
		s.Asked = new(bool)
		return d.flag(s.Asked)
	case "source":
		return d.text(&s.Source)
	case "embedder":
		return d.text(&s.Embedder)
	}
	return d.ignore()
}

// findingsField reads one field of what stands in for what rules read in texts.
func (d *decoder) findingsField(key string) error {
	f := d.pool.Findings
	switch key {
	case "empty":
		return d.counts(&f.Empty)
	case "polls":
		return d.array(func(int) error {
			family := [][]int{}
			err := d.array(func(int) error {
				var groups []int
				err := d.counts(&groups)
				family = append(family, groups)
				return err
			})
			f.Polls = append(f.Polls, family)
			return err
		})
	case "reads":
		return d.array(func(int) error {
			var r session.Reading
			err := d.object(func(key string) error {
				switch key {
				case "at":
					return d.count(&r.At, maxCount)
				case "files":
					return d.counts(&r.Files)
				}
				return d.ignore()
			})
			f.Reads = append(f.Reads, r)
			return err
		})
	}
	return d.ignore()
}

// counts reads whole numbers.
func (d *decoder) counts(dst *[]int) error {
	*dst = []int{}
	return d.array(func(int) error {
		var n int
		err := d.count(&n, maxCount)
		*dst = append(*dst, n)
		return err
	})
}

// fill adds what the document leaves out.
func (d *decoder) fill(c token.Counter) error {
	p := &d.pool
	p.Schema = session.PoolSchema
	for i := range p.Pending {
		if m := &p.Pending[i]; m.Tokens == uncounted {
			m.Tokens = c.Count(token.Parts{Text: m.Text})
		}
	}
	for i := range p.Candidates {
		m := &p.Candidates[i]
		if m.Tokens != uncounted {
			continue
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if !d.hasText[i] {
			return candidateError(i, "tokens", "missing, and there is no text to count")
		}
		parts := token.Parts{Text: m.Text, Images: m.Images}
		for _, call := range m.Calls {
			parts.Calls = append(parts.Calls, token.Call{Name: call.Name, Args: string(call.Args)})
		}
		m.Tokens = c.Count(parts)
	}
	p.IDsRepaired = session.Pair(p.Candidates)
	return nil
}

// warn notes what is odd but harmless.
func (d *decoder) warn(broken int) {
	p := &d.pool
	if d.unknown > 0 {
		where := "at "
		if d.unknown > 1 {
			where = "the first at "
		}
		p.Warnings = append(p.Warnings, session.Warning{
			Code: "unknown_fields", Count: d.unknown,
			Message: session.Counted(d.unknown, "field") + " ignored that a pool does not have, " + where + d.firstUnknown,
		})
	}
	if d.odd > 0 {
		names := make([]string, len(session.Kinds))
		for i, k := range session.Kinds {
			names[i] = string(k)
		}
		first := ""
		if d.odd > 1 {
			first = "the first "
		}
		p.Warnings = append(p.Warnings, session.Warning{
			Code: "odd_kind", Count: d.odd,
			Message: fmt.Sprintf("%s of no known kind (%s%q) taken for documents; there are %s",
				session.Counted(d.odd, "item"), first, d.firstOdd, strings.Join(names, ", ")),
		})
	}
	if broken > 0 {
		p.Warnings = append(p.Warnings, session.Warning{
			Code: "invalid_unicode", Count: broken,
			Message: session.Counted(broken, "broken character") + ", read as U+FFFD",
		})
	}
}
