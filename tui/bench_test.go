package tui

import (
	"context"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
	"pacms/themes"
)

// wide is a session whose last turn is offered n candidates.
func wide(n int) *session.Session {
	s := &session.Session{Key: "bench", Tokenizer: "openclaw"}
	kinds := []session.Kind{session.User, session.Assistant, session.Tool}
	for i := range n {
		s.Candidates = append(s.Candidates, session.Candidate{
			ID: fmt.Sprint("c", i), Kind: kinds[i%len(kinds)], Tokens: 10 + i%90, Turn: i/10 + 1,
			Text: fmt.Sprintf("Message %d is about topic %d and says that value %d holds.", i, i%23, i*7%101),
		})
	}
	for turn := range n/10 + 1 {
		span := []session.Span{{From: 0, To: min(turn*10, n)}}
		s.Turns = append(s.Turns, session.Turn{Number: turn + 1, Branch: session.BranchActive, Query: "What is said about topic 7?", Window: span, Key: span})
	}
	return s
}

// ready is a screen with its first picture, and nothing on its way.
func ready(tb testing.TB, s *session.Session, width, height int) *Model {
	tb.Helper()
	cfg := config(tb)
	cfg.Turn = 0 // the last turn
	ctx, cancel := context.WithCancel(context.Background())
	tb.Cleanup(cancel)
	m := New(ctx, cfg)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	_, cmd := m.Update(loadedMsg{session: s, keeper: newKeeper()})
	msg := cmd()
	if p, ok := msg.(pictureMsg); !ok || p.err != nil {
		tb.Fatalf("no first picture: %v", msg)
	}
	m.Update(msg)
	if last := s.Turns[len(s.Turns)-1].Window[0]; len(m.shown.cells) != last.To {
		tb.Fatalf("%d cells are shown, want %d", len(m.shown.cells), last.To)
	}
	return m
}

const (
	benchCells  = 2_000
	benchWidth  = 200
	benchHeight = 60
)

// BenchmarkView draws a screen of which all panes have changed.
func BenchmarkView(b *testing.B) {
	m := ready(b, wide(benchCells), benchWidth, benchHeight)
	b.ReportAllocs()
	redraw := redrawAll(m)
	for b.Loop() {
		redraw()
	}
}

// redrawAll gives a function that draws every pane anew.
func redrawAll(m *Model) func() {
	other := themes.Compile(themes.For(false), m.glyphs, m.profile)
	return func() {
		m.table, other = other, m.table
		m.panes.dirty = true
		m.View()
	}
}

// BenchmarkViewCursor draws a screen on which the cursor has moved.
func BenchmarkViewCursor(b *testing.B) {
	m := ready(b, wide(benchCells), benchWidth, benchHeight)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i = (i + 1) % benchCells
		m.point(i)
		m.panes.dirty = true
		m.View()
	}
}

// BenchmarkKey is a key, the work that it asks for, and the screen after it.
func BenchmarkKey(b *testing.B) {
	m := ready(b, wide(benchCells), benchWidth, benchHeight)
	b.ReportAllocs()
	keys := []tea.KeyPressMsg{{Code: 'l', Text: "l"}, {Code: 'j', Text: "j"}, {Code: 'h', Text: "h"}, {Code: 'k', Text: "k"}}
	i := 0
	for b.Loop() {
		_, cmd := m.Update(keys[i%len(keys)])
		m.View()
		if cmd != nil {
			m.Update(cmd())
			m.View()
		}
		i++
	}
}

// manyCells is a pool that no screen shows at once.
const manyCells = 5_000

// BenchmarkKeyOf5000 is BenchmarkKey at 80×24 with 5,000 candidates, near and far.
func BenchmarkKeyOf5000(b *testing.B) {
	for name, level := range map[string]zoomLevel{"strip": zoomStrip, "cells": zoomCells, "rows": zoomRows} {
		b.Run(name, func(b *testing.B) {
			m := ready(b, wide(manyCells), 80, 24)
			m.zoom = level
			m.relayout()
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_, cmd := m.Update(keyPress([]string{"l", "j", "h", "k"}[i%4]))
				m.View()
				if cmd != nil {
					m.Update(cmd())
					m.View()
				}
				i++
			}
		})
	}
}

// BenchmarkSearchOf5000 is what each letter of a search costs beside the screen.
func BenchmarkSearchOf5000(b *testing.B) {
	m := ready(b, wide(manyCells), 80, 24)
	s, err := parseSearch("topic 7 kept")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.in(m.shown)
	}
}

// BenchmarkDragBurst is 300 motions of a drag as fast as they can come.
func BenchmarkDragBurst(b *testing.B) {
	m := ready(b, wide(benchCells), benchWidth, benchHeight)
	b.ReportAllocs()
	for b.Loop() {
		burst(m)
	}
}

// burst drags the handle over 300 columns, with a frame after every tenth.
func burst(m *Model) {
	var f filter
	send := func(msg tea.Msg) {
		if msg = f.pass(m, msg); msg != nil {
			m.Update(msg)
			m.View()
		}
	}
	y := m.layout.Bar.Y
	send(tea.MouseClickMsg{X: 1, Y: y, Button: tea.MouseLeft})
	for i := range 300 {
		send(tea.MouseMotionMsg{X: 1 + i%benchWidth, Y: y, Button: tea.MouseLeft})
		if i%10 == 9 {
			send(frameMsg{})
		}
	}
	send(tea.MouseReleaseMsg{X: 100, Y: y, Button: tea.MouseLeft})
}
