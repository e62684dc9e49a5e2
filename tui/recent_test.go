package tui

import (
	"slices"
	"testing"

	"pacms/selector"
	"pacms/session"
)

func TestRecentPoolsAreBounded(t *testing.T) {
	ready := func(n int) *selector.Prepared {
		return &selector.Prepared{Pool: &session.Pool{Candidates: make([]session.Candidate, n)}}
	}
	var r recent
	for turn := range 6 {
		r.put(turn, ready(100))
	}
	if !slices.Equal(r.turns, []int{2, 3, 4, 5}) {
		t.Errorf("kept %v, want the last four", r.turns)
	}
	r.put(6, ready(5000))
	if !slices.Equal(r.turns, []int{3, 4, 5, 6}) {
		t.Errorf("kept %v beside a large one", r.turns)
	}
	r.put(7, ready(5000))
	if !slices.Equal(r.turns, []int{7}) {
		t.Errorf("kept %v, want only the newest of two large ones", r.turns)
	}
	if r.get(7) == nil || r.get(6) != nil {
		t.Error("get does not find what is kept")
	}
}
