package cache

import (
	"context"
	"fmt"
	"slices"

	"pacms/selector/embed"
)

// saveEvery is how many texts are embedded before their vectors are stored, so
// that a run that is cancelled keeps what it has paid for.
const saveEvery = 16

// The two kinds of text that an embedder tells apart, by the prefix it gives
// them.
const (
	documentPrefix = "document"
	queryPrefix    = "query"
)

// cached is an embedder that asks the one in it only for what is not stored.
type cached struct {
	embed.Embedder
	store *Store
	key   string
}

// Wrap returns an embedder that gives the vectors of e and remembers them under
// key, which has to name everything that they depend on beside the text: the
// digest of the model, its prefixes and how texts are made ready. With an empty
// key nothing is remembered.
func (s *Store) Wrap(e embed.Embedder, key string) embed.Embedder {
	if key == "" {
		return e
	}
	return &cached{e, s, key}
}

// Documents embeds stored texts, each of them once.
func (c *cached) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return c.vectors(ctx, documentPrefix, texts, c.Embedder.Documents)
}

// Query embeds a question.
func (c *cached) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := c.vectors(ctx, queryPrefix, []string{text}, func(ctx context.Context, texts []string) ([][]float32, error) {
		v, err := c.Embedder.Query(ctx, texts[0])
		return [][]float32{v}, err
	})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// vectors returns the vectors of texts, those that are not stored by way of ask.
func (c *cached) vectors(ctx context.Context, prefix string, texts []string, ask func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("cache: %d texts: %w", len(texts), err)
	}
	// What was paid for is stored even if nobody waits for it any more.
	diskCtx := context.WithoutCancel(ctx)
	var places []int // of the first of equal texts
	var keys []key
	row := make([]int, len(texts)) // of keys
	seen := make(map[key]int)
	for i, t := range texts {
		k := keyOf(c.key, prefix, t)
		at, ok := seen[k]
		if !ok {
			at = len(keys)
			seen[k] = at
			places, keys = append(places, i), append(keys, k)
		}
		row[i] = at
	}
	known := c.store.get(diskCtx, keys)
	var missing []int // rows
	for at, v := range known {
		if v == nil {
			missing = append(missing, at)
		}
	}
	for rows := range slices.Chunk(missing, saveEvery) {
		batch := make([]string, len(rows))
		for k, at := range rows {
			batch[k] = texts[places[at]]
		}
		got, err := ask(ctx, batch)
		if err != nil {
			return nil, err
		}
		if len(got) != len(batch) {
			return nil, fmt.Errorf("cache: %s returned %d vectors for %d texts", c.Name(), len(got), len(batch))
		}
		entries := make([]entry, len(rows))
		for k, at := range rows {
			known[at] = got[k]
			entries[k] = entry{keys[at], got[k]}
		}
		c.store.put(diskCtx, entries)
	}
	vectors := make([][]float32, len(texts))
	for i, at := range row {
		vectors[i] = known[at]
		if places[at] != i {
			vectors[i] = slices.Clone(known[at])
		}
	}
	return vectors, nil
}
