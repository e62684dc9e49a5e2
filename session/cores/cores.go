// Package cores says how many pieces of work run side by side, and keeps a screen
// from waiting for them.
package cores

import "runtime"

// processors is how many the program may use, before a screen asks for more threads.
var processors = runtime.GOMAXPROCS(0)

// Workers is how many goroutines share one piece of work, at least 1: one for each
// processor.
func Workers() int { return min(runtime.GOMAXPROCS(0), processors) }

// Share lets four times as many goroutines run as there are processors. A goroutine that
// computes has its thread for up to ten milliseconds, and a key passes through three
// goroutines on its way to a frame; with threads of their own they wait only for the
// operating system, which prefers who has used little. Call it before the screen starts.
func Share() { runtime.GOMAXPROCS(4 * processors) }
