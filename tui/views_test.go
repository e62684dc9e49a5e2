package tui

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pacms/capture"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/themes"
	"pacms/tui/chart"
	"pacms/tui/grid"
)

// view is something that the screen can show, and how to come to it.
type view struct {
	name string
	// with changes the demo that the view is shown of; nil: it is as it is.
	with func(*Config)
	do   func(r *robot)
}

// views are all that the screen can show, each in the state in which it says most.
func views() []view {
	return slices.Concat(storyViews(), whyViews(), markViews(), tableViews(), promptViews(), replayViews(), dataViews(), compareViews(), liveViews())
}

// atMark presses keys where the story has come to its mark.
func atMark(keys string) func(r *robot) {
	return func(r *robot) {
		for r.m.story != storyMarked {
			r.wait(time.Second)
		}
		r.wait(time.Second) // whatever else is drawn has come then
		r.press(keys)
	}
}

// pressed presses keys at once.
func pressed(keys string) func(r *robot) { return func(r *robot) { r.press(keys) } }

// storyViews are what there is to see of the demo, and how its story goes.
func storyViews() []view {
	stand := func(cfg *Config) { cfg.Booth = true }
	telling := func(text string) func(r *robot) {
		return func(r *robot) {
			for range 6_000 {
				if strings.Contains(r.screen(), text) {
					return
				}
				r.wait(10 * time.Millisecond)
			}
			r.t.Fatalf("the story never says %q:\n%s", text, r.screen())
		}
	}
	return []view{
		{name: "mark", do: atMark("")},
		{name: "back", do: atMark("1")},
		{name: "lanes", do: atMark("o")},
		{name: "rows", do: atMark("z")},
		{name: "strip", do: atMark("z z")},
		{name: "pins", do: atMark("p h h x")},
		{name: "turns", do: atMark("g")},
		{name: "help", do: atMark("?")},
		{name: "helped", do: atMark("? b u d g e t")},
		{name: "talk", do: atMark("t")},
		{name: "talkpage", do: atMark("t t")},
		{name: "answer", do: atMark("a")},
		{name: "answerpage", do: atMark("a a")},
		{name: "why", do: atMark("enter")},
		{name: "record", do: atMark("enter r")},
		{name: "hopeless", do: atMark("b 1 enter")},
		{name: "first", do: pressed("space")},
		{name: "said", do: telling("said now")},
		{name: "droppedsoon", do: telling("has dropped it")},
		{name: "large", with: func(cfg *Config) { cfg.Theme = themes.All()[slices.Index(themes.Names(), "booth")] }, do: atMark("")},
		{name: "booth", with: stand, do: atMark("")},
		{name: "boothvisitor", with: stand, do: func(r *robot) { r.wait(3 * time.Second); r.press("h") }},
	}
}

// onItem puts the cursor on the first item that is wanted, after keys at the mark.
func onItem(keys string, wanted func(s *selector.Selection, i int) bool, then string) func(r *robot) {
	return func(r *robot) {
		atMark(keys)(r)
		for i := range r.m.shown.cells {
			if wanted(r.m.shown.sel, i) {
				r.start(r.m.point(i))
				r.settle()
				r.press(then)
				return
			}
		}
		r.t.Fatal("no item is like that")
	}
}

// whyViews are the reasoning about one item in its states, and what of it the main
// screen shows.
func whyViews() []view {
	covered := func(s *selector.Selection, i int) bool { return s.Code(i) == selector.CoveredBy }
	covers := func(s *selector.Selection, i int) bool { return len(s.Covers(i)) > 1 }
	missed := func(s *selector.Selection, i int) bool { return s.Code(i) == selector.Older }
	return []view{
		{name: "covered", do: onItem("1", covered, "")},
		{name: "covers", do: onItem("1", covers, "")},
		{name: "whycovered", do: onItem("1", covered, "enter")},
		{name: "whycovers", do: onItem("1", covers, "enter")},
		{name: "whyjumped", do: onItem("1", covered, "enter right enter")},
		{name: "whyolder", do: onItem("", missed, "enter")},
		{name: "whyworking", do: func(r *robot) {
			atMark("1")(r)
			r.m.Update(keyPress("enter")) // nothing of what it asks for comes back
		}},
		{name: "whytrying", do: func(r *robot) {
			atMark("1")(r)
			r.m.Update(keyPress("enter"))
			w := r.m.shown.sel.Why(r.m.cursor)
			r.m.Update(foundOutMsg{generation: r.m.inquiry.generation, take: func(q *inquiry) { q.why = &w }})
		}},
		{name: "flips", do: atMark("1 f")},
		{name: "flipsworking", do: func(r *robot) {
			atMark("1")(r)
			r.m.Update(keyPress("f"))
			r.m.Update(flipsMsg{generation: r.m.flipping.generation, done: 43, all: 129})
		}},
	}
}

