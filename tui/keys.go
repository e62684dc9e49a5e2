package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
)

// binding is one thing that keys do on the main screen.
type binding struct {
	keys []string
	// name is the keys as help and footer write them, help what they do.
	name, help string
	// each is what the first keys do where they do not do the same; it stands in
	// for help.
	each []string
	// short and footer are the keys and what they do as the footer writes them;
	// without them the binding is not in the footer.
	short, footer string
	// blocked says why the keys cannot act now; nil or "": they can.
	blocked func(*Model) string
	// view is set where the keys open another view from any of them.
	view bool
	do   func(m *Model, key string) tea.Cmd
}

// section is a part of the list of keys.
type section struct {
	title    string
	bindings []binding
}

// keymap is every key of the main screen. Help and footer are made from it.
type keymap struct {
	sections []section
	byKey    map[string]*binding
	footer   []*binding
}

func newKeymap() keymap {
	k := keymap{sections: sections(), byKey: make(map[string]*binding)}
	for s := range k.sections {
		for b := range k.sections[s].bindings {
			for _, key := range k.sections[s].bindings[b].keys {
				k.byKey[key] = &k.sections[s].bindings[b]
			}
		}
	}
	for _, key := range footerOrder() {
		k.footer = append(k.footer, k.byKey[key])
	}
	return k
}

// strategySection is the section with the strategies.
const strategySection = "budget and strategy"

