package openclaw

import (
	"regexp"
	"strings"
)

// ctxMark ends the heading of every block that the host puts before or after
// what a person wrote.
const ctxMark = "⟦openclaw:ctx⟧"

// innerMark begins a block that the host writes for the model alone, innerBlock
// is all of it.
const (
	innerMark  = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
	innerBlock = innerMark + `(?s:.*?)<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\s*`
)

// envelope is something that hosts of 2026 wrote into the stored text of a
// person's message. The pattern is tried only where the mark occurs.
type envelope struct {
	mark    string
	pattern *regexp.Regexp
}

var leadingEnvelopes = []envelope{
	// [Sun 2026-11-29 22:04 UTC]
	{"[", regexp.MustCompile(`\A\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]*\] *`)},
	// [Telegram Ada id:12 2026-02-09 12:34 UTC]
	{"[", regexp.MustCompile(`\A\[(?:Telegram|WhatsApp|Discord|Slack|Signal|iMessage|BlueBubbles|Matrix|MSTeams|Teams|WebChat|Google ?Chat|LINE|Line|Zalo|Nostr|Mattermost|Feishu|IRC|Twitch|Nextcloud Talk|Tlon)\b[^\]\n]*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[^\]\n]*\] *`)},
	// System: [2026-03-02 18:28:00 GMT+8] an event
	{"System: [", regexp.MustCompile(`\ASystem: \[\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[^\]\n]*\][^\n]*(?:\n+|\z)`)},
	// Conversation info (untrusted metadata): and a fenced block
	{"(untrusted", regexp.MustCompile("\\A[A-Z][^\\n]{0,80} \\(untrusted[^)\\n]*\\):\\n```(?:json)?\\n(?s:.*?)\\n```(?:\\n+|\\z)")},
	// Sender: ⟦openclaw:ctx⟧ and a fenced block, or lines up to a blank one
	{ctxMark, regexp.MustCompile("\\A[^\\n]*" + ctxMark + "\\n(?:```json\\n(?s:.*?)\\n```|(?:[^\\n]+(?:\\n|\\z))*)(?:\\n+|\\z)")},
	{"[", regexp.MustCompile(`\A\[(?:media attached|cron):?[^\]\n]*\][ \n]*`)},
	{"[Inter-session", regexp.MustCompile(`\A\[Inter-session message\][^\n]*(?:\n+|\z)`)},
	{"Delivery: ", regexp.MustCompile("\\ADelivery: [^\\n]*`message` tool[^\\n]*(?:\\n+|\\z)")},
	{innerMark, regexp.MustCompile(`\A` + innerBlock)},
}

var trailingEnvelopes = []envelope{
	{"[message_id: ", regexp.MustCompile(`\s*\[message_id: [^\]\n]*\]\s*\z`)},
	{"Current time: ", regexp.MustCompile(`\n+Current time: [^\n]*\s*\z`)},
	{ctxMark, regexp.MustCompile(`(?:\A|\n+)Context: ` + ctxMark + `(?s:.*)\z`)},
	{innerMark, regexp.MustCompile(`\s*` + innerBlock + `\z`)},
}

// stripEnvelope removes what the host wrote around a person's text. A text that
// is nothing but envelope stays as it is: then it is what the model was told.
func stripEnvelope(text string) string {
	rest := strip(strip(text, leadingEnvelopes), trailingEnvelopes)
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}

// strip removes matches of the patterns until none matches any more.
func strip(text string, envelopes []envelope) string {
	for again := true; again; {
		again = false
		for _, e := range envelopes {
			if !strings.Contains(text, e.mark) {
				continue
			}
			if at := e.pattern.FindStringIndex(text); len(at) == 2 && at[1] > at[0] {
				text = text[:at[0]] + text[at[1]:]
				again = true
			}
		}
	}
	return text
}
