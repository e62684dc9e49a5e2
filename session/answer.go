package session

import "strings"

// Exchange is a message as far as its tool calls and results go.
type Exchange struct {
	// Calls are the tool calls that the message made.
	Calls []ToolUse
	// IsResult is true for a tool result; Tool and CallID are then what it says
	// of the call that it answers, either of them empty where it does not.
	IsResult     bool
	Tool, CallID string
}

// Answer is the call that a tool result answers.
type Answer struct {
	// Message is the index of the message that made the call, -1 where there is
	// none; Call is which of its calls.
	Message, Call int
	// Repaired is true where the id alone did not tell.
	Repaired bool
}

// Answers finds the call of each tool result among messages, index by index.
// Calls and results meet by position: a call arms its id, the next result with
// that id consumes it, so that an id may be used again later; another result with
// that id stays with it.
//
// Repaired are the ids that one message gave to several calls; those that match
// only in their letters and digits, for providers rewrite them; and those that
// are empty or match nothing, where the result belongs to the message right
// before it (other results aside) if a call of that, by the same tool, is still
// unanswered.
func Answers(messages []Exchange) []Answer {
	m := &matcher{
		messages: messages,
		answers:  make([]Answer, len(messages)),
		calls:    make([][]*call, len(messages)),
		byID:     map[string][]*call{},
		byPlain:  map[string][]*call{},
	}
	for i := range messages {
		m.answers[i] = Answer{Message: -1}
		if messages[i].IsResult {
			m.matchID(i)
		} else {
			m.arm(i)
		}
	}
	caller := -1
	for i := range messages {
		switch {
		case !messages[i].IsResult:
			caller = i
		case caller >= 0 && m.answers[i].Message < 0:
			m.matchPlace(caller, i)
		}
	}
	return m.answers
}

// call is a tool call that is to be answered.
type call struct {
	message, index int // the message that made it, and which of its calls
	answered       bool
}

// matcher is the state of one run of Answers.
type matcher struct {
	messages []Exchange
	answers  []Answer
	calls    [][]*call // of each message
	// byID has the calls with an id in the newest message that used it; byPlain
	// the same for what plainID makes of the id.
	byID, byPlain map[string][]*call
}

// arm notes the calls of the message at i.
func (m *matcher) arm(i int) {
	for k, use := range m.messages[i].Calls {
		made := &call{message: i, index: k}
		m.calls[i] = append(m.calls[i], made)
		addNewest(m.byID, use.CallID, made)
		addNewest(m.byPlain, plainID(use.CallID), made)
	}
}

// addNewest adds a call to those with its id, after forgetting the calls of
// earlier messages. An empty id is passed over.
func addNewest(calls map[string][]*call, id string, made *call) {
	if id == "" {
		return
	}
	if before := calls[id]; len(before) > 0 && before[0].message != made.message {
		calls[id] = nil
	}
	calls[id] = append(calls[id], made)
}

// plainID is what a provider that takes only letters and digits makes of an id.
func plainID(id string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, id)
}

// matchID gives the result at i the call of its id, if there is one.
func (m *matcher) matchID(i int) {
	id := m.messages[i].CallID
	calls := m.byID[id]
	sure := len(calls) == 1
	if len(calls) == 0 {
		calls = m.byPlain[plainID(id)]
	}
	if len(calls) == 0 {
		return
	}
	answered := calls[len(calls)-1]
	for _, c := range calls {
		if !c.answered {
			answered = c
			break
		}
	}
	m.match(answered, i, !sure)
}

// matchPlace gives the result at i the first unanswered call of the message
// before it that may be its own.
func (m *matcher) matchPlace(caller, i int) {
	tool := m.messages[i].Tool
	for _, c := range m.calls[caller] {
		called := m.messages[caller].Calls[c.index].Name
		if !c.answered && (tool == "" || called == "" || tool == called) {
			m.match(c, i, true)
			return
		}
	}
}

func (m *matcher) match(c *call, i int, repaired bool) {
	c.answered = true
	m.answers[i] = Answer{Message: c.message, Call: c.index, Repaired: repaired}
}
