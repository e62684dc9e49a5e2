package openclaw_test

import (
	"testing"

	"pacms/session"
)

// Each case asks for the pools of turns, as ids in order, and for the codes of
// the warnings.
func TestBranches(t *testing.T) {
	tests := []struct {
		name     string
		script   *script
		pools    []string // of turns 1, 2, …; "-" for a turn that was left behind
		warnings string
	}{
		{
			"a branch that was left behind",
			newScript().user("u1", "a").agent("a1", "b").user("u2", "c").agent("a2", "d").
				under("a1").user("u3", "e").agent("a3", "f").user("u4", "g"),
			[]string{"", "-", "u1 a1", "u1 a1 u3 a3"},
			"",
		},
		{
			"a leaf row moves the branch back",
			newScript().user("u1", "a").agent("a1", "b").user("u2", "fails").leaf("l", "a1").
				under("l").user("u3", "c").agent("a3", "d").user("u4", "e"),
			[]string{"", "-", "u1 a1", "u1 a1 u3 a3"},
			"",
		},
		{
			"a leaf row to nowhere is ignored",
			newScript().user("u1", "a").agent("a1", "b").leaf("l", "gone").under("a1").user("u2", "c"),
			[]string{"", "u1 a1"},
			"bad_leaf",
		},
		{
			"a leaf row to the root starts again",
			newScript().user("u1", "a").agent("a1", "b").line("leaf", "l", map[string]any{"targetId": nil}).
				under("").user("u2", "c").agent("a2", "d").user("u3", "e"),
			[]string{"-", "", "u2 a2"},
			"",
		},
		{
			"the last line is not the leaf",
			newScript().user("u1", "a").agent("a1", "b").user("u2", "c").agent("a2", "d").leaf("l", "a1"),
			[]string{"", "-"},
			"",
		},
		{
			"an entry appended at the side",
			newScript().user("u1", "a").agent("a1", "b").
				line("custom", "side", map[string]any{"appendMode": "side"}).under("a1").user("u2", "c"),
			[]string{"", "u1 a1"},
			"",
		},
		{
			"an unknown parent joins the branch",
			newScript().user("u1", "a").agent("a1", "b").under("gone").user("u2", "c").agent("a2", "d").user("u3", "e"),
			[]string{"", "u1 a1", "u1 a1 u2 a2"},
			"missing_parent",
		},
		{
			"a circle ends the branch",
			newScript().under("a1").user("u1", "a").agent("a1", "b").user("u2", "c"),
			[]string{"", "u1 a1"},
			"missing_parent cycle",
		},
		{
			"an entry that follows itself",
			newScript().under("u1").user("u1", "a").agent("a1", "b").user("u2", "c"),
			[]string{"", "u1 a1"},
			"missing_parent cycle",
		},
		{
			"after a reset, what belongs before it is joined to it",
			newScript().user("u1", "a").agent("a1", "b").line("reset", "r", map[string]any{"reason": "new"}).
				under("a1").user("u2", "c").agent("a2", "d").user("u3", "e"),
			[]string{"", "", "u2 a2"},
			"",
		},
		{
			"a leaf row cannot go back before a reset",
			newScript().user("u1", "a").agent("a1", "b").line("reset", "r", map[string]any{"reason": "new"}).
				leaf("l", "a1").under("l").user("u2", "c").agent("a2", "d").user("u3", "e"),
			[]string{"", "", "u2 a2"},
			"",
		},
		{
			"unknown types with links stay in the branch",
			newScript().user("u1", "a").line("from_the_future", "x", nil).agent("a1", "b").user("u2", "c"),
			[]string{"", "u1 a1"},
			"unknown_types",
		},
		{
			"a file without links is a single branch",
			newScript().raw(`{"type":"message","message":{"role":"user","content":"a"}}`).
				raw(`{"type":"message","message":{"role":"assistant","content":"b"}}`).
				raw(`{"type":"message","message":{"role":"user","content":"c"}}`),
			[]string{"", "line-2 line-3"},
			"",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, tc.script.bytes())
			checkPools(t, s, tc.pools)
			if got := warningCodes(s); got != tc.warnings {
				t.Errorf("warnings %q, want %q", got, tc.warnings)
			}
		})
	}
}

