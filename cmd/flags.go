package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacms/selector"
	"pacms/session"
	"pacms/session/token"
)

// flags holds the values of every flag, as given or as configured.
type flags struct {
	// How to select.
	strategy, budget, embedder, tokenizer, rules string
	tail                                         int
	noWiden                                      bool
	// What of a session to look at.
	budgetBasis, pool, session, memory string
	turn                               int
	// How to draw.
	theme           string
	ascii, noMotion bool
	booth, noState  bool
	// What to print.
	json, jsonl, plain, debug, strictInput bool
	returnsAt                              bool
	// leftOut is how many files were named and left out, since they are no session.
	leftOut int
}

// defaultBudget is the budget where nobody names one: a share of the pool that
// leaves a strategy something to choose.
const defaultBudget = "45%"

// defaults are what a command takes where nobody says anything.
type defaults struct {
	strategy, budget string
	// turn tells which turn is shown.
	turn string
}

// usual are the defaults of every command but the demo.
func usual() defaults {
	return defaults{
		strategy: "pacms", budget: defaultBudget,
		turn: "the screen and text show the last one, JSON has all",
	}
}

// addSelection defines the flags of every command that selects.
func (f *flags) addSelection(fs *pflag.FlagSet, d defaults) {
	f.addChoice(fs, d)
	fs.BoolVar(&f.json, "json", false, "print one JSON document")
	fs.BoolVar(&f.debug, "debug", false, "give every item with its verdict, reason and numbers")
	fs.BoolVar(&f.plain, "plain", false, "print text without a screen, colour or cursor movement")
}

// addChoice defines the flags that say what a command selects.
func (f *flags) addChoice(fs *pflag.FlagSet, d defaults) {
	fs.StringVar(&f.strategy, "strategy", d.strategy,
		"how to choose, with parameters if wanted (mmr:lambda=0.7): "+strings.Join(selector.Strategies(), ", "))
	fs.StringVar(&f.budget, "budget", d.budget,
		"tokens to keep: 4096, 32k or 45% of the pool; it wins over a budget that the pool itself brings")
	f.addHow(fs)
}

// addHow defines the flags that say how to select besides strategy and budget.
func (f *flags) addHow(fs *pflag.FlagSet) {
	fs.StringVar(&f.embedder, "embedder", embedBuiltin,
		"what turns text into vectors: builtin, ollama[:MODEL], or auto, which is ollama where it answers at once")
	fs.Var(choose(&f.tokenizer, token.Names[0], token.Names...), "tokenizer",
		"what counts tokens: "+strings.Join(token.Names, ", "))
	fs.StringVar(&f.rules, "rules", "default",
		"rules that come before the choice: default, none, or some of "+strings.Join(selector.RuleNames(), ","))
	fs.IntVar(&f.tail, "tail", 1, "newest complete turns that the tail rule keeps")
	fs.BoolVar(&f.noWiden, "no-widen", false, "never widen a question of less than two words with the turn before it")
}

// addSession defines the flags of every command that shows a session.
func (f *flags) addSession(fs *pflag.FlagSet, d defaults) {
	f.addSelection(fs, d)
	f.addOffer(fs)
	fs.IntVar(&f.turn, "turn", 0, "number of the turn to show; without it "+d.turn)
	fs.StringVar(&f.theme, "theme", autoTheme, themeUsage())
	fs.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	fs.BoolVar(&f.noMotion, "no-motion", false, "let nothing move by itself: the story goes to its mark at once")
	fs.BoolVar(&f.noState, "no-state", false, "neither use nor remember pins, bans and how the grid was looked at")
	fs.BoolVar(&f.jsonl, "jsonl", false, "print JSON, a turn a line")
	f.addStrict(fs)
}

// addOffer defines the flags that say what of a session is offered.
func (f *flags) addOffer(fs *pflag.FlagSet) {
	fs.Var(choose(&f.budgetBasis, "largest", "largest", "turn"), "budget-basis",
		"what a budget in percent is a share of: the largest pool of the session, or each turn's own")
	fs.Var(choose(&f.pool, string(session.PoolWindow), string(session.PoolWindow), string(session.PoolKey)), "pool",
		"what is offered: window, as the host would, or key, all windows of the session")
	fs.StringVar(&f.session, "session", "", "session key or id, where the store has several (default the newest)")
}

