// Load measures how a service answers under load, and what the load does to it: a
// steady rate of pools of sessions that grow, and beside them a pool of 16 MiB, a pool
// of 5,000 candidates and a client that sends slowly. Start it with run.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"
)

func main() {
	rate := flag.Int("rate", 50, "requests a second")
	items := flag.Int("items", 500, "candidates of a pool")
	sessions := flag.Int("sessions", 8, "sessions that they belong to")
	long := flag.Duration("for", time.Minute, "how long each part takes")
	strict := flag.Bool("strict", false, "fail where a request is told to come again later, too")
	most := flag.Float64("ratio", 0, "fail where the median beside large pools is this many times that without; 0: never")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := errors.New("load: usage: load [flags] PROGRAM FOLDER")
	if flag.NArg() == 2 {
		err = measure(ctx, flag.Arg(0), flag.Arg(1), plan{*rate, *items, *sessions, *long, *most, *strict})
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// plan is what to send.
type plan struct {
	rate, items, sessions int
	long                  time.Duration
	ratio                 float64
	strict                bool
}

// measure runs the program with its state in a folder, and sends what the plan says:
// alone, then beside what is large and slow.
func measure(ctx context.Context, program, folder string, p plan) error {
	s, err := open(ctx, program, folder)
	if err != nil {
		return err
	}
	alone, err := p.run(ctx, s)
	if err == nil {
		alone.print("alone")
		err = p.beside(ctx, s, alone)
	}
	if closed := s.close(); err == nil {
		err = closed
	}
	return err
}

// beside sends the same again beside large pools and a slow client, and compares.
func (p plan) beside(ctx context.Context, s *server, alone *outcome) error {
	others, stop := context.WithCancel(ctx)
	defer stop()
	var wait sync.WaitGroup
	counts := make(map[string]*outcome)
	for name, send := range map[string]func(context.Context) (int, error){
		"16 MiB":           s.poster(wide()),
		"5,000 candidates": s.poster(grown("many", 5000, 0)),
		"a slow client":    s.drip,
	} {
		o := new(outcome)
		counts[name] = o
		wait.Go(func() {
			for others.Err() == nil {
				begun := time.Now()
				status, err := send(others)
				if others.Err() == nil {
					o.note(time.Since(begun), status, err)
				}
			}
		})
	}
	beside, err := p.run(ctx, s)
	stop()
	wait.Wait()
	if err != nil {
		return err
	}
	beside.print("beside large pools and a slow client")
	for name, o := range counts {
		o.print("  " + name)
	}
	lost, err := s.lost()
	if err != nil {
		return err
	}
	fmt.Printf("captures: %s stored, %s lost\n", lost["pacms_captures_recorded_total"], lost["pacms_captures_dropped_total"])
	times := beside.median() / max(alone.median(), 1e-3)
	fmt.Printf("the median is %.1f times that of the load alone\n", times)
	switch {
	case alone.failed+beside.failed > 0:
		return fmt.Errorf("load: %d requests of the load failed", alone.failed+beside.failed)
	case p.strict && alone.later+beside.later > 0:
		return fmt.Errorf("load: %d requests of the load were told to come again later", alone.later+beside.later)
	case lost["pacms_captures_dropped_total"] != "0":
		return errors.New("load: captures were lost")
	case p.ratio > 0 && times > p.ratio:
		return fmt.Errorf("load: large pools made the others take %.1f times as long, more than %g", times, p.ratio)
	}
	return nil
}

// run sends pools at a rate, whether the ones before are answered or not.
func (p plan) run(ctx context.Context, s *server) (*outcome, error) {
	tick := time.NewTicker(time.Second / time.Duration(p.rate))
	defer tick.Stop()
	o := new(outcome)
	var wait sync.WaitGroup
	total := int(p.long.Seconds() * float64(p.rate))
	for i := range total {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Each pool of a session has a message more than the one before.
		send := s.poster(grown(fmt.Sprint("s", i%p.sessions), p.items, i/p.sessions))
		wait.Go(func() {
			begun := time.Now()
			status, err := send(ctx)
			o.note(time.Since(begun), status, err)
		})
	}
	wait.Wait()
	return o, ctx.Err()
}

// outcome is how some requests fared.
type outcome struct {
	mu     sync.Mutex
	ms     []float64 // of those that were answered
	status map[int]int
	failed int
	later  int // told to come again later
}

func (o *outcome) note(took time.Duration, status int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.status == nil {
		o.status = make(map[int]int)
	}
	o.status[status]++
	switch {
	case err == nil && status == http.StatusServiceUnavailable:
		o.later++
		return
	case err != nil || status >= http.StatusMultipleChoices:
		o.failed++
		return
	}
	o.ms = append(o.ms, float64(took.Microseconds())/1000)
}

// at is the latency below which a share of the requests stayed, in milliseconds.
func (o *outcome) at(share float64) float64 {
	if len(o.ms) == 0 {
		return 0
	}
	slices.Sort(o.ms)
	return o.ms[min(len(o.ms)-1, int(share*float64(len(o.ms))))]
}

func (o *outcome) median() float64 { return o.at(0.5) }

func (o *outcome) print(name string) {
	fmt.Printf("%-38s %5d answered, p50 %7.1f ms, p95 %7.1f, p99 %7.1f, most %7.1f; by status %v\n",
		name, len(o.ms), o.median(), o.at(0.95), o.at(0.99), o.at(1), o.status)
}
