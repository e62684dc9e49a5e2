package ollama

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// errHang says that a request was given up.
var errHang = errors.New("the server did not answer")

// silence is the sentence for an error that says that nothing answered within
// wait, nil for any other. Where ctx has ended that is the reason.
func (e *Embedder) silence(ctx context.Context, err error, wait time.Duration) error {
	var op *net.OpError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("ollama: ask %s: %w", e.base, ctx.Err())
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Errorf("%w at %s (%w); start it with `ollama serve`", ErrNoAnswer, e.base, op.Err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w at %s within %v; end it and start it again with `ollama serve`", ErrNoAnswer, e.base, wait)
	}
	return nil
}

// explain says what went wrong while the server was asked to do something about
// the model, within wait.
func (e *Embedder) explain(ctx context.Context, err error, wait time.Duration, doing string) error {
	if silence := e.silence(ctx, err, wait); silence != nil {
		return silence
	}
	var status api.StatusError
	if errors.As(err, &status) && status.StatusCode == http.StatusNotFound {
		return fmt.Errorf("%w: %s; get it with `ollama pull %s`", ErrNoModel, e.model, e.model)
	}
	return fmt.Errorf("ollama: %s: %w", doing, err)
}

// fatal reports whether an error of a request would be the same with any text.
// Ollama answers 400 and 500 for a text that it cannot embed, and closes the
// connection or sends nonsense when it breaks on one.
func fatal(err error) bool {
	for _, target := range []error{ErrNoAnswer, ErrNoModel, errElsewhere, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, target) {
			return true
		}
	}
	var refused api.AuthorizationError
	if errors.As(err, &refused) {
		return true
	}
	var status api.StatusError
	if errors.As(err, &status) {
		return status.StatusCode != http.StatusBadRequest && status.StatusCode != http.StatusInternalServerError
	}
	return false
}