func sections() []section {
	digits := "1-" + strconv.Itoa(len(selector.Strategies()))
	return []section{
		{"turns", []binding{
			{
				keys: []string{",", "[", "pgup"}, name: ", [ PgUp", short: ", .", footer: "turn",
				help: "the turn before", blocked: noTurnBefore, do: stepTurn(-1),
			},
			{keys: []string{".", "]", "pgdown"}, name: ". ] PgDn", help: "the next turn", blocked: noTurnAfter, do: stepTurn(1)},
			{keys: []string{"{", "}"}, name: "{ }", each: []string{"the turn before with a mark under the timeline", "the next turn with a mark under the timeline"}, blocked: noSession, do: markedTurn},
			{
				keys: []string{"g"}, name: "g", short: "g", footer: "go to turn",
				help: "go to a turn: a list by number, time, question and marks", blocked: noSession, do: askTurn,
			},
			{
				keys: []string{"G"}, name: "G", short: "G", footer: "follow",
				help: "the newest turn, and go on with those that come", blocked: noFollowing, do: followAgain,
			},
			{
				keys: []string{"space"}, name: "space", short: "space", footer: "play",
				help: "play turn by turn, pause", blocked: noSession, do: togglePlay,
			},
			{keys: []string{"<", ">"}, name: "< >", short: "< >", footer: "speed", each: []string{"play slower", "play faster"}, do: changeSpeed},
			{
				keys: []string{"H"}, name: "H", short: "H", footer: "internal turns",
				help: "show the host's own turns (heartbeats and the like)", blocked: noInternals, do: toggleInternals,
			},
			{
				keys: []string{"D"}, name: "D", short: "D", footer: "demo again",
				help: "start the demo again", blocked: noStory, do: restartStory,
			},
		}},
		{strategySection, []binding{
			{
				keys: []string{"-", "+"}, name: "- +", short: "- +", footer: "budget",
				each: []string{"the next budget below at which something changes", "the next budget above at which something changes"}, blocked: noPicture, do: seekBudget,
			},
			{keys: []string{"_", "*"}, name: "_ *", short: "_ *", footer: "1 %", each: []string{"1 % of the largest pool less", "1 % of the largest pool more"}, blocked: noPicture, do: stepBudget},
			{
				keys: []string{"b"}, name: "b", short: "b", footer: "type a budget",
				help: "type a budget: 4096, 32k or 45%", blocked: noSession, do: askBudget,
			},
			{
				keys: []string{"f"}, name: "f", short: "f", footer: "flips",
				help: "the flips under the bar: what comes or goes at which budget", blocked: noPicture, do: toggleFlips,
			},
			{keys: []string{"="}, name: "=", help: "the budget that the host has", blocked: noHostBudget, do: hostBudget},
			{
				keys: []string{"M"}, name: "M", short: "M", footer: "matrix",
				help: "the matrix: what every strategy does, in this turn or over all", blocked: noPicture, view: true, do: openMatrix,
			},
			{
				keys: []string{"v"}, name: "v", short: "v", footer: "chart",
				help: "the chart: value, tokens and what is needed against the budget", blocked: noPicture, view: true, do: openChart,
			},
			{
				keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, name: digits, short: digits, footer: "strategy",
				each: []string{}, blocked: noSession, do: pickStrategy,
			},
		}},
		{"items", []binding{
			{keys: []string{"left", "h"}, name: "← h", help: "the item before", blocked: noCells, do: moveCursor(-1, 0)},
			{keys: []string{"right", "l"}, name: "→ l", help: "the next item", blocked: noCells, do: moveCursor(1, 0)},
			{keys: []string{"up", "k"}, name: "↑ k", help: "the item above", blocked: noCells, do: moveCursor(0, -1)},
			{keys: []string{"down", "j"}, name: "↓ j", help: "the item below", blocked: noCells, do: moveCursor(0, 1)},
			{keys: []string{"ctrl+u", "ctrl+d"}, name: "ctrl+u d", each: []string{"half a screen of items up", "half a screen of items down"}, blocked: noCells, do: jumpHalf},
			{keys: []string{"home", "end"}, name: "Home End", each: []string{"the oldest item", "the newest item"}, blocked: noCells, do: jumpCursor},
			{
				keys: []string{"n", "N"}, name: "n N", short: "n", footer: "changes",
				each: []string{"the next item that was found, or that changed", "the previous one"}, blocked: noWalk, do: walk,
			},
			{
				keys: []string{"/"}, name: "/", short: "/", footer: "find",
				help: "find by text, kind, verdict, turn or reason; esc ends it", blocked: noCells, do: askSearch,
			},
			{
				keys: []string{"F"}, name: "F", short: "F", footer: "find everywhere",
				help: "find a text in all that is stored, and its fate in each turn", blocked: noSession, do: askEverywhere,
			},
			{
				keys: []string{"z"}, name: "z", short: "z", footer: "zoom",
				help: "zoom: cells, rows with one item each, a strip", blocked: noPicture, do: zoom,
			},
			{keys: []string{"p"}, name: "p", short: "p x", footer: "pin, ban", help: "pin: keep it whatever the strategy says; again: no more", blocked: noCells, do: pin},
			{keys: []string{"x"}, name: "x", help: "ban: drop it whatever the strategy says; again: no more", blocked: noCells, do: ban},
			{
				keys: []string{"y", "Y"}, name: "y Y", short: "y", footer: "copy",
				each: []string{"copy the item as Markdown", "copy the item as JSON"}, blocked: noCells, do: copyCandidate,
			},
			{keys: []string{"e"}, name: "e", help: "export what is shown to a file: Markdown, JSON, SVG", blocked: noExport, do: askExport},
			{keys: []string{"ctrl+y"}, name: "ctrl+y", help: "copy the whole selection as JSON", blocked: noPicture, do: copySelection},
			{
				keys: []string{"m"}, name: "m", short: "m", footer: "mark",
				help: "mark: this turn must keep the item, must drop it, no more", blocked: noCells, do: cycleMark,
			},
			{keys: []string{";"}, name: ";", help: "a note on the mark", blocked: noMark, do: askNote},
			{keys: []string{"u"}, name: "u", help: "take the last pin, ban or mark back", blocked: noUndo, do: undo},
			{keys: []string{"ctrl+r"}, name: "ctrl+r", help: "do again what was taken back", blocked: noRedo, do: redo},
			{
				keys: []string{"o"}, name: "o", short: "o", footer: "order",
				help: "order by time, or in a lane for each kind by rank", blocked: noPicture, do: toggleLanes,
			},
			{
				keys: []string{"enter"}, name: "enter", short: "enter", footer: "why",
				help: "why it is kept or dropped, its whole text and stored record (r)", blocked: noCells, do: openWhy,
			},
			{
				keys: []string{"a"}, name: "a", short: "a", footer: "answer",
				help: "the answer that was recorded for this turn", blocked: noAnswer, do: openAnswer,
			},
			{
				keys: []string{"t"}, name: "t", short: "t", footer: "conversation",
				help: "the conversation around the cursor, and what is not offered", blocked: noTalk, do: openTalk,
			},
			{
				keys: []string{"c"}, name: "c", short: "c", footer: "compare",
				help: "compare two strategies, budgets, turns … one above the other", blocked: noPicture, view: true, do: openCompare,
			},
		}},
		{"the program", []binding{
			{keys: []string{"i"}, name: "i", help: "the notes: what is odd in turn and session, and all marks", blocked: noNotes, do: openNotes},
			{keys: []string{"?"}, name: "?", help: "this list", do: openHelp},
			{keys: []string{"q", "esc"}, name: "q esc", help: "close what is open; on the main screen q quits", do: leave},
			{keys: []string{"ctrl+z"}, name: "ctrl+z", help: "suspend", do: func(*Model, string) tea.Cmd { return tea.Suspend }},
			{keys: []string{"ctrl+c"}, name: "ctrl+c", help: "quit at once", do: interrupt},
		}},
	}
}

