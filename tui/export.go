package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/files"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/svg"
)

// exportedMsg says what was written where.
type exportedMsg struct {
	path  string
	bytes int64
	err   error
}

// exported is what is on the screen when it is exported: what comes later does not
// change it.
type exported struct {
	cfg     Config
	picture *picture
	options selector.Options
	session *session.Session
	// frame is the screen as it went to the terminal.
	frame         string
	width, height int
	ground        svg.Ground
	title         string
}

// exportFormat is one form in which the screen is exported.
type exportFormat struct {
	name, ending, what string
	write              func(ctx context.Context, e *exported, w io.Writer) error
}

func exportFormats() []exportFormat {
	return []exportFormat{
		{"Markdown", ".md", "for people: what is kept, and why", writeMarkdown},
		{"JSON", ".json", "the case, for pacms verify", writeCase},
		{"SVG", ".svg", "this screen as a picture", writePicture},
	}
}

// noExport says why nothing can be exported.
func noExport(m *Model) string {
	if m.cfg.Booth {
		return "on a stand nothing is written to files"
	}
	return noPicture(m)
}

// askExport offers the forms in which the screen can be exported.
func askExport(m *Model, _ string) tea.Cmd {
	e := m.exported()
	stem := fileStem(m.name(), m.shown.number)
	formats := exportFormats()
	rows := make([]pickRow, len(formats))
	for i, f := range formats {
		rows[i] = pickRow{key: f.name, text: f.what, extra: stem + f.ending}
	}
	return m.openPick(&picker{
		title: "export turn " + strconv.Itoa(m.shown.number) + " as it is shown", empty: "no format is called that", enter: "name the file", rows: rows,
		choose: func(m *Model, row int, _ string, _ bool) tea.Cmd {
			if row < 0 {
				return nil
			}
			m.page = nil
			m.askExportFile(e, &formats[row], stem+formats[row].ending)
			return nil
		},
	}, 0)
}

// askExportFile asks for the name of the file; the proposed one is taken as it stands.
func (m *Model) askExportFile(e *exported, f *exportFormat, name string) {
	m.prompt = &prompt{
		label: f.name + " to", hint: "no file is replaced", text: name, offered: true,
		done: func(m *Model, text string) (tea.Cmd, error) {
			if text == "" {
				return nil, fmt.Errorf("a file has a name, such as %s", name)
			}
			if filepath.Ext(text) == "" {
				text += f.ending
			}
			if !filepath.IsAbs(text) {
				text = filepath.Join(m.cfg.ExportDir, text)
			}
			m.say("writing " + safe.Line(text))
			return export(m.ctx, e, f, text), nil
		},
	}
}

// export writes a file beside the screen.
func export(ctx context.Context, e *exported, f *exportFormat, path string) tea.Cmd {
	return func() tea.Msg {
		var n counted
		path, err := files.Create(path, func(w io.Writer) error {
			n.w = w
			return f.write(ctx, e, &n)
		})
		return exportedMsg{path, n.bytes, err}
	}
}

// counted counts what is written.
type counted struct {
	w     io.Writer
	bytes int64
}

// Write writes and counts.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	return n, err //nolint:wrapcheck // it is that of the file
}

// wrote says where an export is.
func (m *Model) wrote(msg exportedMsg) {
	if msg.err != nil {
		m.say("not exported: " + safe.Error(msg.err))
		return
	}
	m.say("written to " + safe.Line(msg.path) + ", " + paint.Plural(int(msg.bytes), "byte"))
}

// exported is what is on the screen now.
func (m *Model) exported() *exported {
	frame := m.compose()
	if m.ownGround() {
		frame = m.table.Paint(frame)
	}
	theme := m.table.Theme
	return &exported{
		cfg: m.cfg, picture: m.shown, options: m.options(m.shown.request), session: m.session,
		frame: frame, width: m.layout.Width, height: m.layout.Height,
		ground: svg.Ground{Background: theme.Background, Text: theme.Text}, title: m.windowTitle(),
	}
}

// fileStem is the name of a file without its ending, of letters that every system takes.
func fileStem(name string, turn int) string {
	name = strings.TrimSuffix(name, filepath.Ext(name))
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	const most = 16
	clean = strings.Trim(clean[:min(most, len(clean))], "-.")
	if clean == "" {
		clean = "session"
	}
	return "pacms-" + clean + "-turn" + strconv.Itoa(turn)
}

// writePicture draws the screen.
func writePicture(_ context.Context, e *exported, w io.Writer) error {
	return svg.Write(w, e.frame, e.title, e.width, e.height, e.ground)
}

// writeCase writes the case of what is shown.
func writeCase(ctx context.Context, e *exported, w io.Writer) error {
	if e.cfg.Case == nil {
		return errors.New("pacms export writes cases, this screen does not")
	}
	src := share.Source{Pool: e.picture.pool, Turn: e.picture.number, Options: e.options, NoWiden: e.cfg.NoWiden}
	c, err := e.cfg.Case(ctx, e.session, src)
	if err != nil {
		return err
	}
	text, err := safe.JSON(c)
	if err != nil {
		return fmt.Errorf("tui: export: %w", err)
	}
	if _, err := w.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("tui: export: %w", err)
	}
	return nil
}
