// Package token counts what a message costs in tokens.
package token

import (
	"fmt"
	"strings"
)

// Call is a tool call as it is counted: its name and its arguments as compact JSON.
type Call struct{ Name, Args string }

// Parts are the pieces of one message that cost tokens.
type Parts struct {
	Text     string // visible text, without placeholders for images
	Thinking string
	Calls    []Call
	Images   int
}

// Counter counts the tokens of a message.
type Counter interface {
	// Name is the value of --tokenizer.
	Name() string
	// Estimated is true where the number is not what a tokenizer would give.
	Estimated() bool
	// Count is the cost of one message, at least 0.
	Count(p Parts) int
}

// Names lists the counters, the default first.
var Names = []string{"openclaw", "o200k", "cl100k", "chars4"}

// New returns the counter with the given name.
func New(name string) (Counter, error) {
	return nil, fmt.Errorf("token: no counter %q (there are %s)", name, strings.Join(Names, ", "))
}
