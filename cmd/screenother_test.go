package cmd

import (
	"path/filepath"
	"strings"
	"testing"

	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/token"
	"pacms/testdata"
	"pacms/tui"
)

// A side of the comparison on the screen is the session on screen where nothing else
// is asked for, and everything else is opened once.
func TestOthers(t *testing.T) {
	story, err := testdata.LoadStory()
	if err != nil {
		t.Fatal(err)
	}
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	own, builtin := &session.Session{Tokenizer: "openclaw"}, &embedding{Embedder: embed.NewBuiltin()}
	o := &others{
		src: demoSource(story), plan: &plan{counter: counter, embedder: embedBuiltin},
		own:       func() (*session.Session, *embedding) { return own, builtin },
		embedders: make(map[string]*embedding), sessions: make(map[[2]string]*session.Session),
	}
	defer o.close(func(text string) { t.Error(text) })
	progress := func(string, int64, int64) {}
	if s, _, err := o.open(t.Context(), tui.Place{}, progress); err != nil || s != own {
		t.Errorf("the session on screen is opened again: %v", err)
	}
	exact, _, err := o.open(t.Context(), tui.Place{Counter: "o200k"}, progress)
	if err != nil {
		t.Fatal(err)
	}
	if exact.Tokenizer != "o200k" || exact.Estimated {
		t.Errorf("it is counted by %s", exact.Tokenizer)
	}
	if again, _, err := o.open(t.Context(), tui.Place{Counter: "o200k"}, progress); err != nil || again != exact {
		t.Errorf("it is read again: %v", err)
	}
	for _, wrong := range []struct {
		place tui.Place
		says  string
	}{
		{tui.Place{Path: filepath.Join(t.TempDir(), "no.jsonl")}, "there is no file"},
		{tui.Place{Embedder: "ollame"}, "what compares the texts cannot be"},
		{tui.Place{Counter: "o201k"}, "no counter"},
	} {
		if _, _, err := o.open(t.Context(), wrong.place, progress); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%+v gives %v, not %q", wrong.place, err, wrong.says)
		}
	}
}
