package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/tui"
)

// showSession opens the screen on src and returns when it is closed.
func showSession(cmd *cobra.Command, f *flags, std streams, src source, p *plan) error {
	cfg := tui.Config{
		Title:    src.title,
		Strategy: p.strategy, Rules: p.rules, Tail: p.tail,
		Budget: p.budget, BudgetPerTurn: p.perTurn, BudgetSource: p.budgetSource,
		PoolMode: p.mode, NoWiden: !p.widen, Turn: f.turn, Pins: p.pins, Bans: p.bans,
		Profile: screenProfile(cmd.Flag("color").Value.String(), std.out, os.Environ()),
		Theme:   p.theme, ASCII: p.ascii, NoMotion: f.noMotion,
	}
	if !f.noState {
		cfg.StateDir = stateDir()
	}
	if p.budgetSource == sourceDefault {
		cfg.BudgetSource, cfg.BudgetRecorded = p.defaultLabel, true
	}
	cfg.StrategyRecorded, cfg.RulesRecorded = src.story == nil && p.origin["strategy"] == "", p.origin["rules"] == ""
	if src.story != nil {
		// The story starts where and how the flags say.
		story := *src.story
		story.Start.Strategy, story.Start.Budget = p.strategy.String(), p.budget.String()
		if f.turn != 0 {
			story.Start.Turn = f.turn
		}
		cfg.Story, cfg.Booth = &story, f.booth
	}
	var loaded atomic.Pointer[session.Session]
	var opened atomic.Pointer[embedding]
	defer func() {
		if e := opened.Load(); e != nil {
			e.close(func(text string) { say(std.err, text) })
		}
	}()
	read := func(ctx context.Context, progress tui.Progress) (*session.Session, error) {
		return src.load(ctx, openclaw.Options{Counter: p.counter, Session: f.session, Progress: func(done, total int64) {
			progress("reading", done, total)
		}})
	}
	if src.tail != nil {
		read, cfg.Follow = src.tail.read, src.tail.next
	}
	cfg.Load = func(ctx context.Context, progress tui.Progress) (*session.Session, error) {
		if p.embedder != embedBuiltin {
			progress("asking "+p.embedder+" for its model", 0, 0)
		}
		e, err := openEmbedding(ctx, p.embedder)
		if err != nil {
			return nil, err
		}
		opened.Store(e)
		go e.warm(ctx)
		if src.tail != nil {
			src.tail.warnings = e.warnings()
		}
		s, err := read(ctx, progress)
		loaded.Store(s)
		if err != nil {
			return nil, err
		}
		if f.turn != 0 {
			if _, err := turnAt(s, f.turn); err != nil {
				return nil, err
			}
		}
		if src.tail == nil {
			s.Warnings = append(s.Warnings, e.warnings()...)
		}
		return s, nil
	}
	cfg.NewEngine = func(s *session.Session) *selector.Engine { return selector.NewEngine(opened.Load(), s.Tokenizer) }
	beside := &others{
		src: src, plan: p, key: f.session, embedders: make(map[string]*embedding), sessions: make(map[[2]string]*session.Session),
		own: func() (*session.Session, *embedding) { return loaded.Load(), opened.Load() },
	}
	defer beside.close(func(text string) { say(std.err, text) })
	cfg.Other, cfg.Embedder, cfg.Embedders = beside.open, p.embedder, []string{embedBuiltin, embedOllama}
	cfg.Case = func(ctx context.Context, s *session.Session, src share.Source) (*share.Case, error) {
		e := opened.Load()
		counter, err := token.New(s.Tokenizer)
		if err != nil {
			return nil, fmt.Errorf("make the token counter: %w", err)
		}
		src.Embedder, src.Model, src.Counter, src.Build = e, e.model, counter, compare.Build(readBuild())
		return share.Make(ctx, src)
	}
	err := tui.Run(cmd.Context(), cfg)
	if errors.Is(err, context.Canceled) && cmd.Context().Err() == nil {
		return nil // a person left while the session was being read
	}
	if err != nil {
		return err // it says what could not be opened
	}
	if s := loaded.Load(); s != nil {
		return f.strict(s)
	}
	return nil
}

// screenProfile is how many colours the screen uses, or Unknown where nobody
// said anything and the screen is to ask the terminal.
func screenProfile(when string, out *os.File, environ []string) colorprofile.Profile {
	if when == "auto" && lookup(environ, "NO_COLOR") == "" && !forcesColor(environ) {
		return colorprofile.Unknown
	}
	return colorProfile(when, out, environ)
}
