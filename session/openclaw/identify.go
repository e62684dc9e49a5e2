package openclaw

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// What identify says of the two stores that can be read.
const (
	isTranscript = "an OpenClaw transcript"
	isDatabase   = "a SQLite database"
)

// sqliteMagic begins every SQLite database.
const sqliteMagic = "SQLite format 3\x00"

// journalMagic begins every rollback journal that is not used up.
const journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

// identify says in a few words what a file is, by its name and first bytes.
func identify(name string, head []byte) string {
	if what := identifyBinary(name, head); what != "" {
		return what
	}
	head = bytes.TrimPrefix(head, []byte(bom))
	if len(bytes.TrimSpace(head)) == 0 {
		return "an empty file"
	}
	for line := range bytes.Lines(head) { // all of them: the first may be damaged
		if o := outlineOf(line); o.event() {
			return isTranscript
		}
	}
	if bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return "a binary file"
	}
	start := bytes.TrimSpace(head)[0]
	switch o := outlineOf(head); {
	case o.object:
		return o.what()
	case start == '[':
		return "a JSON list, which is neither a transcript nor a pool"
	case start == '{':
		return "damaged JSON"
	}
	return "a text, but no JSON"
}

// identifyBinary says what a file is that is no JSON; empty for text.
func identifyBinary(name string, head []byte) string {
	has := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	base := filepath.Base(name)
	switch {
	case has(sqliteMagic):
		return isDatabase
	case has("\x37\x7f\x06\x82"), has("\x37\x7f\x06\x83"):
		return "the write-ahead log of a SQLite database: open " + strings.TrimSuffix(base, "-wal") + " beside it"
	case has(journalMagic), strings.HasSuffix(base, ".sqlite-journal"): // an old one begins with zeros
		return "the rollback journal of a SQLite database: open " + strings.TrimSuffix(base, "-journal") + " beside it"
	case strings.HasSuffix(base, "-shm"):
		return "the shared memory of a SQLite database: open " + strings.TrimSuffix(base, "-shm") + " beside it"
	case has("\xff\xfe\x00\x00"), has("\x00\x00\xfe\xff"), has("{\x00\x00\x00"), has("\x00\x00\x00{"):
		return "a text in UTF-32: store it as UTF-8"
	case has("\xff\xfe"), has("\xfe\xff"):
		return "a text in UTF-16: store it as UTF-8"
	case len(head) >= 4 && head[0] == '{' && head[1] == 0, len(head) >= 4 && head[0] == 0 && head[1] == '{':
		return "a text in UTF-16 without a byte order mark: store it as UTF-8"
	case has("\x28\xb5\x2f\xfd"):
		return "a file compressed with zstd: unpack it first"
	case has("\x1f\x8b"):
		return "a file compressed with gzip: unpack it first"
	case has("PK\x03\x04"):
		return "a zip archive: unpack it first"
	}
	return ""
}

// outline is the top level of a JSON object, as far as the first bytes of the
// file show it.
type outline struct {
	object bool // at least one key was read
	keys   []string
	// strings are the values that are strings.
	strings map[string]string
	// nested are the keys of the first value, where that is an object.
	nested []string
}

func outlineOf(data []byte) outline {
	data = bytes.Trim(data, " \t\r\n\x00") // a crash of the machine may leave a run of NUL
	if !bytes.HasPrefix(data, []byte("{")) {
		return outline{}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		return outline{}
	}
	o := outline{strings: map[string]string{}}
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return o
		}
		o.object = true
		o.keys = append(o.keys, key)
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return o // cut off or damaged from here on
		}
		var s string
		if json.Unmarshal(value, &s) == nil {
			o.strings[key] = s
		}
		if len(o.keys) == 1 {
			o.nested = outlineOf(value).keys
		}
	}
	return o
}

func (o *outline) has(keys ...string) bool {
	for _, k := range keys {
		if !slices.Contains(o.keys, k) {
			return false
		}
	}
	return true
}

// event reports whether the object is a line of a transcript.
func (o *outline) event() bool {
	typ := o.strings["type"]
	return (typ == typeHeader || typ == typeLeaf || canonical(typ)) && o.has("id")
}

// what says in a few words what the object is.
func (o *outline) what() string {
	switch {
	case o.strings["traceSchema"] != "":
		return "an OpenClaw trajectory, which has no messages in full: open the transcript of the same name without “.trajectory”"
	case strings.HasPrefix(o.strings["schema"], "pacms.pool/"):
		return "a pool document"
	case strings.HasPrefix(o.strings["schema"], "pacms."):
		return "a " + o.strings["schema"] + " document"
	case o.has("n", "url", "body"):
		return "a log of requests to a model"
	case o.has("messages", "tokenBudget"):
		return "the parameters of one call of a context engine’s assemble"
	case o.has("advancementKey"):
		return "the parameters of one call of a context engine’s commitTurn"
	case slices.Contains(o.nested, "sessionId"):
		return "OpenClaw’s index of sessions: open one of the transcripts that it names"
	case o.has("uuid", "sessionId", "message"):
		return "a transcript of another program"
	}
	return "JSON, but neither a transcript nor a pool"
}
