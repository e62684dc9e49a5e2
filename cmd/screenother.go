package cmd

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"pacms/selector"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/tui"
)

// others opens what the compare view of the screen takes its sides from beside the
// session on screen: the same session by another counter or embedder, and other files.
// Each is opened once.
type others struct {
	src  source
	plan *plan
	key  string // of the session, as --session says
	// own are the session on screen and its embedder, once they are there.
	own func() (*session.Session, *embedding)

	mu        sync.Mutex // held while something is opened
	embedders map[string]*embedding
	sessions  map[[2]string]*session.Session // by path and counter
}

// open is tui.Config.Other.
func (o *others) open(ctx context.Context, place tui.Place, progress tui.Progress) (*session.Session, *selector.Engine, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, err := o.session(ctx, place, progress)
	if err != nil {
		return nil, nil, err
	}
	e, err := o.embedder(ctx, cmp.Or(place.Embedder, o.plan.embedder), progress)
	if err != nil {
		return nil, nil, err
	}
	return s, selector.NewEngine(e, s.Tokenizer), nil
}

// session reads the session of a place.
func (o *others) session(ctx context.Context, place tui.Place, progress tui.Progress) (*session.Session, error) {
	counter := o.plan.counter
	if place.Counter != "" && place.Counter != counter.Name() {
		var err error
		if counter, err = token.New(place.Counter); err != nil {
			return nil, fmt.Errorf("make the token counter: %w", err)
		}
	}
	if own, _ := o.own(); place.Path == "" && own != nil && counter.Name() == o.plan.counter.Name() {
		return own, nil
	}
	key := [2]string{place.Path, counter.Name()}
	if s := o.sessions[key]; s != nil {
		return s, nil
	}
	src, session := o.src, o.key
	if place.Path != "" {
		var err error
		if src, err = fileSource(place.Path); err != nil {
			return nil, err
		}
		session = "" // that names one in the file on screen
	}
	s, err := src.load(ctx, openclaw.Options{Counter: counter, Session: session, Progress: func(done, total int64) {
		progress("reading "+src.title, done, total)
	}})
	if err != nil {
		return nil, err
	}
	o.sessions[key] = s
	return s, nil
}

// embedder is the one with a name.
func (o *others) embedder(ctx context.Context, name string, progress tui.Progress) (*embedding, error) {
	if _, own := o.own(); own != nil && name == o.plan.embedder {
		return own, nil
	}
	if e := o.embedders[name]; e != nil {
		return e, nil
	}
	if err := checkEmbedder("what compares the texts", name); err != nil {
		return nil, err
	}
	progress("asking "+name+" for its model", 0, 0)
	e, err := openEmbedding(ctx, name)
	if err != nil {
		return nil, err
	}
	o.embedders[name] = e
	return e, nil
}

// close ends the use of the embedders and tells what went wrong on the way.
func (o *others) close(tell func(string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range o.embedders {
		e.close(tell)
	}
}
