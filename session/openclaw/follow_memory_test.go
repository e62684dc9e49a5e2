//go:build cgo

package openclaw_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/sessiontest"
)

// inUse is how many bytes are in use while v is.
func inUse(v any) int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what has finalizers goes with the second
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(v)
	return int64(m.HeapAlloc)
}

// A session that was followed message by message takes about as much memory as one
// that was read at once: neither looks nor sessions that were overtaken add up.
func TestFollowedMemory(t *testing.T) {
	const turns, looks = 1700, 40 // 5,100 messages
	data := sessiontest.JSONL(turns)
	lines := bytes.SplitAfter(data, []byte("\n"))
	lines = lines[:len(lines)-1]
	for _, store := range []string{"transcript", "database"} {
		t.Run(store, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			add := func(lines [][]byte) {
				f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if _, err := f.Write(bytes.Join(lines, nil)); err != nil {
					t.Fatal(err)
				}
			}
			if store == "database" {
				path = filepath.Join(filepath.Dir(path), "openclaw-agent.sqlite")
				g := newGateway(t, path)
				defer g.stop()
				g.id = "s"
				add = func(lines [][]byte) {
					g.exec("BEGIN")
					for _, line := range lines {
						g.add(string(bytes.TrimSpace(line)))
					}
					g.exec("COMMIT")
				}
			}
			before := inUse(nil)
			f := follow(t, path, options(t))
			// The last looks find a line each.
			for k := range looks {
				n := (len(lines) - looks) / looks
				from := k * n
				to := from + n
				if k == looks-1 {
					to = len(lines) - looks
				}
				add(lines[from:to])
				f.lookOnce()
			}
			for _, line := range lines[len(lines)-looks:] {
				add([][]byte{line})
				f.lookOnce()
			}
			followed := inUse(f) - before
			if len(f.last.Turns) != turns {
				t.Fatalf("%d turns of %d", len(f.last.Turns), turns)
			}
			f.Follower, f.last = nil, nil
			before = inUse(nil)
			var s *session.Session
			s, err := openclaw.Open(t.Context(), path, options(t))
			if err != nil {
				t.Fatal(err)
			}
			cold := inUse(s) - before
			t.Logf("followed %d kB, read at once %d kB", followed>>10, cold>>10)
			// The follower keeps what was decoded beside the session made of it.
			if followed > cold*2 {
				t.Errorf("followed %d kB, read at once %d kB", followed>>10, cold>>10)
			}
		})
	}
}