// markViews are what a person expects of items, met and missed, and the note on it.
func markViews() []view {
	return []view{
		{name: "markkeep", do: atMark("1 m")},
		{name: "markdrop", do: atMark("m m")},
		{name: "markmissed", do: atMark("m")},
		{name: "marknote", do: atMark("m ;")},
		{name: "markwhy", do: atMark("m ; p o r t enter enter")},
		{name: "marklist", do: atMark("m ; p o r t enter h h m m i")},
	}
}

// tableViews are the pages with every strategy in their states.
func tableViews() []view {
	return []view{
		{name: "matrix", do: atMark("M")},
		{name: "matrixall", do: atMark("M a down")},
		{name: "matrixworking", do: func(r *robot) {
			atMark("")(r)
			r.m.Update(keyPress("M")) // nothing of what it asks for comes back
		}},
		{name: "matrixpart", do: func(r *robot) {
			atMark("M a")(r)
			known := r.m.lineup.tally.tallied
			each := len(r.m.strategies)
			known.cells, known.rest, known.done = known.cells[:24*each], r.m.comparedTurns()[24:], 24
			known.rows = r.m.lineup.tally.sum(known.cells, false)
			r.m.lineup.tally.stop = func() {}
			r.m.lineup.tally.tallied = known
			r.m.fillPage()
		}},
		{name: "matrixempty", with: onTurn(1), do: pressed("M")},
		{name: "chart", do: atMark("v")},
		{name: "chartmoved", do: atMark("v 1 right right right")},
		{name: "chartworking", do: func(r *robot) {
			atMark("")(r)
			r.m.Update(keyPress("v"))
			r.m.Update(curveMsg{generation: r.m.lineup.curves.generation, at: r.m.lineup.curves.at, done: 43, all: 129})
		}},
		{name: "chartempty", with: onTurn(1), do: pressed("v")},
		{name: "chartover", with: replay(func(_ *Config, s *session.Session) {
			s.Candidates[0].Tokens = 5_000
		}), do: pressed("b 1 0 0 enter v")},
	}
}

// promptViews are the lines in which one types, and what comes of it.
func promptViews() []view {
	return []view{
		{name: "budget", do: atMark("b")},
		{name: "budgetwrong", do: atMark("b 4 x enter")},
		{name: "filter", do: atMark("/")},
		{name: "find", do: atMark("/ p o r t o")},
		{name: "filterwrong", do: atMark("/ k i n d : q")},
		{name: "filtered", do: atMark("/ p o r t o enter n")},
		{name: "filterempty", do: atMark("/ z z z enter n")},
		{name: "pagefind", do: atMark("enter r / s t o r e d")},
		{name: "everywhereprompt", do: atMark("F")},
		{name: "everywhere", do: atMark("F 5 4 3 3 enter")},
		{name: "everyturn", do: atMark("F P o r t o enter end")},
		{name: "nowhere", do: atMark("F z z z enter")},
		{name: "turnwrong", do: atMark("g z z z enter")},
		{name: "export", do: atMark("e")},
		{name: "exportfile", do: atMark("e enter")},
	}
}

// liveViews are a session that goes on, two seconds after it was opened by three turns.
func liveViews() []view {
	goesOn := func(cfg *Config) {
		cfg.Story, cfg.Title, cfg.Turn = nil, "main.jsonl", 0
		cfg.Load = func(context.Context, Progress) (*session.Session, error) { return upTo(20, true), nil }
		told := false
		cfg.Follow = func(ctx context.Context) (capture.News, error) {
			if told {
				<-ctx.Done()
				return capture.News{}, ctx.Err()
			}
			told = true
			time.Sleep(2 * time.Second)
			return capture.News{Session: upTo(23, true), Events: []string{"the session was reset"}}, nil
		}
	}
	after := func(keys string) func(r *robot) {
		return func(r *robot) {
			r.press(keys)
			r.wait(3 * time.Second)
		}
	}
	return []view{
		{name: "live", with: goesOn, do: after("")},
		{name: "livepaused", with: goesOn, do: after(", ,")},
	}
}

