package tui

import (
	"context"
	"testing"

	"github.com/charmbracelet/x/vt"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
	"pacms/themes"
)

// demoConfig is the screen on the demo as the command shows it, in quick motion.
func demoConfig(t *testing.T) Config {
	t.Helper()
	story, err := testdata.LoadStory()
	if err != nil {
		t.Fatal(err)
	}
	story.Start.Pace = 4
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t)
	cfg.Title, cfg.Story, cfg.Turn = "demo", story, 0
	cfg.Load = func(ctx context.Context, _ Progress) (*session.Session, error) {
		return openclaw.Read(ctx, testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	}
	cfg.NewEngine = func(s *session.Session) *selector.Engine { return selector.NewEngine(embed.NewBuiltin(), s.Tokenizer) }
	return cfg
}

// The demo's story to its end, in a terminal: it plays, stops by itself at its
// mark with the fact dropped, and 1 brings the fact back.
func TestDemo(t *testing.T) {
	cfg := demoConfig(t)
	term := openTerminal(t, cfg, 80, 24)
	term.until("‖", cfg.Story.Mark.Question, "lastk would keep", "needed by this turn and dropped: 1", cfg.Story.Mark.Fact, cfg.Story.Invite, "◉", "DROPPED")
	if n := term.count("◉"); n != 2 { // one in the grid, one in its legend
		t.Errorf("%d signs of what is needed and dropped:\n%s", n, term.screen())
	}
	term.emu.SendText("1")
	term.until("pacms would keep", "is back from turn", "KEPT", "since lastk")
	if n := term.count("◉"); n != 0 { // neither in the grid nor in its legend
		t.Errorf("the fact is not back in the grid:\n%s", term.screen())
	}
	term.emu.SendText("D")
	term.until("lastk would keep", "needed by this turn and dropped: 1")
	term.emu.SendKey(vt.KeyPressEvent{Code: 'q', Text: "q"})
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

// The demo can be told at every size and in ASCII.
func TestDemoSizes(t *testing.T) {
	for _, size := range sizes {
		cfg := demoConfig(t)
		cfg.NoMotion, cfg.ASCII = true, true
		term := openTerminal(t, cfg, size[0], size[1])
		term.until("lastk would keep", "needed by this turn and dropped: 1", cfg.Story.Invite)
		term.emu.SendText("1q")
		if err := term.left(); err != nil {
			t.Error(err)
		}
	}
}

// The line above the grid explains the signs that are on screen, and no others.
func TestLegendExplainsWhatIsThere(t *testing.T) {
	explained := make(map[string]int)
	for _, strategy := range []string{"1", "3"} {
		drive(t, storyConfig(t), 80, 24, func(r *robot) {
			r.press(strategy + " Home")
			for range r.m.turns {
				there := map[string]bool{"▲ rule/pin": false, "◉ needed, dropped": false, "▲ needed, kept": false}
				for _, c := range r.m.shown.cells {
					switch {
					case c.Needed && c.Verdict == themes.Dropped:
						there["◉ needed, dropped"] = true
					case c.Needed:
						there["▲ needed, kept"] = true
					case c.Verdict == themes.Required:
						there["▲ rule/pin"] = true
					}
				}
				for sign, there := range there {
					if there {
						explained[sign]++
						r.sees(sign)
					} else {
						r.seesNot(sign)
					}
				}
				r.press(".")
			}
		})
	}
	if len(explained) != 3 {
		t.Errorf("only %v were on screen", explained)
	}
}
