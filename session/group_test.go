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
// assistant message that calls c1 and c2, "t:c1" the result of c1, "=g" behind
// any of them its group. Ids are the letter and the place, from 0.
func parseCandidates(notation string) []session.Candidate {
	var cands []session.Candidate
	for i, field := range strings.Fields(notation) {
		field, group, _ := strings.Cut(field, "=")
		letter, ids, calls := strings.Cut(field, ":")
		c := session.Candidate{ID: letter + strconv.Itoa(i), Kind: session.User, Group: group}
		switch letter {
		case "a":
			c.Kind = session.Assistant
			for id := range strings.SplitSeq(ids, ",") {
				if calls {
					c.Calls = append(c.Calls, session.ToolUse{CallID: id})
				}
			}
		case "b": // a caller with its call in Tool
			c.Kind = session.Assistant
			c.Tool = &session.ToolUse{CallID: ids}
		case "t":
			c.Kind = session.Tool
			if calls {
				c.Tool = &session.ToolUse{CallID: ids}
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
		{"one id for two calls", "a:c,c t:c t:c", "a0 a0 a0", 0},
		{"unanswered", "a:c u", "- -", 0},
		{"result before its call", "t:c a:c", "- -", 0},
		{"result without call", "u t:c a", "- - -", 0},
		{"second result of one call", "a:c t:c t:c", "a0 a0 -", 0},
		{"empty id of the result", "a:c t:", "a0 a0", 1},
		{"no call named by the result", "a:c t", "a0 a0", 1},
		{"empty id of the call", "a: t:c", "a0 a0", 1},
		{"both empty", "a:, t: t:", "a0 a0 a0", 2},
		{"aliased", "a:call_1 t:call1", "a0 a0", 1},
		{"aliased beside a match", "a:c,d t:x t:c", "a0 a0 a0", 1},
		{"a stranger does not take the match", "a:c t:x t:c", "a0 - a0", 0},
		{"too many", "a:c t: t:", "a0 a0 -", 1},
		{"not adjacent", "a:c u t:", "- - -", 0},
		{"the call's group", "a:c=g t:c", "g g", 0},
		{"the result's group", "a:c,d t:c=g t:d", "g g g", 0},
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

// TestPairProperties pairs random pools: groups have one caller that stands
// first and no more results than that has calls, everything else stays alone,
// and pairing again changes nothing.
func TestPairProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.SampledFrom([]string{
			"u", "a", "a:c", "a:c,d", "a:,c", "b:d", "t", "t:", "t:c", "t:d", "t:e",
		}), 0, 20).Draw(t, "candidates")
		cands := parseCandidates(strings.Join(fields, " "))
		repaired := session.Pair(cands)

		members := map[string][]session.Candidate{}
		for _, c := range cands {
			if c.Group != "" {
				members[c.Group] = append(members[c.Group], c)
			}
		}
		results := 0
		for name, group := range members {
			caller := group[0]
			if caller.ID != name || caller.Kind != session.Assistant {
				t.Fatalf("group %s begins with %s", name, caller.ID)
			}
			calls := max(len(caller.Calls), 1)
			if n := len(group) - 1; n < 1 || n > calls {
				t.Fatalf("group %s has %d results for %d calls", name, n, calls)
			}
			for _, c := range group[1:] {
				if c.Kind != session.Tool {
					t.Fatalf("group %s holds %s", name, c.ID)
				}
			}
			results += len(group) - 1
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
