// Bench measures the selector beside what others would use and prints ratios:
// OpenBLAS for the Gram matrix, a vectorised numpy CELF for the facility location,
// LangChain's loop for maximal marginal relevance. Start it with run.sh, which
// installs them and gives each side one thread.
//
// Both sides of a line take turns in the same run, and the fastest of each counts,
// which other work on the machine disturbed least. Where they solve the same
// problem their answers are compared first.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"time"

	"pacms/selector"
)

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := measure(ctx, only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bench is one run of the measurements.
type bench struct {
	folder string // for vectors
	peer   *peer
}

// comparison is one line of the result.
type comparison struct {
	name string
	// least is the ratio that is wanted, of the other side's time to ours; 0 where
	// the line is only for information.
	least float64
	run   func(ctx context.Context, b *bench) (times, error)
}

// times are the fastest time of each side.
type times struct {
	ours, theirs time.Duration
	note         string
}

func measure(ctx context.Context, only string) (err error) {
	b := &bench{}
	if b.folder, err = os.MkdirTemp("", "pacms-bench-"); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { err = orFirst(err, os.RemoveAll(b.folder)) }()
	if b.peer, err = startPeer(ctx); err != nil {
		return err
	}
	defer func() { err = orFirst(err, b.peer.close()) }()
	fmt.Printf("%-58s %12s %12s %9s %8s\n", "", "ours", "theirs", "ratio", "wanted")
	for _, c := range comparisons {
		if !strings.HasPrefix(c.name, only) {
			continue
		}
		t, err := c.run(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		ratio := float64(t.theirs) / float64(t.ours)
		verdict := ""
		if ratio < c.least {
			verdict = "  not reached"
		}
		wanted := "-"
		if c.least > 0 {
			wanted = fmt.Sprintf("%gx", c.least)
		}
		fmt.Printf("%-58s %12s %12s %8.2fx %8s%s\n", c.name, t.ours.Round(time.Microsecond), t.theirs.Round(time.Microsecond), ratio, wanted, verdict)
		if t.note != "" {
			fmt.Println("    " + t.note)
		}
	}
	return nil
}

func orFirst(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// rounds is how often both sides of a line take turns.
const rounds = 5

// inTurns lets both sides work in turns and returns the fastest time of each.
func inTurns(n int, ours func() (time.Duration, error), theirs func() (time.Duration, error)) (times, error) {
	t := times{ours: math.MaxInt64, theirs: math.MaxInt64}
	for range n {
		for _, side := range []struct {
			least *time.Duration
			work  func() (time.Duration, error)
		}{{&t.ours, ours}, {&t.theirs, theirs}} {
			took, err := side.work()
			if err != nil {
				return t, err
			}
			*side.least = min(*side.least, took)
		}
	}
	return t, nil
}

// twice does the work twice in a row, and gives the shorter time.
func twice(work func() (time.Duration, error)) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		first, err := work()
		if err != nil {
			return first, err
		}
		second, err := work()
		return min(first, second), err
	}
}

// timed is the time that work takes.
func timed(work func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		start := time.Now()
		err := work()
		return time.Since(start), err
	}
}

func strategy(name string) selector.Strategy {
	s, err := selector.ParseStrategy(name)
	if err != nil {
		panic(err) // the names are written here
	}
	return s
}
