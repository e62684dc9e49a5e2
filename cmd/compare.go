package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacms/cmd/render"
	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/expect"
	"pacms/session"
	"pacms/session/files"
	"pacms/testdata"
)

// comparison is what compare is asked.
type comparison struct {
	*flags
	story *testdata.Story

	strategies, budgets string
	allTurns            bool
	csv, md             bool
	html                string
	force               bool
	baseline, failUnder string
	expect              string
	twoSides            bool
}

func newCompare(std streams, story *testdata.Story) *cobra.Command {
	c := &comparison{flags: new(flags), story: story}
	cmd := &cobra.Command{
		Use:   "compare PATH…",
		Short: "Compare strategies and budgets over recorded sessions",
		Long: `compare selects for every turn of one or more sessions with every strategy under
every budget, and prints what that comes to: likely misses, items and tokens kept,
coverage, overlap with the first strategy, how much of a prompt cache stays, time.
PATH is what replay takes, or demo; of a database or a folder with several sessions
all are compared, unless --session names one. Turns of the host's own and turns on a
branch that was left are not; --turn compares one turn of each session alone. What is
no session is left out where others can be compared, with a warning.

Means and sums are over contested turns, in which the pool is larger than the
budget; --all-turns takes the others too. ctrl+c ends it with what was done so far,
which it says, and exit code 130.

--json prints one document (pacms.comparison/1) with the numbers of every turn;
--debug adds the ids of what is kept there, and makes --csv print a line for each
turn, strategy and budget. --html writes a report with charts to a file that needs
nothing else, beside what is printed; one that is there is replaced with --force alone.

--fail-under sets limits and exits with 3 where one is not reached: ` + strings.Join(compare.GateNames(), ", ") + `.
With --baseline they apply to the share of what an earlier --json document reached,
turn by turn; docs/compare.md says what each means and how certain it has to be.
--expect counts how many expectations of a file are met, as pacms check finds them
(docs/checking.md); expected=1 fails where one is not.

--diff takes two selections instead: PATH@TURN, or a capture, which is a turn that
pacms replay --json or --jsonl printed, or a case of pacms export. It says what entered, what left, and the
cause of each change, found by running again with one thing changed at a time: query,
budget, pool, counter, embedder, strategy, rules, version. --strategies and --budget
take one value for both, or one for each; of the demo they are otherwise those of its
story. On the screen of pacms replay the key c
shows two sides above each other: strategies, budgets, turns, rules, counters,
embedders or files.`,
		Example: `  pacms compare demo
  pacms compare *.jsonl --strategies pacms,topk,mmr:lambda=0.7 --budget 20%,45%,70%
  pacms compare session.jsonl --html report.html
  pacms compare session.jsonl --json > b.json
  pacms compare session.jsonl --baseline b.json --fail-under kept=0.9
  pacms compare session.jsonl --expect expect.yaml --fail-under expected=1
  pacms compare --diff demo@60 demo@61
  pacms compare --diff demo@61 demo@61 --strategies lastk,pacms`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{err: errors.New("compare needs the PATH of a session, or demo"), help: cmd.CommandPath()}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{demoName}, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.twoSides {
				return c.diff(cmd, std, args)
			}
			return c.run(cmd, std, args)
		},
	}
	fs := cmd.Flags()
	fs.Var(joining(&c.strategies, strings.Join(selector.Strategies(), ",")), "strategies", "what to compare, with parameters if wanted (topk,mmr:lambda=0.7); overlap is with the first")
	fs.Var(joining(&c.budgets, "20%,45%,70%"), "budget", "one or more budgets: 4096, 32k, or 45% of the largest pool")
	c.addHow(fs)
	c.addOffer(fs)
	c.addMemory(fs)
	c.addStrict(fs)
	fs.IntVar(&c.turn, "turn", 0, "compare this turn of each session alone, whether it is contested or not")
	fs.BoolVar(&c.allTurns, "all-turns", false, "count turns in which everything fits, too")
	fs.BoolVar(&c.json, "json", false, "print one JSON document")
	fs.BoolVar(&c.csv, "csv", false, "print CSV, a line for each strategy and budget")
	fs.BoolVar(&c.md, "md", false, "print Markdown")
	fs.BoolVar(&c.plain, "plain", false, "print a table of plain text, which it does anyway")
	fs.BoolVar(&c.debug, "debug", false, "list what each turn keeps")
	fs.BoolVar(&c.twoSides, "diff", false, "say how the second of two captures or turns differs from the first, and why")
	fs.StringVar(&c.html, "html", "", "write a report with charts to this file")
	fs.BoolVar(&c.force, "force", false, "replace the file of --html where there is one")
	fs.StringVar(&c.baseline, "baseline", "", "an earlier --json document to compare with")
	fs.StringVar(&c.failUnder, "fail-under", "", "exit with 3 under these limits: kept=0.9,coverage=0.95")
	fs.StringVar(&c.expect, "expect", "", "count how many expectations of this file are met")
	return cmd
}

