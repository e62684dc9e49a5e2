package openclaw_test

import (
	"bytes"
	"strings"
	"testing"

	"pacms/session"
)

func TestPairing(t *testing.T) {
	type pair struct{ result, group string } // group "" for a result without a call
	tests := []struct {
		name     string
		script   *script
		pairs    []pair
		repaired int // in the window of the last turn
	}{
		{"in order", newScript().user("u", "x").calls("a", "c1", "c2").result("r1", "c1").result("r2", "c2"), []pair{{"r1", "a"}, {"r2", "a"}}, 0},
		{"out of order", newScript().user("u", "x").calls("a", "c1", "c2").result("r2", "c2").result("r1", "c1"), []pair{{"r1", "a"}, {"r2", "a"}}, 0},
		{"an id that a provider rewrote", newScript().user("u", "x").calls("a", "call_1_0").result("r", "call10"), []pair{{"r", "a"}}, 1},
		{"an empty id", newScript().user("u", "x").calls("a", "", "").result("r1", "").result("r2", ""), []pair{{"r1", "a"}, {"r2", "a"}}, 2},
		{"an unknown id beside a known one", newScript().user("u", "x").calls("a", "c1", "c2").result("r1", "other").result("r2", "c1"), []pair{{"r1", "a"}, {"r2", "a"}}, 1},
		{"an id used again later", newScript().user("u", "x").calls("a", "c").result("r1", "c").calls("b", "c").result("r2", "c"), []pair{{"r1", "a"}, {"r2", "b"}}, 0},
		{"an id used twice in a message", newScript().user("u", "x").calls("a", "c", "c").result("r1", "c").result("r2", "c"), []pair{{"r1", "a"}, {"r2", "a"}}, 2},
		{"a result after the next user message", newScript().user("u", "x").calls("a", "c1").user("v", "y").result("r", "c1"), []pair{{"r", "a"}}, 0},
		{"a second result of one call", newScript().user("u", "x").calls("a", "c1", "c2").result("r1", "c1").result("r2", "c1"), []pair{{"r1", "a"}, {"r2", "a"}}, 0},
		{"no call", newScript().user("u", "x").agent("a", "b").result("r", "c1"), []pair{{"r", ""}}, 0},
		{"no call left", newScript().user("u", "x").calls("a", "c1").result("r1", "c1").result("r2", "c9"), []pair{{"r1", "a"}, {"r2", ""}}, 0},
		{"a call of another tool", newScript().user("u", "x").calls("a", "c1").message("r", map[string]any{
			"role": "toolResult", "toolCallId": "", "toolName": "exec", "content": "x",
		}), []pair{{"r", ""}}, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, tc.script.user("end", "z").bytes())
			for _, p := range tc.pairs {
				c := candidate(t, s, p.result)
				if c.Group != p.group {
					t.Errorf("%s is in the group %q, want %q", p.result, c.Group, p.group)
				}
				if c.Tool == nil || (p.group != "") != (len(c.Tool.Args) > 0) {
					t.Errorf("%s answers %+v", p.result, c.Tool)
				}
			}
			if got := s.Turns[len(s.Turns)-1].IDsRepaired; got != tc.repaired {
				t.Errorf("%d ids repaired, want %d", got, tc.repaired)
			}
		})
	}
}

func TestToolUse(t *testing.T) {
	s := read(t, newScript().user("u", "x").calls("a", "c1").message("r", map[string]any{
		"role": "toolResult", "toolCallId": "c1", "toolName": "read", "isError": true, "content": "no such file",
	}).bytes())
	a, r := candidate(t, s, "a"), candidate(t, s, "r")
	if len(a.Calls) != 1 || a.Calls[0].Name != "read" || string(a.Calls[0].Args) != `{"path":"f"}` || a.Group != "a" || a.Text != "" {
		t.Errorf("the call is %+v", a)
	}
	if r.Tool.Name != "read" || r.Tool.CallID != "c1" || string(r.Tool.Args) != `{"path":"f"}` || !r.Tool.Error || r.Text != "no such file" {
		t.Errorf("the result is %+v of %+v", r, r.Tool)
	}
}

