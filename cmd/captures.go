package cmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacms/capture/store"
	"pacms/session"
	"pacms/tui/safe"
)

// The formats of what pacms captures prints as JSON.
const (
	capturesSchema = "pacms.captures/1"
	captureSchema  = "pacms.capture/1"
	removedSchema  = "pacms.removed/1"
)

// captures are the flags of the commands about captures.
type captures struct {
	path, session string
	newest        int
	olderThan     time.Duration
	keepBytes     int64
	out           string

	json, plain, yes, dryRun, force bool
}

func newCaptures(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "captures",
		Short: "List, show, export and remove what the service captured",
		Long: `captures is about the pools that pacms serve was asked about, each with what was
selected of it. They are kept in a SQLite file that only you can read; what pools have
in common is in it once.

replay, why and compare open the file as a session: each turn has the budget and the
strategy that it was recorded with.`,
		Example: `  pacms captures list
  pacms captures show 17
  pacms replay ` + "~/.local/state/pacms/captures.sqlite" + `
  pacms captures prune --older-than 30d --keep-bytes 500MB`,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCapturesList(std), newCapturesShow(std), newCapturesExport(std), newCapturesRemove(std), newCapturesPrune(std))
	return cmd
}

// addFile defines the flag that names the file.
func (c *captures) addFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.path, "file", "", "the file of captures (default captures.sqlite in the folder where pacms keeps its state)")
	cmd.PreRun = func(*cobra.Command, []string) { c.path = cmp.Or(c.path, store.DefaultPath()) }
}

// addFormats defines the flags that say how to print.
func (c *captures) addFormats(fs *pflag.FlagSet) {
	fs.BoolVar(&c.json, "json", false, "print one JSON document")
	fs.BoolVar(&c.plain, "plain", false, "print text without colour or cursor movement, as without the flag")
}

// addSession defines the flag that picks a session.
func (c *captures) addSession(fs *pflag.FlagSet) {
	fs.StringVar(&c.session, "session", "", "only captures of the session with this key")
}

// addRemoval defines the flags of what removes something.
func (c *captures) addRemoval(fs *pflag.FlagSet) {
	fs.BoolVar(&c.yes, "yes", false, "do not ask")
	fs.BoolVar(&c.dryRun, "dry-run", false, "remove nothing, and say what would be removed")
}

// asJSON reports whether JSON is to be printed.
func (c *captures) asJSON() (bool, error) {
	if c.json && c.plain {
		return false, usagef("--json and --plain cannot be used together: name one of them")
	}
	return c.json, nil
}

// read runs do with the file open.
func (c *captures) read(ctx context.Context, do func(*store.Reader) error) error {
	r, err := store.OpenReader(ctx, c.path)
	if err != nil {
		return fmt.Errorf("open the captures: %w", err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	return do(r)
}

// captureIDs reads the ids that a command line names.
func captureIDs(args []string) ([]int64, error) {
	ids := make([]int64, len(args))
	for i, arg := range args {
		id, err := strconv.ParseInt(strings.TrimPrefix(arg, "#"), 10, 64)
		if err != nil || id < 1 {
			return nil, usagef("%q is no id of a capture, which is a number such as 17", arg)
		}
		ids[i] = id
	}
	return ids, nil
}

// capturesDocument is a list of captures.
type capturesDocument struct {
	Schema string `json:"schema"`
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	// Total is how many there are, Captures those that are listed.
	Total    int            `json:"total"`
	Captures []store.Entry  `json:"captures"`
	Sessions []store.Stored `json:"sessions"`
	Losses   []store.Loss   `json:"losses"`
}

// noFileArg is noArgs for a command whose file is named by a flag.
func noFileArg(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		if _, err := os.Stat(args[0]); err == nil {
			return &usageError{err: fmt.Errorf("%s takes no argument: --file %s names the file of the captures", cmd.CommandPath(), args[0]), help: cmd.CommandPath()}
		}
	}
	return noArgs(cmd, args)
}

func newCapturesList(std streams) *cobra.Command {
	c := new(captures)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the captures, the newest first",
		Long: `list prints what is in the file as a whole, with how many captures were lost and why,
and then a line a capture: its id, when it was made, its session and turn, strategy and
budget, what was kept of what, and the question.

--json prints one document (pacms.captures/1).`,
		Example: "  pacms captures list\n  pacms captures list --session agent:main:main --newest 5\n  pacms captures list --json | jq '.captures[].id'",
		Args:    noFileArg,
		RunE: func(cmd *cobra.Command, _ []string) error {
			asJSON, err := c.asJSON()
			if err != nil {
				return err
			}
			if c.newest < 0 {
				return usagef("--newest %d: it is 0, for all, or more", c.newest)
			}
			return c.read(cmd.Context(), func(r *store.Reader) error {
				doc, err := c.list(cmd.Context(), r)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(std.out, doc)
				}
				return doc.write(localText(std.out))
			})
		},
	}
	c.addFile(cmd)
	c.addSession(cmd.Flags())
	c.addFormats(cmd.Flags())
	cmd.Flags().IntVar(&c.newest, "newest", 50, "how many to list; 0: all")
	return cmd
}

