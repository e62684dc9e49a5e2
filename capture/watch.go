package capture

import (
	"slices"

	"github.com/fsnotify/fsnotify"
)

// watch tells that something has changed.
type watch interface {
	// over sets the folders that matter, and says whether one of them was not watched
	// before. One that cannot be watched is left out.
	over(folders []string) (more bool)
	// changed has something to receive after each change.
	changed() <-chan struct{}
	close()
}

// newWatch watches folders, not files: a file that is put aside or written anew
// takes its watch with it. Where the system has no watch to give, there are no
// changes, and following lives on its polls.
func newWatch() watch {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return noWatch{}
	}
	f := &folders{watcher: w, signal: make(chan struct{}, 1)}
	go f.listen()
	return f
}

// folders watches by what the system tells.
type folders struct {
	watcher *fsnotify.Watcher
	signal  chan struct{}
}

func (f *folders) listen() {
	for {
		select {
		case _, open := <-f.watcher.Events:
			if !open {
				return
			}
		case _, open := <-f.watcher.Errors: // it may have lost some events
			if !open {
				return
			}
		}
		select {
		case f.signal <- struct{}{}:
		default:
		}
	}
}

func (f *folders) over(dirs []string) (more bool) {
	watched := f.watcher.WatchList()
	for _, dir := range watched {
		if !slices.Contains(dirs, dir) {
			_ = f.watcher.Remove(dir) // it may be gone, and its watch with it
		}
	}
	for _, dir := range dirs {
		if !slices.Contains(watched, dir) {
			more = f.watcher.Add(dir) == nil || more // what cannot be watched is polled
		}
	}
	return more
}

func (f *folders) changed() <-chan struct{} { return f.signal }

func (f *folders) close() { _ = f.watcher.Close() }

// noWatch sees nothing.
type noWatch struct{}

func (noWatch) over([]string) bool       { return false }
func (noWatch) changed() <-chan struct{} { return nil }
func (noWatch) close()                   {}
