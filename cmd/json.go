package cmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"pacms/selector"
	"pacms/session"
	"pacms/session/poolfile"
	"pacms/tui/safe"
)

// sessionSchema names the format of a session document.
const sessionSchema = "pacms.session/1"

// sessionHead is a session document without its turns.
type sessionHead struct {
	Schema  string         `json:"schema"`
	Source  session.Source `json:"source"`
	Session string         `json:"session"`
	// Host are the files that the host sends outside the budget.
	Host     []session.HostFile `json:"host,omitempty"`
	Skipped  []session.Skip     `json:"skipped"`
	Warnings []session.Warning  `json:"warnings"`
}

// turnDocument is one turn of a session document.
type turnDocument struct {
	Turn           int                 `json:"turn"`
	Time           time.Time           `json:"time,omitzero"`
	Branch         string              `json:"branch"`
	Internal       string              `json:"internal,omitempty"`
	Query          string              `json:"query"`
	RecordedAnswer string              `json:"recorded_answer"`
	ReportedTokens int                 `json:"reported_tokens,omitempty"`
	Needed         []neededItem        `json:"needed,omitempty"`
	StablePrefix   *int                `json:"stable_prefix,omitempty"`
	Pool           *poolfile.Document  `json:"pool,omitempty"`
	Selection      *selector.Selection `json:"selection,omitempty"`
}

// document is the turn as it is printed: its pool is without vectors, which are
// large and can be made again from the texts.
func (o *outcome) document() *turnDocument {
	d := &turnDocument{
		Turn: o.turn.Number, Time: o.turn.Time, Branch: o.turn.Branch, Internal: o.turn.Internal,
		Query: o.turn.Query, RecordedAnswer: o.turn.Answer, ReportedTokens: o.turn.Reported,
		Needed: o.neededItems(), StablePrefix: o.stable, Selection: o.selection,
	}
	if o.pool != nil {
		pool := *o.pool
		pool.QueryEmbedding = nil
		pool.Candidates = slices.Clone(pool.Candidates)
		for i := range pool.Candidates {
			pool.Candidates[i].Embedding = nil
		}
		d.Pool = poolfile.NewDocument(&pool)
	}
	return d
}

// writeSession prints the session with some turns as one document. A turn is
// written as soon as it is known: together the pools of a long session take many
// times the room of the session. What every strategy makes of the turns comes last.
func (w *walker) writeSession(ctx context.Context, to io.Writer, turns []int) error {
	s, tallies := w.session, selector.NewTallies(selector.Numbered(w.strategy))
	head, err := marshal(sessionHead{
		Schema: sessionSchema, Source: s.Source, Session: s.Key, Host: s.Host,
		Skipped: append([]session.Skip{}, s.Skipped...), Warnings: append([]session.Warning{}, s.Warnings...),
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	// The head without its closing brace, which comes after the turns.
	out.Write(head[:len(head)-1])
	separator := `,"turns":[`
	for o, err := range w.walk(ctx, turns) {
		if err == nil {
			err = o.count(ctx, tallies)
		}
		if err != nil {
			return err
		}
		turn, err := marshal(o.document())
		if err != nil {
			return err
		}
		out.WriteString(separator + "\n")
		if _, err := out.Write(turn); err != nil {
			return failedWrite(err)
		}
		separator = ","
	}
	if separator != "," {
		out.WriteString(separator)
	}
	counted, err := marshal(tallies.List())
	if err != nil {
		return err
	}
	out.WriteString("],\"tallies\":")
	out.Write(counted)
	out.WriteString("}\n")
	return failedWrite(out.Flush())
}

// count adds the turn to the tallies, unless it is the host's own or was left.
func (o *outcome) count(ctx context.Context, tallies *selector.Tallies) error {
	if o.pool == nil || o.turn.Internal != "" {
		return nil
	}
	if err := tallies.Add(ctx, o.prepared, o.options, o.needed()); err != nil {
		return fmt.Errorf("turn %d: %w", o.turn.Number, err)
	}
	return nil
}

// writeTurns writes a turn a line.
func writeTurns(w io.Writer, turns iter.Seq2[*outcome, error]) error {
	for o, err := range turns {
		if err != nil {
			return err
		}
		if err := writeJSON(w, o.document()); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes v as one line.
func writeJSON(w io.Writer, v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return failedWrite(err)
}

// marshal is v as JSON in which nothing acts on a terminal.
func marshal(v any) ([]byte, error) {
	b, err := safe.JSON(v)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return b, nil
}

// failedWrite says what could not be done where err is one of a write.
func failedWrite(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write the result: %w", err)
}
