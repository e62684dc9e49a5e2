package find_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacms/session/find"
)

// home is a home folder that a test fills.
type home struct {
	t   *testing.T
	dir string
}

func newHome(t *testing.T) *home {
	t.Helper()
	t.Setenv("OPENCLAW_STATE_DIR", "")
	return &home{t, t.TempDir()}
}

func (h *home) path(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h *home) write(name, data string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.path(name), []byte(data), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// transcript is one of so many turns, the last of them said in a minute.
func transcript(id string, turns, minute int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":"session","version":3,"id":%q,"timestamp":"2026-11-29T09:00:00Z"}`+"\n", id)
	for i := range turns {
		fmt.Fprintf(&b, `{"type":"message","id":"u%d","parentId":null,"timestamp":"2026-11-29T09:%02d:00Z","message":{"role":"user","content":"a"}}`+"\n", i, minute)
		fmt.Fprintf(&b, `{"type":"message","id":"a%d","parentId":"u%d","timestamp":"2026-11-29T09:%02d:00Z","message":{"role":"assistant","content":"b"}}`+"\n", i, i, minute)
	}
	return b.String()
}

func (h *home) find() *find.Result {
	h.t.Helper()
	r, err := find.Find(h.t.Context(), find.Options{Home: h.dir})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// list writes what was found, a line a session: its key, state, turns, path and
// the number of other places.
func (h *home) list(r *find.Result) string {
	h.t.Helper()
	var lines []string
	for _, s := range r.Sessions {
		rel, err := filepath.Rel(h.dir, s.Path)
		if err != nil {
			h.t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %d %s +%d", s.Agent, s.Key, s.State, s.Turns, filepath.ToSlash(rel), len(s.Also)))
	}
	return strings.Join(lines, "\n")
}

func TestFind(t *testing.T) {
	h := newHome(t)
	const sessions = ".openclaw/agents/main/sessions/"
	h.write(sessions+"one.jsonl", transcript("one", 3, 50))
	h.write(sessions+"one.checkpoint.0000.jsonl", transcript("one", 2, 40))
	h.write(sessions+"one.jsonl.bak-1-2", transcript("one", 1, 30))
	h.write(sessions+"one.jsonl.lock", "1")
	h.write(sessions+"one.trajectory.jsonl", `{"traceSchema":"openclaw-trajectory","type":"session.started"}`)
	h.write(sessions+"sessions.json", `{"agent:main:main":{"sessionId":"one"}}`)
	h.write(sessions+"two.jsonl.reset.2026-11-29T09-00-00Z", transcript("two", 2, 20))
	h.write(sessions+"three.jsonl.deleted.2026-11-29T09-00-00Z", transcript("three", 1, 10))
	h.write(".openclaw/agents/main/session-sqlite-import-archive/agent_main_old.four.jsonl.imported-1", transcript("four", 1, 9))
	h.write(".openclaw/agents/helper/sessions/five.jsonl", transcript("five", 1, 8))
	h.write(".openclaw-dev/agents/main/sessions/six.jsonl", transcript("six", 1, 7))
	h.write(".moltbot/agents/main/sessions/seven.jsonl", transcript("seven", 1, 6))
	h.write(".clawdbot/agents/main/sessions/one.jsonl", transcript("one", 1, 5))
	h.write(".openclawrc/agents/main/sessions/eight.jsonl", transcript("eight", 1, 4))

	r := h.find()
	want := strings.TrimSpace(`
main agent:main:main current 3 .openclaw/agents/main/sessions/one.jsonl +3
main two reset 2 .openclaw/agents/main/sessions/two.jsonl.reset.2026-11-29T09-00-00Z +0
main three deleted 1 .openclaw/agents/main/sessions/three.jsonl.deleted.2026-11-29T09-00-00Z +0
main four imported 1 .openclaw/agents/main/session-sqlite-import-archive/agent_main_old.four.jsonl.imported-1 +0
helper five current 1 .openclaw/agents/helper/sessions/five.jsonl +0
main six current 1 .openclaw-dev/agents/main/sessions/six.jsonl +0
main seven current 1 .moltbot/agents/main/sessions/seven.jsonl +0`)
	if got := h.list(r); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	var names []string
	for _, p := range r.Places {
		names = append(names, fmt.Sprintf("%s %d %s", p.Name, p.Stored, p.Why))
		if len(p.Unread) > 0 {
			t.Errorf("%s: not read: %+v", p.Name, p.Unread)
		}
	}
	if got := strings.Join(names, ", "); got != "OpenClaw 7 , OpenClaw, profile dev 1 , Moltbot 1 , Clawdbot 1 " {
		t.Errorf("places %q", got)
	}
	if first := r.Sessions[0].First; first != "a" {
		t.Errorf("the newest began with %q", first)
	}
	if last := r.Sessions[0].Last.Format("15:04"); last != "09:50" {
		t.Errorf("the newest was used at %s", last)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// Where there is nothing the result says why.
func TestWhyNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		fill func(*home)
		want string
	}{
		"no folder": {func(*home) {}, "there is no such folder"},
		"no agents": {func(h *home) { h.write(".openclaw/openclaw.json", "{}") }, "it has no agents"},
		"an empty agents folder": {func(h *home) {
			h.write(".openclaw/agents/notes.txt", "")
		}, "it has no agents"},
		"no sessions":    {func(h *home) { h.write(".openclaw/agents/main/sessions/sessions.json", "{}") }, "its agents (1) have no sessions yet"},
		"nothing usable": {func(h *home) { h.write(".openclaw/agents/main/sessions/x.jsonl", "hello") }, "none of its files could be read"},
		"a file":         {func(h *home) { h.write(".openclaw", "") }, "not a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			tc.fill(h)
			r := h.find()
			if len(r.Sessions) != 0 || len(r.Places) != 1 || !strings.Contains(r.Places[0].Why, tc.want) {
				t.Errorf("%d sessions, places %+v", len(r.Sessions), r.Places)
			}
		})
	}
}

// A file that is no session is named with what it is.
func TestUnread(t *testing.T) {
	h := newHome(t)
	h.write(".openclaw/agents/main/sessions/a.jsonl", transcript("a", 1, 1))
	h.write(".openclaw/agents/main/sessions/b.jsonl", "")
	h.write(".openclaw/agents/main/sessions/c.jsonl.zst", "\x28\xb5\x2f\xfd")
	h.write(".openclaw/agents/main/agent/openclaw-agent.sqlite", "SQLite format 3\x00 no more")
	dangling := h.path(".openclaw/agents/main/sessions/d.jsonl")
	if err := os.Symlink(h.path("gone"), dangling); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	r := h.find()
	var causes []string
	for _, u := range r.Places[0].Unread {
		causes = append(causes, filepath.Base(u.Path)+": "+u.Cause)
	}
	slices.Sort(causes)
	got := strings.Join(causes, "\n")
	for _, want := range []string{"b.jsonl: this is an empty file", "c.jsonl.zst: this is a file compressed with zstd", "d.jsonl: it is a link to what is not there", "openclaw-agent.sqlite: read database: "} {
		if !strings.Contains(got, want) || strings.Contains(got, h.dir) {
			t.Errorf("%s\nlacks %q, or has a path", got, want)
		}
	}
	if len(r.Sessions) != 1 || len(causes) != 4 || r.Places[0].Why != "" {
		t.Errorf("%d sessions, %s", len(r.Sessions), got)
	}
}

func TestStateDir(t *testing.T) {
	h := newHome(t)
	h.write("elsewhere/agents/main/sessions/a.jsonl", transcript("a", 1, 1))
	h.write(".openclaw/agents/main/sessions/b.jsonl", transcript("b", 1, 2))
	for name, opt := range map[string]find.Options{
		"as an option": {Home: h.dir, StateDir: h.path("elsewhere")},
		"with a tilde": {Home: h.dir, StateDir: "~/elsewhere/"},
		"set":          {Home: h.dir},
	} {
		if name == "set" {
			t.Setenv("OPENCLAW_STATE_DIR", h.path("elsewhere"))
		}
		r, err := find.Find(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sessions) != 2 || r.Places[0].Name != "OPENCLAW_STATE_DIR" || r.Places[0].Stored != 1 {
			t.Errorf("%s: %d sessions, places %+v", name, len(r.Sessions), r.Places)
		}
	}
}

// A folder that stands in two names is looked at once.
func TestLinkedBrand(t *testing.T) {
	h := newHome(t)
	h.write(".openclaw/agents/main/sessions/a.jsonl", transcript("a", 1, 1))
	if err := os.Symlink(h.path(".openclaw"), h.path(".clawdbot")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if r := h.find(); len(r.Places) != 1 || len(r.Sessions) != 1 || len(r.Sessions[0].Also) != 0 {
		t.Errorf("places %+v, sessions %+v", r.Places, r.Sessions)
	}
}

func TestManyFiles(t *testing.T) {
	h := newHome(t)
	for i := range 2100 {
		h.write(fmt.Sprintf(".openclaw/agents/main/sessions/%04d.jsonl", i), transcript(fmt.Sprint(i), 1, 1))
	}
	r := h.find()
	if u := r.Places[0].Unread; len(r.Sessions) != 2000 || len(u) != 1 || !strings.Contains(u[0].Cause, "only 2000") {
		t.Errorf("%d sessions, %+v", len(r.Sessions), u)
	}
}

func TestCancelled(t *testing.T) {
	h := newHome(t)
	h.write(".openclaw/agents/main/sessions/a.jsonl", transcript("a", 1, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := find.Find(ctx, find.Options{Home: h.dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
