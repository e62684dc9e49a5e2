package tui

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/choices"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// maxUndo is how many pins and bans can be taken back one after the other.
const maxUndo = 200

// history is what a person pinned, banned and marked, step by step.
type history struct {
	past, future []step
}

// step is one pin, ban or mark: what was chosen and marked before it, and what it did.
type step struct {
	before, marks *choices.Choices
	what          string
}

// push remembers a step, after which nothing can be done again.
func (h *history) push(s step) {
	if len(h.past) == maxUndo {
		h.past = h.past[1:]
	}
	h.past, h.future = append(h.past, s), nil
}

// recall takes over what was chosen on an earlier visit as if it had been chosen one
// by one: the pins in their order, then the bans in theirs, then the marks. name is what
// the screen calls a candidate by its id.
func (h *history) recall(c *choices.Choices, name func(id string) string) {
	*h = history{}
	for i, id := range c.Pins {
		h.push(step{&choices.Choices{Pins: c.Pins[:i:i]}, new(choices.Choices), name(id) + " is pinned"})
	}
	for i, id := range c.Bans {
		h.push(step{&choices.Choices{Pins: c.Pins, Bans: c.Bans[:i:i]}, new(choices.Choices), name(id) + " is banned"})
	}
	for i, mark := range c.Marks {
		h.push(step{c, &choices.Choices{Marks: c.Marks[:i:i]}, markText(mark.Turn, name(mark.ID), mark.Keep)})
	}
}

// nameOf is what the screen calls a candidate of the session by its id.
func (m *Model) nameOf(id string) string {
	for i := range m.session.Candidates {
		c := &m.session.Candidates[i]
		switch {
		case c.ID != id:
		case c.Number > 0:
			return "#" + strconv.Itoa(c.Number)
		case m.session.Pools == nil: // there it is by its place
			return "#" + strconv.Itoa(i+1)
		}
	}
	return safe.Line(id)
}

func pin(m *Model, _ string) tea.Cmd {
	group, name, was := m.fate()
	if was.Pinned(group...) {
		return m.choose(was.Free(group), name+" is no longer pinned")
	}
	return m.choose(was.Pin(group[0], group), name+" is pinned")
}

func ban(m *Model, _ string) tea.Cmd {
	group, name, was := m.fate()
	if was.Banned(group...) {
		return m.choose(was.Free(group), name+" is no longer banned")
	}
	if why := m.mustKeep(); why != "" {
		m.say(name + " is required and cannot be banned" + why)
		return nil
	}
	return m.choose(was.Ban(group[0], group), name+" is banned")
}

// fate gives the ids of the candidate under the cursor and of all that share its
// fate, that candidate first, with what to call it, and what is chosen now.
func (m *Model) fate() (group []string, name string, now *choices.Choices) {
	group, name = m.fateOf(m.cursor)
	return group, name, m.want.choices
}

// fateOf is fate for the candidate at a pool index.
func (m *Model) fateOf(at int) (group []string, name string) {
	group = []string{m.shown.pool.Candidates[at].ID}
	for _, i := range m.groupOf(at) {
		if i != at {
			group = append(group, m.shown.pool.Candidates[i].ID)
		}
	}
	name = "#" + strconv.Itoa(m.shown.numbers[at])
	if len(group) > 1 {
		name += "'s group"
	}
	return group, name
}

// groupOf are the pool indices of the candidates that share the fate of that at
// index i.
func (m *Model) groupOf(i int) []int {
	candidates := m.shown.pool.Candidates
	if candidates[i].Group == "" {
		return []int{i}
	}
	var group []int
	for k := range candidates {
		if candidates[k].Group == candidates[i].Group {
			group = append(group, k)
		}
	}
	return group
}

// mustKeep says why the candidate under the cursor cannot be banned, with a colon
// before it where the cause is known; "": it can.
func (m *Model) mustKeep() string {
	for _, i := range m.groupOf(m.cursor) {
		if m.shown.sel.Code(i) != selector.Required {
			continue
		}
		if v := m.verdict; v != nil && v.Index == i {
			return ": " + strings.TrimPrefix(v.Reason.Text, "required: ")
		}
		return ": a rule or the request requires its group"
	}
	return ""
}

// choose makes c what is pinned and banned.
func (m *Model) choose(c *choices.Choices, what string) tea.Cmd {
	m.history.push(step{m.want.choices, m.expected, what})
	m.sayWith(what, " · u takes it back")
	return m.chosen(c)
}

