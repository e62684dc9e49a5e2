package cmd

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacms/session"
	"pacms/session/files"
	"pacms/session/openclaw"
)

// exchange is a question and its answer as a host stores them.
func exchange(n int) string {
	const line = `{"type":"message","id":"%s%d","parentId":%s,"timestamp":"2026-11-29T09:%02d:%02dZ","message":{"role":"%s","content":"%s %d"}}` + "\n"
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"a%d"`, n-1)
	}
	return fmt.Sprintf(line, "u", n, parent, n, 0, "user", "question", n) +
		fmt.Sprintf(line, "a", n, fmt.Sprintf(`"u%d"`, n), n, 1, "assistant", "answer", n)
}

const followedHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-11-29T09:00:00Z"}` + "\n"

// Turns are printed as they come, each once, also where they come in pieces and in a
// transcript that follows another.
func TestTailPrintsTurnsAsTheyCome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	write := func(name, text string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("sessions.json", `{"agent:main:main":{"sessionId":"s"}}`)
	out, printed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	ended := make(chan error, 1)
	go func() {
		defer printed.Close()
		ended <- run(t.Context(), []string{"tail", path, "--turns", "4"}, streams{in: null, out: printed, err: said})
	}()
	lines := bufio.NewScanner(out)
	next := func(want string) {
		t.Helper()
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("printed %q, want %q", lines.Text(), want)
		}
	}
	write("s.jsonl", followedHeader+exchange(1))
	next("turn 1: pacms would keep 0 of 0 items")
	second := exchange(2)
	write("s.jsonl", second[:30])
	write("s.jsonl", second[30:])
	next("turn 2: ")
	write("s.jsonl", exchange(3))
	next("turn 3: ")
	if err := os.Rename(path, path+".reset.2026-11-29T10-00-00Z"); err != nil {
		t.Fatal(err)
	}
	write("t.jsonl", strings.Replace(followedHeader, `"s"`, `"t"`, 1)+exchange(4))
	if err := os.WriteFile(filepath.Join(dir, "sessions.json"), []byte(`{"agent:main:main":{"sessionId":"t"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	next("turn 4: pacms would keep 0 of 0 items")
	write("t.jsonl", exchange(5))
	next("turn 5: ")
	if lines.Scan() {
		t.Errorf("printed %q after the end", lines.Text())
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(said.Name())
	if err != nil {
		t.Fatal(err)
	}
	if want := "a new transcript: t after s"; !strings.Contains(string(text), want) {
		t.Errorf("said %q, want %q", text, want)
	}
}

// inOrder is a source that gives some looks, each as soon as the one before was given.
type inOrder struct {
	t     *testing.T
	looks []openclaw.Look
}

func (s *inOrder) Look(context.Context) (openclaw.Look, error) {
	if len(s.looks) > 1 {
		defer func() { s.looks = s.looks[1:] }()
	}
	return s.looks[0], nil
}

// Folders are new ones as long as there is more to see, so that it is looked at again.
func (s *inOrder) Folders() []string {
	if len(s.looks) > 1 {
		return []string{s.t.TempDir()}
	}
	return nil
}

// What is waited for is told once, however much comes that is not it.
func TestTailTellsOnceWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	var looks []openclaw.Look
	for pending := range 50 {
		looks = append(looks, openclaw.Look{Session: new(session.Session), Pending: pending})
	}
	asked := &session.Session{Turns: []session.Turn{{Branch: session.BranchActive}}}
	tailed := &tailed{from: &inOrder{t, append(looks, openclaw.Look{Session: asked})}}
	var told []string
	s, err := tailed.begin(t.Context(), func(why string) { told = append(told, why) })
	if err != nil || len(s.Turns) != 1 || len(told) > 1 || len(told) == 1 && told[0] != looks[0].Session.WhyNoPool() {
		t.Errorf("told %q, %v", told, err)
	}
}

// --for ends also a command that has nothing to show, and says what is missing.
func TestTailEndsWithNothingToShow(t *testing.T) {
	t.Parallel()
	begun := filepath.Join(t.TempDir(), "begun.jsonl")
	if err := os.WriteFile(begun, []byte(`{"type":"session","version":3,"id":"s","timestamp":"2026-09-01T10:00:00.000Z"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, missing := range map[string]string{filepath.Join(t.TempDir(), "none.jsonl"): "there is no file", begun: "nobody asked anything"} {
		for _, format := range []string{"--plain", "--jsonl", "--json"} {
			out, err := os.Create(filepath.Join(t.TempDir(), "out"))
			if err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			code := report(&said, run(t.Context(), []string{"tail", path, format, "--for", "20ms"}, streams{out: out, err: out}))
			out.Close()
			printed, err := files.Read(out.Name(), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			want := "nothing to show has come within 20ms: "
			if _, why, _ := strings.Cut(said.String(), want); code != exitFailure || !strings.Contains(why, missing) || strings.Count(string(printed), "\n") != 1 {
				t.Errorf("%s of %s exits with %d: %s%s", format, filepath.Base(path), code, printed, &said)
			}
		}
	}
}

// All of a document is what replay prints of the same store.
func TestTailDocumentIsThatOfReplay(t *testing.T) {
	t.Parallel()
	const path = "../testdata/openclaw/2026.9.6-edge.jsonl"
	strip := func(data []byte) string {
		text := string(data)
		for _, name := range []string{`"embed":`, `"select":`} {
			parts := strings.Split(text, name)
			for i := range parts[1:] {
				parts[i+1] = strings.TrimLeft(parts[i+1], "0123456789.e-")
			}
			text = strings.Join(parts, name)
		}
		return text
	}
	cold := strip(output(t, "replay", path, "--json", "--no-state"))
	if got := strip(output(t, "tail", path, "--json", "--for", "1ms")); got != cold {
		t.Errorf("tail prints %d bytes, replay %d", len(got), len(cold))
	}
	turns := strip(output(t, "replay", path, "--jsonl", "--turn", "10"))
	if got := strip(output(t, "tail", path, "--jsonl", "--for", "1ms")); got != turns {
		t.Errorf("tail prints\n%s\nreplay\n%s", got, turns)
	}
}
