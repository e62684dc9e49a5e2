package openclaw

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pacms/session"
	"pacms/session/token"
)

// said is what the model sees of a message.
type said struct {
	kind session.Kind
	role string
	text string // with a placeholder for each image
	// words is text without the placeholders.
	words    string
	calls    []session.ToolUse
	images   int
	unsigned bool // has a thinking block that a provider may refuse
	tokens   int
	// reported is the length in tokens that the provider reported for the request
	// which this message answers; 0 where it did not.
	reported int

	toolCallID, toolName string
	isError              bool

	messageID string // the provider's id of the response, one for all lines of it
	time      time.Time
	identity  uint64 // a hash of all that a copy of the message would share

	// excluded keeps the message out of the model's context.
	excluded bool
	internal string // the kind of the host's own traffic
	// poll is true for a prompt of the host that it forgets once it has been
	// acknowledged; ack is true for an acknowledgement.
	poll, ack bool
	// quietReport is true for the tool call by which an agent says that a poll
	// needs nobody, loudReport where it wants somebody told.
	quietReport, loudReport bool
}

// message turns a stored message into what the model sees of it. The cause says
// why there is none.
func (d *decoder) message(m *message) (s *said, cause string) {
	kind, ok := kindOfRole(string(m.Role))
	if !ok {
		return nil, fmt.Sprintf("a message with the unknown role %.40q", string(m.Role))
	}
	s = &said{
		kind:       kind,
		role:       string(m.Role),
		toolCallID: string(m.ToolCallID),
		toolName:   string(m.ToolName),
		isError:    bool(m.IsError),
		messageID:  string(m.ResponseID),
		time:       m.Timestamp.Time,
		excluded:   bool(m.Excluded),
	}
	if s.messageID == "" {
		s.messageID = string(m.ID)
	}
	if kind == session.Summary {
		typ := typeCompaction
		if s.role == "branchSummary" {
			typ = typeBranchSummary
		}
		sum := d.summary(typ, string(m.Summary))
		s.text, s.words, s.tokens = sum.text, sum.words, sum.tokens
		return s, ""
	}
	if s.role == "bashExecution" {
		s.text = renderCommand(m)
		s.words = s.text
		s.tokens = d.counter.Count(token.Parts{Text: string(m.Command) + string(m.Output)})
		return s, ""
	}
	parts := d.blocks(s, m.Content)
	switch kind {
	case session.User:
		s.internal = internalKind(&m.Provenance.fields, s.words)
		s.text = stripEnvelope(s.text)
		s.words = stripEnvelope(s.words)
		s.poll = s.images == 0 && isPoll(s.words)
		parts.Text = s.words
	case session.Assistant:
		s.reported = max(0, m.Usage.fields.prompt())
		s.ack = len(s.calls) == 0 && s.images == 0 && isAck(s.words)
		if s.ack && s.words != "" {
			s.internal = "ack"
		}
	case session.Document:
		s.internal = internalCustom(string(m.CustomType))
	case session.Tool, session.System, session.Summary, session.Memory:
	}
	s.tokens = d.counter.Count(parts)
	return s, ""
}

// blocks fills in text, calls and images from the blocks of a message and
// returns what of them costs tokens.
func (d *decoder) blocks(s *said, blocks content) token.Parts {
	var parts token.Parts
	var shown, words []string
	var thinking strings.Builder
	for i := range blocks {
		b := &blocks[i]
		switch b.Type {
		case "text", "input_text", "output_text":
			if b.Text != "" {
				shown = append(shown, string(b.Text))
				words = append(words, string(b.Text))
			}
		case "thinking", "reasoning", "redacted_thinking":
			thinking.WriteString(string(b.Thinking))
			if b.Signature == "" || b.Thinking == "" && !bool(b.Redacted) {
				s.unsigned = true
			}
		case "toolCall", "toolUse", "tool_use", "functionCall":
			call := newCall(b)
			s.calls = append(s.calls, call)
			parts.Calls = append(parts.Calls, token.Call{Name: call.Name, Args: string(call.Args)})
			if call.Name == reportTool {
				loud := wantsSomebodyTold(call.Args)
				s.loudReport = s.loudReport || loud
				s.quietReport = s.quietReport || !loud
			}
		case "image":
			s.images++
			shown = append(shown, placeholder(b))
		}
	}
	s.text = strings.Join(shown, "\n")
	s.words = s.text
	if s.images > 0 {
		s.words = strings.Join(words, "\n")
	}
	parts.Text, parts.Thinking, parts.Images = s.words, thinking.String(), s.images
	return parts
}

// newCall copies a tool call with its arguments as compact JSON.
func newCall(b *block) session.ToolUse {
	args := b.Arguments
	if len(args) == 0 {
		args = b.Input
	}
	call := session.ToolUse{Name: string(b.Name), CallID: string(b.ID)}
	if len(args) > 0 && args.Kind() != 'n' && args.Compact() == nil {
		call.Args = json.RawMessage(args)
	}
	return call
}

// placeholder stands in the text for an image: "[image 150 KB png]".
func placeholder(b *block) string {
	words := []string{"image"}
	switch size := int(b.Data); {
	case size >= 1<<20:
		words = append(words, strconv.FormatFloat(float64(size)/(1<<20), 'f', 1, 64)+" MB")
	case size >= 1<<10:
		words = append(words, strconv.Itoa(size>>10)+" KB")
	case size > 0:
		words = append(words, strconv.Itoa(size)+" B")
	}
	_, format, _ := strings.Cut(string(b.MimeType), "/")
	if len(format) > 0 && len(format) <= 20 {
		words = append(words, format)
	}
	return "[" + strings.Join(words, " ") + "]"
}

// renderCommand writes a command that a person ran as the host shows it to the model.
func renderCommand(m *message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ran `%s`\n", m.Command)
	if m.Output == "" {
		b.WriteString("(no output)")
	} else {
		fmt.Fprintf(&b, "```\n%s\n```", m.Output)
	}
	switch {
	case bool(m.Cancelled):
		b.WriteString("\n\n(command cancelled)")
	case m.ExitCode != 0:
		fmt.Fprintf(&b, "\n\nCommand exited with code %d", m.ExitCode)
	}
	if m.Truncated && m.FullOutputPath != "" {
		fmt.Fprintf(&b, "\n\n[Output truncated. Full output: %s]", m.FullOutputPath)
	}
	return b.String()
}

// summary is what the model sees of a compaction or of a branch summary. Like
// the host, it costs what the summary alone costs.
func (d *decoder) summary(typ, text string) *said {
	s := &said{kind: session.Summary, role: "compactionSummary"}
	s.tokens = d.counter.Count(token.Parts{Text: text})
	if typ == typeCompaction {
		s.text = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n" +
			text + "\n</summary>"
	} else {
		s.role = "branchSummary"
		s.text = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n" +
			text + "</summary>"
	}
	s.words = s.text
	return s
}

// custom is what the model sees of a message that an extension or the host
// itself put into the conversation.
func (d *decoder) custom(customType string, blocks content) *said {
	s := &said{kind: session.Document, role: "custom", internal: internalCustom(customType)}
	s.tokens = d.counter.Count(d.blocks(s, blocks))
	return s
}
