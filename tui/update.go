package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/safe"
)

// Update takes over what happened. It never reads, embeds or selects: that is
// done by the commands that it returns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.panes.dirty = true
	cmd := tea.Batch(m.react(msg), m.contend())
	if m.page == nil || m.page.kind != pageWhy {
		m.endInquiry()
		m.endLife()
	}
	switch {
	case !m.tabulated():
		m.endTables()
	case m.page.kind == pageChart && m.lineup.drawn != m.want.budget:
		m.fillPage() // its line moves before the picture is there
	}
	if m.cfg.Follow != nil {
		return m, tea.Batch(cmd, m.keepUp())
	}
	return m, cmd
}

// react takes over one message.
func (m *Model) react(msg tea.Msg) tea.Cmd {
	if cmd, answered := m.visited(msg); answered {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		if m.cfg.Profile == 0 && msg.Profile != m.profile {
			m.profile = msg.Profile
			m.setTheme(m.table.Theme)
		}
	case tea.EnvMsg:
		if msg.Getenv("SSH_TTY") != "" {
			return synchronize
		}
	case tea.BackgroundColorMsg:
		if m.cfg.Theme == nil && msg.IsDark() != m.table.Theme.Dark {
			m.setTheme(themes.For(msg.IsDark()))
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.prompt != nil {
			m.prompt.add(msg.Content)
			return m.prompt.follow(m)
		}
		if m.page != nil && m.page.pick != nil {
			return m.typeInto(msg.Content)
		}
	case tea.MouseClickMsg, tea.MouseReleaseMsg, motionMsg:
		return m.mouse(msg)
	case boothMsg:
		return m.attended(msg)
	case tickMsg:
		return m.ticked(msg)
	case progressMsg:
		if msg.generation == m.generation {
			m.loading = msg
		}
		return m.progress()
	case loadedMsg:
		return m.loaded(msg)
	case pictureMsg:
		return m.drawn(msg)
	case explainedMsg:
		if msg.picture == m.shown && msg.index == m.cursor {
			m.verdict, m.relation = &msg.verdict, msg.relation
			m.refill()
		}
	case newsMsg:
		return m.heard(msg)
	case arrivedMsg:
		return m.arrived(msg)
	case quietMsg:
		return m.quiet(msg)
	case beforeMsg:
		return m.lookedAt(msg)
	case othersMsg:
		if msg.picture == m.shown && !errors.Is(msg.err, context.Canceled) {
			m.others, m.failure = msg.others, msg.err
		}
	case duelMsg:
		return m.contested(msg)
	case bothMsg:
		m.toldBoth(msg)
	case changeMsg:
		return m.found(msg)
	case choicesMsg:
		return m.offer(msg)
	case copiedMsg:
		return m.copied(msg)
	case exportedMsg:
		m.wrote(msg)
	case rawMsg:
		m.rawRead(msg)
	case searchedMsg:
		m.searched(msg.hits)
	case everyFoundMsg:
		return m.foundEverywhere(msg)
	case everyTurnsMsg:
		return m.toldTurns(msg)
	case savedMsg:
		m.saved(msg)
	case foundOutMsg:
		return m.foundOut(msg)
	case flipsMsg:
		return m.flipped(msg)
	case lifeMsg:
		return m.lived(msg)
	case sweepMsg:
		return m.swept(msg)
	case tableMsg:
		return m.tabled(msg)
	case tallyMsg:
		return m.tallyCame(msg)
	case curveMsg:
		return m.curved(msg)
	}
	return nil
}

// synchronize turns on synchronized output, which Bubble Tea leaves off over SSH.
// A terminal that lacks it ignores it; one that has it does not flicker.
func synchronize() tea.Msg {
	return tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}
}

// key gives a key to what is open: a prompt, a page, or the main screen.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.prompt != nil {
		return m.typed(msg)
	}
	m.status = ""
	if m.page != nil {
		return m.read(msg)
	}
	return m.press(msg.String())
}

