package openclaw

import (
	"slices"
	"strings"
)

// written is a message as it was written, in one entry or several. What they say
// is joined once, when all are there.
type written struct {
	first, last *entry
	said        []*said // of each entry, the first one's too
}

// writtenIn begins with the first entry of a message.
func writtenIn(e *entry) written { return written{first: e, last: lastLine(e)} }

// lastLine is the last of the lines that hang on an entry.
func lastLine(e *entry) *entry {
	for e.more != nil {
		e = e.more
	}
	return e
}

// continues reports whether b is another line of the message a: the provider
// gave one id to both.
func continues(a, b *said) bool {
	return a.messageID != "" && a.messageID == b.messageID && a.role == b.role
}

// add notes a further line.
func (w *written) add(e *entry) {
	if w.said == nil {
		w.said = append(w.said, w.first.msg)
	}
	w.said = append(w.said, e.msg)
	w.last.more = e
	w.last = lastLine(e)
}

// join makes what the first entry says what all of them say; false where there
// are no others.
func (w *written) join() bool {
	if w.said == nil {
		return false
	}
	m := *w.said[0]
	text, words := make([]string, 0, len(w.said)), make([]string, 0, len(w.said))
	m.calls = slices.Clip(m.calls)
	for k, s := range w.said {
		text, words = appendText(text, s.text), appendText(words, s.words)
		if k == 0 {
			continue
		}
		m.calls = append(m.calls, s.calls...)
		m.images += s.images
		m.tokens += s.tokens
		m.unsigned = m.unsigned || s.unsigned
		m.ack = m.ack && s.ack
		m.quietReport = m.quietReport || s.quietReport
		m.loudReport = m.loudReport || s.loudReport
	}
	m.text = strings.Join(text, "\n")
	m.words = m.text
	if m.images > 0 {
		m.words = strings.Join(words, "\n")
	}
	w.first.msg, w.said = &m, nil
	return true
}

// appendText adds a text that is not empty.
func appendText(texts []string, text string) []string {
	if text == "" {
		return texts
	}
	return append(texts, text)
}
