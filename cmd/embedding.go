package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/adrg/xdg"

	"pacms/selector/embed"
	"pacms/selector/embed/cache"
	"pacms/selector/embed/ollama"
	"pacms/session"
)

// The values of --embedder; ollama may be followed by a colon and a model.
const (
	embedBuiltin = "builtin"
	embedOllama  = "ollama"
	embedAuto    = "auto"
)

// cacheBytes bounds the file in which vectors are remembered.
const cacheBytes = 256 << 20

// cacheFile is where the vectors of slow embedders are remembered.
func cacheFile() string { return filepath.Join(xdg.CacheHome, "pacms", "embeddings.sqlite") }

// checkEmbedder refuses a value of --embedder that names nothing; setBy is what set it.
func checkEmbedder(setBy, name string) error {
	kind, model, named := strings.Cut(name, ":")
	switch {
	case kind == embedOllama && (!named || model != ""):
		return nil
	case name == embedBuiltin || name == embedAuto:
		return nil
	}
	return usagef("%s cannot be %q: it is builtin, ollama, ollama:MODEL as in ollama:%s, or auto%s",
		setBy, name, ollama.DefaultModel, didYouMean(name, []string{embedBuiltin, embedOllama, embedAuto}))
}

// embedding is what turns texts into vectors while a command runs, and what is to
// be said about it. Its zero value is not of use: see openEmbedding.
type embedding struct {
	embed.Embedder
	// fallback says why the built-in one is used where another was wished for;
	// empty where it was not.
	fallback string
	// model is the digest of the model, empty where there is none or it is not known.
	model  string
	client *ollama.Embedder // nil for what is built in
	store  *cache.Store     // nil without one

	mu      sync.Mutex // guards the fields below
	notes   []string
	skipped int
	cause   error // of the first that was skipped
}

// openEmbedding makes the embedder of a name that checkEmbedder accepts. An
// Ollama that was asked for by name and cannot be used is an error that says what
// helps; auto then takes what is built in.
func openEmbedding(ctx context.Context, name string) (*embedding, error) {
	kind, model, _ := strings.Cut(name, ":")
	e := &embedding{Embedder: embed.NewBuiltin()}
	if kind == embedBuiltin {
		return e, nil
	}
	if err := ollama.CheckHost(); err != nil {
		return nil, usagef("embed with %s: %w", name, err)
	}
	client := ollama.New(model, ollama.WithSkipped(e.skip))
	if kind == embedAuto && !client.Available(ctx) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.fallback = "no Ollama with the model " + ollama.DefaultModel + " answered within 300 ms: what is built in compares the texts"
		return e, nil
	}
	ready, err := client.Ready(ctx)
	if err != nil {
		return nil, fmt.Errorf("embed with %s: %w", client.Name(), err)
	}
	e.client, e.model = client, ready.Digest
	e.store = cache.Open(cacheFile(), cacheBytes, e.note)
	e.Embedder = e.store.Wrap(client, ready.CacheKey())
	return e, nil
}

// warm has a slow embedder load its model while something else is done. What goes
// wrong with that is said of the first text that it is to embed.
func (e *embedding) warm(ctx context.Context) {
	if e.client != nil {
		_ = e.client.Warm(ctx)
	}
}

// warnings are those that belong to every selection made with e.
func (e *embedding) warnings() []session.Warning {
	if e.fallback == "" {
		return nil
	}
	return []session.Warning{{Code: "embedder_fallback", Message: e.fallback}}
}

func (e *embedding) note(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notes = append(e.notes, text)
}

func (e *embedding) skip(s ollama.Skipped) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.skipped++
	if e.cause == nil {
		e.cause = s.Cause
	}
}

// close ends the use of e and tells what went wrong on the way.
func (e *embedding) close(tell func(string)) {
	if e.store != nil {
		if err := e.store.Close(); err != nil {
			e.note(fmt.Sprintf("close the cache of embeddings: %v", err))
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.notes {
		tell(n)
	}
	switch {
	case e.skipped == 1:
		tell(fmt.Sprintf("1 text has no vector and is like nothing: %v", e.cause))
	case e.skipped > 1:
		tell(fmt.Sprintf("%d texts have no vector and are like nothing, the first because: %v", e.skipped, e.cause))
	}
}
