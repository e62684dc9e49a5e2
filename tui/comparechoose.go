package tui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session/token"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// budgetShares are the budgets that a side can be given in the list, in percent of the
// largest pool.
var budgetShares = []int{5, 10, 20, 45, 70, 100}

// chooseSide lists what a side can be. What the list does not have can be typed: a
// strategy with parameters, a budget, or the path of a session.
func (m *Model) chooseSide(k int) tea.Cmd {
	side := m.contest.sides[k]
	var rows []pickRow
	var acts []func() tea.Cmd // by row
	add := func(r pickRow, act func() tea.Cmd) { rows, acts = append(rows, r), append(acts, act) }
	section := func(title string) { add(pickRow{kind: rowHeading, text: title}, nil) }
	choice := func(key, text string, now bool, change func(*contender)) {
		r := pickRow{key: key, text: text}
		if now {
			r.extra = "now"
		}
		add(r, func() tea.Cmd {
			c := m.contest.sides[k]
			change(&c)
			m.back()
			m.setSide(k, c)
			return nil
		})
	}
	section("strategy, or type one with its parameter: mmr:lambda=0.7")
	for i, s := range m.strategies {
		choice(m.labels[i][:1], s.String(), s.String() == side.strategy.String(), func(c *contender) { c.strategy = s })
	}
	for _, s := range variations() {
		choice("", s.String(), s.String() == side.strategy.String(), func(c *contender) { c.strategy = s })
	}
	if !slices.ContainsFunc(rows, func(r pickRow) bool { return r.extra == "now" }) {
		choice("", side.strategy.String(), true, func(*contender) {})
	}
	section("budget, or type one: 4096, 32k or 45%")
	choice("", "the one of the bar", side.more == 0, func(c *contender) { c.more = 0 })
	for _, share := range budgetShares {
		tokens := m.basis * share / 100
		choice("", strconv.Itoa(share)+" %: "+paint.Plural(tokens, "token"), side.more != 0 && m.want.budget+side.more == tokens,
			func(c *contender) { c.more = tokens - m.want.budget })
	}
	section("turn")
	choice("", "the one on screen", side.number == 0 && side.place.Path == "", func(c *contender) { c.number, c.place.Path = 0, "" })
	for _, step := range []struct {
		by   int
		what string
	}{{-1, "the one before"}, {1, "the next one"}} {
		if at := m.position() + step.by; at >= 0 && at < len(m.turns) {
			number := m.session.Turns[m.turns[at]].Number
			choice("", step.what, side.number == number && side.place.Path == "", func(c *contender) { c.number, c.base, c.place.Path = number, m.position(), "" })
		}
	}
	add(pickRow{text: "another one …"}, func() tea.Cmd { return m.chooseTurn(k) })
	if m.cfg.Other != nil {
		section("session, or type the path of one: other.jsonl or other.jsonl@61")
		choice("", "the one on screen", side.place.Path == "", func(c *contender) { c.place.Path, c.number = "", 0 })
		if side.place.Path != "" {
			choice("", safe.Line(side.place.Path), true, func(*contender) {})
		}
		add(pickRow{text: "another file, or a turn of it …"}, func() tea.Cmd { return m.askFile(k) })
	}
	section("rules")
	choice("", "those of the screen", side.rules == nil, func(c *contender) { c.rules = nil })
	for _, r := range rulesToChoose() {
		choice("", rulesInWords(&r), side.rules != nil && slices.Equal(side.rules.Names(), r.Names()), func(c *contender) { c.rules = &r })
	}
	if m.cfg.Other != nil {
		section("what counts tokens")
		for _, name := range token.Names {
			own := name == m.session.Tokenizer
			choice("", name, side.place.Counter == name || own && side.place.Counter == "", func(c *contender) {
				c.place.Counter = name
				if own {
					c.place.Counter = ""
				}
			})
		}
		section("what compares the texts")
		for _, name := range m.cfg.Embedders {
			own := name == m.cfg.Embedder
			choice("", name, side.place.Embedder == name || own && side.place.Embedder == "", func(c *contender) {
				c.place.Embedder = name
				if own {
					c.place.Embedder = ""
				}
			})
		}
	}
	return m.openPick(&picker{
		title: "side " + sideNames[k] + " of the comparison", empty: m.sideWays(), enter: "take it", rows: rows,
		hint: "type to find, or a path", most: maxPath,
		named: func(typed string) (int, bool) { return -1, m.cfg.Other != nil && looksLikePath(typed) },
		choose: func(m *Model, row int, typed string, _ bool) tea.Cmd {
			if row >= 0 {
				return acts[row]()
			}
			c := m.contest.sides[k]
			if m.cfg.Other != nil && isPath(typed) {
				c.place.Path, c.number = splitTurn(typed)
				c.base = m.position()
			} else if err := c.read(typed, m.basis, m.want.budget); err != nil {
				m.say(safe.Line(err.Error()))
				return nil
			}
			m.back()
			m.setSide(k, c)
			return nil
		},
	}, max(slices.IndexFunc(rows, func(r pickRow) bool { return r.extra == "now" }), 1))
}

