package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/cores"
	"pacms/session/token"
)

// serveFlags are the flags that only the service has.
type serveFlags struct {
	listen                 string
	ifNotRunning           bool
	addressFile, tokenFile string
	requireToken           bool
	hosts                  []string
	body, memory           int64
	deadline               time.Duration
	noDebug                bool
	captures               string
	noCaptures, redact     bool
	capturesAge            time.Duration
	capturesSize           int64
	logLevel, logFormat    string
}

// Sizes and times that the service may be given.
const (
	mostBody     = 64 << 20
	mostDeadline = 10 * time.Second
)

// inState is the path of a file in the folder of what the program remembers.
func inState(name string) string { return filepath.Join(xdg.StateHome, "pacms", name) }

func newServe(std streams) *cobra.Command {
	f, sf := new(flags), new(serveFlags)
	limits := service.DefaultLimits(cores.Workers(context.Background()))
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer over HTTP what would be kept",
		Long: `serve is the service: programs on this machine send it a pool (pacms.pool/1) and get
the selection (pacms.selection/1), the same as pacms select --json prints. It prints
its address and runs until it is interrupted; a second ctrl+c ends it at once. What
happens is told on standard error, without any text of a session.

  POST /select, /select_debug   a pool in, a selection out; also below /v1
  POST /prewarm                 embed the texts of a pool for a turn to come
  GET  /events                  a line for each selection, as server-sent events
  GET, POST /control            a strategy and a budget for every request; needs the token
  GET  /healthz /readyz /metrics /version

It listens on this machine alone. Elsewhere it listens only with --require-token: who
reaches it could otherwise read what agents were told.`,
		Example: `  pacms serve
  pacms serve --listen :0 --strategy pacms+
  curl --json @pool.json http://127.0.0.1:8077/select`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd, f, sf, std) },
	}
	fs := cmd.Flags()
	f.addChoice(fs, usual())
	sf.body, sf.memory = limits.Body, limits.Memory
	fs.StringVar(&sf.listen, "listen", "127.0.0.1:8077", "address to listen on, port 0 for any that is free; without a host it is 127.0.0.1")
	fs.BoolVar(&sf.ifNotRunning, "if-not-running", false, "where the service runs there already, print its address and be done")
	fs.StringVar(&sf.addressFile, "address-file", "", "file to write the address to (default service.address in the state folder)")
	fs.StringVar(&sf.tokenFile, "token-file", "", "file with the token; it is made where there is none (default service.token in the state folder)")
	fs.BoolVar(&sf.requireToken, "require-token", false, "answer nobody without the token, but for /healthz and /readyz")
	fs.StringArrayVar(&sf.hosts, "allow-host", nil, "another name by which clients may call this service, NAME or NAME:PORT; may be given again")
	fs.Var(sizeValue{&sf.body}, "max-body", "longest request, at most "+sizeText(mostBody))
	fs.Var(sizeValue{&sf.memory}, "session-memory", "memory for what is held of sessions between their requests")
	fs.DurationVar(&sf.deadline, "deadline", limits.Deadline, "longest that a selection takes where the client does not say, at most "+mostDeadline.String())
	fs.BoolVar(&sf.noDebug, "no-debug", false, "give no reasoning: turn /select_debug off")
	fs.StringVar(&sf.captures, "captures", "", "file in which every pool is kept with what was selected of it (default captures.sqlite in the state folder)")
	fs.BoolVar(&sf.noCaptures, "no-captures", false, "keep none")
	fs.BoolVar(&sf.redact, "redact", false, "mask what looks like a key, a password or an address of mail before it is kept")
	sf.capturesAge, sf.capturesSize = 90*24*time.Hour, 1<<30
	fs.Var(ageValue{&sf.capturesAge}, "captures-age", "how long captures are kept; 0d is for ever")
	fs.Var(sizeValue{&sf.capturesSize}, "captures-size", "how much of them is kept, the newest; 0 is all")
	fs.Var(choose(&sf.logLevel, "info", "debug", "info", "warn", "error"), "log-level", "least that is told: debug, info, warn or error")
	fs.Var(choose(&sf.logFormat, "auto", "auto", "text", "json"), "log-format", "how: text or json; auto is text on a terminal")
	return cmd
}

