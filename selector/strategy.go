package selector

import "fmt"

// Strategy is a way of choosing with its parameters; make one with ParseStrategy.
type Strategy struct{ name string }

// String is the canonical name, with the parameters that differ from the
// default: "mmr:lambda=0.7".
func (s Strategy) String() string { return s.name }

// Name is the name without parameters.
func (s Strategy) Name() string { return s.name }

// Strategies lists the names in the order of the number keys 1 to 7.
func Strategies() []string {
	return []string{"pacms", "topk", "lastk", "rag", "mmr", "dedup", "pacms+"}
}

// ParseStrategy reads "name" or "name:key=value,key=value".
func ParseStrategy(spec string) (Strategy, error) {
	return Strategy{}, fmt.Errorf("selector: no strategy %q", spec)
}
