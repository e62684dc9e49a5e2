package session

import (
	"slices"
	"testing"
)

func TestNotOffered(t *testing.T) {
	compaction := &Boundary{Kind: "compaction", EntryID: "c"}
	s := &Session{Candidates: make([]Candidate, 6), Turns: []Turn{
		{Branch: BranchActive, Window: []Span{{0, 2}}, Key: []Span{{0, 2}}},
		{Branch: BranchOther},
		{Branch: BranchActive, Boundary: compaction, Window: []Span{{4, 5}, {2, 4}}, Key: []Span{{0, 5}}},
		{Branch: BranchActive, Window: []Span{{4, 5}, {2, 4}, {5, 6}}, Key: []Span{{0, 6}}},
	}}
	for i, want := range [][]int{nil, nil, {0, 1}, {0, 1}} {
		if got := s.NotOffered(i); !slices.Equal(got, want) {
			t.Errorf("turn %d: %v, want %v", i, got, want)
		}
	}
	for i, want := range []*Boundary{nil, nil, compaction, compaction} {
		if got := s.LastBoundary(i); got != want {
			t.Errorf("turn %d: boundary %v, want %v", i, got, want)
		}
	}
}
