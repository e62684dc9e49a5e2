package cores_test

import (
	"runtime"
	"testing"

	"pacms/session/cores"
)

// A screen gets threads of its own, and the work beside it no more than before.
func TestShare(t *testing.T) { //nolint:paralleltest // the number of threads is the process's
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	workers := cores.Workers()
	if workers != before {
		t.Errorf("%d workers for %d processors", workers, before)
	}
	cores.Share()
	if threads := runtime.GOMAXPROCS(0); threads != 4*before || cores.Workers() != workers {
		t.Errorf("%d threads and %d workers with a screen, want %d and %d", threads, cores.Workers(), 4*before, workers)
	}
	cores.Share()
	if threads := runtime.GOMAXPROCS(0); threads != 4*before {
		t.Errorf("%d threads after a second screen", threads)
	}
	runtime.GOMAXPROCS(1)
	if cores.Workers() != 1 {
		t.Errorf("%d workers where one is allowed", cores.Workers())
	}
}