// writer is what prints the comparison.
func (c *comparison) writer(std streams) (func(d *compare.Document) error, error) {
	formats := []struct {
		on    bool
		name  string
		write func(d *compare.Document) error
	}{
		{c.plain, "--plain", func(d *compare.Document) error { return render.Text(std.out, d) }},
		{c.json, "--json", func(d *compare.Document) error { return writeJSON(std.out, d) }},
		{c.md, "--md", func(d *compare.Document) error { return render.Markdown(std.out, d) }},
		{c.csv, "--csv", func(d *compare.Document) error {
			if c.debug {
				return render.CellsCSV(std.out, d)
			}
			return render.CSV(std.out, d)
		}},
	}
	write := formats[0].write
	var named []string
	for _, f := range formats {
		if f.on {
			named, write = append(named, f.name), f.write
		}
	}
	if len(named) > 1 {
		return nil, usagef("%s cannot be used together: name one of them", strings.Join(named, " and "))
	}
	return write, nil
}

// run compares the sessions at some paths.
func (c *comparison) run(cmd *cobra.Command, std streams, paths []string) error {
	ctx := cmd.Context()
	write, err := c.writer(std)
	if err != nil {
		return err
	}
	limits, base, err := c.limits()
	if err != nil {
		return err
	}
	p, err := c.configured(cmd)
	if err != nil {
		return err
	}
	var report *files.Output
	if c.html != "" {
		if report, err = outputFile("--html", c.html, c.force, append([]string{c.baseline, c.expect}, paths...)); err != nil {
			return err
		}
	}
	plan, err := c.compared(ctx, p, paths)
	if err != nil {
		return err
	}
	e, closing, err := p.open(ctx, std.err)
	if err != nil {
		return err
	}
	defer closing()
	plan.Embedder, plan.Embedded = e, p.progress
	tell := progress(std.err, "turns are compared")
	result, failed := compare.Run(ctx, plan, tell)
	if tell != nil {
		tell(0, 0) // an end before the last turn leaves the line
	}
	if failed != nil && result.Done == 0 {
		return failed
	}
	d := plan.Document(result)
	d.Build, d.Repeat, d.Expect = compare.Build(readBuild()), c.repeat(plan, p, paths), c.expect
	d.Warnings = append(d.Warnings, e.warnings()...)
	verdict := failed
	if failed == nil {
		if verdict, err = check(d, base, limits); err != nil {
			return err
		}
	}
	if report != nil {
		if err := report.Write(func(w io.Writer) error { return render.HTML(w, d) }); err != nil {
			return usagef("--html: %w", err)
		}
	}
	if err := write(d); err != nil {
		return err
	}
	for _, s := range plan.Sessions {
		if err := c.strict(s); verdict == nil && err != nil {
			verdict = err
		}
	}
	return verdict
}

// configured reads the environment and the configuration.
func (c *comparison) configured(cmd *cobra.Command) (*plan, error) {
	d := usual()
	c.strategy, c.budget = d.strategy, d.budget // compare has lists of its own
	return c.plan(cmd.Flags())
}

// compared is what is to be compared.
func (c *comparison) compared(ctx context.Context, p *plan, paths []string) (*compare.Plan, error) {
	plan := &compare.Plan{AllTurns: c.allTurns || c.turn != 0, Only: c.turn, IDs: c.debug}
	var err error
	if plan.Strategies, err = parseStrategies(c.strategies); err != nil {
		return nil, usagef("--strategies: %w", err)
	}
	for text := range strings.SplitSeq(c.budgets, ",") {
		b, err := selector.ParseBudget(text)
		switch {
		case err != nil:
			return nil, usagef("%s: %w", p.blame("budget"), err)
		case slices.Contains(plan.Budgets, b):
			return nil, usagef("%s: %s is named twice", p.blame("budget"), b)
		}
		plan.Budgets = append(plan.Budgets, b)
	}
	var list []expect.Expectation
	if c.expect != "" {
		if list, err = readExpectations(c.expect); err != nil {
			return nil, err
		}
	}
	recordings, err := c.recordings(ctx, p, c.story, paths)
	if err != nil {
		return nil, err
	}
	for _, r := range recordings {
		plan.Sessions = append(plan.Sessions, r.Session)
		plan.Hindsight = append(plan.Hindsight, hindsight(r.Session, r.story))
	}
	plan.Options = compare.Options{
		Rules: p.rules, Tail: p.tail, NoWiden: !p.widen, Pins: p.pins, Bans: p.bans,
		Mode: p.mode, PerTurn: p.perTurn, Source: p.budgetSource,
	}
	if err := oneTurn(plan); err != nil {
		return nil, err
	}
	if list == nil {
		return plan, nil
	}
	sets, err := resolved(ctx, p, list, recordings)
	if err == nil {
		err = unresolved(sets)
	}
	if err != nil {
		return nil, blamed("--expect "+c.expect, err)
	}
	for _, s := range sets {
		plan.Expected = append(plan.Expected, compare.Expected{Places: s.places, Cases: s.cases})
	}
	return plan, nil
}