// resize takes over the size of the terminal.
func (m *Model) resize(width, height int) tea.Cmd {
	m.layout.Width, m.layout.Height = width, height
	m.relayout()
	if m.page != nil {
		m.fillPage()
	}
	if m.shown == nil {
		return nil
	}
	return m.settled()
}

// relayout lays the screen out for what is shown and arranges the cells.
func (m *Model) relayout() {
	w := wants{Width: m.layout.Width, Height: m.layout.Height, Cells: m.capacity, Large: m.table.Theme.Large}
	if m.session != nil {
		w.Turns = m.session.Turns[len(m.session.Turns)-1].Number
	}
	if m.shown == nil {
		m.layout = arrange(w)
		return
	}
	w.Flips = m.flipping.on
	w.Beside = m.beside != besideItem
	w.Box = m.wantsBox()
	m.arrangeCells(w)
	m.cursor = min(m.cursor, max(len(m.shown.cells)-1, 0))
	m.top = m.view.Scroll(m.cursor, m.top, m.layout.Grid.H)
}

// loaded takes over the session.
func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		m.err = fmt.Errorf("tui: open %s: %w", safe.Line(m.cfg.Title), msg.err)
		return m.end()
	}
	cmd := m.opened(msg.session, msg.keeper)
	if msg.forgotten != nil {
		m.note("what was pinned, banned and marked before is lost: " + safe.Line(safe.Error(msg.forgotten)))
	}
	return cmd
}

// drawn takes over a picture, and starts on the next one where the wish has
// moved on meanwhile.
func (m *Model) drawn(msg pictureMsg) tea.Cmd {
	if msg.generation != m.generation {
		return nil
	}
	m.working, m.loading = false, progressMsg{}
	if msg.err != nil {
		if errors.Is(msg.err, context.Canceled) {
			return nil
		}
		m.failure = msg.err
		return nil
	}
	m.put(msg.picture)
	if m.sought && m.status == "" && m.comparePage() == nil {
		m.say(m.shown.changes())
	}
	m.sought = false
	m.searched(msg.hits)
	if !m.want.equal(m.shown.request) || m.wantsRanks() && !m.shown.ranked {
		return tea.Batch(m.explain(), m.find(), m.produce())
	}
	return tea.Batch(m.explain(), m.find(), m.searchOn(), m.lookBack(), m.settled())
}

// put puts a picture on screen.
func (m *Model) put(p *picture) {
	// The cursor stays on its candidate, wherever that is in the new pool.
	m.cursor = p.findOrNewest(m.pointed())
	m.aim = 0
	p.mark(m.expected)
	m.prepared.put(p.turn, p.prepared)
	m.shown, m.others = p, nil
	m.booth.pictured = time.Now()
	m.findEarlier()
	m.tell()
	m.verdict = nil
	m.relation = p.relation
	if p.verdict != nil && p.verdict.Index == m.cursor {
		m.verdict = p.verdict
	}
	m.relayout()
	m.refill()
}

// pointed is the number of the candidate under the cursor, or of the one that it is
// to go to; 0 without one.
func (m *Model) pointed() int {
	if m.aim > 0 {
		return m.aim
	}
	if m.shown == nil || m.cursor >= len(m.shown.numbers) {
		return 0
	}
	return m.shown.numbers[m.cursor]
}

// refill makes the open page again where it shows what has changed, and closes it
// where that is no more.
func (m *Model) refill() {
	switch {
	case m.page == nil || m.page.kind == pagePick:
	case m.page.kind == pageWhy && len(m.shown.cells) == 0, m.page.kind == pageTalk && noTalk(m) != "":
		m.back()
	default:
		m.fillPage()
	}
}

// settled starts the work that the picture on screen can do without: the other
// strategies, and the timeline.
func (m *Model) settled() tea.Cmd {
	if m.shown == nil || m.working || m.dragging || m.live.arriving {
		return nil
	}
	var others tea.Cmd
	if m.others == nil && (m.layout.Wide || m.layout.Box.H > 0 || m.layout.Others.H > 0) {
		others = m.compare()
	}
	return tea.Batch(others, m.sweepAll(), m.inquire(), m.flip(), m.tabulate())
}