func checkPools(t *testing.T, s *session.Session, want []string) {
	t.Helper()
	if len(s.Turns) != len(want) {
		t.Fatalf("%d turns, want %d", len(s.Turns), len(want))
	}
	for i, pool := range want {
		if got := poolIDs(t, s, i+1, session.PoolWindow); got != pool {
			t.Errorf("turn %d is offered %q, want %q", i+1, got, pool)
		}
		if s.Turns[i].Number != i+1 {
			t.Errorf("turn %d has the number %d", i+1, s.Turns[i].Number)
		}
	}
}

func TestBoundaries(t *testing.T) {
	before := func() *script {
		return newScript().user("u1", "a").calls("a1", "c1").result("t1", "c1").agent("b1", "b").user("u2", "c").agent("a2", "d")
	}
	reset := func(firstKept string) map[string]any {
		return map[string]any{"reason": "idle", "firstKeptEntryId": firstKept}
	}
	tests := []struct {
		name        string
		script      *script
		turn        int
		window, key string
		boundary    string
		warnings    string
	}{
		{
			"a compaction keeps from a user message",
			before().compaction("k", "u2").user("u3", "e"), 3,
			"k u2 a2", "u1 a1 t1 b1 u2 a2 k", "compaction", "",
		},
		{
			"a compaction keeps from the middle of a turn",
			before().compaction("k", "a1").user("u3", "e"), 3,
			"k a1 t1 b1 u2 a2", "u1 a1 t1 b1 u2 a2 k", "compaction", "",
		},
		{
			"the host drops a result whose call was compacted",
			before().compaction("k", "t1").user("u3", "e"), 3,
			"k b1 u2 a2", "u1 a1 t1 b1 u2 a2 k", "compaction", "",
		},
		{
			"what follows a compaction comes after what it kept",
			before().compaction("k", "u2").user("u3", "e").agent("a3", "f").user("u4", "g"), 4,
			"k u2 a2 u3 a3", "u1 a1 t1 b1 u2 a2 k u3 a3", "", "",
		},
		{
			"the boundary of a turn is the one before it, not the last of the file",
			before().user("u3", "e").agent("a3", "f").compaction("k", "u3"), 3,
			"u1 a1 t1 b1 u2 a2", "u1 a1 t1 b1 u2 a2", "", "",
		},
		{
			"the last of two compactions counts, and no summary of the first stays",
			before().compaction("k1", "u2").user("u3", "e").agent("a3", "f").compaction("k2", "a2").user("u4", "g"), 4,
			"k2 a2 u3 a3", "u1 a1 t1 b1 u2 a2 k1 u3 a3 k2", "compaction", "",
		},
		{
			"a compaction in the middle of a turn",
			before().user("u3", "e").calls("a3", "c3").compaction("k", "a3").result("t3", "c3").agent("b3", "f").user("u4", "g"), 4,
			"k a3 t3 b3", "u1 a1 t1 b1 u2 a2 u3 a3 k t3 b3", "compaction", "",
		},
		{
			"a compaction that keeps from nowhere keeps everything",
			before().compaction("k", "gone").user("u3", "e"), 3,
			"k u1 a1 t1 b1 u2 a2", "u1 a1 t1 b1 u2 a2 k", "compaction", "first_kept_unknown",
		},
		{
			"a reset keeps nothing",
			before().line("reset", "r", map[string]any{"reason": "new"}).user("u3", "e"), 3,
			"", "u1 a1 t1 b1 u2 a2", "reset", "",
		},
		{
			"a reset keeps a tail of the conversation, without a result that lost its call",
			before().line("reset", "r", reset("t1")).user("u3", "e"), 3,
			"b1 u2 a2", "u1 a1 t1 b1 u2 a2", "reset", "",
		},
		{
			"a reset that keeps from nowhere keeps nothing",
			before().line("reset", "r", reset("gone")).user("u3", "e"), 3,
			"", "u1 a1 t1 b1 u2 a2", "reset", "first_kept_unknown",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, tc.script.bytes())
			if got := poolIDs(t, s, tc.turn, session.PoolWindow); got != tc.window {
				t.Errorf("window %q, want %q", got, tc.window)
			}
			if got := poolIDs(t, s, tc.turn, session.PoolKey); got != tc.key {
				t.Errorf("key %q, want %q", got, tc.key)
			}
			boundary := ""
			if b := s.Turns[tc.turn-1].Boundary; b != nil {
				boundary = b.Kind
			}
			if boundary != tc.boundary {
				t.Errorf("boundary %q, want %q", boundary, tc.boundary)
			}
			if got := warningCodes(s); got != tc.warnings {
				t.Errorf("warnings %q, want %q", got, tc.warnings)
			}
		})
	}
}