// list reads what list prints.
func (c *captures) list(ctx context.Context, r *store.Reader) (*capturesDocument, error) {
	info, err := r.Info(ctx)
	if err != nil {
		return nil, err
	}
	doc := &capturesDocument{Schema: capturesSchema, File: c.path, Bytes: info.Bytes, Total: info.Captures, Losses: append([]store.Loss{}, info.Losses...)}
	if doc.Captures, err = r.List(ctx, store.Filter{Session: c.session, Newest: c.newest}); err != nil {
		return nil, err
	}
	if doc.Sessions, err = r.Sessions(ctx); err != nil {
		return nil, err
	}
	doc.Captures, doc.Sessions = append([]store.Entry{}, doc.Captures...), append([]store.Stored{}, doc.Sessions...)
	return doc, nil
}

// write prints the list as text.
func (d *capturesDocument) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s of %s, %s.\n", safe.Line(d.File), session.Counted(d.Total, "capture"), session.Counted(len(d.Sessions), "session"), describeSize(d.Bytes))
	for _, l := range d.Losses {
		were := "were"
		if l.Count == 1 {
			were = "was"
		}
		fmt.Fprintf(out, "Lost: %s %s not stored (%s): %s.\n", session.Counted(l.Count, "capture"), were, timeText(l.Time), safe.Line(l.Cause))
	}
	if n := len(d.Captures); n > 0 && n < d.Total {
		fmt.Fprintf(out, "These are %d of them.\n", n)
	}
	for i := range d.Captures {
		writeCaptured(out, &d.Captures[i])
	}
	return failedWrite(out.Flush())
}

// timeText is a time as text output has it.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// writeCaptured prints a capture in a line, and its question in another.
func writeCaptured(w *bufio.Writer, e *store.Entry) {
	where := safe.Line(e.Session)
	if e.Turn > 0 {
		where += fmt.Sprintf(", turn %d", e.Turn)
	}
	budget := tokens(e.Budget)
	if e.Effective != e.Budget {
		budget += fmt.Sprintf(" (%s to choose with)", session.Grouped(e.Effective))
	}
	notes := ""
	if e.Partial {
		notes += ", cut short by its deadline"
	}
	if e.Redacted {
		notes += ", redacted"
	}
	fmt.Fprintf(w, "#%d  %s  %s: %s kept %s of %s, %s of %s, budget %s%s\n",
		e.ID, timeText(e.Time), where, safe.Line(e.Strategy), session.Grouped(e.Kept), session.Counted(e.Items, "item"), session.Grouped(e.KeptTokens), tokens(e.PoolTokens), budget, notes)
	fmt.Fprintf(w, "    “%s”\n", excerpt(e.Question, excerptWidth))
}

func newCapturesRemove(std streams) *cobra.Command {
	c := new(captures)
	cmd := &cobra.Command{
		Use:   "rm ID…",
		Short: "Remove captures",
		Long: `rm removes the captures with some ids and what only they had in the file, and
overwrites it. It asks first; --yes does not ask, --dry-run says what would be removed.`,
		Example: "  pacms captures rm 17 18\n  pacms captures rm 17 --dry-run",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{err: errors.New("rm needs the ID of a capture (pacms captures list)"), help: cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := captureIDs(args)
			if err != nil {
				return err
			}
			return c.remove(cmd.Context(), std, func(ctx context.Context, dryRun bool) (store.Removed, error) {
				removed, missing, err := store.Remove(ctx, c.path, ids, dryRun)
				if err == nil && len(missing) > 0 && dryRun {
					err = usagef("%s has no capture %d", c.path, missing[0])
				}
				return removed, err
			})
		},
	}
	c.addFile(cmd)
	c.addRemoval(cmd.Flags())
	c.addFormats(cmd.Flags())
	return cmd
}

