package cmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/selector/expect"
	"pacms/session"
	"pacms/session/files"
	"pacms/testdata"
	"pacms/tui/choices"
)

// checking is what check is asked.
type checking struct {
	*flags
	story *testdata.Story

	expect          string
	marks, md       bool
	write, required string
	force           bool
}

func newCheck(std streams, story *testdata.Story) *cobra.Command {
	c := &checking{flags: new(flags), story: story}
	cmd := &cobra.Command{
		Use:   "check PATH…",
		Short: "Check that items are kept, or dropped, where they have to be",
		Long: `check selects for the turns of recorded sessions that a file of expectations names,
and says which expectations are met: that an item is kept in a turn, or dropped. It
exits with 3 where one is missed, and says of each why that is and what would turn
it, which was run before it is said.

PATH is what replay takes, or demo. The file is YAML; docs/checking.md describes it:

  expect:
    - turn: 61
      keep: {find: staging db port is 5433}
      strategy: [pacms, topk]
      budget: 5%
      note: the question asks for it

--strategy and --budget are for expectations that name none; without them the demo alone
is selected for as its story is, and a case as it was. --marks takes what was marked on
the screen (key m) in the place of a file, and --write makes a file of it.
--required writes the items that are to be kept as pairs of turn and id, for a host
that requires them. A file that is there is replaced with --force alone.

Every expectation has to name one turn and one item: what names none, or several, is
an error and not a miss. Without one that is missed the exit code is 0. ctrl+c ends it
with what was checked so far, which it says, and exit code 130.`,
		Example: `  pacms check session.jsonl --expect expect.yaml
  pacms check session.jsonl --expect expect.yaml --strategy topk --budget 20%
  pacms check demo --expect expect.yaml --md >> "$GITHUB_STEP_SUMMARY"
  pacms check session.jsonl --marks --write expect.yaml
  pacms check session.jsonl --expect expect.yaml --required required.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{err: errors.New("check needs the PATH of a session, or demo"), help: cmd.CommandPath()}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{demoName}, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, std, args) },
	}
	fs, d := cmd.Flags(), usual()
	fs.StringVar(&c.expect, "expect", "", "the file of expectations")
	fs.BoolVar(&c.marks, "marks", false, "expect what was marked on the screen")
	fs.StringVar(&c.write, "write", "", "write the marks as expectations to this file")
	fs.StringVar(&c.required, "required", "", "write what is to be kept as turns and ids to this file")
	fs.BoolVar(&c.force, "force", false, "replace the files of --write and --required where there are some")
	fs.StringVar(&c.strategy, "strategy", d.strategy, "how to choose where an expectation does not say: "+strings.Join(selector.Strategies(), ", "))
	fs.StringVar(&c.budget, "budget", d.budget, "tokens to keep where an expectation does not say: 4096, 32k or 45% of the pool")
	c.addHow(fs)
	c.addOffer(fs)
	c.addMemory(fs)
	c.addStrict(fs)
	fs.BoolVar(&c.json, "json", false, "print one JSON document")
	fs.BoolVar(&c.md, "md", false, "print Markdown")
	fs.BoolVar(&c.plain, "plain", false, "print plain text, which it does anyway")
	return cmd
}

// run checks the sessions at some paths.
func (c *checking) run(cmd *cobra.Command, std streams, paths []string) error {
	ctx := cmd.Context()
	write, err := c.printer()
	if err != nil {
		return err
	}
	if len(paths) == 1 && paths[0] == demoName {
		if err := asDefault(cmd.Flags(), storyDefaults(c.story)); err != nil {
			return err
		}
	}
	p, err := c.plan(cmd.Flags())
	if err != nil {
		return err
	}
	list, err := c.expected(paths)
	if err != nil {
		return err
	}
	recordings, err := c.recordings(ctx, p, c.story, paths)
	if err != nil {
		return err
	}
	if c.marks {
		if list, err = marked(recordings); err != nil {
			return err
		}
	}
	sets, err := resolved(ctx, p, list, recordings)
	if err == nil && !c.marks { // what a mark names may be gone by now
		err = unresolved(sets)
	}
	if err != nil {
		what := "--expect " + c.expect
		if c.marks {
			what = "--marks"
		}
		return blamed(what, err)
	}
	if err := c.writeFiles(paths, list, sets); err != nil {
		return err
	}
	e, closing, err := p.open(ctx, std.err)
	if err != nil {
		return err
	}
	defer closing()
	d := &checkDocument{
		Schema: checkSchema, Build: readBuild(), Expect: c.expect, Marks: c.marks, Repeat: c.repeat(p, paths, recordings, e.Name()),
		Embedder: e.Name(), Tokenizer: p.counter.Name(), Estimated: p.counter.Estimated(),
		Rules: append([]string{}, p.rules.Names()...), Tail: p.tail, Widen: p.widen, Pool: string(p.mode), BudgetBasis: c.budgetBasis,
		Warnings: []session.Warning{},
	}
	tell := progress(std.err, "expectations are checked")
	failed := d.check(ctx, p, e, sets, tell)
	if tell != nil {
		tell(0, 0) // an end before the last expectation leaves the line
	}
	if failed != nil && (d.Done == 0 || !errors.Is(failed, context.Canceled)) {
		return failed
	}
	d.Warnings = append(d.Warnings, e.warnings()...)
	if err := write(std, p, d); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if d.Missed > 0 {
		return &gateError{fmt.Errorf("%d of %s missed, the first: %s", d.Missed, session.Counted(d.Checked, "expected verdict"), d.firstMiss())}
	}
	for _, s := range sets {
		if err := c.strict(s.Session); err != nil {
			return err
		}
	}
	return nil
}

// printer is what prints the result.
func (c *checking) printer() (func(std streams, p *plan, d *checkDocument) error, error) {
	text := func(std streams, p *plan, d *checkDocument) error { return d.writeText(p.text(std.out)) }
	markdown := func(std streams, _ *plan, d *checkDocument) error { return d.writeMarkdown(std.out) }
	format, err := c.format()
	switch {
	case err != nil:
		return nil, err
	case c.md && format != formatAuto:
		return nil, usagef("--md cannot be used with --json or --plain: name one of them")
	case c.md:
		return markdown, nil
	case format == formatJSON:
		return func(std streams, _ *plan, d *checkDocument) error { return writeJSON(std.out, d) }, nil
	}
	return text, nil
}

// mostExpectations is the size in bytes from which a file is taken for something else.
const mostExpectations = 16 << 20

// expected reads the file of expectations; nil where the marks are asked for.
func (c *checking) expected(paths []string) ([]expect.Expectation, error) {
	switch {
	case c.marks && c.expect != "":
		return nil, usagef("--expect and --marks cannot be used together: name one of them")
	case c.marks && slices.Contains(paths, demoName):
		return nil, usagef("--marks: the demo remembers no marks: write a file and take --expect")
	case c.write != "" && !c.marks:
		return nil, usagef("--write is for the marks of the screen: it goes with --marks")
	case c.marks:
		return nil, nil
	case c.expect == "":
		return nil, &usageError{err: errors.New("check needs expectations: --expect FILE, or --marks for those of the screen"), help: "pacms check"}
	}
	return readExpectations(c.expect)
}

// readExpectations reads a file of expectations.
func readExpectations(path string) ([]expect.Expectation, error) {
	data, err := files.Read(path, mostExpectations)
	if err != nil {
		return nil, usagef("--expect: %w", err)
	}
	list, err := expect.Read(data)
	if unknown, ok := errors.AsType[*expect.KeyError](err); ok {
		return nil, usagef("--expect %s: %w%s", path, err, didYouMean(unknown.Key, unknown.Known))
	}
	if err != nil {
		return nil, usagef("--expect %s: %w", path, err)
	}
	return list, nil
}

// blamed is an error that has to do with an expectation of what a flag names.
func blamed(what string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return usagef("%s: %w", what, err)
}

// marked are the marks that the screen remembers of some sessions.
func marked(recordings []recording) ([]expect.Expectation, error) {
	var list []expect.Expectation
	for _, r := range recordings {
		path := r.Source.Path
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		file := choices.File{Dir: stateDir(), Source: path, Session: r.Key}
		chosen, err := file.Load()
		if err != nil {
			return nil, fmt.Errorf("read the marks: %w", err)
		}
		for _, m := range chosen.Marks {
			list = append(list, expect.Expectation{Session: r.Key, Turn: m.Turn, Keep: m.Keep, ID: m.ID, Note: m.Note})
		}
	}
	if len(list) == 0 {
		return nil, usagef("--marks: nothing is marked: pacms replay PATH opens the screen, in which m marks the item under the cursor")
	}
	return list, nil
}

// stateDir is the folder in which the screen remembers; tests put another in its place.
var stateDir = func() string { return filepath.Join(xdg.StateHome, "pacms") }

// expectedIn is a session with what is expected of it.
type expectedIn struct {
	recording
	places *session.Places
	cases  []expect.Case
	// unresolved are those of which there is no turn or no item.
	unresolved []*expect.UnresolvedError
}

// resolved finds the session, the turn and the item of each expectation.
func resolved(ctx context.Context, p *plan, list []expect.Expectation, recordings []recording) ([]*expectedIn, error) {
	sessions := make([]*session.Session, len(recordings))
	for i, r := range recordings {
		sessions[i] = r.Session
	}
	assigned, err := expect.Assign(list, sessions)
	if err != nil {
		return nil, err
	}
	sets := make([]*expectedIn, len(recordings))
	for i, r := range recordings {
		s := &expectedIn{recording: r, places: session.NewPlaces(r.Session, p.mode)}
		if s.cases, s.unresolved, err = expect.Resolve(ctx, r.Session, s.places, assigned[i]); err != nil {
			return nil, err
		}
		sets[i] = s
	}
	return sets, nil
}

// unresolved are the expectations of some sessions that name no turn or no item, all in
// one error.
func unresolved(sets []*expectedIn) error {
	var all error
	for _, s := range sets {
		for _, u := range s.unresolved {
			all = errors.Join(all, u)
		}
	}
	return all
}

// writeFiles writes what flags ask for beside the result.
func (c *checking) writeFiles(paths []string, list []expect.Expectation, sets []*expectedIn) error {
	type output struct {
		flag, path string
		write      func(w io.Writer) error
		file       *files.Output
	}
	var outputs []output
	for _, o := range []output{
		{flag: "--write", path: c.write, write: func(w io.Writer) error { return expect.Write(w, there(list, sets)) }},
		{flag: "--required", path: c.required, write: func(w io.Writer) error { return writeRequired(w, sets) }},
	} {
		if o.path == "" {
			continue
		}
		// Ids and notes are of a session, so that it is for the user alone.
		var err error
		if o.file, err = outputFile(o.flag, o.path, c.force, append([]string{c.expect}, paths...)); err != nil {
			return err
		}
		outputs = append(outputs, o)
	}
	if len(outputs) == 2 && sameFile(c.write, c.required) {
		return usagef("--write and --required name the same file, %s: name two", c.required)
	}
	for _, o := range outputs {
		if err := o.file.Write(o.write); err != nil {
			return usagef("%s: %w", o.flag, err)
		}
	}
	return nil
}

// there are the expectations of a list without those that name what is not there.
func there(list []expect.Expectation, sets []*expectedIn) []expect.Expectation {
	gone := make(map[*expect.Expectation]bool)
	for _, s := range sets {
		for _, u := range s.unresolved {
			gone[u.Expectation] = true
		}
	}
	var out []expect.Expectation
	for i := range list {
		if !gone[&list[i]] {
			out = append(out, list[i])
		}
	}
	return out
}

// repeat is the command line that checks the same again.
func (c *checking) repeat(p *plan, paths []string, recordings []recording, embedder string) string {
	line := append([]string{"pacms", "check"}, paths...)
	if c.marks {
		line = append(line, "--marks")
	} else {
		line = append(line, "--expect", c.expect)
	}
	line = append(line, "--strategy", p.strategy.String())
	pools := slices.ContainsFunc(recordings, func(r recording) bool { return r.Pools != nil })
	if p.budgetSource != sourceDefault || !pools { // a pool that says its own budget gives way to none that is named
		line = append(line, "--budget", p.budget.String())
	}
	return commandLine(append(line, c.how(p, embedder)...))
}

// requiredSchema names the format of a list of what a host has to keep.
const requiredSchema = "pacms.required/1"

// requiredDocument is what a host has to keep, by session.
type requiredDocument struct {
	Schema   string            `json:"schema"`
	Sessions []requiredSession `json:"sessions"`
}

type requiredSession struct {
	Session string         `json:"session"`
	Items   []requiredItem `json:"required"`
}

// requiredItem is an item that is to be in what is kept for a turn.
type requiredItem struct {
	Turn int    `json:"turn"`
	ID   string `json:"id"`
}

// writeRequired writes what is to be kept whatever the strategy and the budget.
func writeRequired(w io.Writer, sets []*expectedIn) error {
	doc := requiredDocument{Schema: requiredSchema, Sessions: []requiredSession{}}
	for _, s := range sets {
		of := requiredSession{Session: s.Key}
		for _, c := range s.cases {
			item := requiredItem{s.Turns[c.Turn].Number, c.Item.ID}
			if c.Keep && !slices.Contains(of.Items, item) {
				of.Items = append(of.Items, item)
			}
		}
		if len(of.Items) > 0 {
			doc.Sessions = append(doc.Sessions, of)
		}
	}
	return writeJSON(w, doc)
}

// poolDigest is a digest of the hashes of pools, in their order.
type poolDigest struct{ hashes []byte }

func (d *poolDigest) add(p *session.Pool) { d.hashes = append(d.hashes, p.Hash()...) }

func (d *poolDigest) String() string {
	sum := sha256.Sum256(d.hashes)
	return hex.EncodeToString(sum[:])
}