// replay makes the demo a replay of its session after a change.
func replay(change func(cfg *Config, s *session.Session)) func(*Config) {
	return func(cfg *Config) {
		cfg.Story, cfg.Title, cfg.Turn = nil, "made-up.jsonl", 28
		s := madeUp()
		change(cfg, s)
		cfg.Load = func(context.Context, Progress) (*session.Session, error) { return s, nil }
	}
}

// onTurn is a replay that opens on a turn.
func onTurn(number int) func(*Config) {
	return replay(func(cfg *Config, _ *session.Session) { cfg.Turn = number })
}

// reading is a session that is not read to its end, after a number of reports.
func reading(reports int) func(*Config) {
	return func(cfg *Config) {
		cfg.Load = func(ctx context.Context, progress Progress) (*session.Session, error) {
			for range reports {
				progress("reading", 512, 2048)
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
}

// replayViews are what is shown before, between and instead of pictures, and what a
// replay says beside a story.
func replayViews() []view {
	return []view{
		{name: "opening", with: reading(0), do: pressed("")},
		{name: "loading", with: reading(1), do: pressed("")},
		{name: "working", do: func(r *robot) {
			atMark("")(r)
			r.m.engine = selector.NewEngine(stuck{embed.NewBuiltin(), make(chan struct{})}, "openclaw")
			r.m.prepared = recent{}
			r.press("1")
			r.send(progressMsg{generation: r.m.generation, what: "reading the meaning of items", done: 2, total: 5})
		}},
		{name: "failed", with: onTurn(28), do: func(r *robot) {
			r.m.engine = selector.NewEngine(broken{embed.NewBuiltin()}, "openclaw")
			r.press(",")
		}},
		{name: "estimate", with: onTurn(24), do: pressed("3")},
		{name: "compacted", with: onTurn(29), do: pressed("")},
		{name: "earlier", with: onTurn(29), do: pressed("t t home")},
		{name: "internal", with: onTurn(12), do: pressed("")},
		{name: "noitems", with: onTurn(1), do: pressed("")},
	}
}

// dataViews are how the screen takes what a session may bring with it.
func dataViews() []view {
	of := func(s *session.Session) func(*Config) {
		return func(cfg *Config) {
			cfg.Story, cfg.Title, cfg.Turn = nil, "made-up.jsonl", 0
			cfg.Load = func(context.Context, Progress) (*session.Session, error) { return s, nil }
		}
	}
	return []view{
		{name: "strange", with: of(strange()), do: pressed("2 3")},
		{name: "strangerows", with: of(strange()), do: pressed("z")},
		{name: "many", with: of(wide(500)), do: pressed("")},
		{name: "overbudget", with: replay(func(_ *Config, s *session.Session) {
			s.Candidates[0].Tokens = 5_000
		}), do: pressed("b 1 0 0 enter")},
		{name: "weak", with: replay(func(cfg *Config, s *session.Session) {
			s.Turns[27].Query = "Why?"
			s.Candidates[2].Text = strings.Repeat("QUJDREVGR0hJSktM", 40)
			cfg.Turn = 28
		}), do: pressed("")},
		{name: "branch", with: replay(func(_ *Config, s *session.Session) {
			s.Turns[25].Branch, s.Turns[26].Branch = session.BranchOther, session.BranchOther
		}), do: pressed("")},
		{name: "left", with: replay(func(_ *Config, s *session.Session) { *s = *branched() }), do: pressed("g 2 6 enter")},
		{name: "talkleft", with: replay(func(cfg *Config, s *session.Session) { *s, cfg.Turn = *branched(), 28 }), do: pressed("end t t")},
		{name: "afterreset", with: replay(func(cfg *Config, s *session.Session) {
			s.Turns[28].Boundary.Kind, s.Turns[28].Window, cfg.Turn = session.BoundaryReset, nil, 29
		}), do: pressed("")},
		{name: "banned", with: onTurn(28), do: pressed("3 home l x enter")},
		{name: "seen", with: replay(func(cfg *Config, s *session.Session) {
			cfg.HostBudget = 700
			recordAll(s, func(int) int { return s.LargestPool(session.PoolWindow) * 45 / 100 }, "pacms")
			for i := range s.Turns {
				if r := s.Turns[i].Record; r != nil {
					r.Budget = 700
				}
			}
			s.Skipped = []session.Skip{{}, {}}
		}), do: pressed("")},
		{name: "notes", with: replay(func(_ *Config, s *session.Session) {
			s.Skipped = []session.Skip{{Line: 12, Bytes: 40, Cause: "not JSON"}, {Line: 7, Offset: -1, Bytes: 9, Cause: "no type"}}
			s.Warnings = []session.Warning{{Code: "embedder", Message: "there is no answer from the model that was asked for, so the word vectors inside the program are taken, which know only words"}}
			s.Candidates[2].Text = strings.Repeat("QUJDREVGR0hJSktM", 40)
		}), do: pressed("i")},
	}
}

// open shows a view on a screen of the given size and drawn as look says.
func (v view) open(t *testing.T, look func(*Config), width, height int, f func(r *robot)) {
	t.Helper()
	cfg := storyConfig(t)
	if v.with != nil {
		v.with(&cfg)
	}
	look(&cfg)
	drive(t, cfg, width, height, func(r *robot) {
		v.do(r)
		f(r)
	})
}

// parts are the parts that a screen is made of: what stands where, and in which of
// its states.
func (n names) parts(m *Model) []string {
	var parts []string
	has := func(part string) { parts = append(parts, part) }
	if m.layout.Width <= 0 || m.layout.Height <= 0 {
		return nil
	}
	if m.layout.Small {
		return []string{"too small"}
	}
	switch {
	case m.prompt == nil:
	case strings.HasPrefix(m.prompt.label, "note on the mark of "):
		has("prompt note")
	default:
		has("prompt " + m.prompt.label)
	}
	switch {
	case m.status != "":
		has("status")
	case m.failure != nil:
		has("failure")
	case m.working && m.loading.total > 0 && m.shown != nil:
		has("progress of a turn")
	}
	switch {
	case m.page != nil:
		has(n["pageKind"][m.page.kind])
		if m.page.raw != "" {
			has("record")
		}
		if m.page.kind == pageWhy {
			q := m.asked()
			switch {
			case q == nil || q.why == nil:
				has("reasoning on its way")
			case !q.tried:
				has("changes on their way")
			case len(q.would) > 0:
				has("changes")
			}
			if m.page.link() > 0 {
				has("link")
			}
			if m.life != nil && m.life.done {
				has("life")
			} else {
				has("life on its way")
			}
		}
		if m.tabulated() {
			for part, is := range map[string]bool{
				"table of all turns": m.page.kind == pageMatrix && m.lineup.all, "part of the turns": m.page.kind == pageMatrix && m.lineup.all && len(m.lineup.tally.rest) > 0,
				"table on its way": m.lineup.one == nil, "curve": m.page.kind == pageChart && slices.ContainsFunc(m.lineup.curves.known, func(p []chart.Point) bool { return p != nil }),
				"curve on its way": m.page.kind == pageChart && m.lineup.curves.at >= 0,
			} {
				if is {
					has(part)
				}
			}
		}
		return parts
	case m.shown == nil && m.loading.total > 0:
		return append(parts, "progress of loading")
	case m.shown == nil:
		return append(parts, "loading")
	}
	has(n["zoomLevel"][m.zoomed()])
	if m.layout.Wide {
		has(n["beside"][m.beside])
	}
	has(n["storyState"][m.story])
	for part, is := range map[string]bool{
		"lanes": m.lanes, "no items": len(m.shown.cells) == 0, "filter": m.search != nil, "stand alone": m.booth.alone,
		"box": m.layout.Box.H > 0, "lists": m.layout.Changes.H > 0, "strategies": m.layout.Strategies.H > 0,
		"playing": m.play.on, "needed and dropped": len(m.shown.missed) > 0, "pins and bans": m.want.counts() != "",
		"not offered any more": len(m.earlier.items) > 0, "underlined": m.lit() != nil,
		"mark met":    slices.ContainsFunc(m.shown.cells, func(c grid.Cell) bool { return c.Mark == grid.MarkMet }),
		"mark missed": slices.ContainsFunc(m.shown.cells, func(c grid.Cell) bool { return c.Mark == grid.MarkMissed }),
		"flips":       m.flipping.on && m.flipping.sweep != nil, "flips on their way": m.flipping.on && m.flipping.sweep == nil,
	} {
		if is {
			has(part)
		}
	}
	return parts
}

// allParts are all parts that there are: what parts can give.
func (n names) allParts() []string {
	all := []string{
		"too small", "loading", "progress of loading", "progress of a turn", "status", "failure", "record",
		"prompt budget", "prompt find", "prompt find in the text", "prompt find everywhere", "prompt note",
		"mark met", "mark missed",
		"lanes", "no items", "filter", "stand alone", "box", "lists", "strategies", "playing", "needed and dropped", "pins and bans",
		"not offered any more", "underlined", "flips", "flips on their way",
		"reasoning on its way", "changes on their way", "changes", "link", "life", "life on its way",
		"table of all turns", "part of the turns", "table on its way", "curve", "curve on its way",
	}
	for _, kind := range n {
		all = append(all, kind...)
	}
	// The level is chosen by the screen then, and another one is what is seen.
	return slices.DeleteFunc(all, func(part string) bool { return part == "zoomAuto" })
}

// names are the names of the constants by their type, in their order.
type names map[string][]string

// viewNames reads, from the source, all that the constants of the screen tell apart:
// whoever adds a kind of page adds a view, which then has to be among the views.
func viewNames(t *testing.T) names {
	t.Helper()
	n := names{"pageKind": nil, "zoomLevel": nil, "beside": nil, "storyState": nil}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			kind := ""
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				if of, ok := value.Type.(*ast.Ident); ok {
					kind = of.Name
				} else if len(value.Values) > 0 {
					kind = ""
				}
				if _, wanted := n[kind]; wanted {
					n[kind] = append(n[kind], value.Names[0].Name)
				}
			}
		}
	}
	for kind, names := range n {
		if len(names) < 2 {
			t.Fatalf("the constants of %s were not found: %v", kind, names)
		}
	}
	return n
}

