package selector

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pacms/session"
)

// A pool of more items than can be compared each with each is refused in a sentence,
// and what is laid out grows with the work, so that giving up early costs little.
func TestDenseOfVeryManyItems(t *testing.T) {
	n := 1<<15 + 1 // their square is more than maxTable
	pool := &session.Pool{Candidates: make([]session.Candidate, n)}
	p := &Prepared{Pool: pool, of: make([]int, n), groups: make([]group, n), rows: make([]int, n)}
	if _, err := p.dense(t.Context()); err == nil || !strings.Contains(err.Error(), "32769 items are too many") {
		t.Errorf("%d items: %v", n, err)
	}
	p.of, p.groups, p.rows = p.of[:1<<15], p.groups[:1<<15], p.rows[:1<<15]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.dense(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}
