package openclaw_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pacms/session"
)

var update = flag.Bool("update", false, "write the histories of testdata anew from the requests beside the project")

// sent is a message of a request as the model received it.
type sent struct {
	Role   string     `json:"role"`
	Text   string     `json:"text,omitempty"`
	Calls  []sentCall `json:"calls,omitempty"`
	CallID string     `json:"call_id,omitempty"`
}

type sentCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

// histories are the messages that a model received before the current user
// message, for each turn that reached it: Turns has the turn's query as it was
// sent and indices into Messages.
type histories struct {
	Messages []sent        `json:"messages"`
	Turns    []sentHistory `json:"turns"`
}

type sentHistory struct {
	Query   string `json:"query"`
	History []int  `json:"history"`
}

// readRequests extracts the histories from a log of requests: the first request
// of each turn, without system prompt and the host's runtime context.
func readRequests(t *testing.T, path string) histories {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var h histories
	index := map[string]int{}
	for line := range bytes.Lines(data) {
		var request struct {
			Body struct {
				Messages []struct {
					Role      string
					Content   json.RawMessage
					ToolCalls []struct {
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
					ToolCallID string `json:"tool_call_id"`
				}
				Tools []json.RawMessage
			}
		}
		if err := json.Unmarshal(line, &request); err != nil {
			t.Fatal(err)
		}
		if len(request.Body.Tools) == 0 {
			continue // the host asks for a summary
		}
		var messages []sent
		for _, m := range request.Body.Messages {
			s := sent{Role: m.Role, Text: flatten(t, m.Content), CallID: m.ToolCallID}
			for _, c := range m.ToolCalls {
				s.Calls = append(s.Calls, sentCall{c.ID, c.Function.Name, c.Function.Arguments})
			}
			if m.Role != "system" && !strings.HasPrefix(s.Text, "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>") {
				messages = append(messages, s)
			}
		}
		last := len(messages) - 1
		if messages[last].Role != "user" {
			continue // a later request of the same turn
		}
		turn := sentHistory{Query: messages[last].Text, History: []int{}}
		for _, m := range messages[:last] {
			key := fmt.Sprint(m)
			if _, ok := index[key]; !ok {
				index[key] = len(h.Messages)
				h.Messages = append(h.Messages, m)
			}
			turn.History = append(turn.History, index[key])
		}
		if n := len(h.Turns); n > 0 && reflect.DeepEqual(h.Turns[n-1].History, turn.History) {
			h.Turns[n-1].Query = turn.Query // the same turn, tried again
			continue
		}
		h.Turns = append(h.Turns, turn)
	}
	return h
}

// flatten joins the texts of a message's content, each on a line.
func flatten(t *testing.T, content json.RawMessage) string {
	t.Helper()
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct{ Text string }
	if err := json.Unmarshal(content, &blocks); err != nil {
		t.Fatalf("content %.80s: %v", content, err)
	}
	var texts []string
	for _, b := range blocks {
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n")
}

func readHistories(t *testing.T, name string) histories {
	t.Helper()
	path := testdata(name + ".history.json")
	requests := filepath.Join("..", "..", "..", "shared", "data", "openclaw", name, "model-requests.jsonl")
	_, err := os.Stat(requests)
	if *update {
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.MarshalIndent(readRequests(t, requests), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, readErr := os.ReadFile(path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	var h histories
	if err := json.Unmarshal(data, &h); err != nil {
		t.Fatal(err)
	}
	if err == nil && !reflect.DeepEqual(h, readRequests(t, requests)) {
		t.Errorf("%s is not what %s holds; write it again with -update", path, requests)
	}
	return h
}

// What the host adds to a user message at the boundary to the model.
var (
	stamp       = regexp.MustCompile(`\A\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC\] `)
	runtimeLine = regexp.MustCompile(`\s*Runtime: agent=main \| session=[^\n]*\z`)
)

// strip removes what the host added to a message.
func strip(m sent) sent {
	if m.Role == "user" {
		m.Text = runtimeLine.ReplaceAllString(stamp.ReplaceAllString(m.Text, ""), "")
	}
	m.CallID = plain(m.CallID)
	calls := make([]sentCall, len(m.Calls))
	for i, c := range m.Calls {
		calls[i] = sentCall{plain(c.ID), c.Name, c.Args}
	}
	m.Calls = calls
	return m
}

func plain(id string) string {
	return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(id, "")
}

// offered is a candidate in the form of a message that was sent.
func offered(c *session.Candidate) sent {
	role := map[session.Kind]string{session.User: "user", session.Summary: "user", session.Assistant: "assistant", session.Tool: "tool"}[c.Kind]
	m := sent{Role: role, Text: c.Text, Calls: []sentCall{}}
	if c.Tool != nil {
		m.CallID = plain(c.Tool.CallID)
	}
	for _, call := range c.Calls {
		m.Calls = append(m.Calls, sentCall{plain(call.CallID), call.Name, string(call.Args)})
	}
	return m
}

// The pool of each turn is what the model was sent before the turn's own
// message, in role, order and text.
func TestPoolsEqualHistorySent(t *testing.T) {
	tests := []struct {
		name  string
		turns int
		// sent are the turns that the histories belong to.
		sent []int
	}{
		{"2026.5.28", 9, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"2026.9.6-basic", 9, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		// The model refused turn 3. Its message was moved off the branch and
		// was sent once more inside the message of turn 4, so it is in no
		// history; turns 3 and 4 have the same one, which is listed once.
		{"2026.9.6-edge", 10, []int{1, 2, 4, 5, 6, 7, 8, 9, 10}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			h := readHistories(t, tc.name)
			s := open(t, testdata(tc.name+".jsonl"))
			if len(s.Turns) != tc.turns {
				t.Errorf("%d turns, want %d", len(s.Turns), tc.turns)
			}
			if len(h.Turns) != len(tc.sent) {
				t.Fatalf("%d histories, want %d", len(h.Turns), len(tc.sent))
			}
			for k, number := range tc.sent {
				p := s.Pool(number-1, session.PoolWindow)
				if p == nil {
					t.Fatalf("turn %d has no pool", number)
				}
				var got, want []sent
				for i := range p.Candidates {
					got = append(got, offered(&p.Candidates[i]))
				}
				for _, i := range h.Turns[k].History {
					want = append(want, strip(h.Messages[i]))
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("turn %d:\noffered %v\nsent    %v", number, got, want)
				}
				query := strip(sent{Role: "user", Text: h.Turns[k].Query}).Text
				if s.Turns[number-1].Internal == "" && !strings.HasSuffix(query, p.Query) {
					t.Errorf("turn %d: query %q, the model was asked %q", number, p.Query, query)
				}
			}
		})
	}
}
