package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pacms/session/files"
)

// preferencesSchema names the format of the file of preferences.
const preferencesSchema = "pacms.preferences/1"

// maxPreferences is more bytes than any preferences have.
const maxPreferences = 64 << 10

// preferences are how a person last looked at the candidates. What decides about
// them, a strategy or a budget, is no preference: the same command shows the same.
type preferences struct {
	Schema    string `json:"schema"`
	Lanes     bool   `json:"lanes"`
	Zoom      string `json:"zoom"`
	Internals bool   `json:"internals"`
}

// zoomNames are the levels of zoom as the file names them, in their order.
var zoomNames = []string{"auto", "cells", "rows", "strip"}

// preferencesFile is where preferences are kept, "" where they are not. A story
// begins for everyone alike.
func (m *Model) preferencesFile() string {
	if m.cfg.StateDir == "" || m.cfg.Story != nil {
		return ""
	}
	return filepath.Join(m.cfg.StateDir, "preferences.json")
}

// present are the preferences by what is on screen.
func (m *Model) present() preferences {
	return preferences{preferencesSchema, m.lanes, zoomNames[m.zoom], m.internals}
}

// prefer looks at the candidates as they were last looked at. It is for before
// the program runs.
func (m *Model) prefer() {
	defer func() { m.preferred = m.present() }()
	path := m.preferencesFile()
	if path == "" {
		return
	}
	p, err := readPreferences(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		m.note(err.Error())
		return
	}
	m.lanes, m.internals, m.zoom = p.Lanes, p.Internals, zoomLevel(slices.Index(zoomNames, p.Zoom))
}

func readPreferences(path string) (preferences, error) {
	var p preferences
	text, err := files.Read(path, maxPreferences)
	if err != nil {
		return p, fmt.Errorf("tui: read the preferences: %w", err)
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("tui: read the preferences %s: %w", path, err)
	}
	if p.Schema != preferencesSchema || !slices.Contains(zoomNames, p.Zoom) {
		return p, fmt.Errorf("tui: read the preferences %s: it is no %s of this program", path, preferencesSchema)
	}
	return p, nil
}

// remember keeps the preferences for the next visit, if they have changed. It is
// for after the program has run.
func (m *Model) remember() error {
	path, now := m.preferencesFile(), m.present()
	if path == "" || now == m.preferred {
		return nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("tui: encode the preferences: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("tui: keep the preferences: %w", err)
	}
	// Under another name first, so that no one reads a half.
	temp := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("tui: keep the preferences: %w", err)
	}
	if err := os.Rename(temp, path); err != nil {
		return fmt.Errorf("tui: keep the preferences: %w", err)
	}
	return nil
}
