package openclaw_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pacms/session"
	"pacms/session/openclaw"
)

// fatal is what a test and a property have in common.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// follower follows a session with a clock that a test moves.
type follower struct {
	t fatal
	*openclaw.Follower
	now    time.Time
	last   *session.Session
	events []string
	look   openclaw.Look // the last
}

func follow(t fatal, path string, opt openclaw.Options) *follower {
	t.Helper()
	f, err := openclaw.Follow(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	w := &follower{t: t, Follower: f, now: time.Now()}
	f.SetClock(func() time.Time { return w.now })
	return w
}

// lookOnce looks, and takes over what there is.
func (f *follower) lookOnce() {
	f.t.Helper()
	l, err := f.Look(background)
	if err != nil {
		f.t.Fatal(err)
	}
	f.look = l
	f.events = append(f.events, l.Events...)
	if l.Session != nil {
		f.last = l.Session
	}
}

// settle looks until nothing is left to be seen.
func (f *follower) settle() {
	f.t.Helper()
	for range 20 {
		f.now = time.Now().Add(time.Hour) // all that was written is old
		if f.lookOnce(); f.look.Settled && f.look.Session == nil {
			return
		}
	}
	f.t.Fatalf("the store does not come to rest: %+v", f.look)
}

// told reports whether an event has a text, and forgets all.
func (f *follower) told(text string) bool {
	events := strings.Join(f.events, "\n")
	f.events = nil
	return strings.Contains(events, text)
}

// sameAsCold checks what was followed against what is read from the beginning.
func sameAsCold(t fatal, got, want *session.Session) {
	t.Helper()
	if got == nil {
		t.Fatalf("nothing was followed; a cold read has %d turns", len(want.Turns))
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"turns", got.Turns, want.Turns},
		{"candidates", got.Candidates, want.Candidates},
		{"set aside", got.Aside, want.Aside},
		{"skipped", got.Skipped, want.Skipped},
		{"warnings", got.Warnings, want.Warnings},
		{"source", got.Source, want.Source},
		{"key", got.Key, want.Key},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Fatalf("%s: followed\n%s\ncold\n%s", c.what, show(c.got), show(c.want))
		}
	}
	for i := range got.Candidates {
		id := got.Candidates[i].ID
		if raw := got.Raw(id); len(raw) == 0 || !reflect.DeepEqual(raw, want.Raw(id)) {
			t.Fatalf("the stored lines of %s: followed %q, cold %q", id, raw, want.Raw(id))
		}
	}
}

func show(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(data)
}

// talk makes up the lines of a session, one event after another.
type talk struct {
	t      *rapid.T
	n      int
	at     time.Time
	parent string
	ids    []string // of all entries of this window
	call   string   // a tool call without its result
}

// begin is the header of a new window.
func (k *talk) begin(id string) string {
	k.parent, k.ids, k.call = "", nil, ""
	k.at = k.at.Add(time.Minute)
	return fmt.Sprintf(`{"type":"session","version":4,"id":%q,"timestamp":%q}`, id, k.at.Format(time.RFC3339Nano))
}

// next is one more event.
func (k *talk) next() string {
	k.n++
	k.at = k.at.Add(time.Second)
	id := fmt.Sprintf("e%d", k.n)
	e := map[string]any{"type": "message", "id": id, "timestamp": k.at.Format(time.RFC3339Nano), "parentId": nil}
	if k.parent != "" {
		e["parentId"] = k.parent
	}
	text := rapid.SampledFrom([]string{"a", "Grüße 🦞 and 日本語", strings.Repeat("long ", 400)}).Draw(k.t, "text") + fmt.Sprint(k.n)
	say := func(m map[string]any) {
		m["timestamp"] = k.at.UnixMilli()
		e["message"] = m
	}
	kinds := []string{"user", "agent", "user", "agent", "call", "result", "compaction", "reset", "leaf", "custom", "damaged", "twice", "jump"}
	switch kind := rapid.SampledFrom(kinds).Draw(k.t, "kind"); {
	case kind == "damaged":
		return `{"type":"message","id":` + fmt.Sprint(k.n)
	case kind == "call":
		k.call = "call" + id
		say(map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "toolCall", "id": k.call, "name": "read", "arguments": map[string]any{"path": text}}}})
	case kind == "result" && k.call != "":
		say(map[string]any{"role": "toolResult", "toolCallId": k.call, "toolName": "read", "content": text})
	case kind == "agent":
		say(map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": text}}})
	case kind == "compaction" && len(k.ids) > 0:
		e["type"], e["summary"] = "compaction", "what was said "+text
		e["firstKeptEntryId"] = rapid.SampledFrom(k.ids).Draw(k.t, "kept")
	case kind == "reset":
		e["type"], e["reason"] = "reset", "new"
	case kind == "leaf" && len(k.ids) > 0:
		e["type"], e["targetId"] = "leaf", rapid.SampledFrom(k.ids).Draw(k.t, "target")
	case kind == "custom":
		e["type"], e["customType"] = "custom", "openclaw.cache-ttl"
	case kind == "jump" && len(k.ids) > 0:
		e["parentId"] = rapid.SampledFrom(k.ids).Draw(k.t, "parent")
		say(map[string]any{"role": "user", "content": text})
	case kind == "twice": // stored again under another id, as after a restart
		say(map[string]any{"role": "user", "content": "the same"})
		e["message"].(map[string]any)["timestamp"] = 1764406800000
	default:
		say(map[string]any{"role": "user", "content": text})
	}
	k.parent = id
	k.ids = append(k.ids, id)
	data, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// host writes transcripts as a host does, and as one that dies does.
