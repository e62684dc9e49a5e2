// Package sessiontest makes sessions of any size for tests and benchmarks. The
// same arguments always give the same session.
package sessiontest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"pacms/session"
)

// start is the time of the first message.
var start = time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)

// topics are what the turns are about, in rotation, so that a question has old
// turns that matter to it and many that do not.
var topics = []struct {
	ask, answer, path string
	words             []string
}{
	{"Which port does the staging database use?", "The staging database listens on port %d.", "config/database.yaml", []string{"database", "port", "pool", "replica", "timeout", "staging", "migration", "index"}},
	{"Why did the worker die in run %d?", "Worker %d was killed because it ran out of memory.", "logs/worker.log", []string{"worker", "memory", "batch", "queue", "retry", "killed", "restart", "limit"}},
	{"Plan day %d of the trip to Lisbon.", "Day %d: tram 28, then dinner in Alfama.", "notes/trip.md", []string{"hotel", "tram", "seafood", "museum", "ferry", "walk", "dinner", "view"}},
	{"How long does loaf %d have to rise?", "Loaf %d rises for ninety minutes.", "notes/bread.md", []string{"flour", "dough", "oven", "salt", "yeast", "crust", "water", "loaf"}},
}

// said is a generated message.
type said struct {
	kind   session.Kind
	text   string
	callID string // of a call or of a result
	path   string // what a call reads
}

// turnOf generates the messages of turn number n, counted from 1: a question and
// an answer, in every other turn with a file that was read between them.
func turnOf(n int) []said {
	rnd := rand.New(rand.NewPCG(uint64(n), 7)) //nolint:gosec // to be repeatable
	topic := topics[n%len(topics)]
	out := []said{{kind: session.User, text: number(topic.ask, n)}}
	if n%2 == 0 {
		id := fmt.Sprintf("call_%d_0", n)
		out = append(out,
			said{kind: session.Assistant, callID: id, path: topic.path},
			said{kind: session.Tool, callID: id, text: prose(rnd, topic.words, 20+rnd.IntN(200))})
	}
	return append(out, said{kind: session.Assistant, text: number(topic.answer, n) + " " + prose(rnd, topic.words, 5+rnd.IntN(40))})
}

// number puts n into a text that has a place for it.
func number(text string, n int) string {
	if strings.Contains(text, "%d") {
		return fmt.Sprintf(text, n)
	}
	return text
}

// prose is a text of n words.
func prose(rnd *rand.Rand, words []string, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(" \n"[min(1, i%12/11)])
		}
		b.WriteString(words[rnd.IntN(len(words))])
		if rnd.IntN(8) == 0 {
			fmt.Fprintf(&b, " %d", rnd.IntN(10000))
		}
	}
	return b.String()
}

// JSONL returns an OpenClaw transcript, version 4, of so many turns.
func JSONL(turns int) []byte {
	var b bytes.Buffer
	line := func(event map[string]any) {
		data, err := json.Marshal(event)
		if err != nil {
			panic(err) // maps of strings and numbers always marshal
		}
		b.Write(append(data, '\n'))
	}
	line(map[string]any{"type": "session", "version": 4, "id": "generated", "timestamp": start.Format(time.RFC3339Nano), "cwd": "/home/ada/workspace"})
	at, n, parent := start, 0, any(nil)
	for turn := 1; turn <= turns; turn++ {
		for _, s := range turnOf(turn) {
			n++
			at = at.Add(time.Second)
			id := fmt.Sprintf("%08x", n)
			line(map[string]any{"type": "message", "id": id, "parentId": parent, "timestamp": at.Format(time.RFC3339Nano), "message": message(s, at)})
			parent = id
		}
	}
	return b.Bytes()
}

// message is the stored form of a generated message.
func message(s said, at time.Time) map[string]any {
	m := map[string]any{"timestamp": at.UnixMilli()}
	text := []any{map[string]any{"type": "text", "text": s.text}}
	switch {
	case s.kind == session.User:
		m["role"], m["content"] = "user", s.text
	case s.kind == session.Tool:
		m["role"], m["content"], m["toolCallId"], m["toolName"], m["isError"] = "toolResult", text, s.callID, "read", false
		m["details"] = map[string]any{"status": "completed", "durationMs": 12}
	case s.callID != "":
		m["role"], m["stopReason"], m["usage"] = "assistant", "toolUse", usage()
		m["content"] = []any{map[string]any{"type": "toolCall", "id": s.callID, "name": "read", "arguments": map[string]any{"path": s.path}}}
	default:
		m["role"], m["stopReason"], m["usage"], m["content"] = "assistant", "stop", usage(), text
	}
	return m
}

// usage is what a provider reports beside an answer; no reader wants it.
func usage() map[string]any {
	return map[string]any{
		"input": 11937, "output": 20, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 11957,
		"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
	}
}

// Session returns a session of exactly n candidates and of the turns that they
// make, as a reader would return it; tokens are characters by four. The pool of
// each turn is all that was said before it.
func Session(n int) *session.Session {
	s := &session.Session{
		Source: session.Source{Path: "generated", Store: "openclaw-jsonl", Version: 4},
		Key:    "generated", Tokenizer: "chars4", Estimated: true,
		Candidates: make([]session.Candidate, 0, n),
	}
	for turn := 1; len(s.Candidates) < n; turn++ {
		first := len(s.Candidates)
		var before []session.Span
		if first > 0 {
			before = []session.Span{{From: 0, To: first}}
		}
		messages := turnOf(turn)
		for _, m := range messages[:min(len(messages), n-first)] {
			s.Candidates = append(s.Candidates, candidate(m, len(s.Candidates), turn))
		}
		s.Turns = append(s.Turns, session.Turn{
			Number: turn, EntryID: s.Candidates[first].ID, Time: s.Candidates[first].Time,
			Branch: session.BranchActive, Query: messages[0].text, Answer: messages[len(messages)-1].text,
			Window: before, Key: before,
		})
	}
	return s
}

// candidate is a generated message as a reader would return it.
func candidate(m said, index, turn int) session.Candidate {
	c := session.Candidate{
		ID: fmt.Sprintf("m%05d", index), Kind: m.kind, Text: m.text, Turn: turn,
		Time: start.Add(time.Duration(index) * time.Second), Tokens: (len(m.text) + 3) / 4,
	}
	switch {
	case m.kind == session.Tool:
		c.Group = fmt.Sprintf("m%05d", index-1)
		c.Tool = &session.ToolUse{Name: "read", CallID: m.callID, Args: readArgs(topics[turn%len(topics)].path)}
	case m.callID != "":
		c.Group = c.ID
		c.Calls = []session.ToolUse{{Name: "read", CallID: m.callID, Args: readArgs(m.path)}}
		c.Tokens = (len("read") + len(c.Calls[0].Args) + 3) / 4
	}
	return c
}

func readArgs(path string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"path":%q}`, path))
}
