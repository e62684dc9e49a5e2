package tui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// maxCopy is how many bytes are copied at most: what terminals take in one piece,
// in base64, without cutting it off.
const maxCopy = 64 << 10

// copiedMsg carries what is to be copied.
type copiedMsg struct {
	what, text string
	err        error
}

// excerpt is a candidate as it is copied, with what became of it.
type excerpt struct {
	Session   string             `json:"session"`
	Turn      int                `json:"turn"`
	Query     string             `json:"query"`
	Strategy  string             `json:"strategy"`
	Budget    int                `json:"budget"`
	Candidate *session.Candidate `json:"candidate"`
	Verdict   *selector.Verdict  `json:"verdict"`
}

// excerpt is the candidate at pool index i of a picture.
func (p *picture) excerpt(s *session.Session, i int) *excerpt {
	c, v := p.pool.Candidates[i], p.sel.Explain(i)
	c.Embedding = nil
	return &excerpt{s.Key, p.number, p.pool.Query, p.strategy.String(), p.budget, &c, &v}
}

func copyCandidate(m *Model, key string) tea.Cmd {
	s, p, i := m.session, m.shown, m.cursor
	name := "#" + strconv.Itoa(p.numbers[i])
	return func() tea.Msg {
		e := p.excerpt(s, i)
		if key == "y" {
			return copiedMsg{what: name + " as Markdown", text: e.markdown(name)}
		}
		text, err := copyJSON(e)
		return copiedMsg{name + " as JSON", text, err}
	}
}

func copySelection(m *Model, _ string) tea.Cmd {
	p := m.shown
	return func() tea.Msg {
		text, err := copyJSON(p.sel)
		return copiedMsg{"turn " + strconv.Itoa(p.number) + "'s selection as JSON", text, err}
	}
}

// copyPage copies the text of the open page.
func (m *Model) copyPage() tea.Cmd {
	var b strings.Builder
	for _, line := range m.page.Lines {
		var text strings.Builder
		for _, span := range line {
			text.WriteString(span.Text)
		}
		if b.Len()+text.Len() >= maxCopy {
			break
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	text := b.String()
	return func() tea.Msg { return copiedMsg{what: "this page", text: text} }
}

// copied hands what was asked for to the terminal.
func (m *Model) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.what + ": " + safe.Error(msg.err))
		return nil
	}
	m.say("to the clipboard: " + msg.what + ", " + paint.Plural(len(msg.text), "byte"))
	return tea.SetClipboard(msg.text)
}

// copyJSON is v as JSON, if it is small enough.
func copyJSON(v any) (string, error) {
	b, err := safe.JSON(v)
	if err != nil {
		return "", fmt.Errorf("tui: copy: %w", err)
	}
	if len(b) > maxCopy {
		return "", fmt.Errorf("%s bytes are more than a terminal takes (%s): pacms replay --json writes all", paint.Count(len(b)), paint.Count(maxCopy))
	}
	return string(b) + "\n", nil
}

// markdown is the candidate as a text for people. What the session says stands in
// a fence that nothing in it can close, and is cut off where it is too long.
func (e *excerpt) markdown(name string) string {
	c, v := e.Candidate, e.Verdict
	verdict := "dropped"
	if v.Kept {
		verdict = "kept"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s %s**", name, c.Kind)
	if tool := toolLabel(c); tool != "" {
		fmt.Fprintf(&b, " %s", code(tool))
	}
	if c.Turn > 0 {
		fmt.Fprintf(&b, " · turn %d", c.Turn)
	}
	fmt.Fprintf(&b, " · %s — %s for turn %d by %s within %s tokens\n\n", paint.Plural(c.Tokens, "token"), verdict, e.Turn, code(e.Strategy), paint.Count(e.Budget))
	fmt.Fprintf(&b, "%s\n\n", safe.Line(v.Reason.Text))
	text, note := safe.Text(c.Content()), ""
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	const notes = 256 // bytes for what comes after the text
	if room := max(maxCopy-b.Len()-2*len(fence)-notes, 0); len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		note = fmt.Sprintf("\n(the first %s of %s bytes)\n", paint.Count(room), paint.Count(len(text)))
		text = text[:room]
	}
	fmt.Fprintf(&b, "%s\n%s\n%s\n%s", fence, text, fence, note)
	return b.String()
}

// code is s between as many backticks as it takes.
func code(s string) string {
	run := longestRun(s, '`')
	if run == 0 {
		return "`" + s + "`"
	}
	ticks := strings.Repeat("`", run+1)
	return ticks + " " + s + " " + ticks
}

// longestRun is the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		run++
		if s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
