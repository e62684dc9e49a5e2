// Package selector decides what is kept of a pool within a token budget, and
// says why. A pool is prepared once (embedded, compared, read by the rules) and
// then answers for any strategy and budget. docs/selection.md has the semantics.
package selector

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"pacms/selector/embed"
	"pacms/selector/kernel"
	"pacms/session"
)

// defaultDuplicate is the cosine from which two vectors that came with a pool
// count as near-duplicates.
const defaultDuplicate = 0.95

// Engine selects for one session. Vectors and cosines are kept from pool to
// pool, so that the next turn and the next budget cost only what is new. It is
// safe for concurrent use.
type Engine struct {
	embedder  embed.Embedder
	tokenizer string
	texts     *space
	stretch   stretch
	closeAt   int           // see neighbours
	busy      chan struct{} // a semaphore of one, see Prepare
}

// NewEngine returns an engine that embeds with e; tokenizer is the name of the
// counter that counted the pools, for the record in each answer.
func NewEngine(e embed.Embedder, tokenizer string) *Engine {
	return &Engine{embedder: e, tokenizer: tokenizer, texts: newSpace(denseLimit, e.Sparse()), closeAt: firstNeighbours, busy: make(chan struct{}, 1)}
}

// PrepareOptions say how a pool is made ready; they change what is embedded.
type PrepareOptions struct {
	// NoWiden keeps a query that says almost nothing as it is.
	NoWiden bool
	// QueryExplicit is true where a person gave the query: it is never widened.
	QueryExplicit bool
	// Progress is told how many texts of how many are embedded.
	Progress func(done, total int)
}

// Prepared is a pool ready for selections: everything that depends neither on
// the budget nor on the strategy. It is safe for concurrent use.
type Prepared struct {
	Pool *session.Pool
	// QuerySource says what the query is: "request", "turn", "widened" or "none".
	QuerySource string

	question  string // as it is embedded
	tokenizer string
	embedder  string
	duplicate float64 // cosine from which two candidates are near-duplicates
	noise     float64 // best relevance below which a query is weak

	groups   []group
	of       []int    // candidate → group
	contents []string // what each candidate is compared by
	space    view
	closeAt  int         // see neighbours
	rows     []int       // candidate → row of space
	vectors  kernel.Rows // of the candidates
	straight bool        // rows is a stretch of the space, all of whose cosines are known
	shared   [][]float32 // containment of pairs where the pool brings it
	counts   []int       // grams of each candidate where the pool brings their number
	mean     *float64    // mean cosine where the pool brings it
	query    []float64   // signed cosine of each candidate to the query
	asked    bool        // there is a query with a usable vector
	unread   bool        // nothing was compared for want of time
	hasText  bool
	embedMS  float64

	warnings []session.Warning
	facts    ruleFacts

	held held
}

