package openclaw_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"pacms/session"
	"pacms/session/openclaw"
)

// message is a line with a user message.
func message(id, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"message":{"role":"user","content":"%s"}}`, id, text)
}

const header = `{"type":"session","version":3,"id":"s"}`

func TestEncodings(t *testing.T) {
	body := header + "\n" + message("u1", "one") + "\n" + message("u2", "two \ufefftail") + "\n"
	for name, data := range map[string]string{
		"plain":              body,
		"byte order mark":    "\ufeff" + body,
		"CRLF":               "\ufeff" + strings.ReplaceAll(body, "\n", "\r\n"),
		"blank lines":        "\n" + strings.ReplaceAll(body, "\n", "\r\n \r\n\n"),
		"files joined":       strings.ReplaceAll("\ufeff"+body, "\n{", "\n\ufeff{"),
		"no line end at end": strings.TrimRight(body, "\n"),
	} {
		s := read(t, []byte(data))
		if len(s.Turns) != 2 || len(s.Skipped) != 0 || s.Source.Version != 3 || s.Key != "s" {
			t.Errorf("%s: %d turns, skipped %v, source %+v", name, len(s.Turns), s.Skipped, s.Source)
		}
		if got := candidate(t, s, "u2").Text; got != "two \ufefftail" {
			t.Errorf("%s: %q", name, got)
		}
		for _, id := range []string{"u1", "u2"} {
			if raw := s.Raw(id); len(raw) != 1 || !json.Valid(raw[0]) {
				t.Errorf("%s: raw %q", name, raw)
			}
		}
	}
}

// Every record is used or is named with its place and cause.
func TestDamage(t *testing.T) {
	tests := []struct {
		name, line, cause string
	}{
		{"no JSON", "hello", "damaged JSON at byte 0"},
		{"cut short", `{"type":"message","id":"x","mess`, "damaged JSON at byte"},
		{"a list", `[1,2]`, "no session event: it is a JSON array"},
		{"a string", `"x"`, "no session event: it is a JSON string"},
		{"no type", `{"id":"x"}`, "it has no type"},
		{"an unknown type without id", `{"type":"weather"}`, `type "weather" without an id`},
		{"a message without message", `{"type":"message","id":"x","parentId":null}`, "without a message"},
		{"a message that is a string", `{"type":"message","id":"x","parentId":null,"message":"hi"}`, "its /message is a JSON string"},
		{"an unknown role", `{"type":"message","id":"x","parentId":null,"message":{"role":"wizard"}}`, `unknown role "wizard"`},
		{"a run of NUL", strings.Repeat("\x00", 4096), "4096 NUL bytes"},
		{"an event inside something else", `{"log":` + message("x", "a") + `}`, "it has no type"},
		{"a block that looks like an event", `{"type":"message","id":"x","message":{"content":[{"type":"text","text":"a"}],"r`, "damaged JSON at byte"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before := header + "\n" + message("u1", "one") + "\n"
			s := read(t, []byte(before+tc.line+"\n"+message("u2", "two")+"\n"))
			if len(s.Candidates) < 1 || candidate(t, s, "u2").Text != "two" || len(s.Turns) != 2 {
				t.Errorf("%d turns are left", len(s.Turns))
			}
			if len(s.Skipped) != 1 {
				t.Fatalf("skipped %+v", s.Skipped)
			}
			k := s.Skipped[0]
			if k.Line != 3 || k.Offset != int64(len(before)) || k.Bytes != len(tc.line) || !strings.Contains(k.Cause, tc.cause) {
				t.Errorf("skipped %+v, want the cause %q", k, tc.cause)
			}
			if warningCodes(s) != "skipped_records" {
				t.Errorf("warnings %q", warningCodes(s))
			}
		})
	}
}

func TestTornLastLine(t *testing.T) {
	whole := header + "\n" + message("u1", "one") + "\n" + message("u2", "two €")
	if s := read(t, []byte(whole)); len(s.Turns) != 2 || len(s.Skipped) != 0 {
		t.Errorf("a whole last line without line end: %d turns, skipped %v", len(s.Turns), s.Skipped)
	}
	for cut := len(whole) - 1; cut > len(header)+len(message("u1", "one"))+2; cut-- {
		s := read(t, []byte(whole[:cut]))
		if len(s.Turns) != 1 || len(s.Skipped) != 1 || s.Skipped[0].Cause != "cut off: the file ends inside this record" {
			t.Fatalf("cut at %d: %d turns, skipped %+v", cut, len(s.Turns), s.Skipped)
		}
	}
}

func TestDamagedHeader(t *testing.T) {
	s := read(t, []byte(`{"type":"session","ver`+"\n"+message("u1", "one")+"\n"))
	if len(s.Turns) != 1 || len(s.Skipped) != 1 || s.Key != "test" || s.Source.Version != 0 {
		t.Errorf("%d turns of %q, skipped %v, source %+v", len(s.Turns), s.Key, s.Skipped, s.Source)
	}
}

