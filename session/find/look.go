package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"pacms/session/cores"
	"pacms/session/openclaw"
)

// Limits of what is looked at in one state folder; what is left out is said.
const (
	maxAgents = 500
	maxFiles  = 2000 // in one folder of an agent, the newest names first
)

// transcripts are the folders of an agent that may hold some.
var transcripts = []string{"sessions", "session-sqlite-import-archive"}

// file is one that may hold sessions.
type file struct {
	path, agent string
	state       State
	found       []openclaw.Stored
	err         error
}

// look finds what is stored below one state folder, and where its configuration
// moves agents to. What seen has is passed over, by whatever name; what is found
// joins it. The error is one of ctx.
func look(ctx context.Context, r root, seen map[string]bool) (Place, []Session, error) {
	p := Place{Path: r.path, Name: r.name}
	agents, err := os.ReadDir(filepath.Join(r.path, "agents"))
	if _, rootErr := os.Stat(r.path); rootErr == nil && errors.Is(err, os.ErrNotExist) {
		err = nil // a host that nobody has talked to yet
	}
	if err != nil {
		p.Why = why(err)
		return p, nil, nil
	}
	var files []*file
	count := 0
	for _, dir := range r.moved {
		if dir != filepath.Join(r.path, "agents", agentOf(dir), "agent") {
			count++
			files = append(files, p.databaseIn(dir, agentOf(dir))...)
		}
	}
	for _, a := range linksLast(agents) {
		dir := filepath.Join(r.path, "agents", a.Name())
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || again(seen, dir) {
			continue
		}
		if count++; count > maxAgents {
			p.Unread = append(p.Unread, Unread{dir, fmt.Sprintf("only the first %d agents were looked at", maxAgents)})
			break
		}
		files = append(files, p.filesOf(dir, a.Name())...)
	}
	files = slices.DeleteFunc(files, func(f *file) bool { return again(seen, f.path) })
	if err := peek(ctx, files); err != nil {
		return p, nil, err
	}
	sessions := p.collect(files)
	switch {
	case len(sessions) > 0:
	case count == 0:
		p.Why = "it has no agents"
	case len(p.Unread) > 0:
		p.Why = "none of its files could be read"
	default:
		p.Why = fmt.Sprintf("its agents (%d) have no sessions yet", count)
	}
	return p, sessions, nil
}

// linksLast puts what is a link behind what is not, so that a file is called what it
// is called where it lies.
func linksLast(entries []os.DirEntry) []os.DirEntry {
	isLink := func(e os.DirEntry) int { return int(e.Type() & os.ModeSymlink) }
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(isLink(a), isLink(b)) })
	return entries
}

// again reports whether seen has what lies at path, and notes that it has it now.
func again(seen map[string]bool, path string) bool {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	known := seen[target]
	seen[target] = true
	return known
}

// databaseIn is the database of an agent in dir, if there is one.
func (p *Place) databaseIn(dir, agent string) []*file {
	path := filepath.Join(dir, "openclaw-agent.sqlite")
	_, err := os.Stat(path)
	if err == nil {
		return []*file{{path: path, agent: agent, state: InDatabase}}
	}
	if !errors.Is(err, os.ErrNotExist) {
		p.Unread = append(p.Unread, Unread{path, why(err)})
	}
	return nil
}

// filesOf lists the files of an agent that may hold sessions.
func (p *Place) filesOf(dir, agent string) []*file {
	files := p.databaseIn(filepath.Join(dir, "agent"), agent)
	for _, name := range transcripts {
		sub := filepath.Join(dir, name)
		entries, err := os.ReadDir(sub)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			p.Unread = append(p.Unread, Unread{sub, why(err)})
		}
		taken := 0
		slices.Reverse(entries)
		for _, e := range linksLast(entries) {
			state, ok := stateOf(e.Name())
			if !ok || e.IsDir() {
				continue
			}
			if taken++; taken > maxFiles {
				p.Unread = append(p.Unread, Unread{sub, fmt.Sprintf("only %d of its files were looked at", maxFiles)})
				break
			}
			files = append(files, &file{path: filepath.Join(sub, e.Name()), agent: agent, state: state})
		}
	}
	return files
}

// peek looks into files, several at a time.
func peek(ctx context.Context, files []*file) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	for _, f := range files {
		g.Go(func() error {
			f.found, f.err = openclaw.Peek(ctx, f.path)
			return ctx.Err()
		})
	}
	return g.Wait()
}

// collect makes sessions of what is in files, and notes what could not be read.
func (p *Place) collect(files []*file) []Session {
	keys := make(map[string]map[string]string) // by folder, by session id
	var out []Session
	for _, f := range files {
		if f.err != nil {
			p.Unread = append(p.Unread, Unread{f.path, cause(f.err, f.path)})
			continue
		}
		for _, s := range f.found {
			key := s.Key
			if key == "" {
				dir := filepath.Dir(f.path)
				if keys[dir] == nil {
					keys[dir] = openclaw.Keys(dir)
				}
				key = keys[dir][s.IDs[0]]
			}
			if key == "" {
				key = s.IDs[0]
			}
			state := f.state
			switch s.Archived {
			case "reset":
				state = Reset
			case "deleted":
				state = Deleted
			}
			out = append(out, Session{
				Path: s.Path, Store: s.Store, Key: key, IDs: s.IDs, Agent: f.agent, State: state,
				Turns: s.Turns, First: s.First, Last: s.Last, Bytes: s.Bytes,
			})
		}
	}
	p.Stored = len(out)
	return out
}

// cause says in a few words why the file at path was not used.
func cause(err error, path string) string {
	if no, ok := errors.AsType[*openclaw.NotSessionError](err); ok {
		return "this is " + no.What
	}
	if errors.Is(err, os.ErrPermission) {
		return "it may not be read"
	}
	if info, lost := os.Lstat(path); errors.Is(err, os.ErrNotExist) && lost == nil && info.Mode()&os.ModeSymlink != 0 {
		return "it is a link to what is not there"
	}
	return strings.TrimPrefix(strings.ReplaceAll(err.Error(), " "+path, ""), "openclaw: ")
}
