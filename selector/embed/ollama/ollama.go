// Package ollama embeds texts with a model that a local Ollama runs.
//
// It is written for a server that may fail in every way known of Ollama: a text
// that breaks the model costs that text its vector and nothing else, and an
// answer is believed only after it was checked.
package ollama

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"
)

// DefaultModel is the model that New takes where none is named.
const DefaultModel = "nomic-embed-text"

// batchSize is how many texts are sent in one request. The server embeds them
// one after the other, so that more would save nothing, and only delay progress
// and the look at the context.
const batchSize = 16

// availableWithin is how long Available waits.
const availableWithin = 300 * time.Millisecond

// duplicate is the cosine from which two texts count as near-duplicates.
const duplicate = 0.95

// Embedder embeds texts with one model. It is an embed.Embedder, and safe for
// concurrent use.
type Embedder struct {
	model    string
	base     *url.URL
	http     *http.Client
	api      *api.Client
	progress func(texts int)
	skipped  func(Skipped)
	ready    atomic.Pointer[Model] // nil until Ready was answered
}

// Skipped is a text that the model could not embed. Its vector is all zero.
type Skipped struct {
	Text  string
	Cause error
}

// Option changes what New returns.
type Option func(*Embedder)

// WithProgress has report called after every request of Documents with how many
// more of its texts are done, from the goroutine that called Documents.
func WithProgress(report func(texts int)) Option {
	return func(e *Embedder) { e.progress = report }
}

// WithSkipped has report called for every text that could not be embedded, from
// the goroutine that called Documents or Query.
func WithSkipped(report func(Skipped)) Option {
	return func(e *Embedder) { e.skipped = report }
}

// New returns an embedder that asks the Ollama that OLLAMA_HOST names, or the
// one on this machine, for vectors of the model; an empty name is DefaultModel.
// Nothing is sent before the first call of a method with a context.
func New(model string, options ...Option) *Embedder {
	if model == "" {
		model = DefaultModel
	}
	base := host()
	e := &Embedder{
		model: model, base: base, http: newClient(base),
		progress: func(int) {}, skipped: func(Skipped) {},
	}
	for _, o := range options {
		o(e)
	}
	e.api = api.NewClient(e.base, e.http)
	return e
}

// Name is the value of --embedder: "ollama:" and the model.
func (e *Embedder) Name() string { return "ollama:" + e.model }

// Dim is the length of every vector; 0 before Ready, Documents or Query was
// first answered.
func (e *Embedder) Dim() int {
	if m := e.ready.Load(); m != nil {
		return m.Dim
	}
	return 0
}

// Duplicate is the cosine from which two texts count as near-duplicates. It is
// the strict value that suits any model, for a wrong duplicate loses a message,
// and a missed one only costs tokens.
func (*Embedder) Duplicate() float64 { return duplicate }

// Noise is the cosine of unrelated texts; 0, which warns of nothing, for models
// of which it is not known, and before Ready was answered.
func (e *Embedder) Noise() float64 {
	if m := e.ready.Load(); m != nil {
		return m.rules.noise
	}
	return 0
}

// Sparse reports that a model leaves hardly any number of a vector 0.
func (*Embedder) Sparse() bool { return false }

// Available reports whether the server runs, has the model and embeds, in at most
// 300 ms. A server that has not begun to answer the last of these then is taken to
// load the model; one that has begun must have ended.
func (e *Embedder) Available(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, availableWithin)
	defer cancel()
	m, err := e.Ready(ctx)
	if err != nil {
		return false
	}
	var began atomic.Bool
	watched := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { began.Store(true) }})
	_, err = e.post(watched, []string{m.rules.document + probe}, loadTime)
	return err == nil || ctx.Err() != nil && !began.Load()
}

// Warm has the server load the model, so that the first text need not wait for
// that. It returns when the model is loaded.
func (e *Embedder) Warm(ctx context.Context) error {
	if _, err := e.Ready(ctx); err != nil {
		return err
	}
	_, err := e.post(ctx, []string{}, loadTime)
	return err
}

// Documents embeds stored texts, in order. A blank text has the zero vector
// without being sent, and so has one that the model cannot embed, which is
// reported (WithSkipped). An error means that the server cannot be used.
func (e *Embedder) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	m, err := e.Ready(ctx)
	if err != nil {
		return nil, err
	}
	return e.embed(ctx, m, m.rules.document, texts, e.progress)
}

// Query embeds a question, as Documents does a text.
func (e *Embedder) Query(ctx context.Context, text string) ([]float32, error) {
	m, err := e.Ready(ctx)
	if err != nil {
		return nil, err
	}
	vectors, err := e.embed(ctx, m, m.rules.query, []string{text}, func(int) {})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// embed returns a vector for every text: those that say something are sent in
// batches, with the prefix before them.
func (e *Embedder) embed(ctx context.Context, m Model, prefix string, texts []string, progress func(texts int)) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	sent := make([]int, 0, len(texts))
	for i, t := range texts {
		if blank(t) {
			vectors[i] = make([]float32, m.Dim)
		} else {
			sent = append(sent, i)
		}
	}
	if blanks := len(texts) - len(sent); blanks > 0 {
		progress(blanks)
	}
	for places := range slices.Chunk(sent, batchSize) {
		bodies := make([]string, len(places))
		for k, i := range places {
			bodies[k] = m.rules.clean(texts[i])
		}
		got, causes, err := e.batch(ctx, m, prefix, bodies)
		if err != nil {
			return nil, err
		}
		for k, i := range places {
			vectors[i] = got[k]
			if causes[k] != nil {
				e.skipped(Skipped{Text: texts[i], Cause: causes[k]})
			}
		}
		progress(len(places))
	}
	return vectors, nil
}
