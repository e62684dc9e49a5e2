package selector_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

// crowded generates pools of which a good part has to go: six candidates or more,
// with groups, required ones and pending messages.
func crowded(most int) *rapid.Generator[*session.Pool] {
	return rapid.Custom(func(t *rapid.T) *session.Pool {
		dim := rapid.IntRange(2, 4).Draw(t, "dim")
		component := rapid.Custom(func(t *rapid.T) float32 { return float32(rapid.SampledFrom([]int{-2, -1, 0, 1, 2, 3, 4}).Draw(t, "x")) })
		vector := rapid.SliceOfN(component, dim, dim)
		pool := &session.Pool{Schema: session.PoolSchema, QueryEmbedding: vector.Draw(t, "query")}
		total := 0
		for i := range rapid.IntRange(6, most).Draw(t, "n") {
			c := session.Candidate{ID: fmt.Sprintf("c%d", i), Kind: session.User, Tokens: rapid.SampledFrom([]int{0, 3, 7, 11, 20, 29, 41, 60}).Draw(t, "tokens")}
			// Where nothing is like it, a vector tells little: copies are common.
			if c.Embedding = vector.Draw(t, "v"); i > 0 && rapid.IntRange(0, 4).Draw(t, "copy") == 0 {
				c.Embedding = pool.Candidates[rapid.IntRange(0, i-1).Draw(t, "of")].Embedding
			}
			c.Required = rapid.IntRange(0, 11).Draw(t, "required") == 5
			if g := rapid.IntRange(0, 9).Draw(t, "group"); g < 3 {
				c.Group = fmt.Sprint("g", g)
			}
			total += c.Tokens
			pool.Candidates = append(pool.Candidates, c)
		}
		budget := total * rapid.SampledFrom([]int{5, 15, 25, 35, 45, 60, 80}).Draw(t, "percent") / 100
		if rapid.IntRange(0, 3).Draw(t, "pending") == 2 {
			pool.Pending = []session.Pending{{ID: "p", Tokens: 13}}
			budget += 13
		}
		pool.Budget = &budget
		return pool
	})
}

// peopled draws options with pins and bans.
func peopled(t *rapid.T, pool *session.Pool, specs []string) selector.Options {
	opt := selector.Options{Strategy: mustStrategy(t, rapid.SampledFrom(specs).Draw(t, "strategy")), Tail: 1}
	for i := range pool.Candidates {
		switch rapid.IntRange(0, 14).Draw(t, "person") {
		case 4:
			opt.Pins = append(opt.Pins, pool.Candidates[i].ID)
		case 7:
			opt.Bans = append(opt.Bans, pool.Candidates[i].ID)
		}
	}
	return opt
}

// clients says of each candidate whether it counts in an objective: a ban takes
// the whole group out of it.
func clients(pool *session.Pool, s *selector.Selection) []bool {
	out := make([]bool, len(pool.Candidates))
	for i := range out {
		out[i] = true
		for j := range pool.Candidates {
			if s.Code(j) == selector.Banned && sameGroup(pool, i, j) {
				out[i] = false
			}
		}
	}
	return out
}

func sameGroup(pool *session.Pool, i, j int) bool {
	g := pool.Candidates[i].Group
	return i == j || g != "" && g == pool.Candidates[j].Group
}

// groupOf lists the members of the group of candidate i.
func groupOf(pool *session.Pool, i int) []int {
	var members []int
	for j := range pool.Candidates {
		if sameGroup(pool, i, j) {
			members = append(members, j)
		}
	}
	return members
}

func indexOf(pool *session.Pool, id string) int {
	return slices.IndexFunc(pool.Candidates, func(c session.Candidate) bool { return c.ID == id })
}

// without is a set of candidates without those of another.
func without(set, less []int) []int {
	return slices.DeleteFunc(slices.Clone(set), func(i int) bool { return slices.Contains(less, i) })
}

// What is said of keepers is so: their shares add up to what is covered, and
// leaving one of them out of the kept set raises what the dropped one would add
// by the part that it alone covers.
func TestKeepersHoldTheirShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, []string{"pacms", "pacms+"})
		s := selectFrom(t, pool, opt)
		if s.Objective == nil {
			return
		}
		in := instanceOf(opt.Strategy, pool, clients(pool, s))
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-4*max(1e-3, in.value(without(everyone(pool), nil))) {
				t.Fatalf("%s: got %v, want %v", what, got, want)
			}
		}
		for i := range pool.Candidates {
			w := s.Why(i)
			keepers := s.Keepers(i)
			if s.Keeps(i) {
				if w.CoveredBy != nil || keepers != nil {
					t.Fatalf("candidate %d is kept and covered by %v", i, w.CoveredBy)
				}
				continue
			}
			if len(w.CoveredBy) != len(keepers) {
				t.Fatalf("candidate %d: %d keepers, %d shares", i, len(keepers), len(w.CoveredBy))
			}
			members := groupOf(pool, i)
			alone := in.value(members)
			now := in.value(slices.Concat(s.KeptIndices, members)) - in.value(s.KeptIndices)
			sum := 0.0
			for k, by := range w.CoveredBy {
				keeper := indexOf(pool, by.ID)
				if keeper != keepers[k] || !s.Keeps(keeper) {
					t.Fatalf("candidate %d: keeper %s is not %d or not kept", i, by.ID, keepers[k])
				}
				sum += by.Share
				left := without(s.KeptIndices, groupOf(pool, keeper))
				rise := in.value(slices.Concat(left, members)) - in.value(left) - now
				near(fmt.Sprintf("candidate %d without %s", i, by.ID), by.Only*alone, rise)
				if by.Only > by.Share+1e-9 {
					t.Fatalf("candidate %d: %s covers %v, alone %v", i, by.ID, by.Share, by.Only)
				}
			}
			if w.CoveredBy != nil {
				near(fmt.Sprintf("shares of candidate %d", i), sum*alone, alone-now)
			}
		}
	})
}

