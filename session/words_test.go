package session_test

import (
	"testing"

	"pacms/session"
)

func TestNumbersInWords(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := session.Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items", 12345: "12,345 items"} {
		if got := session.Counted(n, "item"); got != want {
			t.Errorf("Counted(%d) = %q, want %q", n, got, want)
		}
	}
}