func TestHeartbeats(t *testing.T) {
	const poll = "[OpenClaw heartbeat poll]"
	respond := func(id string, notify bool) func(*script) *script {
		return func(s *script) *script {
			return s.message(id, map[string]any{"role": "assistant", "content": []any{map[string]any{
				"type": "toolCall", "id": "h", "name": "heartbeat_respond", "arguments": map[string]any{"notify": notify},
			}}})
		}
	}
	start := func() *script { return newScript().user("u1", "a").agent("a1", "b").user("p", poll) }
	tests := []struct {
		name   string
		script *script
		pool   string // of the last turn
	}{
		{"acknowledged with NO_REPLY", start().agent("k", "NO_REPLY").user("u2", "c"), "u1 a1"},
		{"acknowledged with a few words", start().agent("k", "All quiet. HEARTBEAT_OK").user("u2", "c"), "u1 a1"},
		{"acknowledged after some work", start().calls("w", "c1").result("r", "c1").agent("k", "HEARTBEAT_OK").user("u2", "c"), "u1 a1"},
		{"answered with something to say", start().agent("k", "The disk is full.").user("u2", "c"), "u1 a1 p k"},
		{"never answered", start().user("u2", "c"), "u1 a1"},
		{"said first, acknowledged then", start().agent("k", "Looking.").agent("k2", "NO_REPLY").user("u2", "c"), "u1 a1"},
		{"two in a row", start().agent("k", "NO_REPLY").user("p2", poll).agent("k2", "NO_REPLY").user("u2", "c"), "u1 a1"},
		{"reported as quiet", respond("k", false)(start()).result("r", "h").user("u2", "c"), "u1 a1"},
		{"reported as loud", respond("k", true)(start()).result("r", "h").user("u2", "c"), "u1 a1 p k r"},
		{"a person who says NO_REPLY matters", newScript().user("u1", "a").agent("k", "NO_REPLY").user("u2", "c"), "u1 k"},
		{"an acknowledgement whose poll was compacted stays", start().agent("k", "NO_REPLY").compaction("s", "k").user("u2", "c"), "s k"},
		{"a poll across a compaction", start().compaction("s", "u1").agent("k", "NO_REPLY").user("u2", "c"), "s u1 a1"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, tc.script.bytes())
			if got := poolIDs(t, s, len(s.Turns), session.PoolWindow); got != tc.pool {
				t.Errorf("offered %q, want %q", got, tc.pool)
			}
			for i := range s.Turns {
				want := ""
				if s.Turns[i].Query == poll {
					want = "heartbeat"
				}
				if s.Turns[i].Internal != want {
					t.Errorf("turn %d is internal %q, want %q", i+1, s.Turns[i].Internal, want)
				}
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	s := read(t, newScript().user("u1", "a").agent("a1", "first").calls("b1", "c1").result("t1", "c1").agent("d1", "last").
		user("u2", "c").agent("a2", "left behind").under("d1").user("u3", "e").bytes())
	for i, want := range []string{"last", "left behind", ""} {
		if got := s.Turns[i].Answer; got != want {
			t.Errorf("turn %d: answer %q, want %q", i+1, got, want)
		}
	}
	if c := candidate(t, s, "t1"); c.Turn != 1 {
		t.Errorf("the result is of turn %d, want 1", c.Turn)
	}
}