func newCapturesPrune(std streams) *cobra.Command {
	c := new(captures)
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove old captures, by age and by size",
		Long: `prune removes the captures that are older than an age, and of the others the oldest
until what is left takes at most so many bytes. What is removed is overwritten, and the
file gets smaller. It asks first; --yes does not ask, --dry-run says what would be
removed. A service that runs on the file may go on.`,
		Example: "  pacms captures prune --older-than 30d\n  pacms captures prune --keep-bytes 500MB --yes",
		Args:    noFileArg,
		RunE: func(cmd *cobra.Command, _ []string) error {
			aged, sized := cmd.Flags().Changed("older-than"), cmd.Flags().Changed("keep-bytes")
			if !aged && !sized {
				return &usageError{err: errors.New("prune needs --older-than, --keep-bytes or both: without them nothing is too old or too much"), help: cmd.CommandPath()}
			}
			if sized && c.keepBytes == 0 {
				return usagef("--keep-bytes 0: to remove all, --older-than 0d does it")
			}
			policy := store.Policy{KeepBytes: c.keepBytes}
			if aged {
				policy.Before = time.Now().Add(-c.olderThan)
			}
			return c.remove(cmd.Context(), std, func(ctx context.Context, dryRun bool) (store.Removed, error) {
				policy.DryRun = dryRun
				return store.Prune(ctx, c.path, policy)
			})
		},
	}
	c.addFile(cmd)
	cmd.Flags().Var(ageValue{&c.olderThan}, "older-than", "remove captures of this age: 30d, 2w, 12h")
	cmd.Flags().Var(sizeValue{&c.keepBytes}, "keep-bytes", "keep the newest captures that take at most this: 500MB, 64MiB")
	c.addRemoval(cmd.Flags())
	c.addFormats(cmd.Flags())
	return cmd
}

// removedDocument is what was removed.
type removedDocument struct {
	Schema string `json:"schema"`
	DryRun bool   `json:"dry_run"`
	store.Removed
}

// remove says what would be removed, asks, and removes.
func (c *captures) remove(ctx context.Context, std streams, remove func(ctx context.Context, dryRun bool) (store.Removed, error)) error {
	asJSON, err := c.asJSON()
	if err != nil {
		return err
	}
	removed, err := remove(ctx, true)
	if err != nil {
		return err
	}
	if !c.dryRun && removed.Captures > 0 {
		if !c.yes {
			if err := confirm(ctx, std, fmt.Sprintf("Remove %s from %s for good?", session.Counted(removed.Captures, "capture"), c.path)); err != nil {
				return err
			}
		}
		if removed, err = remove(ctx, false); err != nil {
			return err
		}
	}
	if asJSON {
		return writeJSON(std.out, removedDocument{removedSchema, c.dryRun, removed})
	}
	did := "Removed"
	if c.dryRun {
		did = "Would remove"
	}
	_, err = fmt.Fprintf(std.out, "%s %s and %s that no other has: %s less, %s left.\n", did,
		session.Counted(removed.Captures, "capture"), session.Counted(removed.Items, "item"), describeSize(max(removed.Bytes, 0)), describeSize(removed.Left))
	return failedWrite(err)
}

// confirm asks a person, and is an error where the answer is not yes, or there is
// nobody to ask.
func confirm(ctx context.Context, std streams, question string) error {
	if !term.IsTerminal(std.in.Fd()) || !term.IsTerminal(std.err.Fd()) {
		return usagef("%s Nobody can be asked here: add --yes, or --dry-run to see what it does", question)
	}
	if _, err := fmt.Fprintf(std.err, "%s [y/N] ", safe.Words(question)); err != nil {
		return failedWrite(err)
	}
	answered := make(chan string, 1)
	go func() { // an interrupt does not wait for a line
		line, _ := bufio.NewReader(std.in).ReadString('\n')
		answered <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answered:
		if answer == "y" || answer == "yes" {
			return nil
		}
	}
	return errors.New("nothing was removed")
}