type host struct {
	t       *rapid.T
	dir     string
	talk    talk
	id      string
	windows int
	queue   []byte   // what it is about to write
	aside   []string // what it put aside
	indexed bool
}

func (h *host) path() string { return filepath.Join(h.dir, h.id+".jsonl") }

func (h *host) must(err error) {
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) begin() {
	h.windows++
	h.id = fmt.Sprintf("session-%d", h.windows)
	h.queue = []byte(h.talk.begin(h.id) + "\n")
}

func (h *host) index() {
	data := fmt.Sprintf(`{"agent:main:main":{"sessionId":%q,"sessionFile":%q},"agent:main:other":{"sessionId":"other"}}`, h.id, h.path())
	h.must(os.WriteFile(filepath.Join(h.dir, "sessions.json"), []byte(data), 0o600))
}

// write writes the first n bytes that are queued.
func (h *host) write(n int) {
	f, err := os.OpenFile(h.path(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	h.must(err)
	_, err = f.Write(h.queue[:n])
	h.must(err)
	h.must(f.Close())
	h.queue = h.queue[n:]
}

func (h *host) key() string {
	if h.indexed {
		return "agent:main:main"
	}
	return ""
}

// rewrite writes the transcript anew with other content.
func (h *host) rewrite(atomic bool) {
	var lines []string
	lines = append(lines, h.talk.begin(h.id))
	for range rapid.IntRange(0, 6).Draw(h.t, "lines") {
		lines = append(lines, h.talk.next())
	}
	data := []byte(strings.Join(lines, "\n") + "\n")
	h.queue = nil
	if !atomic {
		h.must(os.WriteFile(h.path(), data, 0o600))
		return
	}
	h.must(os.WriteFile(h.path()+".tmp", data, 0o600))
	h.must(os.Rename(h.path()+".tmp", h.path()))
}

// touch changes one letter of a text where the size stays.
func (h *host) touch() {
	data, err := os.ReadFile(h.path())
	h.must(err)
	at := strings.LastIndex(string(data), "long ")
	if at < 0 {
		return
	}
	f, err := os.OpenFile(h.path(), os.O_WRONLY, 0o600)
	h.must(err)
	_, err = f.WriteAt([]byte("song"), int64(at))
	h.must(err)
	h.must(f.Close())
}

// Whatever the host does to its transcripts, what was followed is in the end what a
// cold read gives.
func TestFollowedTranscripts(t *testing.T) {
	t.Parallel()
	base, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		h := &host{
			t: t, dir: filepath.Join(base, fmt.Sprint(n), "agents", "main", "sessions"), indexed: rapid.Bool().Draw(t, "indexed"),
			talk: talk{t: t, at: time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)},
		}
		h.must(os.MkdirAll(h.dir, 0o700))
		h.begin()
		f := follow(t, h.path(), rapidOptions(t))
		if h.indexed {
			h.index()
		}
		check := func() {
			t.Helper()
			f.settle()
			if _, err := os.Stat(h.path()); err != nil || len(h.aside) == 0 && f.last == nil {
				return // it has not begun
			}
			want, err := openclaw.ReadWindows(background, rapidOptions(t), h.key(), append(h.aside[:len(h.aside):len(h.aside)], h.path())...)
			h.must(err)
			if f.look.Waiting == "" {
				sameAsCold(t, f.last, want)
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 15).Draw(t, "step") {
			case 0, 1, 2, 3:
				h.queue = append(h.queue, h.talk.next()+rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n"}).Draw(t, "end")...)
			case 4, 5:
				h.write(rapid.IntRange(0, len(h.queue)).Draw(t, "bytes"))
			case 6, 7:
				h.write(len(h.queue))
			case 8, 9:
				f.lookOnce()
			case 10:
				check()
			case 11:
				h.write(len(h.queue))
				h.rewrite(rapid.Bool().Draw(t, "atomic"))
			case 12:
				h.write(len(h.queue))
				h.touch()
			default: // a reset, of which the host may die in the middle
				if h.write(len(h.queue)); len(h.aside) > 3 || !h.indexed {
					continue
				}
				if h.windows == 1 || rapid.Bool().Draw(t, "look before") {
					check()
				}
				h.queue = append(h.queue, h.talk.next()+"\n"...)
				h.write(rapid.IntRange(0, len(h.queue)).Draw(t, "last bytes"))
				old := h.path()
				if rapid.Bool().Draw(t, "look between") {
					f.lookOnce()
				}
				to := fmt.Sprintf("%s.reset.2026-11-29T09-00-%02dZ", old, h.windows)
				h.must(os.Rename(old, to))
				h.aside = append(h.aside, to)
				if rapid.Bool().Draw(t, "look then") {
					f.lookOnce()
				}
				h.begin()
				h.index()
				if rapid.Bool().Draw(t, "begun") {
					h.write(len(h.queue))
				}
			}
		}
		h.write(len(h.queue))
		check()
		if f.look.Waiting != "" || f.look.Pending != 0 {
			t.Fatalf("all is written, and still it waits: %+v", f.look)
		}
	})
}

