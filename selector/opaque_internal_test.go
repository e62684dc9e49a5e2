package selector

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encoded is base64 of n bytes of noise.
func encoded(n int) string {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rnd.Uint32())
	}
	return base64.StdEncoding.EncodeToString(data)
}

// wrapped is text broken into lines of a width.
func wrapped(text string, width int, mark string) string {
	var lines []string
	for len(text) > width {
		lines = append(lines, text[:width])
		text = text[width:]
	}
	return strings.Join(append(lines, text), mark)
}

func TestWithoutBlobs(t *testing.T) {
	blob := encoded(300)
	zeros := strings.Repeat("A", 400)
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"prose", "Look at the picture.", "Look at the picture."},
		{"alone", blob, " "},
		{"in prose", "Look: " + blob + " and tell me.", "Look:   and tell me."},
		{"two", blob + " then " + encoded(200), "  then  "},
		{"in quotes", `{"data":"` + blob + `","n":1}`, `{"data":" ","n":1}`},
		{"a data URI", "![](data:image/png;base64," + zeros + ")", "![](data:image/png;base64, )"},
		{"in lines", "Here:\n" + wrapped(blob, 76, "\n") + "\nThanks for looking", "Here:\n \nThanks for looking"},
		{"in lines of Windows", wrapped(blob, 64, "\r\n"), " "},
		{"in escaped lines", `{"text":"` + wrapped(blob, 76, `\n`) + `"}`, `{"text":" "}`},
		{"of the other alphabet", strings.NewReplacer("+", "-", "/", "_").Replace(blob), " "},
		{"a hash", "sha512-" + encoded(64), "sha512-" + encoded(64)},
		{"a long word", zeros, zeros},
		{"a long path", strings.Repeat("usr/lib/", 60), strings.Repeat("usr/lib/", 60)},
		{"a rule", strings.Repeat("-", 300), strings.Repeat("-", 300)},
		{"short lines", wrapped(blob, 40, "\n"), wrapped(blob, 40, "\n")},
		{"words in CamelCase1", strings.Repeat("CamelCase1 ", 60), strings.Repeat("CamelCase1 ", 60)},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := withoutBlobs(tc.text); got != tc.want {
				t.Errorf("%.200q, want %.200q", got, tc.want)
			}
		})
	}
}

// Of noise in a text only its place is left, whatever the bytes are.
func TestBlobBytesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`[a-z ,.\n]{0,200}[ \n"]`).Draw(t, "before")
		after := rapid.StringMatching(`[ "][a-z ,.\n]{0,200}`).Draw(t, "after")
		size := rapid.IntRange(192, 2000).Draw(t, "bytes")
		if got := withoutBlobs(before + encoded(size) + after); got != before+" "+after {
			t.Fatalf("%q", got)
		}
	})
}

func BenchmarkWithoutBlobs(b *testing.B) {
	text := strings.Repeat("2026-11-28T10:01:00Z INFO worker-1 processed batch 1 in 13ms\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		withoutBlobs(text)
	}
}