func everyone(pool *session.Pool) []int {
	all := make([]int, len(pool.Candidates))
	for i := range all {
		all[i] = i
	}
	return all
}

// instanceOf is the objective of a strategy, written anew.
func instanceOf(s selector.Strategy, pool *session.Pool, client []bool) instance {
	if s.Name() == "pacms+" {
		return plusInstance(pool, client)
	}
	return paperInstance(pool, client)
}

// What is covered by half or more is covered by one kept group, the one that is
// most like it, and by no other.
func TestCoversIsWhatNoOtherCoversBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, []string{"pacms", "pacms+"})
		s := selectFrom(t, pool, opt)
		if s.Objective == nil {
			return
		}
		in := instanceOf(opt.Strategy, pool, clients(pool, s))
		affinity := func(i int, group []int) float64 {
			best := 0.0
			for _, j := range group {
				best = max(best, in.aff[i][j])
			}
			return best
		}
		by := make(map[int][]int) // covered → its kept groups, by their first member
		for i := range pool.Candidates {
			w, covers := s.Why(i), s.Covers(i)
			if len(w.Covers) != len(covers) || !s.Keeps(i) && covers != nil {
				t.Fatalf("candidate %d, kept %v, covers %v with shares %v", i, s.Keeps(i), covers, w.Covers)
			}
			group := groupOf(pool, i)
			for k, j := range covers {
				if s.Keeps(j) || pool.Candidates[j].ID != w.Covers[k].ID {
					t.Fatalf("candidate %d covers %d, which is kept or not %s", i, j, w.Covers[k].ID)
				}
				if got := affinity(j, group); math.Abs(got-w.Covers[k].Share) > 1e-5 || got < affinity(j, s.KeptIndices)-1e-5 {
					t.Fatalf("candidate %d covers %v of %d, which has %v of it and %v of all kept", i, w.Covers[k].Share, j, got, affinity(j, s.KeptIndices))
				}
				if i == group[0] {
					by[j] = append(by[j], i)
				}
			}
		}
		for j := range pool.Candidates {
			covered := affinity(j, s.KeptIndices)
			if s.Keeps(j) || in.weight[j] < 1e-9 || math.Abs(covered-0.5) < 1e-5 {
				continue
			}
			if want := covered > 0.5; want != (len(by[j]) == 1) || len(by[j]) > 1 {
				t.Fatalf("candidate %d is covered by %v and listed by %v", j, covered, by[j])
			}
		}
	})
}

// The steps give the numbers of the run: the room that was left is recomputed
// from the order of choice.
func TestStepsSayTheRoomThatWasLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, specs)
		s := selectFrom(t, pool, opt)
		tokens := func(i int) int {
			n := 0
			for _, m := range groupOf(pool, i) {
				n += pool.Candidates[m].Tokens
			}
			return n
		}
		// rooms are what was left before each choice, and in the end.
		room := s.EffectiveBudget - s.Tokens.Required
		before := make(map[int]int)
		rooms := []int{room}
		for _, i := range s.Order {
			first := groupOf(pool, i)[0]
			if _, seen := before[first]; seen || mustCode(s.Code(i)) || mustCode(speaker(s, pool, i)) {
				continue
			}
			before[first] = room
			room -= tokens(i)
			rooms = append(rooms, room)
		}
		for i := range pool.Candidates {
			w := s.Why(i)
			if w.Headline == "" || len(w.Steps) < 2 || w.Steps[0].Label != "offered" || w.Steps[1].Label != "rules" {
				t.Fatalf("candidate %d: %+v", i, w)
			}
			text := step(w, "room")
			if text == "" {
				continue
			}
			word, _, _ := strings.Cut(text, " ")
			left, err := strconv.Atoi(strings.ReplaceAll(word, ",", ""))
			if err != nil || !slices.Contains(rooms, left) {
				t.Fatalf("%s, candidate %d: %q is none of %v", s.Strategy, i, text, rooms)
			}
			if s.Keeps(i) {
				if want := before[groupOf(pool, i)[0]]; left != want {
					t.Fatalf("%s, candidate %d: %q, before it there were %d", s.Strategy, i, text, want)
				}
				continue
			}
			if opt.Strategy.Name() != "pacms" || s.Objective == nil { // they take whatever fits
				if tokens(i) <= left {
					t.Fatalf("%s, candidate %d needs %d tokens: %q", s.Strategy, i, tokens(i), text)
				}
				continue
			}
			// A greedy tries it again after each choice, until it no longer fits.
			want := rooms[len(rooms)-1]
			if k := slices.IndexFunc(rooms, func(room int) bool { return room < tokens(i) }); k >= 0 {
				want = rooms[k]
			}
			// Where the best set ends in one group more than a greedy took, that one was
			// the last thing tried.
			if capped := len(rooms) > 1 && left == rooms[len(rooms)-2]; left != want && !capped {
				t.Fatalf("candidate %d needs %d tokens: %q, the rooms were %v", i, tokens(i), text, rooms)
			}
		}
	})
}

func mustCode(c selector.Code) bool {
	return c == selector.Required || c == selector.Tail || c == selector.Pinned
}

// speaker is the code of the member that decided for the group of candidate i.
func speaker(s *selector.Selection, pool *session.Pool, i int) selector.Code {
	for _, m := range groupOf(pool, i) {
		if s.Code(m) != selector.WithGroup {
			return s.Code(m)
		}
	}
	return ""
}

func step(w selector.Why, label string) string {
	for _, s := range w.Steps {
		if s.Label == label {
			return s.Text
		}
	}
	return ""
}