// cutOff fails where one of the lines of the screen is cut off in a word.
func cutOff(r *robot, where string, parts ...rect) {
	lines := strings.Split(r.screen(), "\n")
	for _, at := range parts {
		if line := lines[at.Y]; strings.HasSuffix(line, r.m.glyphs.More) && !strings.HasSuffix(line, " "+r.m.glyphs.More) {
			r.t.Errorf("%s: %q is cut off", where, line)
		}
	}
}

// hasRoom fails where what the screen says of itself is cut off: its sentences, the
// titles of its pages, its status and its keys.
func (v view) hasRoom(r *robot) {
	l := r.m.layout
	if r.m.prompt == nil || r.m.prompt.label != "find" { // what can be looked for is in the help, too
		cutOff(r, v.name, l.Status)
	}
	cutOff(r, v.name, l.Footer)
	switch {
	case r.m.page != nil:
		cutOff(r, v.name, l.Title)
	case r.m.shown != nil:
		cutOff(r, v.name, l.Sentence, l.Budget, l.Since, l.Legend)
	}
}

// What a key says of itself has room on the smallest of the sizes.
func TestWordsHaveRoom(t *testing.T) {
	t.Parallel()
	notShort(t)
	for _, open := range []string{"", "z z", "enter"} {
		for k, with := range []func(*Config){nil, onTurn(1)} {
			t.Run(open+strconv.Itoa(k), func(t *testing.T) {
				t.Parallel()
				view{with: with, do: pressed("")}.open(t, func(*Config) {}, 60, 20, func(r *robot) {
					if with == nil {
						atMark("")(r)
					}
					for _, section := range r.m.keymap.sections {
						for _, b := range section.bindings {
							for _, key := range b.keys {
								if slices.Contains([]string{"q", "ctrl+c", "ctrl+z", "/"}, key) {
									continue
								}
								for range 2 {
									r.press("esc esc " + open + " " + key)
									if r.m.prompt == nil {
										cutOff(r, open+" "+key, r.m.layout.Status)
									}
								}
							}
						}
					}
				})
			})
		}
	}
}

// Where n walks what was found, nothing says that it goes elsewhere.
func TestWalkInSearchIsSaidOnce(t *testing.T) {
	for _, size := range sizes {
		drive(t, storyConfig(t), size[0], size[1], func(r *robot) {
			atMark("h / p o r t o enter")(r)
			for _, text := range []string{"n goes to it", "n next", "n walks them", "n changes"} {
				r.seesNot(text)
			}
			r.press("esc")
			r.sees("n goes to it", "n next")
		})
	}
}