// One record in five pieces, cut inside of a character, is there once and never as a
// damaged one.
func TestPartialRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	data := newScript().user("u1", "a").bytes()
	writeFile(t, path, data)
	f := follow(t, path, options(t))
	f.settle()
	line := []byte(`{"type":"message","id":"u2","parentId":"u1","message":{"role":"user","content":"日本語"}}` + "\n")
	cut := strings.Index(string(line), "本") + 1
	for _, to := range []int{1, 20, cut, len(line) - 3} {
		writeFile(t, path, append(data[:len(data):len(data)], line[:to]...))
		f.settle()
		if len(f.last.Turns) != 1 || len(f.last.Skipped) != 0 || len(f.last.Warnings) != 0 || f.look.Pending != to {
			t.Fatalf("%d turns, skipped %v, warnings %v, %d bytes pending of %d", len(f.last.Turns), f.last.Skipped, f.last.Warnings, f.look.Pending, to)
		}
	}
	// A whole record counts, whether its line has an end or not.
	for _, to := range []int{len(line) - 1, len(line)} {
		writeFile(t, path, append(data[:len(data):len(data)], line[:to]...))
		f.settle()
		if len(f.last.Turns) != 2 || f.last.Turns[1].Query != "日本語" || f.look.Pending != 0 {
			t.Fatalf("%d turns, %d bytes pending", len(f.last.Turns), f.look.Pending)
		}
	}
}

// What is not there yet is waited for, and what can be no session is refused.
func TestFollowWaits(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "later", "a.jsonl")
	f := follow(t, path, options(t))
	waits := func(text string) {
		t.Helper()
		if f.lookOnce(); f.last != nil || !strings.Contains(f.look.Waiting, text) {
			t.Errorf("%+v, want to wait because %q", f.look, text)
		}
	}
	waits("there is no file")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	waits("there is no file")
	writeFile(t, path, nil)
	waits("nothing is in")
	writeFile(t, path, []byte(`{"type":"sess`))
	waits("nothing is in")
	writeFile(t, path, newScript().user("u1", "a").bytes())
	if f.settle(); f.last == nil || len(f.last.Turns) != 1 || f.Where() != path {
		t.Errorf("%+v", f.look)
	}

	f = follow(t, dir, options(t))
	if f.settle(); f.last == nil || f.Where() != path {
		t.Errorf("in a folder: %+v", f.look)
	}
	f = follow(t, t.TempDir(), options(t))
	waits("there is no session in")

	other := filepath.Join(dir, "b.json")
	writeFile(t, other, []byte(`{"schema":"pacms.pool/1","candidates":[]}`))
	_, err := follow(t, other, options(t)).Look(background)
	if _, ok := errors.AsType[*openclaw.NotSessionError](err); !ok {
		t.Errorf("a pool: %v", err)
	}
	opt := options(t)
	opt.Session = "another"
	if _, err := follow(t, path, opt).Look(background); err == nil || !strings.Contains(err.Error(), "another") {
		t.Errorf("another session: %v", err)
	}
	if _, err := openclaw.Follow(path, openclaw.Options{}); err == nil {
		t.Error("no counter is no error")
	}
}

