package ollama

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ollama/ollama/api"

	"pacms/selector/kernel"
)

const (
	// keepAlive is how long the server keeps the model loaded after a request.
	keepAlive = 10 * time.Minute
	// loadTime is how long a server may take to load the model, as Ollama has it.
	loadTime = 5 * time.Minute
	// A request may take as long as the loading of a small model, and for each
	// byte three times what the slowest measured machine took (1.8 ms).
	baseTime = time.Minute
	byteTime = 5 * time.Millisecond
	// halvings is how often a text that cannot be embedded is tried at half its
	// length.
	halvings = 2
	// maxHangs is how many texts of a batch may each keep the server from
	// answering before the server is given up.
	maxHangs = 2
)

// probe is a text that every model embeds.
const probe = "hello"

// batch returns a vector for each of the bodies, none of which is empty. Where
// the request fails, but the server embeds a plain word, each body is sent by
// itself: one that still fails has the zero vector and its cause in causes. An
// error means that the server is of no use.
func (e *Embedder) batch(ctx context.Context, m Model, prefix string, bodies []string) (vectors [][]float32, causes []error, err error) {
	causes = make([]error, len(bodies))
	vectors, err = e.request(ctx, m, prefix, bodies)
	if err == nil {
		return vectors, causes, nil
	}
	if fatal(err) {
		return nil, nil, err
	}
	if _, err := e.request(ctx, m, prefix, []string{probe}); err != nil {
		return nil, nil, fmt.Errorf("ollama fails on every text: %w", err)
	}
	vectors = make([][]float32, len(bodies))
	hangs := 0
	for i, body := range bodies {
		vectors[i], causes[i] = e.alone(ctx, m, prefix, body)
		switch {
		case causes[i] == nil:
			continue
		case fatal(causes[i]):
			return nil, nil, causes[i]
		case errors.Is(causes[i], errHang):
			if hangs++; hangs > maxHangs {
				return nil, nil, fmt.Errorf("ollama hangs on one text after the other: %w", causes[i])
			}
		}
		vectors[i] = make([]float32, m.Dim)
	}
	return vectors, causes, nil
}

// alone embeds one body: what it can of the beginning, where the server fails
// on all of it. One on which the server hangs is not tried again.
func (e *Embedder) alone(ctx context.Context, m Model, prefix, body string) ([]float32, error) {
	for tries := 0; ; tries++ {
		vectors, err := e.request(ctx, m, prefix, []string{body})
		if err == nil {
			return vectors[0], nil
		}
		if tries == halvings || fatal(err) || errors.Is(err, errHang) {
			return nil, err
		}
		body = half(body)
	}
}

// request sends the bodies, each after the prefix, and checks what comes back:
// as many vectors, of the model's dimension, finite and not zero. They are
// scaled to L2 norm 1.
func (e *Embedder) request(ctx context.Context, m Model, prefix string, bodies []string) ([][]float32, error) {
	input := make([]string, len(bodies))
	size := 0
	for i, b := range bodies {
		input[i] = prefix + b
		size += len(input[i])
	}
	resp, err := e.post(ctx, input, baseTime+time.Duration(size)*byteTime)
	if err != nil {
		return nil, err
	}
	vectors := resp.Embeddings
	if len(vectors) != len(bodies) {
		return nil, fmt.Errorf("ollama: embed with %s: %d vectors came for %d texts", e.model, len(vectors), len(bodies))
	}
	for i, v := range vectors {
		if len(v) != m.Dim {
			return nil, fmt.Errorf("ollama: embed with %s: a vector of %d numbers came, the model has %d", e.model, len(v), m.Dim)
		}
		unit, ok := kernel.Unit(v)
		if !ok {
			return nil, fmt.Errorf("ollama: embed with %s: a vector came that is zero or not finite", e.model)
		}
		vectors[i] = unit
	}
	return vectors, nil
}

// post sends one request for vectors; without texts it only loads the model.
func (e *Embedder) post(ctx context.Context, input []string, wait time.Duration) (*api.EmbedResponse, error) {
	inTime, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	truncate := true
	resp, err := e.api.Embed(inTime, &api.EmbedRequest{
		Model: e.model, Input: input, Truncate: &truncate, KeepAlive: &api.Duration{Duration: keepAlive},
	})
	if err == nil {
		return resp, nil
	}
	if inTime.Err() != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("ollama: embed with %s: %w within %v", e.model, errHang, wait)
	}
	return nil, e.explain(ctx, err, wait, "embed with "+e.model)
}
