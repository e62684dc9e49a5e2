//go:build cgo && unix

package cmd

/*
#include <fcntl.h>

static int was_closed;

__attribute__((constructor)) static void look(void) { was_closed = fcntl(1, F_GETFD) == -1; }

static int stdout_was_closed(void) { return was_closed; }
*/
import "C"

// outputClosed reports whether the program was started without a standard output.
// Only what runs before the runtime of Go can tell: that puts the null device in its
// place, in which everything is lost without an error.
func outputClosed() bool { return C.stdout_was_closed() != 0 }
