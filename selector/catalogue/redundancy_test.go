package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// redundancy has the faults of what was said or stored more than once.
func redundancy() []fault {
	polls := fault{
		number: 26, name: "sixty polls", budgets: share(30), unbound: []string{"rag"},
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			people, beats := keptTurns(p, s)
			if people != 16 || beats > 2 {
				t.Errorf("%s keeps %d of the 16 messages of people and %d polls", s.Strategy, people, beats)
			}
		},
	}
	out := both(polls, "Is the ferry late?", heartbeats())
	contrast := fault{
		number: 26, name: "sixty polls, by recency and without rules", rules: "none", budgets: share(30),
		unbound: slices.DeleteFunc(selector.Strategies(), func(s string) bool { return s == "lastk" }),
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			if people, beats := keptTurns(p, s); people > 8 || beats < 30 {
				t.Errorf("%s keeps %d messages of people and %d polls: nothing to show", s.Strategy, people, beats)
			}
		},
	}
	out = append(out, both(contrast, "Is the ferry late?", heartbeats())...)
	return append(out,
		fault{number: 27, name: "stored again with the same ids", input: func(t *testing.T) *session.Pool { return storedAgain(t, "") }},
		fault{number: 27, name: "stored again with other ids", input: func(t *testing.T) *session.Pool { return storedAgain(t, "again-") }},
		fault{number: 27, name: "said three times", input: func(t *testing.T) *session.Pool {
			yes := map[string]string{"u1": "yes", "u2": "yes", "u3": "yes"}
			return expect(t, read(t, asking(talk("u1 u2 u3", yes), "And now?")), "u1 u2 u3", "", 0)
		}},
		fault{number: 29, name: "a branch that was left behind", input: func(t *testing.T) *session.Pool {
			said := talk("u1 a2 u3 a4 u5 a6", nil)
			said[4].parent = "a2"
			return expect(t, read(t, asking(said, "And now?")), "u1 a2 u5 a6", "", 0)
		}},
		fault{number: 29, name: "entries that follow each other in a circle", input: func(t *testing.T) *session.Pool {
			said := talk("u1 a1 u2 a2", nil)
			said[0].parent = "u1"
			return expect(t, read(t, asking(said, "And now?")), "u1 a1 u2 a2", "missing_parent cycle", 0)
		}},
		fault{number: 29, name: "an entry after one that is not there", input: func(t *testing.T) *session.Pool {
			said := talk("u1 a1 u2 a2", nil)
			said[2].parent = "gone"
			return expect(t, read(t, asking(said, "And now?")), "u1 a1 u2 a2", "missing_parent", 0)
		}},
		fault{number: 0, name: "clocks that jump", input: func(t *testing.T) *session.Pool {
			said := talk("u1 a1 u2 a2 u3 a3", nil)
			said[2].at, said[4].at = 9_000_000, 5
			return expect(t, read(t, asking(said, "And now?")), "u1 a1 u2 a2 u3 a3", "", 0)
		}},
	)
}

// share tries a part of all tokens, in percent.
func share(percent int) func(*session.Pool) []int {
	return func(p *session.Pool) []int { return []int{p.Tokens() * percent / 100} }
}

// heartbeats is a session of eight turns with sixty polls between them.
func heartbeats() []message {
	short := new(strings.Builder)
	short.WriteString("u200 a200 ")
	texts := map[string]string{}
	for i := range 60 {
		if i%8 == 4 {
			fmt.Fprintf(short, "u%d a%d ", 100+i, 100+i)
		}
		fmt.Fprintf(short, "u%d a%d ", i, i)
		texts[fmt.Sprint("u", i)] = fmt.Sprintf("HEARTBEAT %d at 09:%02d: look whether anything needs attention", i, i)
		texts[fmt.Sprint("a", i)] = "OK"
	}
	return talk(short.String(), texts)
}

// keptTurns counts what is kept of what people and agents said, and the polls.
func keptTurns(p *session.Pool, s *selector.Selection) (people, beats int) {
	for _, i := range s.KeptIndices {
		if c := &p.Candidates[i]; strings.HasPrefix(c.Text, "HEARTBEAT") || c.Text == "OK" {
			beats++
		} else {
			people++
		}
	}
	return people, beats
}

// storedAgain has twenty messages twice, as a host stores them that starts anew:
// with the same bytes, or behind the others with ids that begin with prefix.
func storedAgain(t *testing.T, prefix string) *session.Pool {
	var short []string
	for i := range 10 {
		short = append(short, fmt.Sprintf("u%d a%d", i, i))
	}
	once := talk(strings.Join(short, " "), nil)
	for i := range once {
		once[i].at = i + 1
	}
	once[0].parent = root
	again := slices.Clone(once)
	for i := range again {
		again[i].id = prefix + again[i].id
	}
	if prefix != "" {
		again[0].parent = ""
	}
	s := read(t, asking(slices.Concat(once, again), "And now?"))
	if len(s.Candidates) != 21 || len(s.Turns) != 11 { // with the question
		t.Errorf("%d candidates and %d turns of twenty messages and a question", len(s.Candidates), len(s.Turns))
	}
	return expect(t, s, strings.Join(short, " "), "replayed_records", 0)
}
