package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
)

// maxPrompt is how many characters a prompt takes where it does not say so itself.
const maxPrompt = 40

// prompt is one line that a person types at the bottom of the screen.
type prompt struct {
	label string
	hint  string
	text  string
	// offered is set while text is what stood there at first: the first character
	// typed replaces it.
	offered bool
	// most is how many characters it takes; 0: maxPrompt.
	most int
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
		p.offered = false
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
	if p.offered && s != "" {
		p.text, p.offered = "", false
	}
	for _, r := range s {
		if r >= ' ' && r != 0x7f && len([]rune(p.text)) < cmp.Or(p.most, maxPrompt) {
			p.text += string(r)
		}
	}
}

func askBudget(m *Model, _ string) tea.Cmd {
	m.prompt = &prompt{
		label: "budget", hint: "4096, 32k or 45%",
		text: strconv.Itoa(m.want.budget), offered: true,
		done: func(m *Model, text string) (tea.Cmd, error) {
			spec, err := selector.ParseBudget(text)
			if err != nil {
				return nil, fmt.Errorf("%w: write 4096, 32k or 45%%", errors.Unwrap(err))
			}
			return m.setBudget(spec.Tokens(m.basis), "typed"), nil
		},
	}
	return nil
}
