//go:build cgo

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// childPath is the variable that makes the test binary a process that writes captures
// to the file it names, and childFrom the turn of its first.
const (
	childPath = "PACMS_TEST_CAPTURES_PATH"
	childFrom = "PACMS_TEST_CAPTURES_FROM"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := writeForever(path, os.Getenv(childFrom)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// killedOptions make a store that also removes captures while it is killed.
var killedOptions = Options{MaxBytes: 600_000}

// writeForever stores captures, a few at a time, and prints how far it is once they
// count as written, until nobody reads that any more.
func writeForever(path, first string) error {
	turn, err := strconv.Atoi(first)
	if err != nil {
		return fmt.Errorf("%s: %w", childFrom, err)
	}
	ctx := context.Background()
	s, err := Open(ctx, path, killedOptions)
	if err != nil {
		return err
	}
	for {
		for range 3 {
			if !s.Record(simple(turn, 20+turn%50)) {
				return fmt.Errorf("dropped: %+v", s.Stats())
			}
			turn++
		}
		if err := s.Flush(ctx); err != nil {
			return err
		}
		if st := s.Stats(); st.Lost() != 0 {
			return fmt.Errorf("lost: %+v", st)
		}
		if _, err := fmt.Println(turn - 1); err != nil {
			return s.Close(ctx)
		}
	}
}

// A process that is killed at any moment leaves a file that opens, is sound, and has
// every capture that counted as written, but for the oldest, which it removes itself.
func TestKilled(t *testing.T) {
	t.Parallel()
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	path := filepath.Join(t.TempDir(), "c.sqlite")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	last, written := 0, 0
	for round := range rounds {
		child := exec.Command(exe)
		child.Env = append(os.Environ(), childPath+"="+path, childFrom+"="+strconv.Itoa(last+1))
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		number := func() {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatalf("round %d: the child said %q", round, lines.Text())
			}
			last = max(last, n)
		}
		before := last
		for range round % 6 { // some while it has begun, some before
			if lines.Scan() {
				number()
			}
		}
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond) // at any moment of a write
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			number()
		}
		_ = child.Wait() // it was killed
		written += last - before
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			continue // it had not come so far
		}
		integrity(t, path)
		if last == 0 {
			continue
		}
		list := stored(t, path)
		turns := make(map[int]bool)
		for _, c := range list {
			turns[c.Turn] = true
			same(t, c, simple(c.Turn, 20+c.Turn%50))
		}
		if !turns[last] {
			t.Fatalf("round %d: turn %d counted as written and is not there", round, last)
		}
		for turn := list[0].Turn; turn <= last; turn++ {
			if !turns[turn] {
				t.Fatalf("round %d: turn %d of %d to %d is missing", round, turn, list[0].Turn, last)
			}
		}
		checkItems(t, path, reading(t, path))
		// What came after what it told may be there; the next goes on behind it.
		last = max(last, list[len(list)-1].Turn)
	}
	if written == 0 {
		t.Error("nothing was ever written")
	}
	t.Logf("%d captures were written in %d lives", written, rounds)
	s := open(t, path, Options{})
	hand(t, s, simple(last+1, 3))
	shut(t, s)
}
