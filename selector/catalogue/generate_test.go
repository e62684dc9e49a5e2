package catalogue_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/poolfile"
	"pacms/session/token"
)

// message is what somebody said in a generated conversation.
type message struct {
	id, role, text string
	calls          []string // ids of the calls that it makes
	answers        string   // id of the call that it answers

	// Of a transcript alone.
	blocks any            // instead of the text
	parent string         // the entry that it follows; empty: the one before, root: none
	at     int            // when it was said, in seconds; 0: a second after the one before
	more   map[string]any // further fields of the message
}

// root is the parent of an entry that has none.
const root = "-"

// roles by the first letter of an id.
var roles = map[byte]string{'s': "system", 'd': "developer", 'u': "user", 'a': "assistant", 't': "toolResult"}

// talk reads a conversation in short: "u1" is a user message, "a1{c1,c2}" an
// assistant message that calls c1 and c2, "t1{c1}" the result of c1, "s" and "d"
// messages of system and developer. Texts are by id; a message without one has
// a sentence of its own.
func talk(short string, texts map[string]string) []message {
	var out []message
	for field := range strings.FieldsSeq(short) {
		id, calls, _ := strings.Cut(strings.TrimSuffix(field, "}"), "{")
		m := message{id: id, role: roles[id[0]], text: fmt.Sprintf("Entry %s is about %s.", id, topic(len(out)))}
		if text, ok := texts[id]; ok {
			m.text = text
		}
		switch {
		case m.role == "toolResult":
			m.answers = calls
		case calls != "":
			m.calls = strings.Split(calls, ",")
		}
		out = append(out, m)
	}
	return out
}

// topic is what a message is about where nothing else is said, another one for
// each of the first hundred.
func topic(i int) string {
	things := []string{
		"the ferry to the island", "bread with rye flour", "a leaking garden hose", "the harbour tariff", "chess openings",
		"a broken bicycle chain", "thyme and sage", "the tram to the museum", "last year's invoices", "a lost umbrella",
	}
	times := []string{
		"in spring", "on Sundays", "before noon", "after the storm", "in the old town", "with Grace", "by post", "for the school",
		"at the border", "without a map",
	}
	return things[i%len(things)] + " " + times[i/len(things)%len(times)]
}

// sized is a text of so many tokens by the counters that estimate, about a word.
func sized(word string, tokens int) string {
	return strings.Repeat(word+" ", 1+4*tokens/(len(word)+1))[:4*tokens]
}

// counter is the counter of all generated pools.
func counter(t *testing.T, name string) token.Counter {
	t.Helper()
	c, err := token.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// both makes of a fault one of a pool document and one of a transcript.
func both(f fault, query string, said []message) []fault {
	pool, file := f, f
	pool.name += ", in a pool"
	pool.input = func(t *testing.T) *session.Pool { return poolOf(t, query, said) }
	file.name += ", in a transcript"
	file.input = func(t *testing.T) *session.Pool { return lastPool(t, read(t, asking(said, query))) }
	return []fault{pool, file}
}

// poolOf reads a pool document of what was said.
func poolOf(t *testing.T, query string, said []message) *session.Pool {
	t.Helper()
	kinds := map[string]string{"toolResult": "tool"}
	candidates := []map[string]any{}
	for _, m := range said {
		c := map[string]any{"id": m.id, "kind": m.role, "text": m.text}
		if kind, ok := kinds[m.role]; ok {
			c["kind"] = kind
		}
		if m.answers != "" {
			c["tool"] = map[string]any{"name": "read", "call_id": m.answers}
		}
		var calls []any
		for _, id := range m.calls {
			calls = append(calls, map[string]any{"name": "read", "call_id": id, "args": map[string]any{"path": id}})
		}
		if calls != nil {
			c["calls"] = calls
		}
		candidates = append(candidates, c)
	}
	p, err := poolfile.Decode(bytes.NewReader(line(map[string]any{"query": query, "candidates": candidates})), counter(t, "openclaw"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asking is a transcript of what was said and then asked.
func asking(said []message, query string) []byte {
	return transcript(append(said[:len(said):len(said)], message{id: "query", role: "user", text: query})...)
}

// transcript writes a transcript, a line a message.
func transcript(said ...message) []byte {
	var b bytes.Buffer
	b.Write(event("session", map[string]any{"version": 4, "id": "s", "timestamp": "2026-11-29T08:59:00Z"}))
	start := time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)
	seconds, parent := 0, any(nil)
	for _, m := range said {
		seconds++
		if m.at != 0 {
			seconds = m.at
		}
		switch m.parent {
		case "":
		case root:
			parent = nil
		default:
			parent = m.parent
		}
		when := start.Add(time.Duration(seconds) * time.Second)
		b.Write(event("message", map[string]any{
			"id": m.id, "parentId": parent, "timestamp": when.Format(time.RFC3339Nano), "message": m.stored(when),
		}))
		parent = m.id
	}
	return b.Bytes()
}

// stored is a message as a transcript has it.
func (m *message) stored(when time.Time) map[string]any {
	blocks := []any{map[string]any{"type": "text", "text": m.text}}
	for _, id := range m.calls {
		blocks = append(blocks, map[string]any{"type": "toolCall", "id": id, "name": "read", "arguments": map[string]any{"path": id}})
	}
	out := map[string]any{"role": m.role, "timestamp": when.UnixMilli(), "content": blocks}
	if m.blocks != nil {
		out["content"] = m.blocks
	}
	if m.answers != "" {
		out["toolCallId"], out["toolName"] = m.answers, "read"
	}
	for key, value := range m.more {
		out[key] = value
	}
	return out
}

// event is a line of a transcript, which begins with its type.
func event(typ string, fields map[string]any) []byte {
	return append([]byte(`{"type":"`+typ+`",`), line(fields)[1:]...)
}

// line is one line of JSON.
func line(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers always marshal
	}
	return append(data, '\n')
}

// read reads a transcript.
func read(t *testing.T, data []byte) *session.Session {
	t.Helper()
	s, err := openclaw.Read(t.Context(), bytes.NewReader(data), "test.jsonl", openclaw.Options{Counter: counter(t, "openclaw")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lastPool is the pool of the newest turn.
func lastPool(t *testing.T, s *session.Session) *session.Pool {
	t.Helper()
	p := s.Pool(len(s.Turns)-1, session.PoolWindow)
	if p == nil {
		t.Fatal("the last turn has no pool")
	}
	return p
}

// ids are the ids of a pool, in one string.
func ids(p *session.Pool) string {
	var out []string
	for i := range p.Candidates {
		out = append(out, p.Candidates[i].ID)
	}
	return strings.Join(out, " ")
}

// expect checks the ids of a pool and what was warned of and skipped while its
// session was read.
func expect(t *testing.T, s *session.Session, pool, warnings string, skipped int) *session.Pool {
	t.Helper()
	p := lastPool(t, s)
	if got := ids(p); got != pool {
		t.Errorf("offered %q, want %q", got, pool)
	}
	var codes []string
	for _, w := range s.Warnings {
		codes = append(codes, w.Code)
	}
	if got := strings.Join(codes, " "); got != warnings {
		t.Errorf("warnings %q, want %q", got, warnings)
	}
	if len(s.Skipped) != skipped {
		t.Errorf("skipped %+v, want %d", s.Skipped, skipped)
	}
	return p
}
