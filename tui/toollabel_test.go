package tui

import (
	"strings"
	"testing"

	"pacms/session"
)

func TestToolLabel(t *testing.T) {
	for args, want := range map[string]string{
		``:                                     "read",
		`{}`:                                   "read",
		`{"path":"docs/config.yaml"}`:          "read docs/config.yaml",
		`{"path":"a.go","limit":3,"all":true}`: "read a.go limit=3 all=true",
		`{"query":{"any":[1,2]}}`:              `read {"any":[1,2]}`,
		`["a"]`:                                "read",
		`{"path":"a.go","text":"cut`:           "read a.go",
		`{"path":"a.go","text":"` + strings.Repeat("x", maxArgs) + `"}`: "read a.go",
	} {
		c := session.Candidate{Tool: &session.ToolUse{Name: "read", Args: []byte(args)}}
		if got := toolLabel(&c); got != want {
			t.Errorf("%.40s becomes %q, want %q", args, got, want)
		}
	}
	if got := toolLabel(&session.Candidate{Calls: []session.ToolUse{{Name: "run", Error: true}}}); got != "run (failed)" {
		t.Errorf("a failed call becomes %q", got)
	}
	if got := toolLabel(&session.Candidate{}); got != "" {
		t.Errorf("a message becomes %q", got)
	}
}
