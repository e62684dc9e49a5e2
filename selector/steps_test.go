package selector_test

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

// number reads the first group of a match as a number with commas.
func number(t fatal, re *regexp.Regexp, text string) float64 {
	m := re.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%q is not like %s", text, re)
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var (
	stepRelevance = regexp.MustCompile(`^(\d\.\d\d) to the question(?: with its neighbours)?, \d+(?:st|nd|rd|th) of \d+$`)
	stepPlace     = regexp.MustCompile(`, (\d+)(?:st|nd|rd|th) of \d+$`)
	stepRank      = regexp.MustCompile(`^(\d+) of \d+(?: groups)?(?: without a budget)?$`)
	stepRanked    = regexp.MustCompile(`^\d+ of (\d+)`)
	stepTaken     = regexp.MustCompile(`^taken as number (\d+) of \d+$`)
	stepOfTaken   = regexp.MustCompile(`^taken as number \d+ of (\d+)$`)
	stepGain      = regexp.MustCompile(`^([\d.,]+) → [\d.,]+ per 1,000 tokens`)
	stepThousand  = regexp.MustCompile(`^[\d.,]+ → ([\d.,]+) per 1,000 tokens`)
	stepLast      = regexp.MustCompile(`; the last one chosen added ([\d.,]+) per 1,000$`)
)

// Relevance, rank and place in the steps are those of the verdicts and the order.
func TestStepsSayThePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, specs)
		s := selectFrom(t, pool, opt)
		chosen := chosenGroups(pool, s)
		ranked := make(map[int]bool)
		for i := range pool.Candidates {
			if s.Rank(i) > 0 {
				ranked[groupOf(pool, i)[0]] = true
			}
		}
		for i := range pool.Candidates {
			w := s.Why(i)
			if text := step(w, "relevance"); (text != "") != (s.QuerySource != "none") {
				t.Fatalf("query %s, relevance %q", s.QuerySource, text)
			} else if text != "" {
				place := 1
				for j := range pool.Candidates {
					if s.Explain(j).Relevance > w.Verdict.Relevance {
						place++
					}
				}
				if got := number(t, stepRelevance, text); math.Abs(got-w.Verdict.Relevance) > 0.00501 || int(number(t, stepPlace, text)) != place {
					t.Fatalf("relevance %v at place %d: %q", w.Verdict.Relevance, place, text)
				}
			}
			if (s.Rank(i) == 0) != unranked(s, pool, i) {
				t.Fatalf("%s, candidate %d, %s, has rank %d", s.Strategy, i, s.Code(i), s.Rank(i))
			}
			if text := step(w, "rank"); (text != "") != (s.Rank(i) > 0) {
				t.Fatalf("%s, candidate %d of rank %d: %q", s.Strategy, i, s.Rank(i), text)
			} else if text != "" && (int(number(t, stepRank, text)) != s.Rank(i) || int(number(t, stepRanked, text)) != len(ranked)) {
				t.Fatalf("%s, candidate %d has rank %d of %d: %q", s.Strategy, i, s.Rank(i), len(ranked), text)
			}
			if text := step(w, "place"); s.Code(i) == selector.Fits {
				if text != "" || step(w, "added") != "" || step(w, "room") != "" {
					t.Fatalf("%s, candidate %d was not chosen, for all fits: %+v", s.Strategy, i, w.Steps)
				}
			} else if strings.HasPrefix(text, "taken") {
				if k := slices.Index(chosen, groupOf(pool, i)[0]); int(number(t, stepTaken, text)) != k+1 || int(number(t, stepOfTaken, text)) > len(chosen) {
					t.Fatalf("%s, candidate %d is number %d of %d: %q", s.Strategy, i, k+1, len(chosen), text)
				}
			} else if (text == "") == slices.Contains(chosen, groupOf(pool, i)[0]) {
				t.Fatalf("%s, candidate %d: %q", s.Strategy, i, text)
			}
		}
	})
}