// A message is one candidate however it was written.
func TestOneMessage(t *testing.T) {
	part := func(block map[string]any) map[string]any {
		return map[string]any{"role": "assistant", "responseId": "resp", "content": []any{block}}
	}
	for _, ids := range [][3]string{{"a1", "a2", "a3"}, {"a1", "a1", "a1"}} {
		data := newScript().user("u", "ten words").
			message(ids[0], part(map[string]any{"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"})).
			message(ids[1], part(map[string]any{"type": "text", "text": "I shall read it."})).
			line("custom", "c1", nil).
			message(ids[2], part(map[string]any{"type": "toolCall", "id": "c", "name": "read", "arguments": map[string]any{}})).
			result("t", "c").user("u2", "next").bytes()
		// The whole file is stored again by a host that starts anew.
		s := read(t, append(data, data[bytes.IndexByte(data, '\n')+1:]...))
		if got := poolIDs(t, s, 2, session.PoolWindow); got != "u a1 t" || len(s.Candidates) != 4 {
			t.Fatalf("%v: offered %q of %d candidates", ids, got, len(s.Candidates))
		}
		a := candidate(t, s, "a1")
		if a.Text != "I shall read it." || len(a.Calls) != 1 || a.Group != "a1" || a.Tokens > 10 || candidate(t, s, "t").Group != "a1" {
			t.Errorf("%v: the message is %+v", ids, a)
		}
		if raw := s.Raw("a1"); len(raw) != 3 || !strings.Contains(string(raw[2]), `"toolCall"`) {
			t.Errorf("%v: %d raw lines", ids, len(raw))
		}
	}
	s := read(t, newScript().user("u", "a").bytes())
	if s.Raw("nobody") != nil {
		t.Error("an unknown id has raw lines")
	}
}

func TestReplays(t *testing.T) {
	const line = `{"type":"message","id":"u1","parentId":null,"timestamp":"2026-11-29T09:00:01Z","message":{"role":"user","content":"hello","timestamp":1795942801000}}`
	hello := func(ms int) map[string]any { return map[string]any{"role": "user", "content": "yes", "timestamp": ms} }
	tests := []struct {
		name     string
		script   *script
		turns    int
		warnings string
	}{
		{"the same line twice", newScript().raw(line).raw(line).under("u1").agent("a", "b"), 1, "replayed_records"},
		{"again under a new id", newScript().message("u1", hello(5000)).message("u2", hello(5000)).agent("a", "b"), 1, "replayed_records"},
		{"again at the side", newScript().message("u1", hello(5000)).under("").message("u2", hello(5000)).agent("a", "b"), 1, ""},
		{"said three times", newScript().message("u1", hello(5000)).message("u2", hello(6000)).message("u3", hello(7000)).agent("a", "b"), 3, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, tc.script.bytes())
			if len(s.Turns) != tc.turns || len(s.Candidates) != tc.turns+1 || warningCodes(s) != tc.warnings {
				t.Errorf("%d turns, %d candidates, warnings %q", len(s.Turns), len(s.Candidates), warningCodes(s))
			}
		})
	}
}

// History that is stored once more after a compaction is offered again, once.
func TestReplayAfterCompaction(t *testing.T) {
	hello := map[string]any{"role": "user", "content": "hello", "timestamp": 5000}
	s := read(t, newScript().message("u1", hello).agent("a1", "b").compaction("k", "a1").
		message("u2", hello).agent("a2", "c").user("u3", "d").bytes())
	if got := poolIDs(t, s, 2, session.PoolWindow); got != "k a1 u1 a2" {
		t.Errorf("offered %q", got)
	}
	if got := poolIDs(t, s, 2, session.PoolKey); got != "u1 a1 k a2" {
		t.Errorf("the pool of the key is %q", got)
	}
}

