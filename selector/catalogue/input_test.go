package catalogue_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pacms/selector"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/poolfile"
)

// ferry is a short talk with a question, a record a line.
func ferry() []byte {
	return asking(talk("u1 a1 u2 a2", map[string]string{"u2": "Is the ferry on time? Où?"}), "And now?")
}

// edited is the ferry's transcript with its lines changed by edit, of which line
// 0 is the header and line 3 is u2.
func edited(edit func(lines []string) []string) []byte {
	return []byte(strings.Join(edit(strings.SplitAfter(strings.TrimSuffix(string(ferry()), "\n"), "\n")), ""))
}

// input has the faults of reading a file: whatever is damaged, the rest is
// there.
func input() []fault {
	const all = "u1 a1 u2 a2"
	var out []fault
	for _, f := range []struct {
		number         int
		name           string
		data           []byte
		pool, warnings string
		skipped        int
	}{
		{35, "a byte order mark and CRLF", append([]byte("\ufeff"), bytes.ReplaceAll(ferry(), []byte("\n"), []byte("\r\n"))...), all, "", 0},
		{35, "blank lines", bytes.ReplaceAll(ferry(), []byte("\n"), []byte("\r\n\r\n \n")), all, "", 0},
		{31, "a last record without a line end", bytes.TrimSpace(ferry()), all, "", 0},
		{0, "line separators of Unicode in a text", bytes.ReplaceAll(ferry(), []byte("Où?"), []byte("O\u2028\u2029?")), all, "", 0},
		{33, "half a character", edit("Où?", `\ud83d…`), all, "invalid_unicode", 0},
		{33, "bytes that are no character", edit("Où?", "\xc3\x28"), all, "invalid_unicode", 0},
		{33, "an overlong character", edit("Où?", "\xc0\xaf"), all, "invalid_unicode", 0},
		{33, "an escaped NUL", edit("Où?", `\u0000`), all, "", 0},
		{33, "a raw NUL", edit("Où?", "\x00"), all, "raw_controls", 0},
		{0, "a record that is cut off by the next", edited(func(l []string) []string {
			l[3] = l[3][:40]
			return l
		}), "u1 a1 a2", "skipped_records missing_parent", 1},
		{0, "a run of NUL instead of a record", edited(func(l []string) []string {
			l[3] = strings.Repeat("\x00", len(l[3])-1) + "\n"
			return l
		}), "u1 a1 a2", "skipped_records missing_parent", 1},
		{0, "a run of NUL before a record", edited(func(l []string) []string {
			l[3] = strings.Repeat("\x00", 4096) + l[3]
			return l
		}), all, "skipped_records", 1},
		{0, "two records on a line", edited(func(l []string) []string {
			l[3] = strings.TrimSpace(l[3])
			return l
		}), all, "", 0},
		{0, "types of entries that are not known", edited(func(l []string) []string {
			l[3] = `{"type":"weather","id":"w1","parentId":"a1","sky":["blue"]}` + "\n" + strings.Replace(l[3], `"parentId":"a1"`, `"parentId":"w1"`, 1)
			return l
		}), all, "unknown_types", 0},
		{30, "a line of 70 KB", edit("Où?", sized("long", 17_500)), all, "", 0},
		{30, "a line of 21 MB", picture(21 << 20), all, "", 0},
		{30, "a line above the limit", edit("Où?", strings.Repeat("x", 65<<20)), "u1 a1 a2", "skipped_records missing_parent", 1},
	} {
		out = append(out, fault{number: f.number, name: f.name, budgets: at(0, 20, 1000), input: func(t *testing.T) *session.Pool {
			return expect(t, read(t, f.data), f.pool, f.warnings, f.skipped)
		}})
	}
	return append(out,
		fault{number: 31, name: "a last record that is being written", input: partialTails},
		fault{number: 33, name: "broken characters in a pool", input: brokenPool},
		fault{number: 35, name: "files that are none of a session", input: refused},
	)
}

// edit is the ferry's transcript with one text instead of another.
func edit(from, to string) []byte {
	return bytes.Replace(ferry(), []byte(from), []byte(to), 1)
}

