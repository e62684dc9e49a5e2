// Package service answers over HTTP what would be kept of a pool. It listens for
// programs on the same machine: nothing here trusts a web page, another user or
// another machine. docs/service.md says how it is used.
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"pacms/selector"
	"pacms/session"
	"pacms/session/token"
)

// Chooser selects as the rest of the program does.
type Chooser interface {
	// Counter counts the tokens that a pool leaves out.
	Counter() token.Counter
	// Engine returns what the selections of one session run on.
	Engine() *selector.Engine
	// Choose selects from a pool. At the deadline of ctx it returns the best that
	// was found until then; where ctx is cancelled, an error.
	Choose(ctx context.Context, e *selector.Engine, pool *session.Pool, ask Ask) (*selector.Selection, error)
}

// Ask is what is asked for beside the pool.
type Ask struct {
	// Strategy and Budget are nil where the chooser's own are to be taken.
	Strategy *selector.Strategy
	Budget   *selector.BudgetSpec
	// Source says where Budget came from: "request" or "control".
	Source string
	// Debug asks for every candidate with its reasoning.
	Debug bool
}

// Capture is a pool with what was answered.
type Capture struct {
	RequestID string
	Time      time.Time
	Pool      *session.Pool
	Selection *selector.Selection
}

// Recorder keeps captures.
type Recorder interface {
	// Record is false where the capture was dropped. It never makes a request wait.
	Record(c Capture) bool
	// Before is the newest capture of a session from before a time; nil where there is
	// none.
	Before(ctx context.Context, session string, at time.Time) (*Capture, error)
	// State is how the recorder fares.
	State() RecorderState
}

// RecorderState is how a recorder fares.
type RecorderState struct {
	// Recorded, Dropped and Busy count captures that were stored, captures that were
	// not, and how often the store was locked by another program.
	Recorded, Dropped, Busy uint64
	// Trouble is what keeps it from storing, as a sentence; empty where nothing does.
	Trouble string
}

// Config is what a service needs to know. Chooser, Encode and Log are required.
type Config struct {
	Chooser Chooser
	// Encode writes a document as JSON in which nothing acts on a terminal.
	Encode func(v any) ([]byte, error)
	// Recorder is nil where nothing is recorded.
	Recorder Recorder
	Log      *slog.Logger
	Build    Build
	// Token is what a client has to bring to steer; with TokenForAll to do anything
	// but ask whether the service is up.
	Token       string
	TokenForAll bool
	// Hosts are names of this machine, beside the loopback's, by which clients may
	// call it: NAME or NAME:PORT.
	Hosts []string
	// NoDebug turns /select_debug off.
	NoDebug bool
	Limits  Limits
}

// Limits bound what one client can ask of the machine. Each has a default.
type Limits struct {
	// Body, Text and Items bound a request: its bytes, those of one text, and the
	// candidates; DebugItems those of a request for all reasoning.
	Body              int64
	Text              int
	Items, DebugItems int
	// Deadline is how long a selection may take where the client does not say.
	Deadline time.Duration
	// Workers is how many requests are worked on at once, Queue how many more wait.
	Workers, Queue int
	// Memory bounds what is held between requests of sessions, Idle for how long.
	Memory int64
	Idle   time.Duration
}

// DefaultLimits returns the limits of a service on a machine with so many processors.
func DefaultLimits(processors int) Limits {
	return Limits{
		Body: 16 << 20, Text: 1 << 20, Items: 20_000, DebugItems: 2_000,
		Deadline: 1500 * time.Millisecond,
		Workers:  max(1, processors), Queue: 32 * max(1, processors),
		Memory: 512 << 20, Idle: 30 * time.Minute,
	}
}

// What bounds a connection. The plugin gives up long before.
const (
	headerTime  = 2 * time.Second
	readTime    = 10 * time.Second
	writeTime   = 15 * time.Second
	idleTime    = time.Minute
	closeTime   = 5 * time.Second
	maxDeadline = 10 * time.Second
	// headerBytes is 8 KiB less the 4 KiB that net/http adds.
	headerBytes = 8<<10 - 4<<10
	connections = 256
)

// Service answers requests. Make one with New.
type Service struct {
	Config
	metrics  *metrics
	gate     *gate
	sessions *sessions
	events   *hub
	control  control
	warming  lane // pools whose texts are embedded ahead
	reviews  lane // turns that are looked back on
	routes   map[string]route
	guard    *http.CrossOriginProtection
	port     atomic.Int64 // that is listened on; 0 before
	warm     atomic.Bool  // the selector answered once
	troubled atomic.Bool  // it was told that captures cannot be written
}

// New returns a service that does not listen yet.
func New(cfg Config) *Service {
	s := &Service{Config: cfg, guard: http.NewCrossOriginProtection(), events: newHub()}
	s.gate = newGate(cfg.Limits)
	s.sessions = newSessions(cfg.Chooser.Engine, cfg.Limits.Memory, cfg.Limits.Idle)
	s.warming, s.reviews = newLane(), newLane()
	s.metrics = newMetrics(s)
	s.routes = s.table()
	return s
}

// Serve answers requests that come to ln, which it closes, until ctx ends. Then it
// lets those finish that it has begun, for five seconds at most.
func (s *Service) Serve(ctx context.Context, ln net.Listener) error {
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return fmt.Errorf("service: listen: %w", err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return fmt.Errorf("service: listen: %w", err)
	}
	s.port.Store(int64(number))
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	s.tellTrouble()
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	work.Go(func() { s.run(working, s.warming) })
	work.Go(func() { s.run(working, s.reviews) })
	work.Go(func() { s.sessions.keep(working) })
	work.Go(func() { s.wake(working) })
	defer work.Wait()
	defer stop()

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(netutil.LimitListener(ln, connections)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("service: %w", err)
	case <-ctx.Done():
	}
	s.Log.Info("stopping")
	s.events.close()
	inTime, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if err := server.Shutdown(inTime); err != nil {
		s.Log.Warn("requests were cut off", "after", closeTime.String())
		_ = server.Close() // which cancels what is still at work
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("service: %w", err)
	}
	return nil
}

// wake makes a first selection, so that no client waits for what is built in to be
// unpacked.
func (s *Service) wake(ctx context.Context) {
	pool := &session.Pool{Query: "is anybody there", Candidates: []session.Candidate{{ID: "a", Kind: session.User, Text: "hello", Tokens: 1}}}
	if _, err := s.Chooser.Choose(ctx, s.Chooser.Engine(), pool, Ask{}); err != nil {
		if ctx.Err() == nil {
			s.Log.Error("the selector does not work", "error", err.Error())
		}
		return
	}
	s.warm.Store(true)
}