// unranked reports whether a candidate is in no ranking: it was banned, nothing was
// ranked, or mmr, which ranks what it may choose, could not choose it.
func unranked(s *selector.Selection, pool *session.Pool, i int) bool {
	code := s.Code(i)
	if code == selector.WithGroup {
		code = speaker(s, pool, i)
	}
	mmr := strings.HasPrefix(s.Strategy, "mmr") && s.QuerySource != "none"
	return code == selector.Banned || s.OverBudget || mmr && code == selector.TooLarge
}

// chosenGroups are the first members of the groups that a strategy chose, in order.
func chosenGroups(pool *session.Pool, s *selector.Selection) []int {
	var chosen []int
	for _, i := range s.Order {
		first := groupOf(pool, i)[0]
		if !mustCode(s.Code(i)) && !mustCode(speaker(s, pool, i)) && !slices.Contains(chosen, first) {
			chosen = append(chosen, first)
		}
	}
	return chosen
}

// What a group adds now, or added when it was chosen, is what the definition gives.
func TestStepsSayTheGains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, []string{"pacms", "pacms+"})
		s := selectFrom(t, pool, opt)
		if s.Objective == nil {
			return
		}
		in := instanceOf(opt.Strategy, pool, clients(pool, s))
		least := 1e-3 * max(1e-3, in.value(everyone(pool))) // rounding decides below
		if least < 1e-5 {
			return
		}
		var required []int
		for _, i := range s.KeptIndices {
			if mustCode(s.Code(i)) || mustCode(speaker(s, pool, i)) {
				required = append(required, i)
			}
		}
		gains, lastPerThousand := make(map[int]float64), 0.0
		tokens := func(i int) float64 {
			n := 0
			for _, m := range groupOf(pool, i) {
				n += pool.Candidates[m].Tokens
			}
			return float64(max(1, n))
		}
		before := required
		for _, first := range chosenGroups(pool, s) {
			after := slices.Concat(before, groupOf(pool, first))
			gains[first] = in.value(after) - in.value(before)
			if s.Code(first) != selector.Fill && speaker(s, pool, first) != selector.Fill {
				lastPerThousand = 1000 * gains[first] / tokens(first)
			}
			before = after
		}
		says := func(what, text string, re *regexp.Regexp, want float64) {
			if got := number(t, re, text); math.Abs(got-want) > 0.006*want {
				t.Fatalf("%s: %q, want %v", what, text, want)
			}
		}
		for i := range pool.Candidates {
			w, gain := s.Why(i), gains[groupOf(pool, i)[0]]
			text := step(w, "added")
			if s.Code(i) == selector.Fits {
				continue
			}
			if !s.Keeps(i) {
				if text = step(w, "adds now"); text == "" {
					if c := s.Code(i); c != selector.Banned && speaker(s, pool, i) != selector.Banned {
						t.Fatalf("candidate %d, %s, adds nothing that is said: %+v", i, c, w.Steps)
					}
					continue
				}
				gain = in.value(slices.Concat(s.KeptIndices, groupOf(pool, i))) - in.value(s.KeptIndices)
			}
			if gain < least {
				continue
			}
			what := fmt.Sprintf("%s, candidate %d, kept %v", s.Strategy, i, s.Keeps(i))
			if code := cmp.Or(speaker(s, pool, i), s.Code(i)); !s.Keeps(i) && code == selector.CoveredBy &&
				tokens(i) > float64(s.EffectiveBudget-s.Tokens.Kept) && 1000*gain/tokens(i) > 1.01*lastPerThousand+1000*least {
				t.Fatalf("%s would add %v per 1,000, the last one chosen added %v, and it has no room: %s", what, 1000*gain/tokens(i), lastPerThousand, code)
			}
			says(what, text, stepGain, gain)
			says(what, text, stepThousand, 1000*gain/tokens(i))
			if !s.Keeps(i) && lastPerThousand > 1000*least {
				says(what, text, stepLast, lastPerThousand)
			}
		}
	})
}
