package session_test

import (
	"strings"
	"testing"

	"pacms/session"
)

func sample() *session.Session {
	s := &session.Session{Key: "k"}
	for i, tokens := range []int{1, 2, 4, 8} {
		s.Candidates = append(s.Candidates, session.Candidate{ID: string(rune('a' + i)), Tokens: tokens})
	}
	s.Turns = []session.Turn{
		{Number: 1, Branch: session.BranchActive, Query: "first"},
		{Number: 2, Branch: session.BranchOther, Window: []session.Span{{From: 0, To: 4}}},
		{
			Number: 3, Branch: session.BranchActive, Query: "third", IDsRepaired: 2,
			Window: []session.Span{{From: 3, To: 4}, {From: 1, To: 2}}, Key: []session.Span{{From: 0, To: 2}, {From: 2, To: 4}},
		},
	}
	return s
}

func TestPool(t *testing.T) {
	tests := []struct {
		index int
		mode  session.PoolMode
		want  string
		sum   int
	}{
		{0, session.PoolWindow, "", 0},
		{2, session.PoolWindow, "db", 10},
		{2, session.PoolKey, "abcd", 15},
	}
	for _, tc := range tests {
		p := sample().Pool(tc.index, tc.mode)
		var ids strings.Builder
		for _, c := range p.Candidates {
			ids.WriteString(c.ID)
		}
		if ids.String() != tc.want || p.Tokens() != tc.sum || !p.FromSession || p.Session != "k" {
			t.Errorf("turn %d, %s: %q, %d tokens, %+v", tc.index+1, tc.mode, ids.String(), p.Tokens(), p)
		}
	}
	if p := sample().Pool(2, session.PoolWindow); p.Query != "third" || p.Turn != 3 || p.IDsRepaired != 2 {
		t.Errorf("the pool is %+v", p)
	}
	if p := sample().Pool(1, session.PoolWindow); p != nil {
		t.Errorf("a turn that was left behind has the pool %+v", p)
	}
}

// A pool is the caller's: changing it must not change the session.
func TestPoolIsACopy(t *testing.T) {
	s := sample()
	s.Pool(2, session.PoolKey).Candidates[0].ID = "changed"
	if s.Candidates[0].ID != "a" {
		t.Error("the session changed with its pool")
	}
}

func TestLargestPool(t *testing.T) {
	s := sample()
	if got := s.LargestPool(session.PoolKey); got != 15 {
		t.Errorf("largest pool of the key: %d, want 15", got)
	}
	if got := s.LargestPool(session.PoolWindow); got != 10 {
		t.Errorf("largest window: %d, want 10: a turn that was left behind has no pool", got)
	}
	if got := (&session.Session{}).LargestPool(session.PoolWindow); got != 0 {
		t.Errorf("an empty session: %d", got)
	}
}

func TestWhyNoPool(t *testing.T) {
	if why := sample().WhyNoPool(); why != "" {
		t.Errorf("a session with pools: %q", why)
	}
	if why := new(session.Session).WhyNoPool(); !strings.Contains(why, "nobody asked") {
		t.Errorf("an empty session: %q", why)
	}
	left := &session.Session{Turns: []session.Turn{{Number: 1, Branch: session.BranchOther}}}
	if why := left.WhyNoPool(); !strings.Contains(why, "branch that was left") {
		t.Errorf("a session that was left: %q", why)
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items"} {
		if got := session.Counted(n, "item"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestContent(t *testing.T) {
	c := session.Candidate{Text: "I look.", Calls: []session.ToolUse{{Name: "read", Args: []byte(`{"path":"f"}`)}, {Name: "list"}}}
	if got := c.Content(); got != "I look.\nread {\"path\":\"f\"}\nlist" {
		t.Errorf("content %q", got)
	}
	if got := (&session.Candidate{Text: "x"}).Content(); got != "x" {
		t.Errorf("content %q", got)
	}
}

func TestKinds(t *testing.T) {
	for _, k := range session.Kinds {
		if !k.Valid() {
			t.Errorf("%s is not valid", k)
		}
	}
	if session.Kind("wizard").Valid() {
		t.Error("an unknown kind is valid")
	}
}