// picture is the ferry's transcript with an image of so many bytes in base64.
func picture(size int) []byte {
	said := talk("u1 a1 u2 a2", nil)
	said[2].blocks = []any{map[string]any{"type": "image", "mimeType": "image/png", "data": strings.Repeat("QUJD", size/4)}}
	return asking(said, "And now?")
}

// partialTails cuts the last record but one anywhere, in the middle of a
// character too: all before it is read.
func partialTails(t *testing.T) *session.Pool {
	whole := ferry()
	lines := bytes.SplitAfter(whole, []byte("\n"))
	before := bytes.Join(lines[:3], nil)
	u2 := bytes.TrimSuffix(lines[3], []byte("\n"))
	for cut := 1; cut < len(u2); cut++ {
		s := read(t, append(before[:len(before):len(before)], u2[:cut]...))
		if len(s.Turns) != 1 || len(s.Candidates) != 2 || len(s.Skipped) != 1 || s.Skipped[0].Cause != "cut off: the file ends inside this record" {
			t.Fatalf("cut after %d bytes: %d candidates, skipped %+v", cut, len(s.Candidates), s.Skipped)
		}
	}
	if s := read(t, append(before[:len(before):len(before)], u2...)); len(s.Turns) != 2 || len(s.Skipped) != 0 {
		t.Errorf("the whole record: %d turns, skipped %+v", len(s.Turns), s.Skipped)
	}
	return lastPool(t, read(t, whole))
}

// brokenPool is a pool document whose texts are no sound UTF-8.
func brokenPool(t *testing.T) *session.Pool {
	doc := `{"query":"kettle \ud83d","candidates":[{"id":"a","text":"half \ud83d…"},{"id":"b","text":"` + "\xc3\x28 \xc0\xaf" + `"},{"id":"c","text":"nul \u0000"}]}`
	p, err := poolfile.Decode(strings.NewReader(doc), counter(t, "openclaw"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Candidates) != 3 || len(p.Warnings) != 1 || p.Warnings[0].Code != "invalid_unicode" {
		t.Errorf("%d candidates, warnings %+v", len(p.Candidates), p.Warnings)
	}
	return p
}

// refused opens what is no session and must be told so.
func refused(t *testing.T) *session.Pool {
	dir := t.TempDir()
	var utf16LE []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + string(ferry()))) {
		utf16LE = binary.LittleEndian.AppendUint16(utf16LE, u)
	}
	opt := openclaw.Options{Counter: counter(t, "openclaw")}
	for name, f := range map[string]struct {
		data []byte
		want string
	}{
		"utf16.jsonl": {utf16LE, "UTF-16"},
		"empty.jsonl": {nil, "an empty file"},
		"blank.jsonl": {[]byte("\r\n \n"), "an empty file"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := openclaw.Open(t.Context(), path, opt)
		if no, ok := errors.AsType[*openclaw.NotSessionError](err); !ok || !strings.Contains(no.What, f.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := poolfile.Decode(bytes.NewReader(f.data), opt.Counter); err == nil || name == "utf16.jsonl" && !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%s as a pool: %v", name, err)
		}
	}
	if _, err := openclaw.Open(t.Context(), dir, opt); err == nil || !strings.Contains(err.Error(), "holds no session") {
		t.Errorf("a folder: %v", err)
	}
	return lastPool(t, read(t, ferry()))
}

// screen has the faults of texts that act on a terminal. Here they go through
// reading and choosing unchanged, and into no sentence of a reason.
func screen() []fault {
	const hostile = "\x1b]52;c;aGk=\x07 \x1b[2J \u009b31m \x1b]8;;http://x\x07hi \x1bPopen \u202e over\rwrite \t tab"
	said := talk("u1 a1{c1} t1{c1} u2 a2", map[string]string{"u1": "Hear the ferry " + hostile, "t1": hostile, "a2": hostile + " twice"})
	f := fault{
		number: 39, name: "escape sequences in texts",
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			if got := p.Candidates[place(t, p, "t1")].Text; got != hostile {
				t.Errorf("the text is %q", got)
			}
			for i := range p.Candidates {
				if text := s.Explain(i).Reason.Text; strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u202e' }) {
					t.Errorf("%s at %d: the reason %q", s.Strategy, s.Budget, text)
				}
			}
		},
	}
	return both(f, "Is the ferry late? "+hostile, said)
}
