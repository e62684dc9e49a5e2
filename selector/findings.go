package selector

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"pacms/session"
)

// take puts what the pool says that rules found in the place of what they find, where
// it says that.
func (f *ruleFacts) take(pool *session.Pool, of []int) error {
	found := pool.Findings
	if found == nil {
		return nil
	}
	if err := found.Check(len(of)); err != nil {
		return fmt.Errorf("selector: findings: %w", err)
	}
	f.empty, f.polls, f.reads, f.readBy = nil, nil, map[string][]int{}, map[int][]string{}
	for _, i := range found.Empty {
		f.empty = append(f.empty, of[i])
	}
	for _, family := range found.Polls {
		polls := make([]poll, len(family))
		for k, members := range family {
			for _, i := range members {
				polls[k].groups = append(polls[k].groups, of[i])
			}
		}
		f.polls = append(f.polls, polls)
	}
	for _, r := range found.Reads {
		files := make([]string, len(r.Files))
		for k, n := range r.Files {
			files[k] = strconv.Itoa(n)
		}
		f.read(of[r.At], files)
	}
	return nil
}

// Findings is what the rules found in the texts of the pool.
func (p *Prepared) Findings() *session.Findings {
	out := &session.Findings{}
	first := func(g int) int { return p.groups[g].first() }
	for _, g := range p.facts.empty {
		out.Empty = append(out.Empty, first(g))
	}
	for _, family := range p.facts.polls {
		polls := make([][]int, len(family))
		for k, poll := range family {
			for _, g := range poll.groups {
				polls[k] = append(polls[k], first(g))
			}
		}
		out.Polls = append(out.Polls, polls)
	}
	files := make(map[string]int)
	for _, g := range slices.Sorted(maps.Keys(p.facts.readBy)) {
		r := session.Reading{At: first(g)}
		for _, name := range p.facts.readBy[g] {
			if _, known := files[name]; !known {
				files[name] = len(files)
			}
			r.Files = append(r.Files, files[name])
		}
		out.Reads = append(out.Reads, r)
	}
	return out
}
