package svg_test

import (
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"pacms/tui/svg"
)

var ground = svg.Ground{Background: color.RGBA{0x10, 0x10, 0x10, 0xff}, Text: color.RGBA{0xee, 0xee, 0xee, 0xff}}

// draw is the picture of a frame, which has to be XML.
func draw(t testing.TB, frame string, width, height int) string {
	t.Helper()
	var b strings.Builder
	if err := svg.Write(&b, frame, "a <title> & more", width, height, ground); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return b.String()
		} else if err != nil {
			t.Fatalf("%v in %s", err, b.String())
		}
	}
}

func TestCellsHaveTheirPlaceAndColour(t *testing.T) {
	got := draw(t, "ab\x1b[31mcd\x1b[m <&>\n\x1b[1;4;48;2;1;2;3mxy\x1b[m\n日本x\x1b[7mz", 12, 4)
	for _, want := range []string{
		`<title>a &lt;title&gt; &amp; more</title>`, `fill="#101010"/>`, `fill="#eeeeee"`,
		`<text x="10.0" y="23" textLength="16.8" lengthAdjust="spacingAndGlyphs">ab</text>`,
		`<text x="26.8" y="23" textLength="16.8" lengthAdjust="spacingAndGlyphs" fill="#800000">cd</text>`,
		`> &lt;&amp;&gt;`,
		`<rect x="10.0" y="27" width="16.8" height="17" fill="#010203"/>`,
		`font-weight="bold" text-decoration="underline">xy</text>`,
		`<text x="10.0" y="57" textLength="16.8" lengthAdjust="spacingAndGlyphs">日</text>`,
		`<text x="26.8" y="57" textLength="16.8" lengthAdjust="spacingAndGlyphs">本</text>`,
		`<text x="43.6" y="57" textLength="8.4" lengthAdjust="spacingAndGlyphs">x</text>`,
		`<rect x="52.0" y="44" width="8.4" height="17" fill="#eeeeee"/>`, `fill="#101010">z</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "http") && strings.Count(got, "http") > 1 {
		t.Errorf("it needs the network:\n%s", got)
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("ab\x1b[31mcd\x1b[m <&>\n\x00\xff\x1b]8;;x\x07日\u202e")
	f.Fuzz(func(t *testing.T, frame string) { draw(t, frame, 20, 4) })
}
