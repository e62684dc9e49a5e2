package tui

import (
	"testing"

	"pgregory.net/rapid"
)

// On every screen that is large enough the panes lie within it, none upon
// another, and those that must be there are.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := wants{
			Width: rapid.IntRange(minWidth, 300).Draw(t, "width"), Height: rapid.IntRange(minHeight, 90).Draw(t, "height"),
			Cells: rapid.IntRange(0, 5_000).Draw(t, "cells"), Turns: rapid.IntRange(1, 2_000).Draw(t, "turns"),
			Lines: rapid.IntRange(0, 50).Draw(t, "lines"), Box: rapid.Bool().Draw(t, "box"), Large: rapid.Bool().Draw(t, "large"),
			Flips: rapid.Bool().Draw(t, "flips"),
		}
		l := arrange(w)
		if l != arrange(w) {
			t.Fatal("the same wants give two layouts")
		}
		panes := map[string]rect{
			"title": l.Title, "asked": l.Asked, "sentence": l.Sentence, "bar": l.Bar, "flips": l.Flips, "budget": l.Budget, "since": l.Since,
			"legend": l.Legend, "grid": l.Grid, "box": l.Box, "changes": l.Changes, "others": l.Others, "item": l.Item,
			"timeline": l.Timeline, "strategies": l.Strategies, "status": l.Status, "footer": l.Footer,
		}
		owner := make([]string, w.Width*w.Height)
		for name, r := range panes {
			if r.H == 0 {
				continue
			}
			if r.X < 0 || r.Y < 0 || r.X+r.W > w.Width || r.Y+r.H > w.Height || r.H < 0 || r.W <= 0 {
				t.Fatalf("%s is outside: %+v", name, r)
			}
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					if other := owner[y*w.Width+x]; other != "" {
						t.Fatalf("%s lies upon %s at %d,%d", name, other, x, y)
					}
					owner[y*w.Width+x] = name
				}
			}
		}
		if l.Grid.H < 1 || w.Flips != (l.Flips.H > 0) || l.Timeline.H < 1 && w.Height > lowHeight && !w.Flips || w.Box && l.Box.H < boxLines || !w.Box && l.Item.H < itemLines {
			t.Fatalf("something has no room: %+v", l)
		}
		if w.Width >= wideWidth && w.Height >= 45 && !w.Flips && l.Item.H < 24 {
			t.Fatalf("the inspector has %d lines", l.Item.H)
		}
	})
}

// A low screen shows every cell if it can, and still where one is in the session.
func TestArrangeKeepsTimeline(t *testing.T) {
	for height := minHeight; height < 40; height++ {
		for cells := range 1_500 {
			if l := arrange(wants{Width: 60, Height: height, Cells: cells, Turns: 1}); l.Timeline.H < 1 && height > lowHeight {
				t.Fatalf("%d cells on %d lines leave no timeline", cells, height)
			}
		}
	}
}

func TestArrangeSmall(t *testing.T) {
	for _, size := range [][2]int{{59, 16}, {60, 15}, {1, 1}, {0, 0}} {
		if !arrange(wants{Width: size[0], Height: size[1]}).Small {
			t.Errorf("%d×%d is not too small", size[0], size[1])
		}
	}
	if arrange(wants{Width: minWidth, Height: minHeight}).Small {
		t.Error("the least size is too small")
	}
}