// chosen asks for the picture with other choices, and saves them.
func (m *Model) chosen(c *choices.Choices) tea.Cmd {
	r := m.want
	r.choices = c
	return tea.Batch(m.ask(r), m.save())
}

// save saves what is pinned, banned and marked.
func (m *Model) save() tea.Cmd {
	keeper := m.keeper
	keeper.wanted.Store(&choices.Choices{Pins: m.want.choices.Pins, Bans: m.want.choices.Bans, Marks: m.expected.Marks})
	return func() tea.Msg { return savedMsg{keeper.save()} }
}

// backTo goes to what was chosen and marked before or after a step.
func (m *Model) backTo(c, marks *choices.Choices) tea.Cmd {
	if marks == m.expected {
		return m.chosen(c)
	}
	m.stopSweep() // the marks may be of other turns
	if c == m.want.choices {
		return tea.Batch(m.remark(marks), m.save())
	}
	return tea.Batch(m.remark(marks), m.chosen(c))
}

func undo(m *Model, _ string) tea.Cmd {
	h := &m.history
	last := h.past[len(h.past)-1]
	h.past = h.past[:len(h.past)-1]
	h.future = append(h.future, step{m.want.choices, m.expected, last.what})
	m.sayWith("taken back: "+last.what, " · ctrl+r: again")
	return m.backTo(last.before, last.marks)
}

func redo(m *Model, _ string) tea.Cmd {
	h := &m.history
	next := h.future[len(h.future)-1]
	h.future = h.future[:len(h.future)-1]
	h.past = append(h.past, step{m.want.choices, m.expected, next.what})
	m.say("again: " + next.what)
	return m.backTo(next.before, next.marks)
}

func noUndo(m *Model) string {
	if len(m.history.past) == 0 {
		return "nothing to take back"
	}
	return noPicture(m)
}

func noRedo(m *Model) string {
	if len(m.history.future) == 0 {
		return "nothing was taken back that could be done again"
	}
	return noPicture(m)
}

// counts says how much is pinned and banned, "" where nothing is.
func (r *request) counts() string {
	var parts []string
	if n := len(r.choices.Pins); n > 0 {
		parts = append(parts, "PINNED "+paint.Count(n))
	}
	if n := len(r.choices.Bans); n > 0 {
		parts = append(parts, "BANNED "+paint.Count(n))
	}
	return strings.Join(parts, " ")
}

// savedMsg is the end of an attempt to save what is pinned, banned and marked.
type savedMsg struct{ err error }

// keeper saves what is pinned, banned and marked. However many changes come while it
// writes, the last one is what stands in the file in the end.
type keeper struct {
	// file is nil where nothing is to be saved.
	file   *choices.File
	wanted atomic.Pointer[choices.Choices]

	mu      sync.Mutex // held while the file is written
	written *choices.Choices
}

// newKeeper is a keeper of nothing, which saves nowhere.
func newKeeper() *keeper {
	k := &keeper{written: new(choices.Choices)}
	k.wanted.Store(k.written)
	return k
}

// save writes the newest choices, unless they are written.
func (k *keeper) save() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.wanted.Load()
	if k.file == nil || c == k.written {
		return nil
	}
	if err := k.file.Update(k.written, c); err != nil {
		return err
	}
	k.written = c
	return nil
}

// remembered reads what was pinned, banned and marked in s on an earlier visit, and gives
// the keeper of it. Where that is nothing, it begins with the pins and bans of the
// configuration. A story remembers nothing: each visitor sees it anew.
func (m *Model) remembered(s *session.Session) (*keeper, error) {
	k := newKeeper()
	if m.cfg.Story != nil {
		return k, nil
	}
	if len(m.cfg.Pins)+len(m.cfg.Bans) > 0 {
		k.wanted.Store(&choices.Choices{Pins: m.cfg.Pins, Bans: m.cfg.Bans})
	}
	if m.cfg.StateDir == "" {
		return k, nil
	}
	path := s.Source.Path
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	k.file = &choices.File{Dir: m.cfg.StateDir, Source: path, Session: s.Key}
	c, err := k.file.Load()
	if err != nil {
		return k, err
	}
	k.written = c
	if !c.Empty() {
		k.wanted.Store(c)
	}
	return k, nil
}

// saved says where saving failed.
func (m *Model) saved(msg savedMsg) {
	if msg.err != nil && m.ctx.Err() != context.Canceled {
		m.note("pins, bans and marks are not saved: " + safe.Line(safe.Error(msg.err)))
	}
}
