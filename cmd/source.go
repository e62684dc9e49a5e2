package cmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pacms/capture/store"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/files"
	"pacms/session/openclaw"
	"pacms/session/poolfile"
	"pacms/testdata"
)

// source is a session that can be shown.
type source struct {
	title string
	// story is what the screen tells with the session; nil where it just shows it.
	story *testdata.Story
	// recorded is the case that the file begins with; nil for everything else.
	recorded *share.Case
	// pools is true for a file of pools.
	pools bool
	load  func(ctx context.Context, opt openclaw.Options) (*session.Session, error)
	// tail is set instead of load where the session is followed.
	tail *tailed
}

// demoSource is the session inside the binary.
func demoSource(story *testdata.Story) source {
	return source{
		title: story.Title,
		story: story,
		load: func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
			return openclaw.Read(ctx, testdata.Session(), testdata.SessionName, opt)
		},
	}
}

// fileSource is the session at path: a store, a folder with one, or a file of pools.
func fileSource(path string) (source, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == demoName:
		return source{}, usagef("there is no file %q: the session inside the program is shown by pacms demo; why, compare, check and export take the word", path)
	case errors.Is(err, fs.ErrNotExist):
		return source{}, fmt.Errorf("there is no file %q", path)
	case err != nil:
		return source{}, fmt.Errorf("open the session: %w", err)
	case !info.IsDir() && !info.Mode().IsRegular():
		// A session is read more than once, and a pipe may never have a writer.
		return source{}, fmt.Errorf("%q is %s: store what comes from it in a file and replay that", path, files.Kind(info.Mode()))
	}
	schema, candidates := firstObject(path)
	if share.Is(schema) {
		return casesSource(path)
	}
	pools := arePools(schema, candidates)
	return source{
		title: filepath.Base(path), pools: pools,
		load: func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
			switch {
			case pools:
				return readPools(path, opt)
			case store.Is(path):
				return readCaptures(ctx, path, opt)
			}
			return openclaw.Open(ctx, path, opt)
		},
	}, nil
}

// sniffed is how much of a file is looked at to see whether it holds pools: the
// question of a pool may come before the keys that tell.
const sniffed = 1 << 20

// poolSchemas begins the schema of a pool in every version.
const poolSchemas = "pacms.pool/"

// arePools reports whether a file holds pools by what firstObject says of it.
func arePools(schema string, candidates bool) bool {
	// Another version is one, too: reading it says which it has to be.
	return candidates || strings.HasPrefix(schema, poolSchemas)
}

// firstObject looks at the first JSON object of the file at path: its schema, or
// where that does not come before them, whether it has candidates. What is no regular
// file is left alone: of a pipe nothing can be read twice.
func firstObject(path string) (schema string, candidates bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	r := bufio.NewReader(io.LimitReader(f, sniffed))
	if mark, _ := r.Peek(3); string(mark) == "\ufeff" {
		_, _ = r.Discard(len(mark))
	}
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", false
		}
		if key == "candidates" {
			return "", true
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return "", false
		}
		if key == "schema" {
			_ = json.Unmarshal(value, &schema) // what is no string is no schema
			return schema, false
		}
	}
	return "", false
}

// readPools reads a file of pools, one document or one a line, as a session
// whose turns are the pools.
func readPools(path string, opt openclaw.Options) (*session.Session, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the pools: %w", err)
	}
	defer f.Close()
	var pools []*session.Pool
	if filepath.Ext(path) == ".jsonl" {
		pools, err = poolfile.DecodeAll(f, path, opt.Counter)
	} else {
		var pool *session.Pool
		pool, err = poolfile.Decode(f, opt.Counter)
		pools = append(pools, pool)
	}
	if err != nil {
		return nil, usagef("the pool in %s cannot be used: %w", path, err)
	}
	return sessionOf(path, pools, opt), nil
}

// sessionOf makes a session whose turns are pools. A candidate has the same number
// in all of them.
func sessionOf(path string, pools []*session.Pool, opt openclaw.Options) *session.Session {
	s := &session.Session{
		Source:    session.Source{Path: path, Store: "pools"},
		Key:       filepath.Base(path),
		Tokenizer: opt.Counter.Name(),
		Estimated: opt.Counter.Estimated(),
		Pools:     pools,
	}
	number(pools)
	for i, p := range pools {
		span := session.Span{From: len(s.Candidates), To: len(s.Candidates) + len(p.Candidates)}
		s.Candidates = append(s.Candidates, p.Candidates...)
		s.Turns = append(s.Turns, session.Turn{
			Number: i + 1, Time: p.Time, Branch: session.BranchActive, Query: p.Query,
			Window: []session.Span{span}, Key: []session.Span{span}, IDsRepaired: p.IDsRepaired,
		})
		if p.Session != "" {
			s.Key = p.Session
		}
	}
	return s
}

// number gives each candidate of the pools its number by its id, unless the pools
// bring numbers of their own that can be told apart.
func number(pools []*session.Pool) {
	if numbered(pools) {
		return
	}
	byID := make(map[string]int)
	for _, p := range pools {
		for i := range p.Candidates {
			c := &p.Candidates[i]
			if byID[c.ID] == 0 {
				byID[c.ID] = len(byID) + 1
			}
			c.Number = byID[c.ID]
		}
	}
}

// numbered reports whether each id of the pools has one number, which is no
// other's.
func numbered(pools []*session.Pool) bool {
	byID, byNumber := make(map[string]int), make(map[int]string)
	for _, p := range pools {
		for i := range p.Candidates {
			c := &p.Candidates[i]
			n, known := byID[c.ID]
			id, taken := byNumber[c.Number]
			if c.Number <= 0 || known && n != c.Number || taken && id != c.ID {
				return false
			}
			byID[c.ID], byNumber[c.Number] = c.Number, c.ID
		}
	}
	return true
}
