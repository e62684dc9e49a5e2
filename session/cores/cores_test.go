package cores_test

import (
	"context"
	"runtime"
	"testing"

	"pacms/session/cores"
)

// A screen gets threads of its own, and the work beside it no more than before.
func TestShare(t *testing.T) { //nolint:paralleltest // the number of threads is the process's
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	workers := cores.Workers(t.Context())
	if workers != before {
		t.Errorf("%d workers for %d processors", workers, before)
	}
	cores.Share()
	if threads := runtime.GOMAXPROCS(0); threads != 4*before || cores.Workers(t.Context()) != workers {
		t.Errorf("%d threads and %d workers with a screen, want %d and %d", threads, cores.Workers(t.Context()), 4*before, workers)
	}
	cores.Share()
	if threads := runtime.GOMAXPROCS(0); threads != 4*before {
		t.Errorf("%d threads after a second screen", threads)
	}
	runtime.GOMAXPROCS(1)
	if cores.Workers(t.Context()) != 1 {
		t.Errorf("%d workers where one is allowed", cores.Workers(t.Context()))
	}
}

// Work that is to have one processor has one, wherever it asks.
func TestAlone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(cores.Alone(t.Context()))
	defer cancel()
	if n := cores.Workers(ctx); n != 1 {
		t.Errorf("%d workers where one processor is to be used", n)
	}
}
