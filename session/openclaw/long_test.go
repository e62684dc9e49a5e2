package openclaw_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pacms/session"
	"pacms/session/openclaw"
)

// long are transcripts in which something that is rare otherwise comes n times.
var long = map[string]func(s *script, n int){
	"lines of one message": func(s *script, n int) {
		for i := range n {
			s.message("m"+fmt.Sprint(i), map[string]any{
				"role": "assistant", "responseId": "r", "content": fmt.Sprintf("line %d", i),
			})
		}
	},
	"lines of one entry": func(s *script, n int) {
		for i := range n {
			s.message("m", map[string]any{"role": "assistant", "responseId": "r", "content": fmt.Sprintf("line %d", i)})
		}
	},
	"compactions": func(s *script, n int) {
		for i := range n / 2 {
			before := fmt.Sprintf("u%d", i)
			s.user(before, "a").line("compaction", fmt.Sprintf("c%d", i), map[string]any{"summary": "s", "firstKeptEntryId": before})
		}
	},
	"messages of one id": func(s *script, n int) {
		for i := range n {
			s.under("").user("dup", fmt.Sprintf("text %d", i))
		}
	},
}

// What is read costs no more than the file is long, however odd it is.
func TestLongFiles(t *testing.T) {
	for name, write := range long {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) uint64 {
				s := newScript()
				write(s, n)
				data := s.lines.Bytes()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				read(t, data)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			cost(10) // what is made once
			few, many := cost(2000), cost(16000)
			if many > 20*few {
				t.Errorf("8 times as much takes %d bytes instead of %d", many, few)
			}
		})
	}
}

// A message in many lines says what all of them say, in order.
func TestManyLinesOfMessage(t *testing.T) {
	s := newScript().user("u", "q")
	var want []string
	for i := range 100 {
		line := fmt.Sprintf("line %d", i)
		blocks := []map[string]any{{"type": "toolCall", "id": fmt.Sprintf("call%d", i), "name": "read", "arguments": map[string]any{"n": i}}}
		if i%3 > 0 {
			blocks = append(blocks, map[string]any{"type": "text", "text": line})
			want = append(want, line)
		}
		s.message(fmt.Sprintf("m%d", i), map[string]any{"role": "assistant", "responseId": "r", "content": blocks})
	}
	got := read(t, s.lines.Bytes())
	c := got.Candidates[1]
	if len(got.Candidates) != 2 || c.Text != strings.Join(want, "\n") || len(c.Calls) != 100 || c.Calls[99].CallID != "call99" {
		t.Errorf("%d candidates, %d calls, text %q", len(got.Candidates), len(c.Calls), c.Text)
	}
	if raw := got.Raw(c.ID); len(raw) != 100 {
		t.Errorf("it has %d stored lines", len(raw))
	}
}

// countdown is a context that is given up when it was asked so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Once a session is decoded, it is given up at any point while it is assembled.
func TestAssemblyIsGivenUp(t *testing.T) {
	s := newScript()
	for i := range 1500 {
		s.user(fmt.Sprintf("u%d", i), "a").leaf(fmt.Sprintf("l%d", i), fmt.Sprintf("u%d", i))
	}
	data, counter := s.lines.String(), newCounter(t, "openclaw")
	ask := func(left int) (got *session.Session, asked int, err error) {
		ctx := &countdown{t.Context(), left}
		got, err = openclaw.Read(ctx, strings.NewReader(data), "test.jsonl", openclaw.Options{Counter: counter})
		return got, left - ctx.left, err
	}
	_, asked, err := ask(1 << 30)
	if err != nil || asked < 8 {
		t.Fatalf("it was asked %d times, %v", asked, err)
	}
	for left := range asked {
		if got, _, err := ask(left); got != nil || err == nil {
			t.Fatalf("given up at %d of %d, it gives %v", left, asked, err)
		}
	}
}
