package compare

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/session"
)

// poolOf is a pool of candidates with some ids, each with its tokens.
func poolOf(ids []int, tokens func(id int) int) *session.Pool {
	p := &session.Pool{}
	for _, id := range ids {
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprint(id), Tokens: tokens(id)})
	}
	return p
}

// anyIDs draws some of the numbers up to 12, ascending.
func anyIDs(t *rapid.T, name string) []int {
	ids := rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 0, 12, rapid.ID[int]).Draw(t, name)
	slices.Sort(ids)
	return ids
}

// Two pools in the same order give every candidate once, in that order.
func TestAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyIDs(t, "a"), anyIDs(t, "b")
		pa, pb := poolOf(a, func(int) int { return 1 }), poolOf(b, func(int) int { return 1 })
		var gotA, gotB []int
		for _, p := range Aligned(pa, pb) {
			if p[0] >= 0 {
				gotA = append(gotA, a[p[0]])
			}
			if p[1] >= 0 {
				gotB = append(gotB, b[p[1]])
			}
			if p[0] >= 0 && p[1] >= 0 && a[p[0]] != b[p[1]] {
				t.Fatalf("%d stands beside %d", a[p[0]], b[p[1]])
			}
			if p[0] < 0 && slices.Contains(a, b[p[1]]) || p[1] < 0 && slices.Contains(b, a[p[0]]) {
				t.Fatalf("a candidate of both stands alone: %v", p)
			}
		}
		if !slices.Equal(gotA, a) || !slices.Equal(gotB, b) {
			t.Fatalf("%v and %v become %v and %v", a, b, gotA, gotB)
		}
	})
}

// Pools in different orders lose no candidate and repeat none.
func TestAlignedOutOfOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "a")
		b := rapid.Permutation([]int{3, 4, 5, 6, 7}).Draw(t, "b")
		pairs := Aligned(poolOf(a, func(int) int { return 1 }), poolOf(b, func(int) int { return 1 }))
		seen := [2]map[int]bool{{}, {}}
		for _, p := range pairs {
			for side, i := range p {
				if i >= 0 && seen[side][i] {
					t.Fatalf("%d comes twice in %v", i, pairs)
				}
				seen[side][i] = true
			}
		}
		if len(pairs) != 8 {
			t.Fatalf("%d pairs of 8 candidates: %v", len(pairs), pairs)
		}
	})
}

// The agreement is what counting sets gives, and the same from both sides.
func TestAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := func(id int) int { return 3*id + 1 }
		a, b := poolOf(anyIDs(t, "a"), tokens), poolOf(anyIDs(t, "b"), tokens)
		bits := rapid.SliceOfN(rapid.Bool(), 26, 26).Draw(t, "kept")
		keepsA := func(i int) bool { return bits[i] }
		keepsB := func(i int) bool { return bits[13+i] }
		g := Agree(a, b, Aligned(a, b), keepsA, keepsB)
		kept := [2]map[string]int{{}, {}}
		for i, c := range a.Candidates {
			if keepsA(i) {
				kept[0][c.ID] = c.Tokens
			}
		}
		for i, c := range b.Candidates {
			if keepsB(i) {
				kept[1][c.ID] = c.Tokens
			}
		}
		var both, onlyA, onlyB Sum
		for id, n := range kept[0] {
			if _, in := kept[1][id]; in {
				both.add(n)
			} else {
				onlyA.add(n)
			}
		}
		for id, n := range kept[1] {
			if _, in := kept[0][id]; !in {
				onlyB.add(n)
			}
		}
		if g.Both != both || g.OnlyA != onlyA || g.OnlyB != onlyB {
			t.Fatalf("%+v, want %v %v %v", g, both, onlyA, onlyB)
		}
		if want := share(float64(both.Tokens), float64(both.Tokens+onlyA.Tokens+onlyB.Tokens)); g.Tokens != want {
			t.Fatalf("overlap of tokens %v, want %v", g.Tokens, want)
		}
		other := Agree(b, a, Aligned(b, a), keepsB, keepsA)
		if other.Items != g.Items || other.Tokens != g.Tokens || other.OnlyA != g.OnlyB || other.Neither != g.Neither {
			t.Fatalf("from the other side %+v, not %+v", other, g)
		}
	})
}

// Where the sides count differently, tokens overlap by the smaller of the greater.
func TestAgreeOnOtherTokens(t *testing.T) {
	a, b := poolOf([]int{1, 2}, func(int) int { return 10 }), poolOf([]int{1, 2}, func(int) int { return 20 })
	all := func(int) bool { return true }
	g := Agree(a, b, Aligned(a, b), all, all)
	if g.Items != 1 || g.Tokens != 0.5 || g.Both != (Sum{2, 20}) {
		t.Errorf("%+v", g)
	}
}
