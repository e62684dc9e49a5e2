// Package testdata carries the demo inside the binary: a session captured from
// a real OpenClaw gateway, and the story that the screen tells with it.
package testdata

import (
	"bytes"
	_ "embed" // the demo's files
	"encoding/json"
	"fmt"
	"io"
)

var (
	//go:embed demo/session.jsonl
	session []byte
	//go:embed demo/story.json
	story []byte
)

// SessionName is what the screen and errors call the demo's session; there is
// no file of this name on the reader's machine.
const SessionName = "demo"

// Session is the demo's OpenClaw transcript, one JSON event a line.
func Session() io.Reader { return bytes.NewReader(session) }

// Story says what the screen does with the demo's session: it opens on Start,
// plays turn by turn until Mark, stops there by itself, shows the candidate that
// the answer needs and the running strategy dropped, and offers Invite. Once the
// candidate is kept, it says Outcome.
type Story struct {
	// Title names the session in the title bar.
	Title string `json:"title"`
	// Label says how the session came about, for an honest title.
	Label string `json:"label"`
	// Intro says in a line what the program shows, Watch what to look out for; both
	// stand on screen while the story plays.
	Intro string `json:"intro"`
	Watch string `json:"watch"`
	Start Start  `json:"start"`
	Mark  Mark   `json:"mark"`
	// Invite is the line under the dropped candidate at the mark.
	Invite string `json:"invite"`
	// After is the template of Outcome, with {item}, {said}, {ago}, {strategy}
	// and {budget} where its values go.
	After string `json:"after"`
}

// Start is the state in which the story opens and plays.
type Start struct {
	// Turn is the number of the first turn on screen.
	Turn int `json:"turn"`
	// Strategy is in the form that selector.ParseStrategy reads.
	Strategy string `json:"strategy"`
	// Budget is in the form that the flag --budget takes: "4096", "11%".
	Budget string `json:"budget"`
	// Pace is how long a turn stays on screen at normal speed, in milliseconds.
	Pace int `json:"pace_ms"`
}

// Mark is the turn at which the story stops.
type Mark struct {
	// Turn is the turn's number.
	Turn int `json:"turn"`
	// Question is that turn's query.
	Question string `json:"question"`
	// Needed is the id of the candidate that answers the question: dropped under
	// Start, kept by the strategy that Invite names.
	Needed string `json:"needed"`
	// Fact is the text of that candidate.
	Fact string `json:"fact"`
}

// LoadStory reads the demo's story.
func LoadStory() (*Story, error) {
	d := json.NewDecoder(bytes.NewReader(story))
	d.DisallowUnknownFields()
	s := new(Story)
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("testdata: read demo/story.json: %w", err)
	}
	return s, nil
}
