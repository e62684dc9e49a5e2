package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pacms/session"
	"pacms/session/find"
	"pacms/session/openclaw"
	"pacms/session/token"
)

// scripted is a source that gives one look after another, then nothing new.
type scripted struct {
	looks []openclaw.Look
	errs  []error
	times []time.Duration // when it was looked at
	begun time.Time
	dirs  []string
}

func (s *scripted) Look(context.Context) (look openclaw.Look, err error) {
	s.times = append(s.times, time.Since(s.begun))
	n := len(s.times) - 1
	if n < len(s.looks) {
		look = s.looks[n]
	}
	if n < len(s.errs) {
		err = s.errs[n]
	}
	return look, err
}

func (s *scripted) Folders() []string { return s.dirs }

// bell is a watch that a test rings.
type bell struct {
	rings   chan struct{}
	watched []string
	closed  bool
}

func (b *bell) over(dirs []string) bool {
	more := !slices.Equal(dirs, b.watched)
	b.watched = slices.Clone(dirs)
	return more
}
func (b *bell) changed() <-chan struct{} { return b.rings }
func (b *bell) close()                   { b.closed = true }

// during follows src while f runs, in a time of its own.
func during(t *testing.T, src *scripted, f func(*testing.T, *Following, *bell)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := &bell{rings: make(chan struct{}, 1)}
		src.begun = time.Now()
		f(t, follow(ctx, src, b), b)
		cancel()
		synctest.Wait()
		if !b.closed {
			t.Error("the watch is still there")
		}
	})
}

func next(t *testing.T, f *Following) News {
	t.Helper()
	n, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A change is looked at when it is told of, and within a second when it is not.
func TestWhenItLooks(t *testing.T) {
	src := &scripted{}
	during(t, src, func(_ *testing.T, _ *Following, b *bell) {
		time.Sleep(300 * time.Millisecond)
		b.rings <- struct{}{}
		time.Sleep(1900 * time.Millisecond)
		synctest.Wait()
	})
	want := []time.Duration{0, 300 * time.Millisecond, 1300 * time.Millisecond}
	if !slices.Equal(src.times, want) {
		t.Errorf("looked at %v, want %v", src.times, want)
	}
}

// Of a burst the newest session is given, with all that happened meanwhile.
func TestNewestWins(t *testing.T) {
	first, second := &session.Session{Key: "1"}, &session.Session{Key: "2"}
	src := &scripted{looks: []openclaw.Look{
		{Session: first, Events: []string{"a"}},
		{Session: second, Events: []string{"b"}},
		{Waiting: "it is gone", Pending: 3},
	}}
	during(t, src, func(t *testing.T, f *Following, _ *bell) {
		time.Sleep(5 * time.Second)
		n := next(t, f)
		if n.Session != second || strings.Join(n.Events, "") != "ab" || n.State != Live {
			t.Errorf("%+v", n)
		}
	})
	if len(src.times) > 7 {
		t.Errorf("looked at %v", src.times)
	}
}

// What keeps a session from being read is news, once, and is tried again soon.
func TestTrouble(t *testing.T) {
	src := &scripted{
		looks: []openclaw.Look{{}, {}, {Session: &session.Session{}}, {}, {Waiting: "gone"}},
		errs:  []error{openclaw.ErrBusy, openclaw.ErrBusy, nil, errors.New("a disk that fails")},
	}
	during(t, src, func(t *testing.T, f *Following, _ *bell) {
		for _, want := range []News{
			{State: Busy, Note: "the store is busy, it is tried again"},
			{State: Live},
			{State: Failing, Note: "a disk that fails"},
			{State: Waiting, Note: "gone"},
			{State: Live},
		} {
			n := next(t, f)
			if n.State != want.State || n.Note != want.Note {
				t.Errorf("%+v, want %+v", n, want)
			}
		}
		if src.times[2] != 2*retryEvery {
			t.Errorf("looked at %v", src.times)
		}
	})
}

// What is no session ends it.
func TestNoSession(t *testing.T) {
	src := &scripted{errs: []error{&openclaw.NotSessionError{Path: "x", What: "a text"}}}
	during(t, src, func(t *testing.T, f *Following, _ *bell) {
		_, err := f.Next(t.Context())
		if _, ok := errors.AsType[*openclaw.NotSessionError](err); !ok {
			t.Errorf("%v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Next(ctx); err == nil {
			t.Error("no error after the end")
		}
	})
}

// A folder that is watched from a look on is looked at once more.
func TestNewFolder(t *testing.T) {
	src := &scripted{}
	during(t, src, func(_ *testing.T, _ *Following, b *bell) {
		synctest.Wait()
		src.dirs = []string{"a"}
		b.rings <- struct{}{}
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		if len(src.times) != 3 || !slices.Equal(b.watched, src.dirs) {
			t.Errorf("looked at %v, watched %v", src.times, b.watched)
		}
	})
}

const line = `{"type":"message","id":"u1","message":{"role":"user","content":"a"}}` + "\n"

func counter(t *testing.T) openclaw.Options {
	t.Helper()
	c, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	return openclaw.Options{Counter: c}
}

// The system tells of what is written, also into folders that are new and by files
// that take the place of others.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	w := newWatch()
	defer w.close()
	if _, none := w.(noWatch); none {
		t.Skip("this system has no watch to give")
	}
	if !w.over([]string{dir, filepath.Join(dir, "not there")}) || w.over([]string{dir}) {
		t.Error("what is watched anew is not told")
	}
	rings := func(what string, change func() error) {
		t.Helper()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-w.changed():
		case <-t.Context().Done():
		case <-time.After(30 * time.Second):
			t.Errorf("%s is not told", what)
		}
	}
	path := filepath.Join(dir, "a")
	rings("a new file", func() error { return os.WriteFile(path, nil, 0o600) })
	rings("a change", func() error { return os.WriteFile(path, []byte("x"), 0o600) })
	rings("a new name", func() error { return os.Rename(path, path+"2") })
	if w.over(nil) {
		t.Error("nothing is watched anew")
	}
}

// Without a name the session that was used last is followed, or the first that comes.
func TestNewest(t *testing.T) {
	home := t.TempDir()
	n := &newest{opt: counter(t), where: find.Options{Home: home}}
	look := func() openclaw.Look {
		t.Helper()
		l, err := n.Look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	if l := look(); !strings.Contains(l.Waiting, "no session") || len(n.Folders()) != 0 {
		t.Errorf("%+v in %v", l, n.Folders())
	}
	sessions := filepath.Join(home, ".openclaw", "agents", "main", "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	look()
	if len(n.Folders()) != 2 {
		t.Errorf("watches %v", n.Folders())
	}
	for name, id := range map[string]string{"x.jsonl": "x", "y.jsonl.reset.2026-11-29T09-00-00Z": "y"} {
		if err := os.WriteFile(filepath.Join(sessions, name), []byte(`{"type":"session","id":"`+id+`"}`+"\n"+line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := look()
	if l.Session == nil || len(l.Events) != 1 || !strings.Contains(l.Events[0], "following x in") || !slices.Contains(n.Folders(), sessions) {
		t.Errorf("%+v in %v", l, n.Folders())
	}
}