// Prepare embeds what is new in the pool and makes ready everything that does
// not depend on budget and strategy. An engine makes one pool ready at a time:
// who turns many pages waits, and leaves the queue with the context.
func (e *Engine) Prepare(ctx context.Context, pool *session.Pool, opt PrepareOptions) (*Prepared, error) {
	select {
	case e.busy <- struct{}{}:
		defer func() { <-e.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	start := time.Now()
	p := e.begin(pool)
	query := withoutBlobs(p.findQuery(opt))
	p.question = query
	var err error
	switch {
	case pool.Similarity != nil:
		err = p.useSimilarity(pool.Similarity)
	case hasVectors(pool):
		err = p.useVectors(ctx, e.texts.limit)
	default:
		p.duplicate, p.noise = e.embedder.Duplicate(), e.embedder.Noise()
		err = p.useTexts(ctx, e, query, opt.Progress)
	}
	if err != nil {
		return nil, err
	}
	if !p.asked {
		p.QuerySource = "none"
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.straight = p.contiguous()
	if err := e.end(p); err != nil {
		return nil, err
	}
	p.embedMS = float64(time.Since(start).Microseconds()) / 1000
	return p, nil
}

// begin notes of a pool what needs no vectors.
func (e *Engine) begin(pool *session.Pool) *Prepared {
	p := &Prepared{
		Pool: pool, closeAt: e.closeAt, tokenizer: e.tokenizer, embedder: e.embedder.Name(),
		duplicate: defaultDuplicate, warnings: slices.Clone(pool.Warnings),
	}
	p.groups, p.of = groupsOf(pool.Candidates)
	p.readContents()
	return p
}

// end reads a pool by the rules, when all else of it is known.
func (e *Engine) end(p *Prepared) (err error) {
	p.held.bases.most, p.held.phi.most, p.held.alike.most = keptBases, 2, 2
	if p.facts, err = findFacts(p.Pool, p.groups, p.of); err != nil {
		return err
	}
	if n := p.Pool.IDsRepaired; n > 0 {
		p.warn("ids_repaired", fmt.Sprintf("%d tool-call ids were empty or repeated and were paired by position", n), nil, n)
	}
	return nil
}

// readContents notes by what text each candidate is compared.
func (p *Prepared) readContents() {
	cands := p.Pool.Candidates
	p.contents = make([]string, len(cands))
	var opaque []string
	for i := range cands {
		content := cands[i].Content()
		p.hasText = p.hasText || content != ""
		p.contents[i] = withoutBlobs(content)
		if len(p.contents[i]) < len(content) {
			opaque = append(opaque, cands[i].ID)
		}
	}
	if len(opaque) > 0 {
		p.warn("opaque_blob", fmt.Sprintf("%d %s with base64 data, which costs tokens but is not compared",
			len(opaque), plural(len(opaque), "item")), opaque, len(opaque))
	}
}

func (p *Prepared) warn(code, message string, ids []string, count int) {
	p.warnings = append(p.warnings, session.Warning{Code: code, Message: message, IDs: ids, Count: count})
}

// Question is the text of the question as it is embedded: widened where that was
// needed, and without what is not compared.
func (p *Prepared) Question() string { return p.question }

// findQuery returns the text to embed as the query and sets QuerySource.
func (p *Prepared) findQuery(opt PrepareOptions) string {
	p.QuerySource = "request"
	explicit := opt.QueryExplicit
	if p.Pool.FromSession && !explicit {
		p.QuerySource = "turn"
	} else {
		explicit = explicit || p.Pool.Query != ""
	}
	if explicit || opt.NoWiden || p.Pool.QueryEmbedding != nil || p.Pool.Query == "" {
		return p.Pool.Query
	}
	wide, used := widen(p.Pool)
	if len(used) > 0 {
		p.QuerySource = "widened"
		p.warn("query_widened", "the question says little by itself; the previous question and answer were added to it", used, 0)
	}
	return wide
}

func hasVectors(pool *session.Pool) bool {
	if len(pool.Candidates) == 0 {
		return pool.QueryEmbedding != nil
	}
	for i := range pool.Candidates {
		if pool.Candidates[i].Embedding != nil {
			return true
		}
	}
	return false
}

func (p *Prepared) useTexts(ctx context.Context, e *Engine, query string, progress func(done, total int)) error {
	var err error
	if p.rows, err = e.texts.addTexts(ctx, e.embedder, p.contents, progress); err != nil {
		return err
	}
	p.space = e.texts.view()
	if p.space.gram == nil {
		if p.space, p.rows, err = e.stretch.over(ctx, p.space, p.rows, e.texts.limit); err != nil {
			return err
		}
	}
	q, err := e.embedder.Query(ctx, compared(query))
	if err != nil {
		return fmt.Errorf("selector: embed the query with %s: %w", e.embedder.Name(), err)
	}
	return p.useQuery(q)
}

func (p *Prepared) useVectors(ctx context.Context, limit int) error {
	p.embedder = "request"
	cands := p.Pool.Candidates
	p.rows = make([]int, len(cands))
	vectors, grams := make([][]float32, len(cands)), make([][]uint64, len(cands))
	for i := range cands {
		if len(cands[i].Embedding) != len(p.Pool.QueryEmbedding) {
			return fmt.Errorf("selector: candidate %s has a vector of %d numbers, the query one of %d",
				cands[i].ID, len(cands[i].Embedding), len(p.Pool.QueryEmbedding))
		}
		p.rows[i], vectors[i], grams[i] = i, cands[i].Embedding, wordGrams(compared(p.contents[i]))
	}
	s := newSpace(limit, mostlyZero(vectors))
	unusable, err := s.append(ctx, vectors, grams)
	if err != nil {
		return err
	}
	if unusable > 0 {
		p.warn("nonfinite_vectors", fmt.Sprintf("%d vectors are zero or not finite; they are like nothing", unusable), nil, unusable)
	}
	p.space = s.view()
	return p.useQuery(p.Pool.QueryEmbedding)
}

// mostlyZero reports whether at most a third of the numbers of vectors are not 0, so
// that they are faster multiplied without the others.
func mostlyZero(vectors [][]float32) bool {
	held, all := 0, 0
	for _, v := range vectors {
		all += len(v)
		for _, x := range v {
			if x != 0 {
				held++
			}
		}
	}
	return 3*held <= all
}

func (p *Prepared) useQuery(q []float32) error {
	unit, ok := kernel.Unit(q)
	p.asked = ok
	p.query = make([]float64, len(p.rows))
	p.vectors = p.space.rows.Pick(p.rows)
	if !ok || len(p.rows) == 0 {
		return nil
	}
	if p.vectors.Length() != len(unit) {
		return fmt.Errorf("selector: the query has a vector of %d numbers, the candidates of %d", len(unit), p.vectors.Length())
	}
	cosines := make([]float32, len(p.rows))
	p.vectors.MatVec(cosines, unit)
	for i, c := range cosines {
		p.query[i] = float64(c)
	}
	return nil
}

// useSimilarity takes the cosines that a shared case carries instead of texts.
func (p *Prepared) useSimilarity(s *session.Similarity) error {
	n := len(p.Pool.Candidates)
	p.embedder = cmp.Or(s.Embedder, "request")
	if s.Duplicate != 0 {
		p.duplicate = s.Duplicate
	}
	p.noise, p.mean = s.Noise, s.Mean
	p.QuerySource = cmp.Or(s.Source, p.QuerySource)
	if err := s.Check(n); err != nil {
		return fmt.Errorf("selector: similarity.query %w", err)
	}
	gram, err := s.Cosines(n)
	if err != nil {
		return fmt.Errorf("selector: similarity.pairs: %w", err)
	}
	p.space = view{ok: make([]bool, n), gram: gram, grams: make([][]uint64, n)}
	p.rows, p.query = make([]int, n), make([]float64, n)
	for i := range n {
		p.rows[i], p.space.ok[i] = i, true
		p.query[i] = float64(s.Query[i])
		p.asked = p.asked || s.Query[i] != 0
	}
	for _, i := range s.Unlike {
		p.space.ok[i], gram[i][i] = false, 0
	}
	if s.Asked != nil {
		p.asked = *s.Asked
	}
	p.hasText = p.hasText || s.Containment != "" || s.Grams != nil
	if s.Containment != "" {
		if p.shared, err = s.Contained(n); err != nil {
			return fmt.Errorf("selector: similarity.containment: %w", err)
		}
		p.counts = s.Grams
	}
	return nil
}
