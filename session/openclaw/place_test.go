package openclaw_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"pacms/session"
	demo "pacms/testdata"
)

// where says for every message of a session where it stands at a turn.
func where(s *session.Session, turn int, mode session.PoolMode) map[string]string {
	places := session.NewPlaces(s, mode)
	say := func(p session.Place) string {
		switch {
		case p.Index >= 0:
			return "offered"
		case p.Into > 0:
			return string(p.Absence) + " into " + s.Candidates[p.Into-1].ID
		}
		return string(p.Absence)
	}
	out := make(map[string]string)
	for c := range s.Candidates {
		out[s.Candidates[c].ID] = say(places.Of(turn-1, c))
	}
	for a := range s.Aside {
		out[s.Aside[a].ID] = say(places.OfAside(turn-1, a))
	}
	return out
}

func TestWhereMessagesStand(t *testing.T) {
	before := func() *script {
		return newScript().user("u1", "a").calls("a1", "c1").result("t1", "c1").agent("b1", "b").user("u2", "c").agent("a2", "d")
	}
	poll := func(s *script) *script { return s.user("p", "[OpenClaw heartbeat poll]").agent("k", "NO_REPLY") }
	reset := func(s *script, firstKept string) *script {
		return s.line("reset", "r", map[string]any{"reason": "new", "firstKeptEntryId": firstKept})
	}
	hidden := map[string]any{"role": "bashExecution", "command": "printenv", "output": "secret", "exitCode": 0, "excludeFromContext": true}
	for _, c := range []struct {
		name   string
		script *script
		turn   int
		want   string // what is not offered
	}{
		{"nothing is said yet", before(), 1, "u1:asked a1,t1,b1:said_in_turn u2,a2:said_later"},
		{"a conversation", before(), 2, "u2:asked a2:said_in_turn"},
		{"compacted", before().compaction("k", "u2").user("u3", "e"), 3, "u1,a1,t1,b1:compacted into k u3:asked"},
		{"before it was compacted", before().compaction("k", "u2").user("u3", "e"), 2, "u2:asked a2,k:said_in_turn u3:said_later"},
		{"a result whose call was compacted", before().compaction("k", "t1").user("u3", "e"), 3, "u1,a1:compacted into k t1:host_pruned u3:asked"},
		{
			"compacted twice", before().compaction("k1", "u2").user("u3", "e").agent("a3", "f").compaction("k2", "a3").user("u4", "g"), 4,
			"u1,a1,t1,b1,u2,a2,k1,u3:compacted into k2 u4:asked",
		},
		{
			"compacted twice between two turns", before().compaction("k1", "u2").compaction("k2", "a2").user("u3", "g"), 3,
			"u1,a1,t1,b1,u2,k1:compacted into k2 u3:asked",
		},
		{"reset", reset(before(), "").user("u3", "e"), 3, "u1,a1,t1,b1,u2,a2:reset u3:asked"},
		{"reset with a tail", reset(before(), "t1").user("u3", "e"), 3, "u1,a1:reset t1:host_pruned u3:asked"},
		{"compacted, then reset", reset(before().compaction("k", "u2").user("u3", "e"), "u3").user("u4", "g"), 4, "u1,a1,t1,b1,u2,a2,k:reset u4:asked"},
		{"compacted and reset between two turns", reset(before().compaction("k", "u2"), "").user("u3", "g"), 3, "u1,a1,t1,b1,u2,a2,k:reset u3:asked"},
		{
			"reset, then compacted", reset(before(), "").user("u3", "e").agent("a3", "f").compaction("k", "a3").user("u4", "g"), 4,
			"u1,a1,t1,b1,u2,a2:reset u3:compacted into k u4:asked",
		},
		{"an acknowledged poll", poll(before()).user("u3", "e"), 4, "p,k:host_pruned u3:asked"},
		{"an acknowledged poll, compacted", poll(before()).user("u3", "e").compaction("s", "u3").user("u4", "f"), 5, "u1,a1,t1,b1,u2,a2,p,k:compacted into s u4:asked"},
		{
			"a branch that was left", before().user("u3", "e").agent("a3", "f").under("a2").user("u4", "g"), 4,
			"u3,a3:other_branch u4:asked",
		},
		{"before the branch was left", before().user("u3", "e").agent("a3", "f").under("a2").user("u4", "g"), 2, "u2:asked a2:said_in_turn u3,a3,u4:said_later"},
		{"a turn on a branch that was left", before().user("u3", "e").under("a2").user("u4", "g"), 3, "u1,a1,t1,b1,u2,a2,u3,u4:other_branch"},
		{"kept from the model", before().message("x", hidden).user("u3", "e"), 3, "x:excluded u3:asked"},
		{"before it was kept from the model", before().message("x", hidden).user("u3", "e"), 2, "u2:asked a2,x:said_in_turn u3:said_later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := read(t, c.script.bytes())
			got := where(s, c.turn, session.PoolWindow)
			for part := range strings.FieldsSeq(strings.ReplaceAll(c.want, " into ", "~")) {
				ids, want, _ := strings.Cut(strings.ReplaceAll(part, "~", " into "), ":")
				for id := range strings.SplitSeq(ids, ",") {
					if got[id] != want {
						t.Errorf("%s is %q, want %q", id, got[id], want)
					}
					delete(got, id)
				}
			}
			for id, state := range got {
				if state != "offered" {
					t.Errorf("%s is %q, want it offered", id, state)
				}
			}
		})
	}
}

// Of the recorded sessions every message is in the pool where the places say that
// it is, and nowhere else.
func TestPlacesAreThoseOfThePools(t *testing.T) {
	var all []*session.Session
	for _, name := range captures {
		data, err := os.ReadFile(testdata(name + ".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read(t, data))
	}
	var story bytes.Buffer
	if _, err := story.ReadFrom(demo.Session()); err != nil {
		t.Fatal(err)
	}
	all = append(all, read(t, story.Bytes()))
	for _, s := range all {
		for _, mode := range []session.PoolMode{session.PoolWindow, session.PoolKey} {
			places := session.NewPlaces(s, mode)
			for i := range s.Turns {
				checkPlaces(t, s, places, i, s.Pool(i, mode))
			}
		}
	}
}

// checkPlaces holds the places of all candidates at one turn to its pool.
func checkPlaces(t *testing.T, s *session.Session, places *session.Places, i int, pool *session.Pool) {
	t.Helper()
	offered := 0
	for c := range s.Candidates {
		p := places.Of(i, c)
		switch name := fmt.Sprintf("%s, turn %d: #%d", s.Key, i+1, c+1); {
		case (p.Index >= 0) == (p.Absence != ""):
			t.Fatalf("%s is %+v", name, p)
		case p.Index >= 0 && pool.Candidates[p.Index].ID != s.Candidates[c].ID:
			t.Fatalf("%s is said to be at %d, where %s is", name, p.Index, pool.Candidates[p.Index].ID)
		case p.Index >= 0:
			offered++
		case p.Absence == session.Compacted && s.Candidates[p.Into-1].Kind != session.Summary:
			t.Fatalf("%s went into #%d, which is no summary", name, p.Into)
		}
	}
	if pool != nil && offered != len(pool.Candidates) {
		t.Fatalf("%s, turn %d: %d are said to be offered of %d", s.Key, i+1, offered, len(pool.Candidates))
	}
}
