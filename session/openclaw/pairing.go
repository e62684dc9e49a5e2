package openclaw

import (
	"strings"

	"pacms/session"
)

// call is a tool call that waits for its result.
type call struct {
	item, index int // the assistant message and which of its calls
	done        bool
	// shared is true where another call of the same message has the same id.
	shared bool
}

// pairing finds the call that each tool result answers, by position.
type pairing struct {
	items []item
	// byID has the newest calls with an id, in order; more than one where a
	// message used the id more than once. Ids are also entered as providers
	// rewrite them, see plainID.
	byID map[string][]*call
}

// pairCalls fills in callAt, callIndex and repaired of all tool results.
func pairCalls(items []item) {
	p := &pairing{items: items, byID: map[string][]*call{}}
	for i := 0; i < len(items); i++ {
		switch s := items[i].said; {
		case s.kind == session.Tool:
			p.byItsID(i, s.toolCallID)
		case len(s.calls) > 0:
			calls := p.arm(i)
			end := i + 1
			for end < len(items) && items[end].said.kind == session.Tool {
				end++
			}
			p.pairBlock(calls, i+1, end)
			i = end - 1
		}
	}
}

// arm makes the calls of an assistant message wait for their results.
func (p *pairing) arm(at int) []*call {
	said := p.items[at].said
	calls := make([]*call, len(said.calls))
	mine := make(map[string][]*call)
	for k := range said.calls {
		calls[k] = &call{item: at, index: k}
		id := said.calls[k].CallID
		if id == "" {
			continue
		}
		mine[id] = append(mine[id], calls[k])
		if plain := plainID(id); plain != id && plain != "" {
			mine[plain] = append(mine[plain], calls[k])
		}
	}
	for id, list := range mine {
		for _, c := range list {
			c.shared = c.shared || len(list) > 1 && said.calls[c.index].CallID == id
		}
		p.byID[id] = list
	}
	return calls
}

// pairBlock pairs the results that follow an assistant message directly: first
// those that name a call, then the others in order.
func (p *pairing) pairBlock(calls []*call, from, to int) {
	var rest []int
	for i := from; i < to; i++ {
		if !p.byItsID(i, p.items[i].said.toolCallID) {
			rest = append(rest, i)
		}
	}
	for _, i := range rest {
		for _, c := range calls {
			if !c.done && p.sameTool(i, c) {
				p.answer(i, c)
				p.items[i].repaired = true
				break
			}
		}
	}
}

// sameTool reports whether result i may be of call c by the names of the tools.
func (p *pairing) sameTool(i int, c *call) bool {
	result, called := p.items[i].said.toolName, p.items[c.item].said.calls[c.index].Name
	return result == "" || called == "" || result == called
}

// byItsID pairs result i with the call of that id and reports whether there is one.
func (p *pairing) byItsID(i int, id string) bool {
	if id == "" {
		return false
	}
	list := p.byID[id]
	if list == nil {
		list = p.byID[plainID(id)]
	}
	if list == nil {
		return false
	}
	next := list[len(list)-1] // a second result of the same call stays with it
	for _, c := range list {
		if !c.done {
			next = c
			break
		}
	}
	p.answer(i, next)
	p.items[i].repaired = next.shared || p.items[next.item].said.calls[next.index].CallID != id
	return true
}

func (p *pairing) answer(i int, c *call) {
	c.done = true
	p.items[i].callAt, p.items[i].callIndex = c.item, c.index
}

// plainID is a tool-call id without what some providers strip: only letters and
// digits.
func plainID(id string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, id)
}
