package tui

import (
	"context"
	"errors"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/vt"
)

// chooser is a list of choices in an emulator.
func chooser(t *testing.T, choices []Choice, fault error) (*terminal, *Model) {
	t.Helper()
	emu := vt.NewSafeEmulator(80, 24)
	if _, err := emu.Write([]byte("\x1b[20h")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*patience)
	t.Cleanup(cancel)
	term := &terminal{t: t, emu: emu, sent: &transcript{Writer: emu}, done: make(chan error, 1)}
	term.p = newChooser(ctx, Config{Title: "sessions", Profile: colorprofile.TrueColor},
		func(context.Context) ([]Choice, error) { return choices, fault },
		tea.WithInput(newKeyboard(emu)), tea.WithOutput(term.sent), tea.WithWindowSize(80, 24),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignals())
	go func() { term.done <- term.p.run() }()
	return term, term.p.model
}

func TestChoose(t *testing.T) {
	three := []Choice{{"2026-11-29", "agent:main:main “good morning\x1b[2J”", "12 turns"}, {"2026-11-28", "agent:main:work", "3 turns"}, {"demo", "a recorded session", ""}}
	for name, c := range map[string]struct {
		keys string
		want int
	}{
		"the first":    {"\r", 0},
		"by arrows":    {"\x1b[B\r", 1},
		"by its words": {"recorded\r", 2},
		"none":         {"q", -1},
	} {
		term, m := chooser(t, three, nil)
		term.until("sessions  type to find", "▶ 2026-11-29", "12 turns", "␛[2J", "esc quit")
		term.emu.SendText(c.keys)
		if err := term.left(); err != nil || m.choosing.chosen != c.want {
			t.Errorf("%s: %d, %v", name, m.choosing.chosen, err)
		}
		if term.emu.IsAltScreen() {
			t.Errorf("%s: the terminal is not as it was", name)
		}
	}
}

// With nothing or one thing to choose from nobody is asked.
func TestChooseWithoutChoice(t *testing.T) {
	for n := range 2 {
		term, m := chooser(t, make([]Choice, n), nil)
		if err := term.left(); err != nil || m.choosing.chosen != n-1 {
			t.Errorf("of %d: %d, %v", n, m.choosing.chosen, err)
		}
	}
	fault := errors.New("no home")
	term, _ := chooser(t, nil, fault)
	if err := term.left(); !errors.Is(err, fault) {
		t.Errorf("a fault ends with %v", err)
	}
}

// The list at every size in colour, without colour and in ASCII.
func TestGoldenChoices(t *testing.T) {
	choices := []Choice{
		{Key: "agent:main:main", Text: "Good morning. What do we have in the workspace?", Extra: "80 turns · today"},
		{Key: "agent:main:ops", Text: "Why did the worker die last night?", Extra: "9 turns · 3 days ago"},
		{Key: "agent:notes:main", Text: "日本語の質問", Extra: "1 turn · in May"},
	}
	for name, change := range looks() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				cfg := Config{Title: "sessions", Profile: colorprofile.TrueColor}
				change(&cfg)
				m := New(t.Context(), cfg)
				m.choosing = &choosing{chosen: -1}
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				m.Update(choicesMsg{choices: choices})
				golden.RequireEqual(t, m.View().Content+"\n")
			})
		}
	}
}
