package poolfile_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pacms/session/poolfile"
)

func TestLimits(t *testing.T) {
	lim := poolfile.Limits{Candidates: 2, Text: 5}
	for name, c := range map[string]struct{ doc, path string }{
		"as many as may be": {`{"query":"12345","candidates":[{"id":"a","text":"12345"},{"id":"b","text":""}]}`, ""},
		"a candidate more":  {`{"candidates":[{"id":"a","text":""},{"id":"b","text":""},{"id":"c","text":"x"}]}`, "$.candidates"},
		"a byte more":       {`{"candidates":[{"id":"a","text":"12345"},{"id":"b","text":"123456"}]}`, "$.candidates[1].text"},
		"bytes, not signs":  {`{"candidates":[{"id":"a","text":"ääää"}]}`, "$.candidates[0].text"},
		"the question":      {`{"query":"123456","candidates":[]}`, "$.query"},
		"pending":           {`{"pending":[{"text":"123456"}],"candidates":[]}`, "$.pending[0].text"},
		"arguments":         {`{"candidates":[{"id":"a","text":"","calls":[{"args":{"x":1}}]}]}`, "$.candidates[0].calls[0].args"},
		"depth":             {`{"x":` + strings.Repeat("[", 200), "$.x[0][0][0][0][0]…91 more…[0][0][0]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := poolfile.DecodeWithin(t.Context(), []byte(c.doc), counter{}, lim)
			if c.path == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var fault *poolfile.Error
			if !errors.As(err, &fault) || !fault.Limit || fault.Path != c.path {
				t.Errorf("%v, want a limit at %s", err, c.path)
			}
			if name == "depth" {
				return
			}
			if _, err := poolfile.Decode(strings.NewReader(c.doc), counter{}); err != nil {
				t.Errorf("without limits: %v", err)
			}
		})
	}
	// What is wrong is no matter of limits.
	var fault *poolfile.Error
	if _, err := poolfile.DecodeWithin(t.Context(), []byte(`{"candidates":[{}]}`), counter{}, lim); !errors.As(err, &fault) || fault.Limit {
		t.Errorf("%v is said to be a limit", err)
	}
}

// looks is a context that counts how often it is asked, and ends after some.
type looks struct {
	context.Context
	asked, most int
}

func (l *looks) Err() error {
	if l.asked++; l.asked > l.most {
		return context.Canceled
	}
	return nil
}

// Reading ends with the context, after little more.
func TestDecodeEnds(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"candidates":[`)
	for i := range 3000 {
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"id":"%d","text":"word %d","x":{"y":[1,2]}}`, i, i)
	}
	doc.WriteString(`]}`)
	all := &looks{Context: t.Context(), most: 1 << 30}
	if _, err := poolfile.DecodeWithin(all, []byte(doc.String()), counter{}, poolfile.Limits{}); err != nil {
		t.Fatal(err)
	}
	if all.asked < 3000 {
		t.Errorf("looked at the context %d times while 3000 candidates were read and counted", all.asked)
	}
	for most := 0; most < all.asked; most += 1 + all.asked/20 {
		ctx := &looks{Context: t.Context(), most: most}
		if _, err := poolfile.DecodeWithin(ctx, []byte(doc.String()), counter{}, poolfile.Limits{}); !errors.Is(err, context.Canceled) || ctx.asked > most+1 {
			t.Fatalf("ended at look %d: %v, looked %d times", most, err, ctx.asked)
		}
	}
}
