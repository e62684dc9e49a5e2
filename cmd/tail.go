package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pacms/capture"
	"pacms/selector"
	"pacms/session"
	"pacms/session/files"
	"pacms/session/memory"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/tui"
)

// until says when a command that follows a session ends by itself.
type until struct {
	after time.Duration // counted from the first picture; 0: never
	turns int           // that many have come; 0: never
}

func newTail(std streams) *cobra.Command {
	f, end := new(flags), until{}
	cmd := &cobra.Command{
		Use:   "tail [PATH]",
		Short: "Follow a session while its agent is running",
		Long: `tail opens a session and follows it as its host writes on. PATH is

  a transcript of OpenClaw (.jsonl),
  an agent database of OpenClaw (openclaw-agent.sqlite), which is only read, or
  a folder with some, of which it takes the session used last.

Without PATH it takes the session used last on this machine, as pacms sessions lists
them. What is not there yet is waited for.

It keeps to the session: through resets, compactions, rewinds and new windows, when
a transcript is put aside or written anew, and when the session moves to a database.
It says what happened. What it shows is at any time what replay shows of the same
store; behind a new transcript it has also those before it that it has followed.

The screen is that of replay and shows the newest turn. Who goes back in turns stays
there; G goes on with the newest. A budget in percent is one of the largest pool so
far.

Without a terminal, or with --plain, it prints a line a turn, as they come, beginning
with the newest there is (--turn N: with that one). --jsonl prints them as JSON
(pacms.session/1, a turn a line), as they are when they are asked: without the answer.
--json prints one document at the end, which --for or --turns has to bring.

It ends with ctrl+c, which exits with 130 as in every command; q on the screen, and
what --for and --turns ask for, exit with 0. Where --for has passed and there still is
nothing to show, it exits with 1.`,
		Example: `  pacms tail
  pacms tail ~/.openclaw/agents/main/agent/openclaw-agent.sqlite
  pacms tail ~/.openclaw/agents/main/sessions --plain
  pacms tail --jsonl | jq -c '[.turn, .selection.tokens]'
  pacms tail --json --for 10m >session.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{err: fmt.Errorf("tail takes one PATH, but there are %d", len(args)), help: cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runTail(cmd, f, std, end, args) },
	}
	d := usual()
	d.turn = "the screen follows the newest, text and --jsonl begin with it, --json has all"
	f.addSession(cmd.Flags(), d)
	f.addMemory(cmd.Flags())
	cmd.Flags().DurationVar(&end.after, "for", 0, "end so long after the first picture, or after waiting so long for one: 90s, 10m (without a screen)")
	cmd.Flags().IntVar(&end.turns, "turns", 0, "end once so many turns have come (without a screen)")
	return cmd
}

func runTail(cmd *cobra.Command, f *flags, std streams, end until, args []string) error {
	p, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	p.defaultLabel = "demo default"
	format, err := f.format()
	if err != nil {
		return err
	}
	screen := format == formatAuto && std.interactive()
	ends := cmd.Flags().Changed("for") || cmd.Flags().Changed("turns")
	switch {
	case end.after < 0 || end.turns < 0:
		return usagef("--for and --turns are not below 0")
	case screen && ends:
		return usagef("--for and --turns are for output without a screen: add --plain, --jsonl or --json")
	case format == formatJSON && !ends:
		return usagef("--json prints one document at the end, which has to come: add --for 10s or --turns 5, or take --jsonl")
	}
	opt := openclaw.Options{Counter: p.counter, Session: f.session}
	from, title, err := followedSource(args, opt)
	if err != nil {
		return err
	}
	t := &tailed{from: from, counter: p.counter}
	if f.memory != "" {
		t.setBy, t.memory = p.blame("memory"), f.memory
	}
	if screen {
		return showSession(cmd, f, std, source{title: title, tail: t}, p)
	}
	return t.print(cmd.Context(), f, std, p, format, end)
}

// followedSource is what is followed, and what the screen calls it.
func followedSource(args []string, opt openclaw.Options) (capture.Source, string, error) {
	if len(args) == 0 {
		if opt.Session != "" {
			return nil, "", usagef("--session needs the PATH of the store that has it (pacms sessions lists them)")
		}
		return capture.Newest(opt), "newest session", nil
	}
	path := args[0]
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == demoName:
		return nil, "", usagef("nothing is written to the session inside the program, so that tail cannot follow it: pacms demo shows it")
	case errors.Is(err, fs.ErrNotExist): // it is waited for
	case err != nil:
		return nil, "", fmt.Errorf("open the session: %w", err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, "", fmt.Errorf("%q is %s: only files can be followed", path, files.Kind(info.Mode()))
	}
	from, err := openclaw.Follow(path, opt)
	if err != nil {
		return nil, "", err
	}
	return from, filepath.Base(path), nil
}

// tailed is a session that is followed, for the screen or for text.
type tailed struct {
	from          capture.Source
	counter       token.Counter
	setBy, memory string // the memory folder, and what named it

	following *capture.Following
	early     capture.News // what was news before there was something to show
	warnings  []session.Warning
}

// begin starts following and gives the first state of the session that has something
// to show. What it waits for until then is told to wait.
func (t *tailed) begin(ctx context.Context, wait func(why string)) (*session.Session, error) {
	t.following = capture.Follow(ctx, t.from)
	for told := ""; ; {
		news, err := t.following.Next(ctx)
		if err != nil {
			return nil, err
		}
		t.early.Events = append(t.early.Events, news.Events...)
		t.early.State, t.early.Note, t.early.Pending = news.State, news.Note, news.Pending
		why := news.Note
		if news.Session != nil {
			if why = news.Session.WhyNoPool(); why == "" {
				return t.complete(news.Session)
			}
		}
		if why != "" && why != told {
			wait(why)
			told = why
		}
	}
}

// next waits for news.
func (t *tailed) next(ctx context.Context) (capture.News, error) {
	if t.early.Events != nil || t.early.State != capture.Live || t.early.Pending > 0 {
		news := t.early
		t.early = capture.News{}
		return news, nil
	}
	news, err := t.following.Next(ctx)
	if err == nil && news.Session != nil {
		news.Session, err = t.complete(news.Session)
	}
	return news, err
}

// complete is a session with the memory that it is to be shown with, and with what is
// to be said of all its states.
func (t *tailed) complete(s *session.Session) (*session.Session, error) {
	own := *s // what is followed is not changed
	own.Turns, own.Candidates = slices.Clone(s.Turns), slices.Clip(s.Candidates)
	own.Warnings = append(slices.Clip(s.Warnings), t.warnings...)
	if t.memory == "" {
		return &own, nil
	}
	m, err := memory.Load(t.memory, t.counter)
	if err != nil {
		return nil, usagef("%s: %w", t.setBy, err)
	}
	remember(&own, m)
	return &own, nil
}

// read is begin for the screen.
func (t *tailed) read(ctx context.Context, progress tui.Progress) (*session.Session, error) {
	return t.begin(ctx, func(why string) { progress("waiting: "+why, 0, 0) })
}

// print prints turns as they come.
func (t *tailed) print(ctx context.Context, f *flags, std streams, p *plan, format format, end until) error {
	e, closing, err := p.open(ctx, std.err)
	if err != nil {
		return err
	}
	defer closing()
	t.warnings = e.warnings()
	following, stop := context.WithCancel(ctx)
	defer stop()
	var patience *time.Timer
	lacking := ""
	s, err := t.begin(following, func(why string) {
		say(std.err, "waiting: "+why)
		if lacking = why; patience == nil && end.after > 0 {
			patience = time.AfterFunc(end.after, stop)
		}
	})
	if patience != nil {
		patience.Stop()
	}
	if err != nil && ctx.Err() == nil && following.Err() != nil {
		return fmt.Errorf("nothing to show has come within %v: %s", end.after, lacking)
	}
	if err != nil {
		return err
	}
	printer := &turnPrinter{plan: p, engine: selector.NewEngine(e, s.Tokenizer), format: format, std: std, known: make(map[string]bool)}
	if err := printer.begin(s, f.turn); err != nil {
		return err
	}
	printer.tell(t.early)
	t.early = capture.News{}
	if end.after > 0 {
		timer := time.AfterFunc(end.after, stop)
		defer timer.Stop()
	}
	for {
		if err := printer.take(ctx, s); err != nil {
			return err
		}
		if end.turns > 0 && printer.come >= end.turns {
			break
		}
		news, err := t.next(following)
		if ctx.Err() == nil && following.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		printer.tell(news)
		if news.Session != nil {
			s = news.Session
		}
	}
	return printer.end(ctx, f)
}

// turnPrinter prints the turns of a followed session, each once.
type turnPrinter struct {
	*plan
	engine  *selector.Engine
	format  format
	std     streams
	session *session.Session
	known   map[string]bool // turns by entry
	come    int             // turns that have come since it began
	note    string          // what was said last of how following goes
}

// begin knows the turns before the one with a number; 0: before the newest.
func (t *turnPrinter) begin(s *session.Session, number int) error {
	first, err := turnToShow(s, number, nil)
	if err != nil {
		return err
	}
	for i := range s.Turns[:first] {
		t.known[s.Turns[i].EntryID] = true
	}
	t.come = first - len(s.Turns) // those are no new ones
	return nil
}

// tell says what happened.
func (t *turnPrinter) tell(news capture.News) {
	for _, event := range news.Events {
		say(t.std.err, event)
	}
	note := news.Note
	if note != t.note && note != "" {
		say(t.std.err, note)
	}
	t.note = note
}

// take prints the turns of a state of the session that are not known yet.
func (t *turnPrinter) take(ctx context.Context, s *session.Session) error {
	if s == t.session {
		return nil
	}
	t.session = s
	w := newWalker(t.plan, t.engine, s, nil)
	for i := range s.Turns {
		turn := &s.Turns[i]
		if t.known[turn.EntryID] {
			continue
		}
		t.known[turn.EntryID] = true
		t.come++
		if err := t.write(ctx, w, i); err != nil {
			return err
		}
	}
	return nil
}

// write prints the turn at index i. In text those of the host itself are left out, as
// on the screen.
func (t *turnPrinter) write(ctx context.Context, w *walker, i int) error {
	if t.format == formatJSON {
		return nil // at the end
	}
	if t.format == formatJSONL {
		return writeTurns(t.std.out, w.walk(ctx, []int{i}))
	}
	if !w.asked(i) {
		return nil
	}
	o, err := w.choose(ctx, i)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w.text(t.std.out), w.lineOf(o))
	return failedWrite(err)
}

// lineOf is a turn with what is kept of its pool, in a line.
func (w *walker) lineOf(o *outcome) string {
	at := ""
	if !o.turn.Time.IsZero() {
		at = o.turn.Time.UTC().Format("2006-01-02 15:04:05 UTC") + " "
	}
	return fmt.Sprintf("%sturn %d: %s “%s”", at, o.turn.Number, keeps(o.selection, len(o.pool.Candidates), w.plan), excerpt(o.turn.Query, quoteWidth))
}

// end prints what comes last.
func (t *turnPrinter) end(ctx context.Context, f *flags) error {
	if t.format == formatJSON {
		turns, err := chosenTurns(t.session, f.turn)
		if err != nil {
			return err
		}
		if err := newWalker(t.plan, t.engine, t.session, nil).writeSession(ctx, t.std.out, turns); err != nil {
			return err
		}
	}
	return f.strict(t.session)
}
