package find_test

import (
	"os"
	"strings"
	"testing"

	"pacms/session/find"
)

// What lies behind several names is there once, by the name that is no link.
func TestFindAliases(t *testing.T) {
	h := newHome(t)
	h.write(".openclaw/agents/main/sessions/one.jsonl", transcript("one", 2, 50))
	h.write(".clawdbot/agents/other/sessions/two.jsonl", transcript("two", 1, 40))
	for name, target := range map[string]string{
		".openclaw/agents/alias":                       "main",
		".openclaw/agents/zulu":                        h.path(".openclaw/agents/main"),
		".openclaw/agents/main/sessions/another.jsonl": "one.jsonl",
		".clawdbot/agents/main":                        h.path(".openclaw/agents/main"),
	} {
		if err := os.Symlink(target, h.path(name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	r := h.find()
	want := "main one current 2 .openclaw/agents/main/sessions/one.jsonl +0\nother two current 1 .clawdbot/agents/other/sessions/two.jsonl +0"
	if got := h.list(r); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	for _, p := range r.Places {
		if p.Stored != 1 || len(p.Unread) > 0 {
			t.Errorf("%s: %d stored, not read: %v", p.Name, p.Stored, p.Unread)
		}
	}
}

// Without a home folder it says what to do, or looks where it is told to.
func TestFindWithoutHome(t *testing.T) {
	h := newHome(t)
	h.write("state/agents/main/sessions/one.jsonl", transcript("one", 1, 50))
	for _, name := range []string{"HOME", "USERPROFILE", "home"} {
		t.Setenv(name, "")
	}
	_, err := find.Find(t.Context(), find.Options{})
	if err == nil || !strings.Contains(err.Error(), "set it to your home folder, or OPENCLAW_STATE_DIR") {
		t.Errorf("without a home: %v", err)
	}
	t.Setenv("OPENCLAW_STATE_DIR", h.path("state"))
	r, err := find.Find(t.Context(), find.Options{})
	if err != nil || len(r.Places) != 1 || len(r.Sessions) != 1 {
		t.Errorf("with a state folder: %+v, %v", r, err)
	}
}