// oneTurn is an error where the one turn that is to be compared is none of those that
// are: no session has it, or it is not one that a person asked and the host follows.
func oneTurn(plan *compare.Plan) error {
	if plan.Only == 0 {
		return nil
	}
	var why []error
	for _, s := range plan.Sessions {
		i, err := turnAt(s, plan.Only)
		switch {
		case err != nil:
			why = append(why, err)
		case s.Turns[i].Branch != session.BranchActive:
			why = append(why, usagef("--turn %d: in %s it is on a branch that was left: nothing was offered for it", plan.Only, s.Source.Path))
		case s.Turns[i].Internal != "":
			why = append(why, usagef("--turn %d: in %s the host asked it itself: such turns are not compared", plan.Only, s.Source.Path))
		default:
			return nil
		}
	}
	return errors.Join(why...)
}

// source is the session that a path of the command line names, as p says.
func (c *comparison) source(p *plan, path string) (source, error) {
	src := demoSource(c.story)
	if path != demoName {
		var err error
		if src, err = fileSource(path); err != nil {
			return source{}, err
		}
	}
	if c.memory != "" {
		src = withMemory(src, p.blame("memory"), c.memory)
	}
	return src, nil
}

// parseStrategies reads strategies with their parameters, which are separated by
// commas like the strategies themselves: what has an = and no name before it
// belongs to the strategy before.
func parseStrategies(list string) ([]selector.Strategy, error) {
	var specs []string
	for piece := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(piece, "=")
		if n := len(specs); n > 0 && name != piece && !strings.Contains(name, ":") {
			specs[n-1] += "," + piece
			continue
		}
		specs = append(specs, piece)
	}
	var strategies []selector.Strategy
	for _, spec := range specs {
		s, err := selector.ParseStrategy(spec)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", spec, err)
		}
		if slices.ContainsFunc(strategies, func(o selector.Strategy) bool { return o.String() == s.String() }) {
			return nil, fmt.Errorf("%s is named twice", s)
		}
		strategies = append(strategies, s)
	}
	return strategies, nil
}

// repeat is the command line that compares the same again, whatever the environment
// and the configuration say there.
func (c *comparison) repeat(plan *compare.Plan, p *plan, paths []string) string {
	line := append([]string{"pacms", "compare"}, paths...)
	var strategies, budgets []string
	for _, s := range plan.Strategies {
		strategies = append(strategies, s.String())
	}
	for _, b := range plan.Budgets {
		budgets = append(budgets, b.String())
	}
	line = append(line, "--strategies", strings.Join(strategies, ","), "--budget", strings.Join(budgets, ","))
	line = append(line, c.how(p, plan.Embedder.Name())...)
	if c.allTurns {
		line = append(line, "--all-turns")
	}
	if c.turn != 0 {
		line = append(line, "--turn", strconv.Itoa(c.turn))
	}
	if c.expect != "" {
		line = append(line, "--expect", c.expect)
	}
	return commandLine(line)
}

// how are the flags that select and offer as p says, with the embedder that is used.
func (f *flags) how(p *plan, embedder string) []string {
	rules := strings.Join(p.rules.Names(), ",")
	switch rules {
	case "":
		rules = "none"
	case strings.Join(selector.RuleNames(), ","):
		rules = "default"
	}
	line := []string{
		"--budget-basis", f.budgetBasis, "--embedder", embedder, "--tokenizer", f.tokenizer,
		"--rules", rules, "--tail", strconv.Itoa(p.tail), "--pool", string(p.mode),
	}
	if !p.widen {
		line = append(line, "--no-widen")
	}
	for _, flag := range []struct{ name, value string }{{"--session", f.session}, {"--memory", f.memory}} {
		if flag.value != "" {
			line = append(line, flag.name, flag.value)
		}
	}
	return line
}

// commandLine is a command as a shell reads it.
func commandLine(words []string) string {
	line := make([]string, len(words))
	for i, word := range words {
		line[i] = quoted(word)
	}
	return strings.Join(line, " ")
}

// plainWord are the characters that mean themselves in every shell.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@"

// quoted is a word as a shell reads it.
func quoted(word string) string {
	if word != "" && strings.Trim(word, plainWord) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