// A look says what happened.
func TestFollowTells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	script := newScript().user("u1", "a").agent("a1", "b")
	writeFile(t, path, script.bytes())
	f := follow(t, path, options(t))
	f.settle()
	change := func() {
		t.Helper()
		writeFile(t, path, script.bytes())
		f.settle()
	}
	if f.events != nil {
		t.Errorf("at first: %q", f.events)
	}
	script.compaction("c1", "a1")
	if change(); !f.told("compacted") {
		t.Error("a compaction is not told")
	}
	script.user("u2", "c").agent("a2", "d")
	change()
	script.leaf("l1", "c1").under("c1").user("u3", "e")
	if change(); !f.told("1 turn back") {
		t.Error("a turn that was left is not told")
	}
	script.line("reset", "r1", map[string]any{"reason": "new"})
	if change(); !f.told("reset") {
		t.Error("a reset is not told")
	}
	script = newScript().user("u1", "A")
	if change(); !f.told("written anew") {
		t.Error("a transcript that was written anew is not told")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if f.lookOnce(); !strings.Contains(f.look.Waiting, "gone") || len(f.last.Turns) != 1 {
		t.Errorf("%+v after the transcript was removed", f.look)
	}
}

// A new transcript gets the number of the file that the host wrote anew before it put
// that aside: the number alone says nothing.
func TestNumberOfAFileIsUsedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "agents", "main", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	transcript := func(id, text string, minute int) []byte {
		return fmt.Appendf(nil, `{"type":"session","version":4,"id":%q,"timestamp":"2026-11-29T09:%02d:00Z"}`+"\n"+
			`{"type":"message","id":"u%s","parentId":null,"timestamp":"2026-11-29T09:%02d:01Z","message":{"role":"user","content":%q}}`+"\n", id, minute, id, minute, text)
	}
	a, b, archive := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl"), filepath.Join(dir, "a.jsonl.reset.2026-11-29T09-20-00Z")
	index := func(id string) {
		writeFile(t, filepath.Join(dir, "sessions.json"), fmt.Appendf(nil, `{"agent:main:main":{"sessionId":%q}}`, id))
	}
	index("a")
	writeFile(t, a, transcript("a", "as it was", 10))
	f := follow(t, a, options(t))
	f.settle()
	was, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, archive, transcript("a", "as it was written anew", 10))
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	writeFile(t, b, transcript("b", "after the reset", 20))
	if is, err := os.Stat(b); err != nil || !os.SameFile(was, is) {
		t.Skip("the file system does not use a number again at once")
	}
	index("b")
	f.settle()
	want, err := openclaw.ReadWindows(background, options(t), "agent:main:main", archive, b)
	if err != nil {
		t.Fatal(err)
	}
	sameAsCold(t, f.last, want)
	if !f.told("goes on in a new transcript") {
		t.Error("nobody is told that a new transcript was begun")
	}
}

// Two resets between two looks lose nothing, unless another key began new transcripts
// meanwhile, too: then it is told what may be missing.
func TestTwoResetsBetweenLooks(t *testing.T) {
	for _, othersToo := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "agents", "main", "sessions")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		index := func(own, other string) {
			writeFile(t, filepath.Join(dir, "sessions.json"), fmt.Appendf(nil, `{"agent:main:main":{"sessionId":%q},"agent:main:other":{"sessionId":%q}}`, own, other))
		}
		write := func(name, id string, minute int) {
			text := fmt.Sprintf(`{"type":"session","version":4,"id":%q,"timestamp":"2026-11-29T09:%02d:00Z"}`, id, minute) + "\n" +
				fmt.Sprintf(`{"type":"message","id":"u%s","parentId":null,"timestamp":"2026-11-29T09:%02d:01Z","message":{"role":"user","content":"question of %s"}}`, id, minute, id) + "\n"
			writeFile(t, filepath.Join(dir, name), []byte(text))
		}
		index("a", "x")
		write("a.jsonl", "a", 10)
		write("old.jsonl.reset.2026-11-29T09-05-00Z", "old", 1) // before anybody looked
		f := follow(t, filepath.Join(dir, "a.jsonl"), options(t))
		f.settle()
		if err := os.Rename(filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "a.jsonl.reset.2026-11-29T09-20-00Z")); err != nil {
			t.Fatal(err)
		}
		write("b.jsonl.reset.2026-11-29T09-30-00Z", "b", 20)
		write("c.jsonl", "c", 30)
		want, events := "a b c", "c after b"
		index("c", "x")
		if othersToo {
			want, events = "a c", "b.jsonl.reset.2026-11-29T09-30-00Z may be of this session, too"
			index("c", "y")
		}
		f.settle()
		var ids []string
		for i := range f.last.Turns {
			ids = append(ids, strings.TrimPrefix(f.last.Turns[i].EntryID, "u"))
		}
		if got := strings.Join(ids, " "); got != want || !f.told(events) {
			t.Errorf("others too %v: the turns are %s, want %s with the event %q", othersToo, got, want, events)
		}
	}
}
