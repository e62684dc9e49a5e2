package embed_test

import (
	"testing"

	"pacms/selector/embed"
)

func TestEveryday(t *testing.T) {
	for word, want := range map[string]bool{
		"whatever": true, "changes": true, "granted": true, "because": true, "another": true, "long-term": true,
		"sardines": false, "grilled": false, "idempotency": false, "whatever-idempotency": false, "пробежка": false, "": false,
	} {
		if got := embed.Everyday(word); got != want {
			t.Errorf("Everyday(%q) = %v", word, got)
		}
	}
}
