// Package token counts what a message costs in tokens.
package token

import (
	"fmt"
	"strings"

	"github.com/tiktoken-go/tokenizer/codec"
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

// Counter counts the tokens of a message. Every counter of this package is safe
// for concurrent use.
type Counter interface {
	// Name is the value of --tokenizer.
	Name() string
	// Estimated is true where the number is not what a tokenizer would give.
	Estimated() bool
	// Count is the cost of one message, at least 0.
	Count(p Parts) int
}

// ImageTokens is what one image costs, whatever its size and whichever the
// counter: OpenClaw's own figure, within the range that providers charge.
const ImageTokens = 2000

// charsPerToken is the ratio of the estimating counters.
const charsPerToken = 4

// Names lists the counters, the default first.
var Names = []string{"openclaw", "o200k", "cl100k", "chars4"}

// New returns the counter with the given name, one of Names. The vocabulary of
// a tokenizer is loaded with the first count, not here.
func New(name string) (Counter, error) {
	switch name {
	case "openclaw":
		return openclaw{}, nil
	case "o200k":
		return newBPE(name, codec.NewO200kBase), nil
	case "cl100k":
		return newBPE(name, codec.NewCl100kBase), nil
	case "chars4":
		return chars4{}, nil
	}
	return nil, fmt.Errorf("token: no counter %q (there are %s)", name, strings.Join(Names, ", "))
}

// sum adds up the cost of the parts of a message, each by count, in the unit of
// count, with image for every image.
func (p Parts) sum(count func(string) int, image int) int {
	n := count(p.Text) + count(p.Thinking) + image*max(p.Images, 0)
	for _, c := range p.Calls {
		n += count(c.Name) + count(c.Args)
	}
	return n
}

// ceilDiv is a/b rounded up, for a ≥ 0 and b > 0.
func ceilDiv(a, b int) int { return (a + b - 1) / b }
