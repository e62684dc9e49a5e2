package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"pacms/capture/store"
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
// database and of a folder all, unless --session names one. Where others can be read, a
// file that is no session and a session without a turn that could be looked at are left
// out with a note, and so is what was named before. A single case says how it was
// selected from.
func (f *flags) recordings(ctx context.Context, p *plan, story *testdata.Story, paths []string) ([]recording, error) {
	r := reader{flags: f, plan: p, several: len(paths) > 1}
	for _, path := range paths {
		if err := r.path(ctx, story, path); err != nil {
			return nil, err
		}
	}
	if len(r.all) == 0 {
		return nil, r.last
	}
	first := r.all[0].Session
	first.Warnings = append(first.Warnings, r.notes...)
	return r.all, nil
}

// reader reads recordings.
type reader struct {
	*flags
	plan    *plan
	several bool // whether more than one path was named
	all     []recording
	seen    []stored
	notes   []session.Warning
	last    error // why the last one that was left out was
}

// stored is where a session was found; info is nil for the one inside the program.
type stored struct {
	path, key string
	info      os.FileInfo
}

func (s *stored) same(o *stored) bool {
	if s.info == nil || o.info == nil {
		return s.info == nil && o.info == nil
	}
	return s.key == o.key && os.SameFile(s.info, o.info)
}

// path reads the sessions at a path.
func (r *reader) path(ctx context.Context, story *testdata.Story, path string) error {
	sources, err := r.sources(ctx, story, path)
	if other, ok := errors.AsType[*openclaw.NotSessionError](err); ok && r.several {
		r.leaveOut(err, fmt.Sprintf("%s is left out: it is no session but %s", path, other.What))
		r.leftOut++
		return nil
	}
	if err != nil {
		return err
	}
	found := len(r.all)
	for i := range sources {
		if err := r.source(ctx, &sources[i]); err != nil {
			return err
		}
	}
	if len(r.all) == found && !r.several {
		return r.last
	}
	return nil
}

// source reads one session, unless it was read before.
func (r *reader) source(ctx context.Context, src *foundSource) error {
	for i := range r.seen {
		if before := &r.seen[i]; src.same(before) {
			text := src.path + " is named twice"
			if src.path != before.path {
				text = src.path + " is the same file as " + before.path
			}
			r.notes = append(r.notes, session.Warning{Code: "named_twice", Message: text + ": it counts once"})
			return nil
		}
	}
	if c := src.recorded; c != nil && !r.several {
		if err := r.plan.adopt(c); err != nil {
			return err
		}
	} else if c != nil {
		r.notes = append(r.notes, session.Warning{Code: "not_as_recorded", Message: src.path +
			" is looked at as the other sessions are: the rules, pins and bans of the case count where it is named alone"})
	}
	if r.memory != "" {
		src.source = withMemory(src.source, r.plan.blame("memory"), r.memory)
	}
	s, err := src.load(ctx, openclaw.Options{Counter: r.plan.counter, Session: r.session})
	if err != nil {
		return err
	}
	r.seen = append(r.seen, src.stored)
	if why := s.WhyNoPool(); why != "" {
		r.leaveOut(fmt.Errorf("there is nothing to select from in %s: %s", s.Source.Path, why), "session "+s.Key+" is left out: "+why)
		return nil
	}
	r.all = append(r.all, recording{s, src.source})
	return nil
}

// leaveOut notes what is not looked at; err is what it is where nothing else is.
func (r *reader) leaveOut(err error, text string) {
	r.last = err
	r.notes = append(r.notes, session.Warning{Code: "left_out", Message: text})
}

// foundSource is a session with where it was found.
type foundSource struct {
	source
	stored
}

// sources are the sessions at a path of the command line.
func (f *flags) sources(ctx context.Context, story *testdata.Story, path string) ([]foundSource, error) {
	if path == demoName {
		return []foundSource{{demoSource(story), stored{path: path}}}, nil
	}
	one, err := fileSource(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open the session: %w", err)
	}
	single := []foundSource{{one, stored{path, f.session, info}}}
	switch {
	case info.IsDir():
	case one.recorded != nil, one.pools:
		return single, nil
	case store.Is(path) && f.session == "":
		return captureSources(ctx, &single[0])
	case store.Is(path):
		return single, nil
	}
	entries, err := openclaw.List(ctx, path)
	if err != nil {
		return nil, err
	}
	var sources []foundSource
	for _, e := range entries {
		if f.session != "" && e.Session != f.session && (info.IsDir() && len(entries) > 1 || e.Session != "") {
			continue
		}
		info, err := os.Stat(e.Path)
		if err != nil {
			return nil, fmt.Errorf("open the session: %w", err)
		}
		src := one
		src.load = func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
			if e.Session != "" {
				opt.Session = e.Session
			}
			return openclaw.Open(ctx, e.Path, opt)
		}
		sources = append(sources, foundSource{src, stored{e.Path, e.Session, info}})
	}
	if len(sources) == 0 && !info.IsDir() { // an archive, or an id and no key: load says what is wrong
		return single, nil
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

// captureSources are the sessions of a file of captures, the one that was captured last
// first.
func captureSources(ctx context.Context, file *foundSource) ([]foundSource, error) {
	captured, err := capturedSessions(ctx, file.path)
	if err != nil {
		return nil, err
	}
	if len(captured) == 0 {
		return []foundSource{*file}, nil // of which load says what is wrong
	}
	sources := make([]foundSource, len(captured))
	for i := range captured {
		sources[i] = *file
		sources[i].key = captured[i].Key
		sources[i].load = func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
			opt.Session = captured[i].Key
			s, err := readCaptures(ctx, file.path, opt)
			if err == nil && i > 0 { // what is true of the file is said once
				s.Warnings = slices.DeleteFunc(s.Warnings, func(w session.Warning) bool { return w.Code == lostCode })
			}
			return s, err
		}
	}
	return sources, nil
}