// addStrict defines the flag for those who want to be told of damage.
func (f *flags) addStrict(fs *pflag.FlagSet) {
	fs.BoolVar(&f.strictInput, "strict-input", false, "exit with 4 where damaged records of the input were skipped, or a file was left out; other oddities are notes")
}

// addSettings defines the flags of every setting but color, which all commands
// have.
func (f *flags) addSettings(fs *pflag.FlagSet) {
	f.addSession(fs, usual())
	f.addMemory(fs)
}

// addColor defines the flag that every command has.
func addColor(fs *pflag.FlagSet) {
	fs.Var(choose(new(string), "auto", "auto", "always", "never"), "color", "when to use colour: auto, always or never")
}

// addDemo defines the flags of the commands that show the demo.
func (f *flags) addDemo(fs *pflag.FlagSet, d defaults) {
	f.addSession(fs, d)
	fs.BoolVar(&f.booth, "booth", false, "for a stand: tell the story again and again, and anew for each visitor")
}

// configurable names the flags that the environment and the configuration file
// may set too.
func configurable() []string {
	return []string{
		"ascii", "budget", "budget-basis", "color", "embedder", "memory", "no-motion", "no-state", "no-widen",
		"pool", "rules", "strategy", "strict-input", "tail", "theme", "tokenizer",
	}
}

// format is what a command prints.
type format int

const (
	formatAuto format = iota // the screen on a terminal, plain text elsewhere
	formatPlain
	formatJSON
	formatJSONL
)

func (f *flags) format() (format, error) {
	var named []string
	out := formatAuto
	for _, o := range []struct {
		on     bool
		name   string
		format format
	}{{f.json, "--json", formatJSON}, {f.jsonl, "--jsonl", formatJSONL}, {f.plain, "--plain", formatPlain}} {
		if o.on {
			named = append(named, o.name)
			out = o.format
		}
	}
	if len(named) > 1 {
		return 0, usagef("%s cannot be used together: name one of them", strings.Join(named, " and "))
	}
	return out, nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value   *string
	allowed []string
}

// choose returns a flag that sets value to one of the allowed words.
func choose(value *string, start string, allowed ...string) *choice {
	*value = start
	return &choice{value: value, allowed: allowed}
}

// String returns the present word.
func (c *choice) String() string {
	if c.value == nil { // pflag asks a zero choice for the zero value
		return ""
	}
	return *c.value
}

// Set takes the word s.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return errors.New("it is " + strings.Join(c.allowed, " or "))
	}
	*c.value = s
	return nil
}

// Type names the kind of value in a help text.
func (c *choice) Type() string { return "word" }

// joined is a flag that takes a list separated by commas, and more of it where it is
// given again.
type joined struct {
	value *string
	given bool
}

// joining returns a flag that sets value to a list.
func joining(value *string, start string) *joined {
	*value = start
	return &joined{value: value}
}

// String returns the present list.
func (j *joined) String() string {
	if j.value == nil { // pflag asks a zero flag for the zero value
		return ""
	}
	return *j.value
}

// Set takes the list s, or adds it to those that were given before.
func (j *joined) Set(s string) error {
	if j.given {
		s = *j.value + "," + s
	}
	*j.value, j.given = s, true
	return nil
}

// Type names the kind of value in a help text.
func (*joined) Type() string { return "string" }

// completeChoices lets a shell complete the values of the flags of cmd and of
// all commands below it.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(fl *pflag.Flag) {
		var words []string
		if c, ok := fl.Value.(*choice); ok {
			words = c.allowed
		}
		switch fl.Name {
		case "strategy", "strategies":
			words = selector.Strategies()
		case "embedder":
			words = []string{embedBuiltin, embedOllama, embedAuto}
		case "theme":
			words = themeNames()
		case "rules":
			words = append([]string{"default", "none"}, selector.RuleNames()...)
		}
		if words == nil {
			return
		}
		// It fails only for a flag that does not exist or is registered twice.
		_ = cmd.RegisterFlagCompletionFunc(fl.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	})
	for _, sub := range cmd.Commands() {
		completeChoices(sub)
	}
}

// hide keeps a flag out of help texts; it works as before.
func hide(fl *pflag.Flag) { fl.Hidden = true }
