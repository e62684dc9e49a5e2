package session_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/session"
)

// parseCandidates reads a short notation: "u" is a user message, "a:c1,c2" an
// assistant message that calls c1 and c2, "t:c1" the result of c1, "/x" behind those the
// tool, "=g" behind any of them the group. Ids are the letter and the place, from 0.
func parseCandidates(notation string) []session.Candidate {
	var cands []session.Candidate
	for i, field := range strings.Fields(notation) {
		field, group, _ := strings.Cut(field, "=")
		field, tool, _ := strings.Cut(field, "/")
		letter, ids, calls := strings.Cut(field, ":")
		c := session.Candidate{ID: letter + strconv.Itoa(i), Kind: session.User, Group: group}
		switch letter {
		case "a":
			c.Kind = session.Assistant
			for id := range strings.SplitSeq(ids, ",") {
				if calls {
					c.Calls = append(c.Calls, session.ToolUse{Name: tool, CallID: id})
				}
			}
		case "b": // a caller with its call in Tool
			c.Kind = session.Assistant
			c.Tool = &session.ToolUse{Name: tool, CallID: ids}
		case "t":
			c.Kind = session.Tool
			if calls {
				c.Tool = &session.ToolUse{Name: tool, CallID: ids}
			}
		}
		cands = append(cands, c)
	}
	return cands
}

// groupsOf lists the groups, "-" for none.
func groupsOf(cands []session.Candidate) string {
	var names []string
	for _, c := range cands {
		if c.Group == "" {
			c.Group = "-"
		}
		names = append(names, c.Group)
	}
	return strings.Join(names, " ")
}

func TestPair(t *testing.T) {
	for _, c := range []struct {
		name, cands, want string
		repaired          int
	}{
		{"nothing", "", "", 0},
		{"no calls", "u a u", "- - -", 0},
		{"call and result", "u a:c t:c a u", "- a1 a1 - -", 0},
		{"call in Tool", "b:c t:c", "b0 b0", 0},
		{"several results", "a:c,d t:d t:c", "a0 a0 a0", 0},
		{"a message between", "a:c u t:c", "a0 - a0", 0},
		{"result far behind another call", "a:c a:d t:d t:c", "a0 a1 a1 a0", 0},
		{"id used again", "a:c t:c u a:c t:c", "a0 a0 - a3 a3", 0},
		{"id used again after a call without a result", "a:c u a:c t:c", "- - a2 a2", 0},
		{"second result of one call", "a:c t:c u t:c", "a0 a0 - a0", 0},
		{"one id for two calls", "a:c,c t:c t:c", "a0 a0 a0", 2},
		{"rewritten id", "a:call_1 u t:call1", "a0 - a0", 1},
		{"rewritten ids of two calls", "a:c_1,c_2 t:c2 t:c1", "a0 a0 a0", 2},
		{"unanswered", "a:c u", "- -", 0},
		{"result before its call", "t:c a:c", "- -", 0},
		{"result without call", "u t:c a", "- - -", 0},
		{"empty id of the result", "a:c t:", "a0 a0", 1},
		{"no call named by the result", "a:c t", "a0 a0", 1},
		{"empty id of the call", "a: t:c", "a0 a0", 1},
		{"both empty", "a:, t: t:", "a0 a0 a0", 2},
		{"no match", "a:c t:x", "a0 a0", 1},
		{"no match beside a match", "a:c,d t:x t:c", "a0 a0 a0", 1},
		{"a stranger does not take the match", "a:c t:x t:c", "a0 - a0", 0},
		{"too many", "a:c t: t:", "a0 a0 -", 1},
		{"not adjacent", "a:c u t:", "- - -", 0},
		{"of another tool", "a:c/read t:x/write t:y/read", "a0 - a0", 1},
		{"the call's group", "a:c=g t:c", "g g", 0},
		{"the result's group", "a:c,d t:c=g t:d", "g g g", 0},
		{"the result's group wins over a repaired one", "a:c,d t:x t:d=g", "g g g", 1},
		{"groups that differ stay", "a:c=g t:c=h", "g h", 0},
		{"groups need no repair", "a:c=g t:x=g", "g g", 0},
		{"name taken", "u=a1 a:c t:c", "a1 a1+ a1+", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cands := parseCandidates(c.cands)
			repaired := session.Pair(cands)
			if got := groupsOf(cands); got != c.want || repaired != c.repaired {
				t.Errorf("Pair(%s) = %q with %d repaired, want %q with %d", c.cands, got, repaired, c.want, c.repaired)
			}
		})
	}
}

// nearestCaller is the last message before the result at i that made a call with
// the result's id, or nil.
func nearestCaller(cands []session.Candidate, i int) *session.Candidate {
	if cands[i].Tool == nil || cands[i].Tool.CallID == "" {
		return nil
	}
	for k := i - 1; k >= 0; k-- {
		c := &cands[k]
		calls := c.Calls
		if c.Kind != session.Tool && c.Tool != nil {
			calls = []session.ToolUse{*c.Tool}
		}
		for _, call := range calls {
			if call.CallID == cands[i].Tool.CallID {
				return c
			}
		}
	}
	return nil
}

// TestPairProperties pairs random pools: a group is a message with calls, named
// after it, and then results; a result is with the nearest call of its id, if
// there is one; and pairing again changes nothing.
func TestPairProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.SampledFrom([]string{
			"u", "a", "a:c", "a:c,d", "a:,c", "b:d", "t", "t:", "t:c", "t:d", "t:e",
		}), 0, 20).Draw(t, "candidates")
		cands := parseCandidates(strings.Join(fields, " "))
		repaired := session.Pair(cands)

		members := map[string][]session.Candidate{}
		results := 0
		for i, c := range cands {
			if c.Group != "" {
				members[c.Group] = append(members[c.Group], c)
			}
			if c.Kind != session.Tool {
				continue
			}
			results++
			if caller := nearestCaller(cands, i); caller != nil && c.Group != caller.ID {
				t.Fatalf("%s is in %q, its call is in %s", c.ID, c.Group, caller.ID)
			}
		}
		for name, group := range members {
			if group[0].ID != name || group[0].Kind != session.Assistant || len(group) < 2 {
				t.Fatalf("group %s begins with %s and has %d members", name, group[0].ID, len(group))
			}
			for _, c := range group[1:] {
				if c.Kind != session.Tool {
					t.Fatalf("group %s holds %s", name, c.ID)
				}
			}
		}
		if repaired > results {
			t.Fatalf("%d repaired of %d results", repaired, results)
		}
		again := slices.Clone(cands)
		if n := session.Pair(again); n != 0 || groupsOf(again) != groupsOf(cands) {
			t.Fatalf("pairing again repaired %d: %q, was %q", n, groupsOf(again), groupsOf(cands))
		}
	})
}
