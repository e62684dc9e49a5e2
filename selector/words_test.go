package selector

import "testing"

func TestNumbersInWords(t *testing.T) {
	for share, want := range map[float64]string{
		102.59: "10,259 %", 0.42: "42 %", 0.042: "4.2 %", 0.0042: "0.42 %", 0.00042: "0.042 %", 0.000042: "0.0042 %", 0.0000042: "less than 0.001 %", 1: "100 %",
	} {
		if got := fine(share); got != want {
			t.Errorf("fine(%v) = %q, want %q", share, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0 %", 0.934: "93 %", 0.999: "99 %", 1: "100 %"} {
		if got := percent(share); got != want {
			t.Errorf("percent(%v) = %q, want %q", share, got, want)
		}
	}
}

// A strategy says for itself why it chose; one that does not is described by what
// is known of its order.
func TestChosen(t *testing.T) {
	for want, c := range map[string]*choice{
		"chosen: taken as number 2":         {picked: []int{4, 7}},
		"chosen: rank 9, taken as number 2": {picked: []int{4, 7}, rank: func(g int) int { return g + 2 }},
		"chosen: it is blue":                {picked: []int{4, 7}, chosen: func(int, int) string { return "it is blue" }},
	} {
		if got := (&reasons{c: c}).chosen(7); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What is said of the best subset is true: it is rounded up.
func TestHigher(t *testing.T) {
	for c, want := range map[float64]string{
		1:           "higher",
		1.000000001: "higher",
		0.999999:    "more than 0.1 % higher",
		0.8:         "more than 25.0 % higher",
		0.898:       "more than 11.4 % higher",
	} {
		if got := higher(c); got != want {
			t.Errorf("higher(%g) = %q, want %q", c, got, want)
		}
	}
}

func TestFiguresAndPlaces(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.0166: "0.0166", 0.41: "0.410", 1.0496: "1.05", 9.996: "10.0", 99.96: "100", 1204.4: "1,204", 2e-7: "less than 0.000001",
	} {
		if got := figure(x); got != want {
			t.Errorf("figure(%v) = %q, want %q", x, got, want)
		}
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 112: "112th", 1021: "1,021st"} {
		if got := ordinal(n); got != want {
			t.Errorf("ordinal(%d) = %q, want %q", n, got, want)
		}
	}
}
