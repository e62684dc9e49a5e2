package themes

import (
	"encoding"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Color is one colour of a palette.
type Color struct {
	// RGB is 0xRRGGBB, for terminals with 256 or more colours.
	RGB uint32
	// Basic is the colour's place among the sixteen of a plain terminal, chosen
	// by hand: the nearest by arithmetic is often unreadable.
	Basic uint8
}

// The sixteen basic colours that palettes use.
const (
	Black uint8 = iota
	Red
	Green
	Yellow
	Blue
	Magenta
	Cyan
	White
	BrightBlack
	BrightRed
	BrightGreen
	BrightYellow
	BrightBlue
	BrightMagenta
	BrightCyan
	BrightWhite
)

// basicNames are the names of the basic colours in files, in their order.
var basicNames = []string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
}

var (
	_ encoding.TextUnmarshaler = (*Color)(nil)
	_ color.Color              = Color{}
)

// RGBA is the colour as image/color has it.
func (c Color) RGBA() (r, g, b, a uint32) {
	return color.RGBA{uint8(c.RGB >> 16), uint8(c.RGB >> 8), uint8(c.RGB), 0xff}.RGBA()
}

// UnmarshalText reads "#56b4e9", or with the basic colour "#56b4e9 cyan". Without
// one the basic colour stays what it was.
func (c *Color) UnmarshalText(text []byte) error {
	hex, basic, named := strings.Cut(string(text), " ")
	digits, marked := strings.CutPrefix(hex, "#")
	rgb, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !marked || len(digits) != 6 {
		return fmt.Errorf("a colour cannot be %q: write it as #56b4e9, or with the colour for terminals of 16 as \"#56b4e9 cyan\"", text)
	}
	if named {
		i := slices.Index(basicNames, strings.TrimSpace(basic))
		if i < 0 {
			return fmt.Errorf("none of the 16 colours is %q: they are %s", basic, strings.Join(basicNames, ", "))
		}
		c.Basic = uint8(i)
	}
	c.RGB = uint32(rgb)
	return nil
}

// luminance is the relative luminance of a colour by WCAG 2, from 0 to 1.
func luminance(rgb uint32) float64 {
	part := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// contrast is the ratio of luminances by WCAG 2, from 1 to 21.
func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// mix gives share of a and the rest of b.
func mix(a, b uint32, share float64) uint32 {
	var out uint32
	for shift := 0; shift <= 16; shift += 8 {
		x, y := float64(a>>shift&0xff), float64(b>>shift&0xff)
		out |= uint32(x*share+y*(1-share)+0.5) << shift
	}
	return out
}

// greyish is the difference of a colour's parts up to which it counts as grey.
const greyish = 0x1c

// near256 is the colour's place among 256. One that is nearly grey is taken from
// the greys: the nearest of the others is often far bluer than meant.
func near256(rgb uint32) uint8 {
	r, g, b := uint8(rgb>>16), uint8(rgb>>8), uint8(rgb)
	low, high := min(r, g, b), max(r, g, b)
	if high-low > greyish {
		return uint8(ansi.Convert256(color.RGBA{r, g, b, 0xff}))
	}
	// 232 to 255 are greys from 8 in steps of 10; 16 and 231 are black and white.
	grey := (int(low) + int(high)) / 2
	switch {
	case grey < 4:
		return 16
	case grey > 246:
		return 231
	default:
		return uint8(232 + min(max((grey-3)/10, 0), 23))
	}
}

// rgb256 is what a terminal shows for one of its 256 colours, from 16 on.
func rgb256(i uint8) uint32 {
	r, g, b, _ := ansi.IndexedColor(i).RGBA()
	return r>>8<<16 | g>>8<<8 | b>>8
}

// distance grows with how different two colours are.
func distance(a, b uint32) int {
	sum := 0
	for shift := 0; shift <= 16; shift += 8 {
		d := int(a>>shift&0xff) - int(b>>shift&0xff)
		sum += d * d
	}
	return sum
}