func TestText(t *testing.T) {
	image := map[string]any{"type": "image", "mimeType": "image/png", "data": strings.Repeat("QUJD", 51200)}
	tests := []struct {
		name    string
		message map[string]any
		kind    session.Kind
		text    string
		tokens  int
	}{
		{"a string", map[string]any{"role": "user", "content": "hello"}, session.User, "hello", 2},
		{"blocks", map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "text", "text": "one"}, map[string]any{"type": "text", "text": "two"},
		}}, session.User, "one\ntwo", 2},
		{"a block alone", map[string]any{"role": "toolResult", "content": map[string]any{"type": "text", "text": "one"}}, session.Tool, "one", 1},
		{"an odd block among others", map[string]any{"role": "user", "content": []any{7, map[string]any{"type": "text", "text": "one"}, nil}}, session.User, "one", 1},
		{"an image", map[string]any{"role": "user", "content": []any{image, map[string]any{"type": "text", "text": "look"}}}, session.User, "[image 150 KB png]\nlook", 2001},
		{"an image alone", map[string]any{"role": "toolResult", "content": []any{image}}, session.Tool, "[image 150 KB png]", 2000},
		{"details beside it", map[string]any{"role": "toolResult", "content": "short", "details": strings.Repeat("x", 50_000)}, session.Tool, "short", 2},
		{"thinking", map[string]any{"role": "assistant", "content": []any{
			map[string]any{"type": "thinking", "thinking": "hmmm", "thinkingSignature": "s"}, map[string]any{"type": "text", "text": "yes!"},
		}}, session.Assistant, "yes!", 2},
		{"a command", map[string]any{"role": "bashExecution", "command": "ls", "output": "a b", "exitCode": 2}, session.User, "Ran `ls`\n```\na b\n```\n\nCommand exited with code 2", 2},
		{"a system message", map[string]any{"role": "developer", "content": "rule"}, session.System, "rule", 1},
		{"an extension's message", map[string]any{"role": "custom", "customType": "notes", "content": "note"}, session.Document, "note", 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := candidate(t, read(t, newScript().message("m", tc.message).bytes()), "m")
			if c.Kind != tc.kind || c.Text != tc.text || c.Tokens != tc.tokens {
				t.Errorf("%s %q, %d tokens; want %s %q, %d", c.Kind, c.Text, c.Tokens, tc.kind, tc.text, tc.tokens)
			}
		})
	}
}

func TestEnvelopes(t *testing.T) {
	tests := []struct{ stored, want, internal string }{
		{"hello", "hello", ""},
		{"[1] is a reference, [2] too", "[1] is a reference, [2] too", ""},
		{"[INFO 2026-11-29 22:04:10] a pasted log line", "[INFO 2026-11-29 22:04:10] a pasted log line", ""},
		{"[Sun 2026-11-29 22:04 UTC] hello", "hello", ""},
		{"[Sat 2026-01-31 12:34 GMT+8] hello", "hello", ""},
		{"[Telegram Ada id:12 2026-02-09 12:34 UTC] hello\n[message_id: 99]", "hello", ""},
		{"Conversation info (untrusted metadata):\n```json\n{\"a\":1}\n```\n\nSender (untrusted metadata):\n```json\n{}\n```\n\nhello", "hello", ""},
		{"Sender: ⟦openclaw:ctx⟧\n```json\n{\"a\":1}\n```\n\nhello", "hello", ""},
		{"hello\n\nContext: ⟦openclaw:ctx⟧\nsaid elsewhere", "hello", ""},
		{"System: [2026-03-02 18:28:00 GMT+8] Node connected\n\nhello", "hello", ""},
		{"System: [2026-03-02 18:28:00 GMT+8] Node connected", "System: [2026-03-02 18:28:00 GMT+8] Node connected", ""},
		{"[media attached: /tmp/a.jpg (image/jpeg)]\nhello", "hello", ""},
		{"[cron:nightly backup] Check the backup.\nCurrent time: Sunday, 03:00", "Check the backup.", "cron"},
		{"[Inter-session message] from main\nhello", "hello", "inter-session"},
		{"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nhello", "hello", ""},
		{"[OpenClaw heartbeat poll]", "[OpenClaw heartbeat poll]", "heartbeat"},
		{"[Sun 2026-11-29 22:04 UTC] [OpenClaw heartbeat poll]", "[OpenClaw heartbeat poll]", "heartbeat"},
		{"[OpenClaw exec completion]\nDisable it", "[OpenClaw exec completion]\nDisable it", "exec"},
		{"Pre-compaction memory flush. Store durable memories now", "Pre-compaction memory flush. Store durable memories now", "memory-flush"},
		{"A new session was started via /new or /reset. Greet.", "A new session was started via /new or /reset. Greet.", "new-session"},
	}
	for _, tc := range tests {
		s := read(t, newScript().user("u", tc.stored).bytes())
		c := candidate(t, s, "u")
		if c.Text != tc.want || s.Turns[0].Query != tc.want || c.Internal != tc.internal || s.Turns[0].Internal != tc.internal {
			t.Errorf("%q:\n%q, internal %q; want %q, %q", tc.stored, c.Text, c.Internal, tc.want, tc.internal)
		}
		if !strings.Contains(string(s.Raw("u")[0]), "timestamp") {
			t.Errorf("%q: the stored line is gone", tc.stored)
		}
	}
}

