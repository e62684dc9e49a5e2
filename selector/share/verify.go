package share

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
)

// Factor is something by which a case can come out differently.
type Factor string

// The factors, in the order in which they are looked at.
const (
	// The parts of the file: they were changed after it was written.
	FactorResult   Factor = "result"
	FactorPool     Factor = "pool"
	FactorQuery    Factor = "query"
	FactorBudget   Factor = "budget"
	FactorStrategy Factor = "strategy"
	FactorRules    Factor = "rules"
	FactorCounter  Factor = "counter"
	// FactorEmbedder is another embedder or another model of it.
	FactorEmbedder Factor = "embedder"
	// FactorKernel is that the same embedder gives other numbers on this processor.
	FactorKernel Factor = "kernel"
	// FactorReading is that the rules of this build find something else in the texts.
	FactorReading Factor = "reading"
	// FactorVersion is that this build makes something else of the same numbers.
	FactorVersion Factor = "version"
)

// Here is what a case is run with.
type Here struct {
	Build compare.Build
	// Open makes the embedder of a name that a case has, and says the digest of its
	// model, empty where there is none. It is not called for a case without text.
	Open func(ctx context.Context, name string) (e embed.Embedder, model string, err error)
}

// Cause is a factor that is not as it was.
type Cause struct {
	Factor Factor `json:"factor"`
	// Was and Is say it for people.
	Was string `json:"was"`
	Is  string `json:"is"`
	// Explains is true where this alone makes the difference: put back, the case comes
	// out as it is in the file; or nothing else is left that could.
	Explains bool `json:"explains"`
}

// Report is what became of a case that was run again.
type Report struct {
	Turn int  `json:"turn,omitempty"`
	Text Text `json:"text"`
	// Same is true where nothing differs: neither the result, nor the file from itself.
	Same bool `json:"same"`
	// SameAsSource is what the case says: see Case.Same.
	SameAsSource bool `json:"same_as_source"`
	Items        int  `json:"items"`
	// Kept and Tokens are those of this run.
	Kept     int    `json:"kept"`
	Tokens   int    `json:"tokens"`
	Strategy string `json:"strategy"`
	Budget   int    `json:"budget"`
	// Entered are the ids that are kept here and not in the file, Left the others.
	Entered []string `json:"entered"`
	Left    []string `json:"left"`
	// Differs names what of the result is not the same: kept, order, reasons, numbers.
	Differs []string `json:"differs"`
	// Causes are the factors that are not as they were, whether they make a difference
	// or not.
	Causes []Cause `json:"causes"`
	// Build is the one that wrote the case.
	Build compare.Build `json:"build"`
}

// Cause is the factor that explains what differs; empty where nothing does.
func (r *Report) Cause() Factor {
	for _, c := range r.Causes {
		if c.Explains {
			return c.Factor
		}
	}
	return ""
}

// Verify runs a case again and says what differs, and by what: the parts of the file
// are held to their digests, and what is not as it was is put back, one factor at a
// time.
func (c *Case) Verify(ctx context.Context, here Here) (*Report, error) {
	v := &verification{c: c, here: here}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	r := &Report{
		Turn: c.Turn, Text: c.Text, SameAsSource: c.Same, Items: len(c.Pool.Candidates), Build: c.Build,
		Kept: len(v.now.Kept), Tokens: v.now.Tokens.Kept, Strategy: v.now.Strategy, Budget: v.now.Budget,
		Entered: without(v.now.Kept, c.Result.Kept), Left: without(c.Result.Kept, v.now.Kept),
		Differs: c.differs(v.now),
	}
	causes, err := v.changed()
	if err != nil {
		return nil, err
	}
	if r.Causes = causes; len(r.Differs) > 0 {
		more, err := v.explain(ctx, r.Causes)
		if err != nil {
			return nil, err
		}
		r.Causes = more
	}
	broken := slices.ContainsFunc(r.Causes, func(k Cause) bool { return k.Explains })
	r.Same = len(r.Differs) == 0 && !broken
	return r, nil
}

// verification is a case that is being run again.
type verification struct {
	c    *Case
	here Here

	engine *selector.Engine
	// embedder and model are those of this run; empty where the case brings numbers.
	embedder, model string
	now             *run
}

// run runs the case with what is here.
func (v *verification) run(ctx context.Context) error {
	v.engine = selector.NewEngine(embed.NewBuiltin(), v.c.Config.Counter)
	if v.c.embeds() {
		e, model, err := v.here.Open(ctx, v.c.Config.Embedder)
		if err != nil {
			return err
		}
		v.embedder, v.model = e.Name(), model
		v.engine = selector.NewEngine(e, v.c.Config.Counter)
	}
	var err error
	v.now, err = v.c.again(ctx, v.engine, v.c.Pool)
	return err
}

// embeds reports whether vectors have to be made for the case.
func (c *Case) embeds() bool { return c.Pool.Similarity == nil && c.Pool.QueryEmbedding == nil }

