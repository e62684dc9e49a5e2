package openclaw_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/session"
	"pacms/session/openclaw"
)

// A line that is no record gives every record that is on it.
func TestSalvage(t *testing.T) {
	one, two := message("x", "a"), message("y", `b \" { \ud83d\ude00`)
	nul := strings.Repeat("\x00", 512)
	const cut = "another record begins inside"
	tests := []struct {
		name, line string
		ids        string   // of the records on the line
		skipped    []string // text and cause of what is skipped, in turn
	}{
		{"two records", one + two, "x y", nil},
		{"two records and blanks", one + " \t" + two + "  ", "x y", nil},
		{"three records", one + two + message("z", "c"), "x y z", nil},
		{"a record cut off in a key", one[:24] + two, "y", []string{one[:24], cut}},
		{
			"a record cut off in its text", `{"type":"message","id":"x","message":{"content":"tor` + two, "y",
			[]string{`{"type":"message","id":"x","message":{"content":"tor`, cut},
		},
		{
			"a record cut off after a block", `{"type":"message","id":"x","message":{"content":[{"type":"text","text":"a"}` + two, "y",
			[]string{`{"type":"message","id":"x","message":{"content":[{"type":"text","text":"a"}`, cut},
		},
		{"a record between two that are cut off", one[:24] + two + one[:30], "y", []string{one[:24], cut, one[:30], "damaged JSON"}},
		{"the rest of a record", `age":"x"}}` + one, "x", []string{`age":"x"}}`, cut}},
		{"NUL before a record", nul + one, "x", []string{nul, "512 NUL bytes"}},
		{"NUL behind a record", one + nul, "x", []string{nul, "512 NUL bytes"}},
		{"NUL in a record that is cut off", one[:40] + nul + two, "y", []string{one[:40], cut, nul, "512 NUL bytes"}},
		{"two files that were joined", one + "\ufeff" + two, "x y", nil},
		{"a record of another form", one[:24] + spaced("y"), "y", []string{one[:24], cut}},
		{"records of another form", spaced("x") + spaced("y"), "x y", nil},
		{"a record of another order", one[:40] + reordered("y"), "y", []string{one[:40], cut}},
		{
			"a record of another form cut off after a block", `{ "message": {"content": [{"type": "toolCall", "id": "c", "name": "n"}` + reordered("y"), "y",
			[]string{`{ "message": {"content": [{"type": "toolCall", "id": "c", "name": "n"}`, cut},
		},
		{"a record that has to be mended", one[:24] + message("y", "b\x00\tc"), "y", []string{one[:24], cut}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before := header + "\n" + message("u1", "one") + "\n"
			data := before + tc.line + "\n" + message("u2", "two") + "\n"
			path := filepath.Join(t.TempDir(), "s.jsonl")
			writeFile(t, path, []byte(data))
			for how, s := range map[string]*session.Session{"Read": read(t, []byte(data)), "Open": open(t, path)} {
				var ids []string
				for _, turn := range s.Turns {
					ids = append(ids, turn.EntryID)
					if raw := s.Raw(turn.EntryID); len(raw) != 1 || !json.Valid(raw[0]) && !strings.Contains(tc.name, "mended") {
						t.Errorf("%s: the raw record of %s is %q", how, turn.EntryID, raw)
					}
				}
				if got, want := strings.Join(ids, " "), "u1 "+tc.ids+" u2"; got != want {
					t.Errorf("%s: turns %q, want %q", how, got, want)
				}
				if len(s.Skipped) != len(tc.skipped)/2 {
					t.Fatalf("%s: skipped %+v", how, s.Skipped)
				}
				for i, k := range s.Skipped {
					text, cause := tc.skipped[2*i], tc.skipped[2*i+1]
					if k.Line != 3 || data[k.Offset:k.Offset+int64(k.Bytes)] != text || !strings.Contains(k.Cause, cause) {
						t.Errorf("%s: skipped %+v, want %q because of %q", how, k, text, cause)
					}
				}
			}
		})
	}
}

// spaced and reordered are lines with a user message as another program would
// write them.
func spaced(id string) string {
	return `{ "type": "message", "id": "` + id + `", "message": {"role": "user", "content": "a"}}`
}

func reordered(id string) string {
	return `{"message":{"content":[{"text":"a","type":"text"}],"role":"user"},"id":"` + id + `","type":"message"}`
}

// Wherever a record is cut off, the one that goes on in its line is read.
func TestSalvageProperty(t *testing.T) {
	opt := options(t)
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(rapid.String().Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		torn := message("torn", string(text[1:len(text)-1]))
		cut := rapid.IntRange(0, len(torn)-1).Draw(t, "cut")
		whole := rapid.SampledFrom([]string{message("whole", "b"), spaced("whole"), reordered("whole")}).Draw(t, "whole")
		data := header + "\n" + torn[:cut] + whole + "\n" + message("last", "c") + "\n"
		s, err := openclaw.Read(t.Context(), strings.NewReader(data), "s.jsonl", opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Turns) != 2 || s.Turns[0].EntryID != "whole" || s.Turns[1].EntryID != "last" {
			t.Fatalf("turns %+v, skipped %+v", s.Turns, s.Skipped)
		}
		if lost := len(s.Skipped); lost != min(cut, 1) {
			t.Fatalf("skipped %+v", s.Skipped)
		}
	})
}

// A line that is made to look like many records is given up; to try them all
// would take hours.
func TestSalvageIsBounded(t *testing.T) {
	for _, piece := range []string{`{"type":"message","id":`, `{"a":`, `{"a":{},`, `{"a":"`, `{`, `{"`} {
		data := header + "\n" + strings.Repeat(piece, 50_000) + "\n" + message("u", "a") + "\n"
		s := read(t, []byte(data))
		if len(s.Turns) != 1 || len(s.Skipped) != 1 {
			t.Errorf("%s: %d turns, %d skipped", piece, len(s.Turns), len(s.Skipped))
		}
	}
}

// A file that begins with a run of NUL is a transcript all the same.
func TestZeroedStart(t *testing.T) {
	for _, data := range []string{
		strings.Repeat("\x00", 100) + "\n" + message("u", "a") + "\n",
		strings.Repeat("\x00", 100) + message("u", "a") + "\n",
	} {
		if s := read(t, []byte(data)); len(s.Turns) != 1 || len(s.Skipped) != 1 {
			t.Errorf("%d turns, skipped %+v", len(s.Turns), s.Skipped)
		}
	}
}
