package cmd

import "testing"

// What is said of the best subset is true: it is rounded up.
func TestDescribeCertificate(t *testing.T) {
	t.Parallel()
	for c, want := range map[float64]string{
		1:           "higher",
		1.000000001: "higher",
		0.999999:    "more than 0.1 % higher",
		0.8:         "more than 25.0 % higher",
		0.898:       "more than 11.4 % higher",
	} {
		if got := describeCertificate(c); got != want {
			t.Errorf("describeCertificate(%g) = %q, want %q", c, got, want)
		}
	}
}
