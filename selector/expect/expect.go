// Package expect holds what people expect of selections: that in a turn a message is
// kept, or dropped. It reads and writes such expectations as YAML, finds the turn and
// the message that each of them names, and says whether a selection meets it.
package expect

import (
	"strconv"

	"pacms/selector"
)

// Schema names the format of a file of expectations.
const Schema = "pacms.expect/1"

// Expectation is that one message is kept in one turn, or dropped.
type Expectation struct {
	// Line is where it begins in its file, from 1; 0 where it is of no file.
	Line int
	// Session is the key of its session or the name of its file; empty: the only
	// one that is looked at.
	Session string
	// One of Turn, At and Question names the turn: its number from 1, a time as
	// session.TurnAt reads it, or words that its question alone has.
	Turn         int
	At, Question string
	// Keep is true for a message that has to be kept, false for one to be dropped.
	Keep bool
	// One of ID and Find names the message: its number or id as session.Named takes
	// it, or a text that no other message before the turn says.
	ID, Find string
	// Strategies and Budgets are those that it is expected of, each with each; nil:
	// whatever is asked for.
	Strategies []selector.Strategy
	Budgets    []selector.BudgetSpec
	// Note says what it is good for.
	Note string
}

// Of reports whether it is expected of a strategy under a budget.
func (e *Expectation) Of(s selector.Strategy, b selector.BudgetSpec) bool {
	return e.ofStrategy(s) && (e.Budgets == nil || contains(e.Budgets, b))
}

func (e *Expectation) ofStrategy(s selector.Strategy) bool {
	for _, own := range e.Strategies {
		if own.String() == s.String() {
			return true
		}
	}
	return e.Strategies == nil
}

func contains(list []selector.BudgetSpec, b selector.BudgetSpec) bool {
	for _, own := range list {
		if own == b {
			return true
		}
	}
	return false
}

// overlaps reports whether there may be a selection that both are expected of.
func (e *Expectation) overlaps(o *Expectation) bool {
	strategies, budgets := e.Strategies == nil || o.Strategies == nil, e.Budgets == nil || o.Budgets == nil
	for _, s := range o.Strategies {
		strategies = strategies || e.ofStrategy(s)
	}
	for _, b := range o.Budgets {
		budgets = budgets || contains(e.Budgets, b)
	}
	return strategies && budgets
}

// Verb is "keep" or "drop".
func (e *Expectation) Verb() string {
	if e.Keep {
		return keep
	}
	return drop
}

// place is where an error on the expectation is said to be.
func (e *Expectation) place() string {
	if e.Line == 0 {
		return "expect: the mark in turn " + strconv.Itoa(e.Turn)
	}
	return "expect: line " + strconv.Itoa(e.Line)
}