// differs names what of a run is not as in the case.
func (c *Case) differs(now *run) []string {
	was := c.Result
	list := []string{}
	for _, part := range []struct {
		name string
		same bool
	}{
		{"kept", slices.Equal(was.Kept, now.Kept) && slices.Equal(was.KeptIndices, now.KeptIndices)},
		{"order", slices.Equal(was.Order, now.Order)},
		{"reasons", slices.Equal(was.Codes, now.Codes)},
		{"numbers", was.Tokens == now.Tokens && was.Budget == now.Budget && was.EffectiveBudget == now.EffectiveBudget &&
			was.OverBudget == now.OverBudget && near(&was.Coverage, &now.Coverage) && near(was.Objective, now.Objective) &&
			near(was.UpperBound, now.UpperBound) && near(was.Certificate, now.Certificate)},
	} {
		if !part.same {
			list = append(list, part.name)
		}
	}
	return list
}

// near reports whether two numbers are the same but for the rounding of processors.
func near(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) <= 1e-6*max(1, math.Abs(*a))
}

// changed are the factors that are not as they were.
func (v *verification) changed() ([]Cause, error) {
	c, list := v.c, []Cause{}
	parts, err := c.changedParts()
	if err != nil {
		return nil, err
	}
	for _, f := range parts {
		list = append(list, Cause{f, "as it was written", "changed in the file", true})
	}
	add := func(f Factor, was, is string) { list = append(list, Cause{Factor: f, Was: was, Is: is}) }
	was, is := c.Evidence, v.now.Evidence
	if c.embeds() {
		switch other := v.embedder != c.Config.Embedder; {
		case other:
			add(FactorEmbedder, c.Config.Embedder, v.embedder)
		case v.model != c.Config.Model:
			add(FactorEmbedder, v.embedder+" "+short(c.Config.Model), v.embedder+" "+short(v.model))
		}
	}
	switch processor := c.Build.Platform + " " + was.Kernel; {
	case was.Numbers == is.Numbers || slices.ContainsFunc(list, func(k Cause) bool { return k.Factor == FactorEmbedder || k.Explains }):
	case processor == v.here.Build.Platform+" "+is.Kernel:
		// The arithmetic is the same: what turns texts into vectors is not.
		add(FactorEmbedder, c.Config.Embedder+" of build "+c.Build.Name(), "other numbers by "+cmp.Or(v.embedder, c.Config.Embedder)+" here")
	default:
		add(FactorKernel, processor, v.here.Build.Platform+" "+is.Kernel)
	}
	if was.Found != nil && is.Found != nil && digest(was.Found) != digest(is.Found) {
		add(FactorReading, "what the rules found in the texts", "something else by this build")
	}
	if was.Counted != nil && is.Counted != nil && *was.Counted != *is.Counted {
		n := len(c.Pool.Candidates)
		add(FactorCounter, counts(*was.Counted, n, c.Config.Counter), counts(*is.Counted, n, c.Config.Counter))
	}
	if c.Build != v.here.Build {
		add(FactorVersion, c.Build.Name(), v.here.Build.Name())
	}
	return list, nil
}

// counts says how many items cost what a counter says.
func counts(n, of int, counter string) string {
	return fmt.Sprintf("%d of %s cost what %s counts", n, session.Counted(of, "item"), counter)
}

// short is the beginning of a digest.
func short(digest string) string {
	_, hex, _ := strings.Cut(digest, ":")
	hex = cmp.Or(hex, digest)
	return cmp.Or(hex[:min(12, len(hex))], "unknown")
}

// explain marks the factors that make the difference: each is put back by itself where
// that can be done.
func (v *verification) explain(ctx context.Context, causes []Cause) ([]Cause, error) {
	if slices.ContainsFunc(causes, func(k Cause) bool { return k.Explains }) {
		return causes, nil
	}
	for i := range causes {
		k := &causes[i]
		switch k.Factor {
		case FactorReading:
			pool := *v.c.Pool
			pool.Findings = v.c.Evidence.Found
			back, err := v.c.again(ctx, v.engine, &pool)
			if err != nil {
				return nil, err
			}
			k.Explains = len(v.c.differs(back)) == 0
		case FactorEmbedder, FactorKernel:
			k.Explains = v.now.Numbers != v.c.Evidence.Numbers
		default: // tokens are those of the file; the build comes last
		}
		if k.Explains {
			return causes, nil
		}
	}
	// The numbers and what the rules found are the same: it is what is made of them.
	for i := range causes {
		if causes[i].Factor == FactorVersion {
			causes[i].Explains = true
			return causes, nil
		}
	}
	if v.here.Build.Revision == "" || v.here.Build.Modified {
		return append(causes, Cause{FactorVersion, v.c.Build.Name(), "perhaps another state of the same source", true}), nil
	}
	return append(causes, Cause{FactorResult, "as it was written", "not what the same build makes of the file", true}), nil
}

// without are the strings of list that are not in other.
func without(list, other []string) []string {
	out := []string{}
	in := make(map[string]bool, len(other))
	for _, s := range other {
		in[s] = true
	}
	for _, s := range list {
		if !in[s] {
			out = append(out, s)
		}
	}
	return out
}

// Label is what people are told of a candidate of the case by its id: "#17".
func (c *Case) Label(id string) string {
	i := slices.IndexFunc(c.Pool.Candidates, func(m session.Candidate) bool { return m.ID == id })
	if i < 0 {
		return strconv.Quote(id)
	}
	return c.Pool.Candidates[i].Label(i)
}
