package themes

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pacms/session"
)

// What a theme has to reach, as ratios of contrast by WCAG 2.
const (
	// readable is the least for text on its background.
	readable = 4.5
	// apart is the least between the colour of a kept and of a dropped cell.
	apart = 3.0
	// visible is the least between a dropped cell and the background.
	visible = 1.5
)

// droppedShare is how much of its kind's colour a dropped cell keeps at most; the
// rest is background.
const droppedShare = 0.6

// dropped is the colour of a dropped cell of a kind: the kind's own, mixed with
// as much background as sets it apart from a kept one.
func (t *Theme) dropped(kind uint32) uint32 {
	quiet := mix(kind, t.Background.RGB, droppedShare)
	for share := droppedShare; contrast(kind, quiet) < apart && share > 0; share -= 0.01 {
		quiet = mix(kind, t.Background.RGB, share)
	}
	return quiet
}

// groundShare is how much of the text's colour the ground of a changed cell has at
// most; the rest is background.
const groundShare = 0.25

// ground is the colour behind a changed cell: as far from the background as lets
// the colour of every kind stand out from it.
func (t *Theme) ground() uint32 {
	for share := groundShare; share > 0; share -= 0.01 {
		ground := mix(t.Text.RGB, t.Background.RGB, share)
		if !slices.ContainsFunc(t.Kinds[:], func(kind Color) bool { return contrast(kind.RGB, ground) < apart }) {
			return ground
		}
	}
	return t.Background.RGB
}

// basicGround is the ground's place among the sixteen of a plain terminal.
func (t *Theme) basicGround() uint8 {
	if t.Dark {
		return BrightBlack
	}
	return White
}

// dropped256 is the nearest to dropped among 256 colours that is set apart there
// too, from the kept cell and from the background.
func (t *Theme) dropped256(kind uint32) uint32 {
	quiet, kept := t.dropped(kind), rgb256(near256(kind))
	best, least := rgb256(near256(quiet)), math.MaxInt
	for i := 16; i < 256; i++ {
		rgb := rgb256(uint8(i))
		far := distance(rgb, quiet)
		if far < least && near256(rgb) == uint8(i) && contrast(kept, rgb) >= apart && contrast(rgb, t.Background.RGB) >= visible {
			best, least = rgb, far
		}
	}
	return best
}

// Check says what in the palette cannot be read or told apart; nil: nothing.
func (t *Theme) Check() error {
	background := t.Background.RGB
	var errs []error
	for _, c := range []struct {
		what   string
		fg, bg uint32
	}{
		{"text on background", t.Text.RGB, background},
		{"muted on background", t.Muted.RGB, background},
		{"accent on background", t.Accent.RGB, background},
		{"on-accent on accent", t.OnAccent.RGB, t.Accent.RGB},
		{"text on band", t.Text.RGB, t.Band.RGB},
		{"muted on band", t.Muted.RGB, t.Band.RGB},
	} {
		if got := contrast(c.fg, c.bg); got < readable {
			errs = append(errs, fmt.Errorf("%s has a contrast of %.1f: to be read it needs %.1f", c.what, got, readable))
		}
	}
	for k, kind := range t.Kinds {
		quiet := t.dropped(kind.RGB)
		switch {
		case contrast(kind.RGB, background) < readable:
			errs = append(errs, fmt.Errorf("%s on background has a contrast of %.1f: to be read it needs %.1f",
				session.Kinds[k], contrast(kind.RGB, background), readable))
		case contrast(quiet, background) < visible:
			errs = append(errs, fmt.Errorf("a dropped %s cannot be seen: %06x on background has a contrast of %.1f, not %.1f",
				session.Kinds[k], quiet, contrast(quiet, background), visible))
		}
	}
	return errors.Join(errs...)
}
