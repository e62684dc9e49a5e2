package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pacms/session"
	"pacms/session/openclaw"
	"pacms/testdata"
)

// recording is one of the sessions that a command looks at together.
type recording struct {
	*session.Session
	source
}

// recordings reads the sessions that paths of a command line name, as p says: of a
// database and of a folder all, unless --session names one. A session without a turn
// that could be looked at is left out with a note where another of its path has one.
func (f *flags) recordings(ctx context.Context, p *plan, story *testdata.Story, paths []string) ([]recording, error) {
	var all []recording
	for _, path := range paths {
		sources, err := f.sources(ctx, story, path)
		if err != nil {
			return nil, err
		}
		found, empty := 0, []session.Warning(nil)
		var last error
		for _, src := range sources {
			if f.memory != "" {
				src = withMemory(src, p.blame("memory"), f.memory)
			}
			s, err := src.load(ctx, openclaw.Options{Counter: p.counter, Session: f.session})
			if err != nil {
				return nil, err
			}
			if why := s.WhyNoPool(); why != "" {
				last = fmt.Errorf("there is nothing to select from in %s: %s", s.Source.Path, why)
				empty = append(empty, session.Warning{Code: "left_out", Message: "session " + s.Key + " is left out: " + why})
				continue
			}
			all = append(all, recording{s, src})
			found++
		}
		if found == 0 {
			return nil, last
		}
		first := all[len(all)-found].Session
		first.Warnings = append(first.Warnings, empty...)
	}
	return all, nil
}

// sources are the sessions at a path of the command line.
func (f *flags) sources(ctx context.Context, story *testdata.Story, path string) ([]source, error) {
	if path == demoName {
		return []source{demoSource(story)}, nil
	}
	one, err := fileSource(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() && (f.session != "" || holdsPools(path)) {
		return []source{one}, nil // of which load says what is wrong
	}
	entries, err := openclaw.List(ctx, path)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, e := range entries {
		if f.session != "" && e.Session != f.session && len(entries) > 1 {
			continue
		}
		src := one
		src.load = func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
			if e.Session != "" {
				opt.Session = e.Session
			}
			return openclaw.Open(ctx, e.Path, opt)
		}
		sources = append(sources, src)
	}
	if len(sources) == 0 {
		var names error
		for _, e := range entries {
			names = errors.Join(names, fmt.Errorf("  %s: %s", e.Path, e.Session))
		}
		return nil, usagef("--session %s: no database in %s has it; there are:\n%w", f.session, path, names)
	}
	return sources, nil
}
