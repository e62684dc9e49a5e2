package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"pacms/selector/share"
	"pacms/session"
	"pacms/session/files"
	"pacms/session/openclaw"
	"pacms/session/token"
)

// holdsCases reports whether the file at path has cases that were exported.
func holdsCases(path string) bool {
	schema, _ := firstObject(path)
	return share.Is(schema)
}

// readCases reads a file of cases.
func readCases(path string) ([]*share.Case, error) {
	// A pipe may never have a writer, and opening it would wait for one.
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, fmt.Errorf("read the case: %w", err)
	case info.IsDir():
		return nil, usagef("%s is a folder: name a file in it that pacms export wrote", path)
	case !info.Mode().IsRegular():
		return nil, usagef("%s is %s: store what comes from it in a file and name that", path, files.Kind(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the case: %w", err)
	}
	defer f.Close()
	cases, err := share.Read(f)
	if err != nil {
		return nil, usagef("the case in %s cannot be used: %w", path, err)
	}
	return cases, nil
}

// casesSource is the session whose turns are the cases of a file.
func casesSource(path string) (source, error) {
	cases, err := readCases(path)
	if err != nil {
		return source{}, err
	}
	return source{
		title: filepath.Base(path), recorded: cases[0],
		load: func(_ context.Context, opt openclaw.Options) (*session.Session, error) {
			// Tokens are those of the case, whatever else is asked for.
			counter, err := token.New(cases[0].Config.Counter)
			if err != nil {
				return nil, fmt.Errorf("read the case: %w", err)
			}
			opt.Counter = counter
			pools := make([]*session.Pool, len(cases))
			for i, c := range cases {
				pools[i] = withBudget(c)
			}
			s := sessionOf(path, pools, opt)
			inOrder := slices.IsSortedFunc(cases, func(a, b *share.Case) int {
				if a.Turn <= 0 || b.Turn <= a.Turn {
					return 1
				}
				return -1
			})
			for i, c := range cases {
				if len(cases) == 1 && c.Turn > 0 || len(cases) > 1 && inOrder {
					s.Turns[i].Number = c.Turn
				}
			}
			if n := otherwise(cases); n > 0 {
				s.Warnings = append(s.Warnings, session.Warning{Code: "not_as_recorded", Count: n, Message: fmt.Sprintf(
					"%d of %s were selected from with other settings than the first, with which all are looked at here: pacms verify runs each with its own",
					n, session.Counted(len(cases), "case"))})
			}
			return s, nil
		},
	}, nil
}

// otherwise is how many cases have other settings than the first. Each brings its own
// budget.
func otherwise(cases []*share.Case) int {
	settings := func(c *share.Case) share.Config {
		s := c.Config
		s.Budget, s.FromSession = nil, false
		return s
	}
	n, first := 0, settings(cases[0])
	for _, c := range cases[1:] {
		if !reflect.DeepEqual(settings(c), first) {
			n++
		}
	}
	return n
}

// withBudget is the pool of a case with the budget that it was selected from with.
func withBudget(c *share.Case) *session.Pool {
	pool := *c.Pool
	if b := c.Config.Budget; b != nil {
		value := b.Value
		pool.Budget = &value
	}
	return &pool
}

// adopt takes over from a case what nobody set: how it was selected.
func (p *plan) adopt(c *share.Case) error {
	if c == nil {
		return nil
	}
	opt, err := c.Options()
	if err != nil {
		return usagef("the case cannot be used: %w", err)
	}
	unset := func(name string) bool { return p.origin[name] == "" || p.origin[name] == sourceDefault }
	if unset("strategy") {
		p.strategy = opt.Strategy
	}
	if unset("rules") {
		p.rules = opt.Rules
	}
	if unset("tail") {
		p.tail = opt.Tail
	}
	if unset("no-widen") {
		p.widen = !c.Config.NoWiden
	}
	if name := c.Config.Embedder; unset("embedder") && c.Pool.Similarity == nil && c.Pool.QueryEmbedding == nil {
		if err := checkEmbedder("the embedder of the case", name); err != nil {
			return err
		}
		p.embedder = name
	}
	p.pins, p.bans = opt.Pins, opt.Bans
	return nil
}

// onePool reads the pool in the file at path, or in in where path is empty. A case is
// one too, with how it was selected from.
func (p *plan) onePool(in io.Reader, path string) (*session.Pool, error) {
	if path == "" || !holdsCases(path) {
		return p.decodePool(in, path)
	}
	cases, err := readCases(path)
	if err != nil {
		return nil, err
	}
	if len(cases) > 1 {
		return nil, usagef("%s has %d cases, and select takes one pool: pacms replay %s shows them", path, len(cases), path)
	}
	if err := p.adopt(cases[0]); err != nil {
		return nil, err
	}
	if p.counter, err = token.New(cases[0].Config.Counter); err != nil {
		return nil, fmt.Errorf("read the case: %w", err)
	}
	return withBudget(cases[0]), nil
}

// words writes a list for people: a, b and c.
func words(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