// footerOrder are keys of the bindings in the footer, the most useful first.
func footerOrder() []string {
	return []string{"G", ",", "-", "enter", "c", "<", "1", "M", "v", "m", "space", "/", "n", "p", "z", "f", "y", "o", "b", "g", "a", "t", "_", "D", "H", "F"}
}

// mouseHelp is what the mouse does, for the list of keys.
func mouseHelp() [][2]string {
	return [][2]string{
		{"bar", "click or drag: the budget"},
		{"chart", "click or drag: the budget of its line"},
		{"cell", "click: put the cursor on an item"},
		{"strategy", "click: run it"},
		{"list", "click: put the cursor on a line, again: choose it"},
		{"timeline", "click: go to that turn"},
		{"wheel", "move through the items or a text"},
	}
}

// press runs what a key does on the main screen, or says why it cannot.
func (m *Model) press(key string) tea.Cmd {
	b, ok := m.keymap.byKey[key]
	if !ok {
		m.say("nothing is on the key " + key + ": ? lists the keys")
		return nil
	}
	if b.blocked != nil {
		if why := b.blocked(m); why != "" {
			m.say(why)
			return nil
		}
	}
	return b.do(m, key)
}

// The causes for which a key cannot act.

func noSession(m *Model) string {
	if m.session == nil {
		return "the session is still being read"
	}
	return ""
}

func noPicture(m *Model) string {
	if m.shown == nil {
		return "the first turn is not ready yet"
	}
	return ""
}

func noCells(m *Model) string {
	if m.shown == nil || len(m.shown.cells) > 0 {
		return noPicture(m)
	}
	return m.nothingOffered()
}

// noTalk says why there is no conversation to show.
func noTalk(m *Model) string {
	if m.shown != nil && len(m.earlier.items)+len(m.earlier.left) > 0 {
		return ""
	}
	return noCells(m)
}

func noChanges(m *Model) string {
	if m.shown == nil || len(m.shown.changed) > 0 || len(m.shown.missed) > 0 {
		return noPicture(m)
	}
	if m.shown.since == "" {
		return "nothing to compare with yet: change the turn, the strategy or the budget"
	}
	return "nothing changed since " + m.shown.since
}

func noTurnBefore(m *Model) string {
	if m.session != nil && m.neighbour(-1) < 0 {
		return "this is the first turn"
	}
	return noSession(m)
}

func noTurnAfter(m *Model) string {
	if m.session != nil && m.neighbour(1) < 0 {
		return "this is the last turn"
	}
	return noSession(m)
}

func noInternals(m *Model) string {
	if m.session == nil {
		return noSession(m)
	}
	if m.internalTurns() > 0 {
		return ""
	}
	return "the host had no turns of its own in this session"
}

func noStory(m *Model) string {
	if m.cfg.Story == nil {
		return "only the demo has a story to start again: pacms demo"
	}
	return noSession(m)
}

func noAnswer(m *Model) string {
	if m.shown == nil || m.session.Turns[m.shown.turn].Answer != "" {
		return noPicture(m)
	}
	return "no answer was recorded for this turn"
}
