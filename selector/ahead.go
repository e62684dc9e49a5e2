package selector

import (
	"context"
	"slices"

	"pacms/session"
)

// Warm embeds the texts of a pool before anybody asks for a selection from it, a
// batch at a time: a Prepare that comes meanwhile waits for one batch at most. What
// was embedded when ctx ends is kept. It changes no answer.
func (e *Engine) Warm(ctx context.Context, pool *session.Pool) error {
	if pool.Similarity != nil || hasVectors(pool) {
		return nil
	}
	texts := make([]string, len(pool.Candidates))
	for i := range texts {
		texts[i] = withoutBlobs(pool.Candidates[i].Content())
	}
	for batch := range slices.Chunk(texts, embedBatch) {
		if err := e.warm(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) warm(ctx context.Context, texts []string) error {
	select {
	case e.busy <- struct{}{}:
		defer func() { <-e.busy }()
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := e.texts.addTexts(ctx, e.embedder, texts, nil)
	return err
}

// Unread makes a pool ready without a look at what its texts say, for those whose
// time is up: of it every strategy takes the newest. A selection from it is partial
// unless the strategy would have taken those anyway, or everything fits.
func (e *Engine) Unread(pool *session.Pool, opt PrepareOptions) (*Prepared, error) {
	p := e.begin(pool)
	p.findQuery(opt)
	p.unread = true
	// One row that is like nothing stands for every text.
	p.space = view{ok: []bool{false}, gram: [][]float32{{0}}, grams: [][]uint64{nil}}
	p.rows, p.query = make([]int, len(pool.Candidates)), make([]float64, len(pool.Candidates))
	if err := e.end(p); err != nil {
		return nil, err
	}
	return p, nil
}

// float and word are the bytes of a cosine and of the hash of three words.
const (
	float = 4
	word  = 8
)

// Bytes estimates how much memory the engine holds between pools. It does not wait
// for work that is under way.
func (e *Engine) Bytes() int64 {
	v := e.texts.view()
	n := v.rows.Bytes()
	for _, grams := range v.grams {
		n += word * int64(len(grams))
	}
	for _, row := range v.gram {
		n += float * int64(cap(row))
	}
	if v.gram == nil && v.rows.Len() > 0 { // those of the last pool, see stretch
		n += float * int64(e.texts.limit) * int64(e.texts.limit)
	}
	return n
}
