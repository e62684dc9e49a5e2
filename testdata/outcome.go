package testdata

import (
	"strconv"
	"strings"
)

// Outcome is what happened once the needed candidate is kept.
type Outcome struct {
	// Item is the number that the screen gives to the candidate.
	Item int
	// Said is the number of the turn in which it was said.
	Said int
	// Strategy keeps it now.
	Strategy string
	// Budget is the budget as the screen writes it.
	Budget string
}

// Outcome is the one line that says what happened, from the template After.
func (s *Story) Outcome(o Outcome) string {
	return strings.NewReplacer(
		"{item}", strconv.Itoa(o.Item),
		"{said}", strconv.Itoa(o.Said),
		"{ago}", strconv.Itoa(s.Mark.Turn-o.Said),
		"{strategy}", o.Strategy,
		"{budget}", o.Budget,
	).Replace(s.After)
}