func runServe(cmd *cobra.Command, f *flags, sf *serveFlags, std streams) error {
	p, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	limits, err := sf.limits()
	if err != nil {
		return err
	}
	address, err := sf.address(cmd.Context())
	if err != nil {
		return err
	}
	ln, err := sf.open(cmd.Context(), address)
	if err != nil {
		return err
	}
	if ln == nil { // it runs already
		_, err := fmt.Fprintln(std.out, "http://"+address)
		return failedWrite(err)
	}
	defer func() { _ = ln.Close() }() // the service has closed it, unless there is none
	secret, err := readToken(sf.tokenPath())
	if err != nil {
		return err
	}
	e, err := openEmbedding(cmd.Context(), p.embedder)
	if err != nil {
		return err
	}
	defer e.close(func(text string) { say(std.err, text) })
	b := readBuild()
	log := newLog(std.err, sf.logLevel, sf.logFormat)
	keeper, err := sf.keeper(cmd.Context())
	if err != nil {
		return err
	}
	s := service.New(service.Config{
		Chooser: &served{plan: p, embedding: e}, Encode: marshal, Log: log, Recorder: keeper.recorder(),
		Build: service.Build{Version: b.Version, Revision: b.Revision, Time: b.Time, Modified: b.Modified, Go: b.Go, Platform: b.Platform},
		Token: secret, TokenForAll: sf.requireToken, Hosts: sf.hosts, NoDebug: sf.noDebug, Limits: limits,
	})
	url := "http://" + ln.Addr().String()
	forget, err := writeAddress(sf.addressPath(), url)
	if err != nil {
		return err
	}
	defer forget()
	defer keeper.close(log)
	if _, err := fmt.Fprintln(std.out, url); err != nil {
		return failedWrite(err)
	}
	log.Info("listening", "address", url, "token_file", sf.tokenPath(), "captures", keeper.place(), "embedder", e.Name(), "strategy", p.strategy.String())
	cores.Share()
	return serveUntilEnd(cmd.Context(), s, ln, log)
}

// serveUntilEnd runs the service until it is asked to end. Asked a second time it
// waits for nothing.
func serveUntilEnd(ctx context.Context, s *service.Service, ln net.Listener, log *slog.Logger) error {
	// The first signal ends ctx, and comes here too.
	asked := make(chan os.Signal, 2)
	signal.Notify(asked, endings...)
	defer signal.Stop(asked)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	for times := 0; ; {
		select {
		case err := <-ended:
			log.Info("stopped")
			return err
		case <-asked:
			if times++; times == 2 {
				return context.Canceled
			}
		}
	}
}

// limits are those of the service as the flags have them.
func (sf *serveFlags) limits() (service.Limits, error) {
	l := service.DefaultLimits(cores.Workers(context.Background()))
	l.Body, l.Memory, l.Deadline, l.Text = sf.body, sf.memory, sf.deadline, int(min(int64(l.Text), sf.body))
	switch {
	case l.Body < 1 || l.Body > mostBody:
		return l, usagef("--max-body %s: it is from 1 byte to %s", sizeText(sf.body), sizeText(mostBody))
	case l.Deadline < time.Millisecond || l.Deadline > mostDeadline:
		return l, usagef("--deadline %s: it is from 1ms to %s", sf.deadline, mostDeadline)
	}
	return l, nil
}

// sizeText is a number of bytes as a flag takes it.
func sizeText(n int64) string { return sizeValue{&n}.String() }

// served is how the service selects: as pacms select does.
type served struct {
	*plan
	embedding *embedding
}

// Counter counts the tokens that a pool leaves out.
func (s *served) Counter() token.Counter { return s.counter }

// Engine returns what the selections of one session run on.
func (s *served) Engine() *selector.Engine {
	return selector.NewEngine(s.embedding, s.counter.Name())
}

// Choose selects from a pool. Where a server that embeds fails, what is built in takes
// its place for this once: an agent waits for the answer.
func (s *served) Choose(ctx context.Context, engine *selector.Engine, pool *session.Pool, ask service.Ask) (*selector.Selection, error) {
	p := *s.plan
	p.debug = ask.Debug
	if ask.Strategy != nil {
		p.strategy = *ask.Strategy
	}
	if ask.Budget != nil {
		p.budget, p.budgetSource = *ask.Budget, ask.Source
	}
	a, err := p.answer(ctx, s.embedding, engine, pool)
	if err != nil && ctx.Err() == nil && s.embedding.client != nil {
		instead := &embedding{Embedder: embed.NewBuiltin(), fallback: fmt.Sprintf("%s failed, what is built in compares the texts: %v", s.embedding.Name(), err)}
		a, err = p.answer(ctx, instead, selector.NewEngine(instead, p.counter.Name()), pool)
	}
	if err != nil {
		return nil, err
	}
	return a.selection, nil
}
