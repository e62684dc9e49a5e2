package openclaw

import (
	"encoding/json"
	"regexp"
	"strings"
)

// reportTool is the tool by which an agent answers a heartbeat.
const reportTool = "heartbeat_respond"

// marker is how a prompt of the host itself begins.
type marker struct {
	prefix, kind string
	// poll is true where the host forgets the prompt once it was acknowledged.
	poll bool
}

// markers are the prompts of the host, of all versions of 2026.
var markers = []marker{
	{"[OpenClaw heartbeat poll]", "heartbeat", true},
	{"[OpenClaw exec completion]", "exec", true},
	{"[OpenClaw cron wake]", "cron", true},
	{"[OpenClaw session event]", "event", true},
	{"Read HEARTBEAT.md if it exists", "heartbeat", true},
	{"Follow the heartbeat monitor scratch context", "heartbeat", true},
	{"Run the following periodic tasks (only those due", "heartbeat", true},
	{"Pre-compaction memory flush.", "memory-flush", false},
	{"A new session was started via /new or /reset.", "new-session", false},
	{"[cron:", "cron", false},
	{"[Inter-session message]", "inter-session", false},
}

// findMarker is the marker that a stored text begins with, nil if none.
func findMarker(text string) *marker {
	text = strings.TrimSpace(text)
	for i := range markers {
		if strings.HasPrefix(text, markers[i].prefix) {
			return &markers[i]
		}
	}
	return nil
}

// internalKind says which of the host's own traffic a user message is, by its
// provenance or by its text; empty for a person.
func internalKind(from *provenance, text string) string {
	if m := findMarker(text); m != nil {
		return m.kind
	}
	if m := findMarker(stripEnvelope(text)); m != nil {
		return m.kind
	}
	switch {
	case from.Kind == "internal_system" && from.SourceTool != "":
		return string(from.SourceTool)
	case from.Kind == "internal_system":
		return "system"
	case from.Kind == "inter_session":
		return "inter-session"
	}
	return ""
}

// internalCustom says which of the host's own traffic a custom message is.
func internalCustom(customType string) string {
	if kind, ok := strings.CutPrefix(customType, "openclaw."); ok {
		return kind
	}
	return ""
}

// isPoll reports whether a user text is a prompt that the host forgets once it
// was acknowledged.
func isPoll(text string) bool {
	m := findMarker(text)
	return m != nil && m.poll
}

// maxAckRest is how many bytes may stand beside HEARTBEAT_OK.
const maxAckRest = 300

var (
	silentReply = regexp.MustCompile(`(?i)\A[\pP\s]*NO_REPLY(?:\s+NO_REPLY)*[\pP\s]*\z`)
	silentJSON  = regexp.MustCompile(`\A\{\s*"action"\s*:\s*"\s*NO_REPLY\s*"\s*\}\z`)
	heartbeatOK = regexp.MustCompile(`\A[*_~` + "`" + `]*HEARTBEAT_OK|HEARTBEAT_OK[^\w]{0,4}\z`)
)

// isAck reports whether an agent's text says no more than that there is nothing
// to say: nothing, NO_REPLY, or HEARTBEAT_OK with at most a few words beside it.
func isAck(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > maxAckRest+len("HEARTBEAT_OK") {
		return false
	}
	switch upper := strings.ToUpper(text); {
	case text == "":
		return true
	case strings.Contains(upper, "NO_REPLY"):
		return silentReply.MatchString(text) || silentJSON.MatchString(text)
	}
	return strings.Contains(text, "HEARTBEAT_OK") && heartbeatOK.MatchString(text)
}

// wantsSomebodyTold reports whether the arguments of the report tool ask the
// host to notify a person.
func wantsSomebodyTold(args json.RawMessage) bool {
	var a struct {
		Notify any `json:"notify"`
	}
	if json.Unmarshal(args, &a) != nil {
		return false
	}
	return a.Notify == true || a.Notify == "true"
}
