package selector

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxBudget is the largest number of tokens that a budget may name: far above
// every window, far below an overflow of the sums made with it.
const maxBudget = 1_000_000_000

// fullPercent is 100 % in the thousandths of a percent that a BudgetSpec holds.
const fullPercent = 100_000

// BudgetSpec is a budget as a person writes it: a number of tokens, or a share
// of a basis. The zero value is a budget of no tokens.
type BudgetSpec struct {
	tokens  int
	percent int // in thousandths of a percent, so that flooring is exact
	share   bool
}

// ParseBudget reads "4096", "32k" (32,000), "1.5m" or "45%", "12.5 %". A number
// of tokens is whole after k or m is multiplied in; a percentage is at most 100
// and has at most three decimals.
func ParseBudget(s string) (BudgetSpec, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	if number, ok := strings.CutSuffix(text, "%"); ok {
		n, err := scaled(strings.TrimSpace(number), 3)
		if err != nil {
			return BudgetSpec{}, badBudget(s, err)
		}
		if n > fullPercent {
			return BudgetSpec{}, badBudget(s, errors.New("a budget is at most 100%"))
		}
		return BudgetSpec{percent: n, share: true}, nil
	}
	digits := 0
	if number, ok := strings.CutSuffix(text, "k"); ok {
		text, digits = number, 3
	} else if number, ok := strings.CutSuffix(text, "m"); ok {
		text, digits = number, 6
	}
	n, err := scaled(text, digits)
	if err != nil {
		return BudgetSpec{}, badBudget(s, err)
	}
	if n > maxBudget {
		return BudgetSpec{}, badBudget(s, fmt.Errorf("a budget is at most %d tokens", maxBudget))
	}
	return BudgetSpec{tokens: n}, nil
}

func badBudget(s string, err error) error {
	return fmt.Errorf("selector: no budget %q: %w (write tokens as 4096 or 32k, or a share as 45%%)", s, err)
}

// scaled reads a decimal number times ten to the power of digits; more decimals
// than digits are an error, so that the result is exact.
func scaled(s string, digits int) (int, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if strings.HasPrefix(s, "-") {
		return 0, errors.New("it is below 0")
	}
	if strings.ContainsFunc(whole+fraction, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	if point && (fraction == "" || len(fraction) > digits) {
		return 0, fmt.Errorf("it has %d decimals, at most %d make sense", len(fraction), digits)
	}
	text := whole + fraction + strings.Repeat("0", digits-len(fraction))
	if whole == "" {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return n, nil
}

// Tokens is the budget in tokens; a share is of basis tokens, rounded down.
func (b BudgetSpec) Tokens(basis int) int {
	if !b.share {
		return b.tokens
	}
	return int(int64(max(basis, 0)) * int64(b.percent) / fullPercent)
}

// IsShare reports whether the budget is a percentage of something.
func (b BudgetSpec) IsShare() bool { return b.share }

// String is the budget in a form that ParseBudget reads: "4096" or "12.5%".
func (b BudgetSpec) String() string {
	if !b.share {
		return strconv.Itoa(b.tokens)
	}
	text := strconv.Itoa(b.percent / 1000)
	if fraction := b.percent % 1000; fraction != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%03d", fraction), "0")
	}
	return text + "%"
}
