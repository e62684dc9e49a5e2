package cmd

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHoldsPools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"by its schema":       {`{"schema":"pacms.pool/1","query":"q"}`, true},
		"by its candidates":   {`{"query":"q","candidates":[]}`, true},
		"byte order mark":     {"\ufeff" + `{"candidates":[]}`, true},
		"another schema":      {`{"schema":"pacms.selection/1","candidates":[]}`, false},
		"a transcript":        {`{"type":"session","version":3}` + "\n" + `{"candidates":[]}`, false},
		"cut short":           {`{"query":"q`, false},
		"empty":               {"", false},
		"a list":              {`[{"candidates":[]}]`, false},
		"no JSON":             {"SQLite format 3\x00", false},
		"a key further below": {`{"query":{"candidates":[]}}`, false},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := arePools(firstObject(path)); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
	if arePools(firstObject(t.TempDir())) {
		t.Error("a folder holds pools")
	}
}
