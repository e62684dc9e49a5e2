package themes

import (
	"math"
	"testing"
)

// The kinds of vision by matrices on linear colours: Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (2009), at full severity.
var visions = map[string][3][3]float64{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab is a colour as someone sees it, in CIELAB.
func lab(rgb uint32, vision [3][3]float64) [3]float64 {
	var linear, seen, out [3]float64
	for i, shift := range []int{16, 8, 0} {
		c := float64(rgb>>shift&0xff) / 255
		if linear[i] = c / 12.92; c > 0.04045 {
			linear[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	for i, row := range vision {
		seen[i] = min(max(row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2], 0), 1)
	}
	for i, row := range [3][3]float64{ // to XYZ under D65, the white point being 1
		{0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0178, 0.1095, 0.8727},
	} {
		x := row[0]*seen[0] + row[1]*seen[1] + row[2]*seen[2]
		if out[i] = 7.787*x + 16.0/116; x > 0.008856 {
			out[i] = math.Cbrt(x)
		}
	}
	return [3]float64{116*out[1] - 16, 500 * (out[0] - out[1]), 200 * (out[1] - out[2])}
}

func apartLab(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// The kinds look different: in the themes for it to people of any vision, in the
// others at least to the usual one. A difference of 2 is just seen side by side.
func TestVision(t *testing.T) {
	if far := apartLab(lab(0xff0000, visions["usual"]), lab(0x008000, visions["usual"])); far < 120 {
		t.Errorf("red and green are only %.0f apart to the usual vision", far)
	}
	if far := apartLab(lab(0xb22222, visions["deuteranopia"]), lab(0x6b6b00, visions["deuteranopia"])); far > 40 {
		t.Errorf("a red and an olive are %.0f apart to someone who cannot tell them", far)
	}
	for _, theme := range All() {
		for name, vision := range visions {
			least, most := 15.0, 15.0
			switch {
			case theme == &colourBlind || theme == &colourBlindLight:
				least, most = 25, 40 // most is for the four kinds that every session has
			case name != "usual":
				continue
			}
			for a := range theme.Kinds {
				for b := range a {
					want := least
					if a < 4 {
						want = most
					}
					got := apartLab(lab(theme.Kinds[a].RGB, vision), lab(theme.Kinds[b].RGB, vision))
					if got < want {
						t.Errorf("%s, %s: kinds %d and %d are %.0f apart, want %.0f", theme.Name, name, a, b, got, want)
					}
				}
			}
		}
	}
}
