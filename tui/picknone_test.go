package tui

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Where nothing that a list has matches what was typed, no key chooses anything and
// none faults, in any list.
func TestPickOfNothing(t *testing.T) {
	steps := []string{"down", "up", "pgdown", "pgup", "home", "end", "backspace", "enter"}
	t.Run("lists", func(t *testing.T) {
		cfg := config(t)
		drive(t, cfg, 80, 24, func(r *robot) {
			turn := r.m.shown.turn
			for _, list := range []string{"g", "?"} {
				for _, a := range steps {
					for _, b := range steps {
						r.press(list + " z z z z " + a + " " + b + " enter")
						if r.m.shown.turn != turn || r.m.page == nil {
							t.Fatalf("in the list of %s, %s %s enter chooses something", list, a, b)
						}
						r.press("esc")
					}
				}
			}
		})
	})
	t.Run("sessions", func(t *testing.T) {
		open := func(ctx context.Context) *Model {
			m := New(ctx, Config{Title: "sessions"})
			m.choosing = &choosing{chosen: -1, look: func(context.Context) ([]Choice, error) {
				return []Choice{{"one", "this", ""}, {"two", "that", ""}}, nil
			}}
			return m
		}
		driveModel(t, open, 80, 24, func(r *robot) {
			for _, a := range steps {
				for _, b := range steps {
					r.press("ctrl+u z z z z " + a + " " + b + " enter")
					r.send(tea.MouseClickMsg{X: 5, Y: 1, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 5, Y: 3, Button: tea.MouseLeft})
					if r.m.choosing.chosen >= 0 || r.quit != nil {
						t.Fatalf("%s %s enter chooses session %d", a, b, r.m.choosing.chosen)
					}
				}
			}
		})
	})
}