// sideWays says what can be typed where the list has no such line.
func (m *Model) sideWays() string {
	if m.cfg.Other == nil {
		return "enter takes what was typed: mmr:lambda=0.7, 4096 or 45%"
	}
	return "enter takes it: mmr:lambda=0.7, 4096, 45% or a path"
}

// looksLikePath reports whether what was typed can be nothing but the path of a
// session, with or without a turn.
func looksLikePath(typed string) bool {
	path, _ := splitTurn(typed)
	return strings.ContainsAny(path, "/"+string(filepath.Separator)) || slices.Contains([]string{".jsonl", ".sqlite", ".db", ".json"}, filepath.Ext(path))
}

// isPath reports whether what was typed is the path of a session: by its look or, where
// it is also no strategy and no budget, because a file of that name is there.
func isPath(typed string) bool {
	if looksLikePath(typed) {
		return true
	}
	if new(contender).read(typed, 1, 0) == nil {
		return false
	}
	path, _ := splitTurn(typed)
	_, err := os.Stat(path)
	return err == nil
}

// read takes over what a person typed: a budget, a strategy, or an embedder.
func (c *contender) read(typed string, basis, bar int) error {
	if b, err := selector.ParseBudget(typed); err == nil {
		c.more = b.Tokens(basis) - bar
		return nil
	}
	if strings.HasPrefix(typed, "ollama") {
		c.place.Embedder = typed
		return nil
	}
	s, err := selector.ParseStrategy(typed)
	if name, _, with := strings.Cut(typed, ":"); err != nil && !with {
		return errors.New("“" + name + "” is no strategy, no budget and no file that is there")
	}
	if err != nil {
		return err
	}
	c.strategy = s
	return nil
}

// variations are strategies with a parameter other than the usual one.
func variations() []selector.Strategy {
	var list []selector.Strategy
	for _, name := range []string{"mmr:lambda=0.3", "mmr:lambda=0.7", "rag:k=5", "rag:k=20", "pacms:smooth=0.3", "pacms+:smooth=0.3", "pacms+:preset=A"} {
		if s, err := selector.ParseStrategy(name); err == nil {
			list = append(list, s)
		}
	}
	return list
}

// rulesToChoose are all rules, none, and all but each.
func rulesToChoose() []selector.Rules {
	list := []selector.Rules{selector.DefaultRules(), {}}
	all := selector.RuleNames()
	for i := range all {
		rest := slices.Delete(slices.Clone(all), i, i+1)
		if r, err := selector.ParseRules(strings.Join(rest, ",")); err == nil {
			list = append(list, r)
		}
	}
	return list
}

// rulesInWords names rules by what is missing of all of them.
func rulesInWords(r *selector.Rules) string {
	names := r.Names()
	var without []string
	for _, name := range selector.RuleNames() {
		if !slices.Contains(names, name) {
			without = append(without, name)
		}
	}
	switch {
	case len(names) == 0:
		return "no rules"
	case len(without) == 0:
		return "all rules"
	case len(without) < len(names):
		return "rules without " + strings.Join(without, ", ")
	}
	return "rules " + strings.Join(names, ", ")
}

// position is the place of the wanted turn among those that can be on screen.
func (m *Model) position() int {
	at, _ := slices.BinarySearch(m.turns, m.want.turn)
	return at
}

// chooseTurn lists the turns from which a side may take its pool.
func (m *Model) chooseTurn(k int) tea.Cmd {
	rows := make([]pickRow, len(m.turns))
	for i, turn := range m.turns {
		rows[i] = m.turnRow(turn)
	}
	return m.openPick(&picker{
		title: "turn of side " + sideNames[k], empty: "no question says that", enter: "take it", rows: rows,
		choose: func(m *Model, row int, _ string, _ bool) tea.Cmd {
			if row < 0 || row >= len(m.turns) {
				return nil
			}
			c := m.contest.sides[k]
			c.number, c.base, c.place.Path = m.session.Turns[m.turns[row]].Number, m.position(), ""
			m.back()
			m.setSide(k, c)
			return nil
		},
	}, m.position())
}

// maxPath is how many characters the name of a file may have.
const maxPath = 1024

// askFile asks for another session to take a side from.
func (m *Model) askFile(k int) tea.Cmd {
	m.back()
	m.prompt = &prompt{
		label: "file of side " + sideNames[k], hint: "PATH or PATH@TURN", most: maxPath,
		text: m.contest.sides[k].place.Path, offered: m.contest.sides[k].place.Path != "",
		done: func(m *Model, text string) (tea.Cmd, error) {
			if text == "" {
				return nil, errors.New("type the path of a session")
			}
			if m.contest == nil {
				return nil, nil
			}
			c := m.contest.sides[k]
			c.place.Path, c.number = splitTurn(text)
			c.base = m.position()
			m.setSide(k, c)
			return nil, nil
		},
	}
	return nil
}

// splitTurn takes PATH@TURN apart; without a turn that is 0.
func splitTurn(text string) (path string, turn int) {
	path = text
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil && n > 0 {
			path, turn = text[:at], n
		}
	}
	if rest, home := strings.CutPrefix(path, "~/"); home {
		if dir, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(dir, rest)
		}
	}
	return path, turn
}
