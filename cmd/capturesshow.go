package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pacms/capture/store"
	"pacms/selector"
	"pacms/session"
	"pacms/session/files"
	"pacms/session/poolfile"
	"pacms/tui/safe"
)

// captureDocument is one capture.
type captureDocument struct {
	Schema    string             `json:"schema"`
	ID        int64              `json:"id"`
	Time      time.Time          `json:"time"`
	Session   string             `json:"session"`
	Turn      int                `json:"turn"`
	RequestID string             `json:"request_id"`
	Redacted  bool               `json:"redacted"`
	Pool      *poolfile.Document `json:"pool"`
	// Selection is what was selected then.
	Selection *selector.Selection `json:"selection"`
	// Reasons are the codes of the pool's candidates in it, in their order.
	Reasons []selector.Code `json:"reasons"`
}

func newCapturesShow(std streams) *cobra.Command {
	c := new(captures)
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one capture: what was asked, and what was kept of what",
		Long: `show prints a capture as it was recorded: the question, every term of the budget with
its source, what was kept and dropped, and the code of the reason. pacms replay runs the
selection again and gives the reasons in sentences.

--json prints one document (pacms.capture/1), of which pacms compare --diff takes two.`,
		Example: "  pacms captures show 17\n  pacms captures show 17 --json > a.json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{err: errors.New("show takes the ID of one capture (pacms captures list)"), help: cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			asJSON, err := c.asJSON()
			if err != nil {
				return err
			}
			ids, err := captureIDs(args)
			if err != nil {
				return err
			}
			return c.read(cmd.Context(), func(r *store.Reader) error {
				one, err := r.Capture(cmd.Context(), ids[0])
				if err != nil {
					return notThere(err)
				}
				if asJSON {
					return writeJSON(std.out, newCaptureDocument(one))
				}
				return writeCapture(localText(std.out), one)
			})
		},
	}
	c.addFile(cmd)
	c.addFormats(cmd.Flags())
	return cmd
}

// notThere makes an error of usage of a capture that is not there.
func notThere(err error) error {
	if missing := new(store.NotFoundError); errors.As(err, &missing) {
		return usagef("%w (pacms captures list)", missing)
	}
	return err
}

func newCaptureDocument(c *store.Capture) *captureDocument {
	return &captureDocument{
		Schema: captureSchema, ID: c.ID, Time: c.Time, Session: c.Session, Turn: c.Turn, RequestID: c.RequestID, Redacted: c.Redacted,
		Pool: poolfile.NewDocument(c.Pool), Selection: c.Selection, Reasons: append([]selector.Code{}, c.Selection.Codes()...),
	}
}

// writeCapture prints a capture as text.
func writeCapture(w io.Writer, c *store.Capture) error {
	out, s := bufio.NewWriter(w), c.Selection
	fmt.Fprintf(out, "Capture: %d, %s\n", c.ID, timeText(c.Time))
	turn := ""
	if c.Turn > 0 {
		turn = fmt.Sprintf(", turn %d", c.Turn)
	}
	fmt.Fprintf(out, "Session: %s%s\n", safe.Line(c.Session), turn)
	if c.RequestID != "" {
		fmt.Fprintf(out, "Request: %s\n", safe.Line(c.RequestID))
	}
	fmt.Fprintf(out, "Question: %s\n", safe.Line(c.Pool.Query))
	fmt.Fprintf(out, "%s kept %d of %s, %d of %d tokens.\n", safe.Line(s.Strategy), len(s.Kept), session.Counted(len(c.Pool.Candidates), "item"), s.Tokens.Kept, s.Tokens.Pool)
	fmt.Fprintf(out, "Budget: %s.\n", safe.Line(describeBudget(s, &plan{defaultLabel: sourceDefault})))
	if c.Redacted {
		fmt.Fprintln(out, "Redacted: its texts are not those that were selected from, so that a new run may select otherwise.")
	}
	writeWarnings(out, s.Warnings)
	writeWarnings(out, c.Pool.Warnings)
	fmt.Fprintln(out)
	writeEach(out, c.Pool, s, func(i int) {
		item := &c.Pool.Candidates[i]
		code := string(s.Code(i))
		if code == "" {
			code = "no reason recorded"
		}
		fmt.Fprintf(out, "  %s %s%s, %s: %s\n", item.Label(i), item.Kind, saidIn(item), tokens(item.Tokens), safe.Line(code))
		fmt.Fprintf(out, "      %s\n", excerpt(item.Content(), excerptWidth))
	})
	return failedWrite(out.Flush())
}

// capturedPool is a pool with what was selected of it.
type capturedPool struct {
	*poolfile.Document
	Selection *selector.Selection `json:"selection"`
}

func newCapturesExport(std streams) *cobra.Command {
	c := new(captures)
	cmd := &cobra.Command{
		Use:   "export [ID…]",
		Short: "Write captures as pools, one a line",
		Long: `export writes the pools of captures as JSONL, the oldest first: pacms.pool/1 with what
was selected beside it (selection). replay, why and compare read the file, whose name has
to end in .jsonl. Without an ID it writes all, or with --session those of a session.

The file is readable by you alone, and must not be there yet; - is standard output.`,
		Example: "  pacms captures export -o captures.jsonl\n  pacms captures export 17 -o - | pacms select -",
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := captureIDs(args)
			if err != nil {
				return err
			}
			return c.read(cmd.Context(), func(r *store.Reader) error { return c.export(cmd.Context(), std, r, ids) })
		},
	}
	c.addFile(cmd)
	c.addSession(cmd.Flags())
	cmd.Flags().StringVarP(&c.out, "output", "o", "-", "the file to write, - for standard output")
	cmd.Flags().BoolVar(&c.force, "force", false, "replace the file of -o where there is one")
	return cmd
}

// export writes the captures with some ids, or all.
func (c *captures) export(ctx context.Context, std streams, r *store.Reader, ids []int64) (err error) {
	var file *files.Output
	if c.out != "-" {
		if file, err = outputFile("-o", c.out, c.force, []string{c.path}); err != nil {
			return err
		}
	}
	var list []*store.Capture
	if len(ids) > 0 {
		for _, id := range ids {
			one, err := r.Capture(ctx, id)
			if err != nil {
				return notThere(err)
			}
			list = append(list, one)
		}
	} else {
		var damaged []error
		if list, damaged, err = r.Captures(ctx, c.session); err != nil {
			return err
		}
		for _, err := range damaged {
			say(std.err, "left out: "+err.Error())
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("%s has no capture to export", c.path)
	}
	write := func(to io.Writer) error {
		buffered := bufio.NewWriter(to)
		for _, one := range list {
			pool := *one.Pool
			if pool.Session == "" {
				pool.Session = one.Session
			}
			if err := writeJSON(buffered, capturedPool{poolfile.NewDocument(&pool), one.Selection}); err != nil {
				return err
			}
		}
		return failedWrite(buffered.Flush())
	}
	if file == nil {
		return write(std.out)
	}
	if err := file.Write(write); err != nil {
		return usagef("-o: %w", err)
	}
	return nil
}
