package share

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"pacms/selector"
	"pacms/session"
)

// strip is a pool without any text: what a selection needs of the texts stands there
// as numbers, and ids, groups and names are ones that say nothing. Times are left out,
// since nothing is chosen by them. The pins and bans of the case get the new ids.
func (c *Case) strip(ctx context.Context, prepared *selector.Prepared, pool *session.Pool) (*session.Pool, error) {
	n := len(pool.Candidates)
	if n > mostPairs {
		return nil, fmt.Errorf("share: a case without text has numbers for each pair of items: %d are too many, it may have %d", n, mostPairs)
	}
	numbers, err := prepared.Numbers(ctx)
	if err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	bare := &session.Pool{
		Schema: session.PoolSchema, Turn: pool.Turn, Budget: pool.Budget, Window: pool.Window, Reserve: pool.Reserve,
		System: pool.System, Tools: pool.Tools, FromSession: pool.FromSession,
		Candidates: make([]session.Candidate, n), Similarity: numbers, Findings: prepared.Findings(),
	}
	for _, m := range pool.Pending {
		bare.Pending = append(bare.Pending, session.Pending{Tokens: m.Tokens})
	}
	ids, groups := make(map[string]string, n), make(map[string]string)
	name := names(pool.Candidates)
	for i := range pool.Candidates {
		from := &pool.Candidates[i]
		to := session.Candidate{
			ID: "i" + name(i), Kind: from.Kind, Tokens: from.Tokens, Required: from.Required,
			Number: from.Number, Turn: from.Turn, Internal: internal(from.Internal), Images: from.Images,
			ThinkingUnsigned: from.ThinkingUnsigned,
		}
		if from.Kind == session.Tool && from.Tool != nil {
			to.Tool = &session.ToolUse{Error: from.Tool.Error}
		}
		if from.Group != "" {
			if groups[from.Group] == "" {
				groups[from.Group] = "g" + name(i)
			}
			to.Group = groups[from.Group]
		}
		ids[from.ID] = to.ID
		bare.Candidates[i] = to
	}
	c.Config.Pins, c.Config.Bans = known(ids, c.Config.Pins), known(ids, c.Config.Bans)
	return bare, nil
}

// names gives each candidate a name that says nothing: its number in the session, by
// which it has the same name in every turn, or where there is none its place.
func names(cands []session.Candidate) func(i int) string {
	seen := make(map[int]bool, len(cands))
	for i := range cands {
		n := cands[i].Number
		if n <= 0 || seen[n] {
			return func(i int) string { return strconv.Itoa(i + 1) }
		}
		seen[n] = true
	}
	return func(i int) string { return strconv.Itoa(cands[i].Number) }
}

// known are the new ids of those that the pool has.
func known(ids map[string]string, old []string) []string {
	var list []string
	for _, id := range old {
		if name, ok := ids[id]; ok {
			list = append(list, name)
		}
	}
	return list
}

// internals are the names of the host's own traffic that say nothing of a session.
var internals = []string{"", "ack", "heartbeat", "exec", "cron", "event", "memory-flush", "new-session", "inter-session", "system"}

// internal is the name of the host's own traffic, or one that says nothing.
func internal(name string) string {
	if slices.Contains(internals, name) {
		return name
	}
	return "internal"
}
