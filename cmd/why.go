package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacms/selector"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/testdata"
)

// demoName is what a command line calls the session inside the binary.
const demoName = "demo"

func newWhy(std streams, story *testdata.Story) *cobra.Command {
	f, q := new(flags), new(question)
	cmd := &cobra.Command{
		Use:   "why [PATH]",
		Short: "Say what became of a text or an item, turn by turn",
		Long: `why finds every item of a session that says a text, wherever it is stored: in
messages, tool calls and tool outputs, summaries, windows before a reset, branches
that were left, what is kept from the model, and with --memory the memory. Then it
says in a line a turn what became of them: kept, dropped with the reason, or not
offered: compacted (into which summary, and whether that still has the text), before
the reset, on a branch that was left, left out by the host, sent by the host itself,
or kept from the model.

Letters match in upper and lower case, and any number of blanks and line breaks
matches one blank. An item that says the text several times is counted once. Where no
item says several words as they stand, those that say all of them are found.

PATH is what replay takes, or demo, which is also what it is without a PATH, and
which is selected for as its story is where no flag says otherwise.
--turn N and --at TIME give one turn with the whole reasons; TIME is 15:04, of the
session's last day, or 2026-11-29 15:04, in UTC, and the first turn not before it is
taken. --id ID takes the number of an item or its id instead of a text.

--json prints one document (pacms.why/1), --jsonl a turn of it a line.`,
		Example: `  pacms why demo --find 5433
  pacms why demo --find turmeric --turn 75
  pacms why session.jsonl --id 17 --turn 61 --strategy topk
  pacms why session.jsonl --find "staging port" --jsonl | jq -c '[.turn, .items[].state]'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{err: fmt.Errorf("why takes one PATH, but there are %d (a text of several words stands in quotes)", len(args)), help: cmd.CommandPath()}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{demoName}, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.check(cmd); err != nil {
				return err
			}
			src := demoSource(story)
			if len(args) == 0 || args[0] == demoName {
				if err := asDefault(cmd.Flags(), storyDefaults(story)); err != nil {
					return err
				}
			} else {
				var err error
				if src, err = fileSource(args[0]); err != nil {
					return err
				}
			}
			return runWhy(cmd, f, std, src, q)
		},
	}
	d := usual()
	d.turn = "every turn has a line"
	f.addSession(cmd.Flags(), d)
	f.addMemory(cmd.Flags())
	cmd.Flags().StringVar(&q.find, "find", "", "the text to find")
	cmd.Flags().StringVar(&q.id, "id", "", "the item to follow: its number (17) or its id")
	for _, name := range []string{"theme", "no-motion", "no-state", "debug"} { // of a screen, and of what is not printed here
		hide(cmd.Flags().Lookup(name))
	}
	cmd.Flags().StringVar(&q.at, "at", "", "the turn at or after this time, as 15:04 or 2026-11-29 15:04 in UTC")
	return cmd
}

// question is what why is asked.
type question struct{ find, id, at string }

// check refuses flags that ask nothing, or two things.
func (q *question) check(cmd *cobra.Command) error {
	fs := cmd.Flags()
	switch find, id := fs.Changed("find"), fs.Changed("id"); {
	case find && id:
		return usagef("--find and --id cannot be used together: name one of them")
	case !find && !id:
		return &usageError{err: errors.New("why needs a text to find (--find TEXT) or an item to follow (--id ID)"), help: cmd.CommandPath()}
	case id && q.id == "":
		return usagef("--id: it is the number of an item or its id")
	}
	if fs.Changed("turn") && fs.Changed("at") {
		return usagef("--turn and --at cannot be used together: name one of them")
	}
	return nil
}

// asDefault has a command take other defaults than those that its flags were
// defined with.
func asDefault(fs *pflag.FlagSet, d defaults) error {
	for name, value := range map[string]string{"strategy": d.strategy, "budget": d.budget} {
		if fl := fs.Lookup(name); !fl.Changed {
			if err := fl.Value.Set(value); err != nil {
				return fmt.Errorf("read the demo: %s: %w", name, err)
			}
		}
	}
	return nil
}

// runWhy answers q about the session of src.
func runWhy(cmd *cobra.Command, f *flags, std streams, src source, q *question) error {
	p, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	if err := p.adopt(src.recorded); err != nil {
		return err
	}
	p.defaultLabel = "demo default"
	format, err := f.format()
	if err != nil {
		return err
	}
	needle := session.Needle{}
	if q.id == "" {
		if needle, err = session.NewNeedle(q.find); err != nil {
			return usagef("--find: %w", err)
		}
	}
	if f.memory != "" {
		src = withMemory(src, p.blame("memory"), f.memory)
	}
	s, err := src.load(cmd.Context(), openclaw.Options{Counter: p.counter, Session: f.session})
	if err != nil {
		return err
	}
	if len(s.Turns) == 0 {
		return fmt.Errorf("there is nothing to say of %s: nobody asked anything in this session", s.Source.Path)
	}
	turns, err := q.turns(s, f.turn)
	if err != nil {
		return err
	}
	if src.story == nil {
		if err := f.noteOthers(cmd.Context(), s); err != nil {
			return err
		}
	}
	a := &answer{places: session.NewPlaces(s, p.mode), question: q, title: src.title, turns: turns, one: f.turn != 0 || q.at != ""}
	if a.looked, a.byWords, err = q.look(cmd.Context(), s, needle); err != nil {
		return err
	}
	e, closing, err := p.open(cmd.Context(), std.err)
	if err != nil {
		return err
	}
	defer closing()
	s.Warnings = append(s.Warnings, e.warnings()...)
	a.walker = newWalker(p, selector.NewEngine(e, s.Tokenizer), s, src.story)
	switch format {
	case formatJSON:
		err = a.writeDocument(cmd.Context(), std.out)
	case formatJSONL:
		err = a.writeTurns(cmd.Context(), std.out)
	default:
		err = a.writeText(cmd.Context(), p.text(std.out))
	}
	if err != nil {
		return err
	}
	return f.strict(s)
}

// noteOthers warns where the store of s has other sessions, in which a text that is not
// found in s may be.
func (f *flags) noteOthers(ctx context.Context, s *session.Session) error {
	if f.session != "" {
		return nil
	}
	all, err := f.sources(ctx, nil, s.Source.Path)
	if err != nil {
		return err
	}
	var others []string
	for i := range all {
		if key := all[i].key; key != s.Key {
			others = append(others, key)
		}
	}
	if n := len(others); len(all) > 1 {
		const named = 3
		if n > named {
			others = append(others[:named], fmt.Sprintf("%d more", n-named))
		}
		s.Warnings = append(s.Warnings, session.Warning{
			Code: "other_sessions", Count: n,
			Message: "only " + s.Key + ", the session used last, is looked at: --session KEY looks at another of this store (" + strings.Join(others, ", ") + ")",
		})
	}
	return nil
}

// turns are the indices of the turns that are asked about; number is that of the
// flag, 0 without one.
func (q *question) turns(s *session.Session, number int) ([]int, error) {
	if q.at == "" {
		return chosenTurns(s, number)
	}
	switch i, isTime := s.TurnAt(q.at); {
	case !isTime:
		return nil, usagef("--at %s: it is no time such as 15:04 or 2026-11-29 15:04", q.at)
	case i < 0:
		return nil, usagef("--at %s: no turn of %s is as late", q.at, s.Source.Path)
	default:
		return []int{i}, nil
	}
}

// look finds what is asked about, and says whether by the words of the text alone.
func (q *question) look(ctx context.Context, s *session.Session, n session.Needle) (looked []session.Occurrence, byWords bool, err error) {
	if q.id == "" {
		return s.Lookup(ctx, n)
	}
	o, ok := s.Named(q.id)
	if !ok {
		return nil, false, usagef("--id %s: %s has no item of this number or id (--find TEXT lists those that say a text)", q.id, s.Source.Path)
	}
	return []session.Occurrence{o}, false, nil
}

// answer says of the turns of a session what became of some items.
type answer struct {
	*walker
	*question
	title  string
	looked []session.Occurrence
	// byWords is set where no item says the text as it stands, and those are meant
	// that say all of its words.
	byWords bool
	places  *session.Places
	turns   []int
	// one is set where a single turn is asked about, which is told in full.
	one bool
}

// sight says what becomes of the items at the turn at index i. It selects for the
// turn only where that decides.
func (a *answer) sight(ctx context.Context, i int) (*outcome, []selector.Sighting, error) {
	o := &outcome{turn: &a.session.Turns[i]}
	if selector.Offered(a.places, i, a.looked) {
		var err error
		if o, err = a.only(ctx, i); err != nil {
			return nil, nil, err
		}
	}
	return o, selector.Sight(a.places, i, a.looked, o.pool, o.selection, a.id == ""), nil
}

// reason is why something became of an item, as a sentence.
func reason(o *outcome, s selector.Sighting) string {
	if s.Index < 0 {
		return s.Why()
	}
	return o.selection.Explain(s.Index).Reason.Text
}
