package selector

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseBudget(t *testing.T) {
	for in, want := range map[string]int{ // tokens of a basis of 1,003
		"4096": 4096, "0": 0, " 17 ": 17, "32k": 32_000, "1.5K": 1_500, "0.125k": 125, "2m": 2_000_000,
		"45%": 451, "100%": 1003, "0%": 0, "12.5 %": 125, "0.1%": 1, "33.333%": 334, "1000000000": 1_000_000_000,
	} {
		b, err := ParseBudget(in)
		if err != nil {
			t.Errorf("ParseBudget(%q): %v", in, err)
			continue
		}
		if got := b.Tokens(1003); got != want {
			t.Errorf("ParseBudget(%q).Tokens(1003) = %d, want %d", in, got, want)
		}
	}
}

func TestParseBudgetRefuses(t *testing.T) {
	for in, cause := range map[string]string{
		"": "not a number", "k": "not a number", "%": "not a number", "-5": "below 0", "+5": "not a number",
		"12a": "not a number", "1e3": "not a number", "0x10": "not a number", "1,000": "not a number", ".5k": "not a number",
		"1.5": "decimals", "1.k": "decimals", "1.2345k": "decimals", "1.2345%": "decimals", "45%%": "not a number",
		"101%": "at most 100%", "1000000001": "at most 1000000000", "99999999999999999999": "too large", "9999999999m": "at most",
	} {
		_, err := ParseBudget(in)
		if err == nil {
			t.Errorf("ParseBudget(%q) is accepted", in)
			continue
		}
		if !strings.Contains(err.Error(), cause) || !strings.Contains(err.Error(), "32k") {
			t.Errorf("ParseBudget(%q): %v, want the cause %q and what to write instead", in, err, cause)
		}
	}
}

// A budget survives being written and read, and a share of a basis is the
// largest whole number that is not above it.
func TestBudgetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := BudgetSpec{tokens: rapid.IntRange(0, maxBudget).Draw(t, "tokens")}
		if rapid.Bool().Draw(t, "share") {
			b = BudgetSpec{percent: rapid.IntRange(0, fullPercent).Draw(t, "percent"), share: true}
		}
		got, err := ParseBudget(b.String())
		if err != nil || got != b {
			t.Fatalf("ParseBudget(%q) = %v, %v", b, got, err)
		}
		basis := rapid.IntRange(0, maxBudget).Draw(t, "basis")
		n := b.Tokens(basis)
		if b.IsShare() && (n*fullPercent > basis*b.percent || (n+1)*fullPercent <= basis*b.percent) {
			t.Fatalf("%v of %d is %d", b, basis, n)
		}
	})
}

func FuzzParseBudget(f *testing.F) {
	for _, s := range []string{"45%", "32k", "1.5m", "", "%", "9e9", "１２"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBudget(s)
		if err != nil {
			return
		}
		if n := b.Tokens(1000); n < 0 || n > maxBudget {
			t.Fatalf("%q gives %d tokens", s, n)
		}
		if again, err := ParseBudget(b.String()); err != nil || again != b {
			t.Fatalf("%q is written as %q and read as %v, %v", s, b, again, err)
		}
	})
}
