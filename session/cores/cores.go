// Package cores says how many pieces of work run side by side, and keeps those from
// waiting for them who wait for little: a screen, a small request.
package cores

import (
	"context"
	"runtime"
)

// processors is how many the program may use, before Share asks for more threads.
var processors = runtime.GOMAXPROCS(0)

// aloneKey marks the context of work that has one processor.
type aloneKey struct{}

// Alone returns a context in which Workers is 1: for work that takes long beside work
// that somebody waits for.
func Alone(ctx context.Context) context.Context { return context.WithValue(ctx, aloneKey{}, true) }

// Workers is how many goroutines share one piece of work, at least 1: one for each
// processor, or one where the context is that of Alone.
func Workers(ctx context.Context) int {
	if ctx.Value(aloneKey{}) != nil {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), processors)
}

// Share lets four times as many goroutines run as there are processors. A goroutine that
// computes has its thread for up to ten milliseconds, and a key passes through three
// goroutines on its way to a frame, a request through as many to its answer; with threads
// of their own they wait only for the operating system, which prefers who has used little.
// Call it before a screen or a service starts.
func Share() { runtime.GOMAXPROCS(4 * processors) }
