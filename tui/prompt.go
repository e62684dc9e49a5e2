package tui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
)

// maxPrompt is how many characters a prompt takes.
const maxPrompt = 40

// prompt is one line that a person types at the bottom of the screen.
type prompt struct {
	label string
	hint  string
	text  string
	// done takes the text over; an error keeps the prompt open and is shown.
	done func(m *Model, text string) (tea.Cmd, error)
	// changed follows what is typed and left what is not taken; both may be nil.
	changed func(m *Model, text string) tea.Cmd
	left    func(m *Model)
}

// follow acts on what was typed so far.
func (p *prompt) follow(m *Model) tea.Cmd {
	m.status = ""
	if p.changed == nil {
		return nil
	}
	return p.changed(m, strings.TrimSpace(p.text))
}

// typed is a key while a prompt is open.
func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	switch msg.String() {
	case "esc":
		m.prompt, m.status = nil, ""
		if p.left != nil {
			p.left(m)
		}
	case "enter":
		cmd, err := p.done(m, strings.TrimSpace(p.text))
		if err != nil {
			m.say(err.Error())
			return nil
		}
		m.prompt = nil
		return cmd
	case "backspace":
		if r := []rune(p.text); len(r) > 0 {
			p.text = string(r[:len(r)-1])
		}
		return p.follow(m)
	case "ctrl+u":
		p.text = ""
		return p.follow(m)
	case "ctrl+c":
		return interrupt(m, "")
	default:
		p.add(msg.Text)
		return p.follow(m)
	}
	return nil
}

// add appends what was typed or pasted; line breaks and control characters are
// left out.
func (p *prompt) add(s string) {
	for _, r := range s {
		if r >= ' ' && r != 0x7f && len([]rune(p.text)) < maxPrompt {
			p.text += string(r)
		}
	}
}

func askBudget(m *Model, _ string) tea.Cmd {
	m.prompt = &prompt{label: "budget", hint: "4096, 32k or 45% · enter sets it · esc leaves it", done: func(m *Model, text string) (tea.Cmd, error) {
		spec, err := selector.ParseBudget(text)
		if err != nil {
			return nil, fmt.Errorf("%w: write 4096, 32k or 45%%", errors.Unwrap(err))
		}
		return m.setBudget(spec.Tokens(m.basis), "typed"), nil
	}}
	return nil
}

func askTurn(m *Model, _ string) tea.Cmd {
	m.prompt = &prompt{label: "go to turn", hint: "a number, or a time as 15:04 · enter goes · esc stays", done: func(m *Model, text string) (tea.Cmd, error) {
		i, err := findTurn(m.session, text)
		if err != nil {
			return nil, err
		}
		m.play.stop()
		if _, listed := slices.BinarySearch(m.turns, i); !listed {
			m.internals = true
			m.listTurns()
		}
		return m.goTo(i), nil
	}}
	return nil
}

// turnError says why a person cannot go to a turn.
type turnError string

func (e turnError) Error() string { return string(e) }

// timeForms are the ways in which a time may be typed.
var timeForms = []string{"15:04", "15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05", time.RFC3339, "2006-01-02"}

// findTurn is the index of the turn that a person names by its number or by a
// time, then the first turn not before it. A time without a day is on the day of
// the session's last turn; times are in UTC.
func findTurn(s *session.Session, text string) (int, error) {
	if number, err := strconv.Atoi(text); err == nil {
		i := slices.IndexFunc(s.Turns, func(t session.Turn) bool { return t.Number == number })
		switch {
		case i < 0:
			return 0, turnError("there is no turn " + text + ": they are " + strconv.Itoa(s.Turns[0].Number) + " to " + strconv.Itoa(s.Turns[len(s.Turns)-1].Number))
		case s.Turns[i].Branch != session.BranchActive:
			return 0, turnError("turn " + text + " is on a branch that was left: nothing was offered for it")
		}
		return i, nil
	}
	for _, form := range timeForms {
		at, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		if at.Year() == 0 {
			day := s.Turns[len(s.Turns)-1].Time.UTC()
			at = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
		}
		i := slices.IndexFunc(s.Turns, func(t session.Turn) bool {
			return t.Branch == session.BranchActive && !t.Time.Before(at)
		})
		if i < 0 {
			return 0, turnError("no turn is as late as " + text)
		}
		return i, nil
	}
	return 0, turnError("“" + text + "” is neither the number of a turn nor a time such as 15:04 or 2026-11-29 15:04")
}
