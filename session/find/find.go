// Package find finds the OpenClaw sessions on this machine: in the state folders
// of all profiles and older brands, in both stores, archives and copies included.
// It only reads, and counts rather than decodes.
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
	"time"
)

// Session is one session, however many times it is stored.
type Session struct {
	// Path is the file that opens it, Store its kind as in session.Source.
	Path  string `json:"path"`
	Store string `json:"store"`
	// Key is the session key, or the session id where no key is known or it was
	// put aside: what picks the session among others of the file.
	Key string `json:"session"`
	// IDs are the session ids of its windows, oldest first.
	IDs   []string `json:"ids"`
	Agent string   `json:"agent"`
	// State says what the file is.
	State State `json:"state"`
	// Turns is the number of stored user entries, -1 where the session is too
	// large to count them.
	Turns int `json:"turns"`
	// First is the beginning of the first thing that a person said; empty unknown.
	First string `json:"first,omitempty"`
	// Last is when something was written last; zero where nothing says so.
	Last  time.Time `json:"last,omitzero"`
	Bytes int64     `json:"bytes"`
	// Also are other files that hold the session, or an earlier state of it.
	Also []string `json:"also,omitempty"`
}

// Place is a state folder that was looked at.
type Place struct {
	Path string `json:"path"`
	// Name says which one it is: "OpenClaw", "profile work", "Clawdbot" …
	Name string `json:"name"`
	// Stored is how many times a session is stored here.
	Stored int `json:"stored"`
	// Why says why there is none; empty where there are some.
	Why string `json:"why,omitempty"`
	// Unread are files that could not be used, each with the cause.
	Unread []Unread `json:"unread,omitempty"`
}

// Unread is a file that could not be used.
type Unread struct {
	Path  string `json:"path"`
	Cause string `json:"cause"`
}

// Result is what there is on this machine.
type Result struct {
	// Sessions are the most recently used first.
	Sessions []Session `json:"sessions"`
	// Places are where was looked, in order.
	Places []Place `json:"places"`
}

// Options say where to look. The zero value looks where the environment says.
type Options struct {
	// Home is the home folder; empty: the user's.
	Home string
	// StateDir is the folder that OPENCLAW_STATE_DIR names; empty: what it names.
	StateDir string
}

// Find looks for sessions. What cannot be read is said in the result; the only
// errors are a cancelled ctx and a home folder that nobody knows where no other place
// is named.
func Find(ctx context.Context, opt Options) (*Result, error) {
	if opt.StateDir == "" {
		opt.StateDir = os.Getenv("OPENCLAW_STATE_DIR")
	}
	if opt.Home == "" {
		home, err := os.UserHomeDir()
		if err != nil && opt.StateDir == "" {
			return nil, fmt.Errorf("find: %w: set it to your home folder, or OPENCLAW_STATE_DIR to the folder that has the agents", err)
		}
		opt.Home = home
	}
	r := &Result{Sessions: []Session{}}
	seen := make(map[string]bool)
	var copies []Session
	for _, root := range roots(opt) {
		place, found, err := look(ctx, root, seen)
		if err != nil {
			return nil, fmt.Errorf("find: look through %s: %w", root.path, err)
		}
		r.Places = append(r.Places, place)
		copies = append(copies, found...)
	}
	r.Sessions = append(r.Sessions, distinct(copies)...)
	return r, nil
}

// root is a state folder that may be there.
type root struct {
	path, name string
	moved      []string // folders of agents that its configuration puts elsewhere
}

// brands are the names that the state folder has had, the present one first.
var brands = []struct{ folder, name string }{{".openclaw", "OpenClaw"}, {".moltbot", "Moltbot"}, {".clawdbot", "Clawdbot"}}

// roots lists the state folders to look at, each once: the one of the
// environment, the usual one even if it is not there, and those of profiles and
// older brands.
func roots(opt Options) []root {
	var all []root
	if opt.StateDir != "" {
		all = append(all, root{path: expand(opt.StateDir, opt.Home), name: "OPENCLAW_STATE_DIR"})
	}
	if opt.Home == "" {
		return withMoved(all, opt.Home)
	}
	entries, _ := os.ReadDir(opt.Home) // of a home that cannot be read look tells why
	for i, b := range brands {
		if i == 0 || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == b.folder }) {
			all = append(all, root{path: filepath.Join(opt.Home, b.folder), name: b.name})
		}
		for _, e := range entries {
			if profile, ok := strings.CutPrefix(e.Name(), b.folder+"-"); ok {
				all = append(all, root{path: filepath.Join(opt.Home, e.Name()), name: b.name + ", profile " + profile})
			}
		}
	}
	seen := make(map[string]bool) // an older brand's is often a link to the present one
	all = slices.DeleteFunc(all, func(r root) bool { return again(seen, r.path) })
	return withMoved(all, opt.Home)
}

// withMoved adds to each folder where its configuration puts agents.
func withMoved(all []root, home string) []root {
	for i := range all {
		all[i].moved = movedAgents(filepath.Join(all[i].path, "openclaw.json"), home)
	}
	return all
}

// expand is a path with the home folder for a leading ~.
func expand(path, home string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		path = filepath.Join(home, rest)
	}
	return filepath.Clean(path)
}

// why says in a few words what kept a folder from being read.
func why(err error) string {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "there is no such folder"
	case errors.Is(err, os.ErrPermission):
		return "it may not be read"
	}
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		err = pathErr.Err
	}
	return err.Error()
}

// distinct makes one of all copies of a session: the best of them, with the paths
// of the others. Sessions of one id are the same, wherever they are.
func distinct(copies []Session) []Session {
	slices.SortStableFunc(copies, func(a, b Session) int {
		return cmp.Or(cmp.Compare(a.State.rank(), b.State.rank()), b.Last.Compare(a.Last))
	})
	at := make(map[string]int) // by session id
	var out []Session
	for _, c := range copies {
		same := len(out)
		for _, id := range c.IDs {
			if k, ok := at[id]; ok {
				same = k
				break
			}
		}
		if same < len(out) {
			out[same].Also = append(out[same].Also, c.Path)
		} else {
			out = append(out, c)
		}
		for _, id := range c.IDs {
			if _, known := at[id]; !known {
				at[id] = same
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Session) int { return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Key, b.Key)) })
	return out
}
