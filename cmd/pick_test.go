package cmd

import (
	"slices"
	"testing"
	"time"

	"pacms/session/find"
	"pacms/tui"
)

func TestChoices(t *testing.T) {
	t.Parallel()
	sessions := []find.Session{
		{Path: "/s/a.sqlite", Key: "agent:main:main", State: find.InDatabase, Turns: 12, First: "Good morning", Last: time.Date(2026, 11, 29, 21, 36, 0, 0, time.UTC)},
		{Path: "/s/b.jsonl", Key: "b", State: find.Reset, Turns: 1},
		{Path: "/s/c.jsonl", Key: "c", State: find.Current, Turns: -1},
	}
	want := []tui.Choice{
		{Key: "2026-11-29 21:36", Text: "“Good morning”  agent:main:main", Extra: "12 turns"},
		{Key: "unknown time", Text: "b", Extra: "1 turn, put aside by a reset"},
		{Key: "unknown time", Text: "c", Extra: "large"},
		{Key: "demo", Text: "a recorded session inside the program, as a story"},
	}
	if got := choicesOf(sessions); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	args := []string{"--strategy", "topk"}
	for i, want := range [][]string{
		{"replay", "/s/a.sqlite", "--session=agent:main:main", "--strategy", "topk"},
		{"replay", "/s/b.jsonl", "--strategy", "topk"},
	} {
		if got := replayArgs(&sessions[i], args); !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
	}
}