func TestProvenance(t *testing.T) {
	for want, provenance := range map[string]map[string]any{
		"heartbeat":     {"kind": "internal_system", "sourceTool": "heartbeat"},
		"system":        {"kind": "internal_system"},
		"inter-session": {"kind": "inter_session", "sourceTool": "sessions_send"},
		"":              {"kind": "external_user"},
	} {
		s := read(t, newScript().message("u", map[string]any{"role": "user", "content": "hello", "provenance": provenance}).bytes())
		if got := s.Turns[0].Internal; got != want {
			t.Errorf("%v: internal %q, want %q", provenance, got, want)
		}
	}
}

func TestExcluded(t *testing.T) {
	s := read(t, newScript().user("u", "x").message("b", map[string]any{
		"role": "bashExecution", "command": "ls", "output": "secret", "excludeFromContext": true,
	}).line("custom_message", "m", map[string]any{"customType": "openclaw.runtime-context", "content": "ctx"}).
		line("branch_summary", "s", map[string]any{"summary": "left", "fromId": "x"}).user("u2", "y").bytes())
	if got := poolIDs(t, s, 2, session.PoolWindow); got != "u m s" {
		t.Errorf("offered %q", got)
	}
	if c := candidate(t, s, "m"); c.Kind != session.Document || c.Internal != "runtime-context" {
		t.Errorf("the host's context is %+v", c)
	}
	if c := candidate(t, s, "s"); c.Kind != session.Summary || !strings.Contains(c.Text, "<summary>\nleft</summary>") {
		t.Errorf("the summary is %+v", c)
	}
}

func TestUnsignedThinking(t *testing.T) {
	for _, tc := range []struct {
		block map[string]any
		want  bool
	}{
		{map[string]any{"type": "thinking", "thinking": "x", "thinkingSignature": "s"}, false},
		{map[string]any{"type": "thinking", "thinking": "x"}, true},
		{map[string]any{"type": "thinking", "thinking": "", "thinkingSignature": "s"}, true},
		{map[string]any{"type": "thinking", "thinking": "", "thinkingSignature": "s", "redacted": true}, false},
		{map[string]any{"type": "thinking", "thinking": "", "thinkingSignature": nil}, true},
	} {
		s := read(t, newScript().message("a", map[string]any{"role": "assistant", "content": []any{tc.block}}).bytes())
		if got := candidate(t, s, "a").ThinkingUnsigned; got != tc.want {
			t.Errorf("%v: %v, want %v", tc.block, got, tc.want)
		}
	}
}

// A field of a shape that nobody expects is as good as absent.
func TestOddFields(t *testing.T) {
	for _, odd := range []string{`"x"`, `3`, `true`, `null`, `[1,{"kind":"x"}]`, `{}`, `{"kind":{"a":1},"input":"x","cacheRead":[]}`} {
		s := read(t, []byte(header+"\n"+`{"type":"message","id":"u1","message":{"role":"user","content":"a","provenance":`+odd+`,"usage":`+odd+
			`,"isError":`+odd+`,"timestamp":`+odd+`,"responseId":`+odd+`,"exitCode":`+odd+`}}`+"\n"+message("u2", "b")+"\n"))
		if len(s.Turns) != 2 || len(s.Skipped) != 0 || candidate(t, s, "u1").Text != "a" || s.Turns[0].Internal != "" {
			t.Errorf("%s: %d turns, skipped %+v", odd, len(s.Turns), s.Skipped)
		}
	}
}

// What the provider reported is of the first request of a turn, and beside what
// is counted.
func TestReported(t *testing.T) {
	answer := func(usage map[string]any) map[string]any {
		return map[string]any{"role": "assistant", "content": "b", "usage": usage}
	}
	s := read(t, newScript().
		user("u1", "a").
		message("a1", answer(map[string]any{"input": 100, "output": 9, "cacheRead": 20, "cacheWrite": 3})).
		message("a2", answer(map[string]any{"input": 900})).
		user("u2", "a").message("a3", answer(map[string]any{"input": -5})).
		user("u3", "a").agent("a4", "b").bytes())
	for i, want := range []int{123, 0, 0} {
		if got := s.Turns[i].Reported; got != want {
			t.Errorf("turn %d: %d tokens reported, want %d", i+1, got, want)
		}
	}
	if c := candidate(t, s, "a1"); c.Tokens != 1 {
		t.Errorf("the answer costs %d tokens", c.Tokens)
	}
}
