package selector

import (
	"fmt"
	"slices"
	"strings"
)

// Rules is the set of rules that apply before a strategy chooses.
type Rules struct{ names []string }

// The rules, in the order in which they apply.
const (
	ruleSystem     = "system"     // system messages are required
	ruleFirst      = "first"      // the first user message that a session offers is required
	ruleTail       = "tail"       // the newest complete turns are required
	ruleHeartbeat  = "heartbeat"  // of a family of polls only the newest is offered
	ruleSuperseded = "superseded" // a file read again later is not offered twice
	ruleEmpty      = "empty"      // what says nothing is not offered
	ruleOrphan     = "orphan"     // a tool result without a call is not offered
)

// RuleNames lists all rules in the order in which they apply.
func RuleNames() []string {
	return []string{ruleSystem, ruleFirst, ruleTail, ruleHeartbeat, ruleSuperseded, ruleEmpty, ruleOrphan}
}

// ParseRules reads "default" (all), "none" or a comma-separated list of names.
func ParseRules(spec string) (Rules, error) {
	switch spec {
	case "default", "":
		return Rules{RuleNames()}, nil
	case "none":
		return Rules{}, nil
	}
	asked := strings.Split(spec, ",")
	for i, name := range asked {
		asked[i] = strings.TrimSpace(name)
		if !slices.Contains(RuleNames(), asked[i]) {
			return Rules{}, fmt.Errorf("no rule %q: there are default, none, %s", asked[i], strings.Join(RuleNames(), ", "))
		}
	}
	var r Rules
	for _, name := range RuleNames() {
		if slices.Contains(asked, name) {
			r.names = append(r.names, name)
		}
	}
	return r, nil
}

// DefaultRules has every rule on.
func DefaultRules() Rules { return Rules{RuleNames()} }

// Names lists the rules that are on, in the order in which they apply.
func (r Rules) Names() []string { return slices.Clone(r.names) }

func (r Rules) has(name string) bool { return slices.Contains(r.names, name) }
