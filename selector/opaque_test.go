package selector_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// What stands in base64 in a text is said and changes no choice.
func TestOpaqueTextIsNotCompared(t *testing.T) {
	pool := func(seed byte) *session.Pool {
		data := make([]byte, 3000)
		for i := range data {
			data[i] = byte(i*i)*seed + byte(i)
		}
		text := base64.StdEncoding.EncodeToString(data)
		p := texts("Which port does the database use?", 40, 20,
			"The database uses port 5433.", "A screenshot: "+text, "The ferry leaves at nine.", text)
		p.Query += " " + text
		return p
	}
	for _, name := range selector.Strategies() {
		opt := selector.Options{Strategy: mustStrategy(t, name), Debug: true}
		one, other := selectFrom(t, pool(3), opt), selectFrom(t, pool(111), opt)
		if i := slices.IndexFunc(one.Warnings, func(w session.Warning) bool { return w.Code == "opaque_blob" }); i < 0 ||
			strings.Join(one.Warnings[i].IDs, " ") != "cb cd" || one.Warnings[i].Count != 2 {
			t.Errorf("%s: warnings %+v", name, one.Warnings)
		}
		if !slices.Equal(one.Order, other.Order) {
			t.Errorf("%s: other bytes change the order from %v to %v", name, one.Order, other.Order)
		}
		for i := range one.Candidates {
			if a, b := one.Candidates[i], other.Candidates[i]; a.Relevance != b.Relevance || a.Score != b.Score || a.Gain != b.Gain {
				t.Errorf("%s: other bytes change %+v to %+v", name, a, b)
			}
		}
	}
}
