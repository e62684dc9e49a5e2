//go:build linux

// Speed measures the program as a person meets it, in a pseudo-terminal. Start it
// with run.sh.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

// turns offer the last of them 4,998 candidates.
const turns = 2500

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := measure(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context) error {
	if len(os.Args) < 3 {
		return errors.New("speed: usage: speed PROGRAM FOLDER [live]")
	}
	program, folder := os.Args[1], os.Args[2]
	session := filepath.Join(folder, "session.jsonl")
	if err := os.WriteFile(session, conversation(turns), 0o600); err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	home := filepath.Join(folder, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	if len(os.Args) > 3 && os.Args[3] == "live" {
		return live(ctx, program, home, folder)
	}
	for _, when := range []string{"first", "again"} {
		s, err := open(ctx, program, home, "replay", session)
		if err != nil {
			return err
		}
		at, err := s.until("would keep")
		if err != nil {
			return err
		}
		n, _ := s.drawn()
		first, _ := s.frame(0)
		fmt.Printf("start, %-24s first frame %6.0f ms, first picture %6.0f ms (frame %d)\n", when, ms(first.Sub(s.begun)), ms(at.Sub(s.begun)), n)
		if when == "again" {
			if err := use(s); err != nil {
				return err
			}
		}
		memory, err := s.close()
		if err != nil {
			return err
		}
		fmt.Printf("largest resident set            %6.0f MB\n", float64(memory)/1e6)
	}
	return live(ctx, program, home, folder)
}

// use works with a session that is on screen.
func use(s *screen) error {
	if err := drag(s, "drag while texts are embedded"); err != nil {
		return err
	}
	s.rest(quiet)
	if err := drag(s, "drag at rest"); err != nil {
		return err
	}
	s.rest(quiet)
	for _, keys := range []struct {
		what string
		keys []string
		n    int
	}{
		{"the cursor", []string{"h", "h", "k", "l", "j"}, 200},
		{"the budget by a percent", []string{"_", "*"}, 40},
		{"another strategy", []string{"2", "3", "4", "2", "5", "3"}, 30},
	} {
		var took []time.Duration
		for i := range keys.n {
			t, drawn, err := s.press(keys.keys[i%len(keys.keys)])
			if err != nil {
				return err
			}
			if drawn {
				took = append(took, t)
			}
			s.rest(pause)
		}
		if len(took) == 0 {
			return fmt.Errorf("speed: %s: nothing is drawn", keys.what)
		}
		slices.Sort(took)
		fmt.Printf("key to frame, %-18s median %5.1f ms, p95 %5.1f ms, slowest %5.1f ms (%d of %d keys)\n", keys.what,
			ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms(took[len(took)-1]), len(took), keys.n)
	}
	return nil
}

// frameTime is the time between two frames that the program draws at most.
const frameTime = time.Second / 60

// drag pulls the handle across the whole bar, with more motions than there can be
// frames, and counts those.
func drag(s *screen, what string) error {
	y := s.row("◆")
	if y < 0 {
		return errors.New("speed: the screen shows no handle")
	}
	mouse := func(button, x int, end string) error {
		return s.send(fmt.Sprintf("\x1b[<%d;%d;%d%s", button, x+1, y+1, end))
	}
	if err := mouse(0, 1, "M"); err != nil {
		return err
	}
	before, _ := s.drawn()
	start := time.Now()
	for x := 2; x < width-2; x++ {
		if err := mouse(32, x, "M"); err != nil {
			return err
		}
		time.Sleep(8 * time.Millisecond)
	}
	took := time.Since(start)
	after, _ := s.drawn()
	if err := mouse(0, width-3, "m"); err != nil {
		return err
	}
	longest := time.Duration(0)
	for n := before + 1; n < after; n++ {
		last, _ := s.frame(n - 1)
		this, _ := s.frame(n)
		longest = max(longest, this.Sub(last))
	}
	fmt.Printf("%-31s %d frames of %d possible, longest time between two %.1f ms\n", what, after-before, int(took/frameTime), ms(longest))
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
