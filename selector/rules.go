package selector

import "fmt"

// Rules is the set of rules that apply before a strategy chooses.
type Rules struct{ names []string }

// RuleNames lists all rules in the order in which they apply.
var RuleNames = []string{"system", "first", "tail", "heartbeat", "superseded", "empty", "orphan"}

// ParseRules reads "default", "none" or a comma-separated list of names.
func ParseRules(spec string) (Rules, error) {
	return Rules{}, fmt.Errorf("selector: no rules %q", spec)
}

// Names lists the rules that are on.
func (r Rules) Names() []string { return r.names }