func TestUnicode(t *testing.T) {
	tests := []struct {
		name, text, want, warnings string
	}{
		{"half a character", `kettle \ud83d…`, "kettle \ufffd…", "invalid_unicode"},
		{"the other half", `kettle \ude00`, "kettle \ufffd", "invalid_unicode"},
		{"halves apart", `\ud83d x \ude00`, "\ufffd x \ufffd", "invalid_unicode"},
		{"both halves", `kettle \ud83d\ude00`, "kettle 😀", ""},
		{"a broken sequence", "kettle \xc3\x28", "kettle \ufffd(", "invalid_unicode"},
		{"an overlong sequence", "kettle \xc0\xaf", "kettle \ufffd", "invalid_unicode"},
		{"an escaped NUL", `a\u0000b`, "a\x00b", ""},
		{"a raw NUL", "a\x00b", "a\x00b", "raw_controls"},
		{"a raw line feed of another kind", "a\x0bb\tc", "a\x0bb\tc", "raw_controls"},
		{"an escaped backslash", `\\ud83d`, `\ud83d`, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s := read(t, []byte(header+"\n"+message("u1", tc.text)+"\n"+message("u2", "two")+"\n"))
			got := candidate(t, s, "u1").Text
			if got != tc.want || !utf8.ValidString(got) || len(s.Skipped) != 0 {
				t.Errorf("%q, want %q; skipped %v", got, tc.want, s.Skipped)
			}
			if warningCodes(s) != tc.warnings {
				t.Errorf("warnings %q, want %q", warningCodes(s), tc.warnings)
			}
			if raw := s.Raw("u1"); len(raw) != 1 || !bytes.Contains(raw[0], []byte(tc.text)) {
				t.Errorf("the raw line is %q", raw)
			}
			if _, err := json.Marshal(s.Candidates); err != nil {
				t.Error(err)
			}
		})
	}
}

// A line above the limit is left out alone, and is never in memory as a whole.
func TestLongLines(t *testing.T) {
	const limit = 64 << 20
	lines := func(size int) io.Reader {
		start, end := `{"type":"message","id":"big","parentId":null,"message":{"role":"user","content":"`, `"}}`
		return io.MultiReader(
			strings.NewReader(header+"\n"+message("u1", "one")+"\n"+start),
			io.LimitReader(repeat('x'), int64(size-len(start)-len(end))),
			strings.NewReader(end+"\n"+message("u2", "two")+"\n"))
	}
	for _, tc := range []struct {
		size    int
		skipped bool
	}{{70 << 10, false}, {21 << 20, false}, {limit, false}, {limit + 1, true}, {3 * limit, true}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := openclaw.Read(t.Context(), lines(tc.size), "long.jsonl", options(t))
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if got := candidate(t, s, "u2").Text; got != "two" {
			t.Errorf("%d bytes: the line after is %q", tc.size, got)
		}
		if !tc.skipped {
			if len(s.Skipped) != 0 || len(s.Turns) != 3 {
				t.Errorf("%d bytes: %d turns, skipped %v", tc.size, len(s.Turns), s.Skipped)
			}
			continue
		}
		if len(s.Skipped) != 1 || s.Skipped[0].Line != 3 || s.Skipped[0].Bytes != tc.size || !strings.Contains(s.Skipped[0].Cause, "longer than 64 MiB") {
			t.Errorf("%d bytes: skipped %+v", tc.size, s.Skipped)
		}
		// Under the race detector buffers grow in larger steps.
		if used := after.TotalAlloc - before.TotalAlloc; used > 4*limit {
			t.Errorf("%d bytes: %d MiB were allocated for it", tc.size, used>>20)
		}
	}
}

// repeat is an endless reader of one byte.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := openclaw.Read(t.Context(), io.MultiReader(strings.NewReader(header+"\n"), failing{broken}), "x.jsonl", options(t))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "x.jsonl") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openclaw.Read(ctx, strings.NewReader(header+"\n"), "x.jsonl", options(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := openclaw.Read(t.Context(), strings.NewReader(header+"\n"), "x.jsonl", openclaw.Options{}); err == nil {
		t.Error("no error without a counter")
	}
	opt := options(t)
	opt.Session = "another"
	if _, err := openclaw.Read(t.Context(), strings.NewReader(header+"\n"), "x.jsonl", opt); err == nil || !strings.Contains(err.Error(), "session s,") {
		t.Errorf("another session: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestProgress(t *testing.T) {
	data := []byte(header + "\n" + strings.Repeat(message("u", strings.Repeat("x", 1000))+"\n", 5000))
	path := t.TempDir() + "/t.jsonl"
	writeFile(t, path, data)
	opt := options(t)
	last := int64(0)
	opt.Progress = func(done, total int64) {
		if done < last || done > total || total != int64(len(data)) {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}
	if _, err := openclaw.Open(t.Context(), path, opt); err != nil {
		t.Fatal(err)
	}
	if last != int64(len(data)) {
		t.Errorf("the last report is %d of %d", last, len(data))
	}
}

// Clocks that jump do not reorder what was said.
func TestJumpingClock(t *testing.T) {
	at := func(ms int, text string) map[string]any {
		return map[string]any{"role": "user", "content": text, "timestamp": ms}
	}
	s := read(t, newScript().message("u1", at(9000, "a")).message("u2", at(1000, "b")).message("u3", at(5000, "c")).bytes())
	if got := poolIDs(t, s, 3, session.PoolWindow); got != "u1 u2" {
		t.Errorf("offered %q", got)
	}
	if got := s.Turns[1].Time.UnixMilli(); got != 1000 {
		t.Errorf("turn 2 is at %d", got)
	}
}
