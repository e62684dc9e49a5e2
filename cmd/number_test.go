package cmd

import (
	"slices"
	"testing"

	"pacms/session"
)

// A candidate has one number in all pools of a file, its own where the file has
// numbers that can be told apart.
func TestNumber(t *testing.T) {
	pool := func(ids string, numbers ...int) *session.Pool {
		p := new(session.Pool)
		for i, id := range ids {
			c := session.Candidate{ID: string(id)}
			if numbers != nil {
				c.Number = numbers[i]
			}
			p.Candidates = append(p.Candidates, c)
		}
		return p
	}
	for name, test := range map[string]struct {
		pools []*session.Pool
		want  []int
	}{
		"none":      {[]*session.Pool{pool("ab"), pool("bca")}, []int{1, 2, 2, 3, 1}},
		"own":       {[]*session.Pool{pool("ab", 7, 9), pool("b", 9)}, []int{7, 9, 9}},
		"some":      {[]*session.Pool{pool("ab", 7, 0)}, []int{1, 2}},
		"one twice": {[]*session.Pool{pool("ab", 7, 7)}, []int{1, 2}},
		"changing":  {[]*session.Pool{pool("a", 7), pool("a", 8)}, []int{1, 1}},
	} {
		number(test.pools)
		var got []int
		for _, p := range test.pools {
			for _, c := range p.Candidates {
				got = append(got, c.Number)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
