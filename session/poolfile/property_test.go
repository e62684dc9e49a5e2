package poolfile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"pacms/session"
	"pacms/session/poolfile"
)

// drawPool makes a pool whose candidates have texts, vectors or similarities.
func drawPool(t *rapid.T) *session.Pool {
	optional := func(name string) *int {
		if !rapid.Bool().Draw(t, "has "+name) {
			return nil
		}
		n := rapid.IntRange(0, 1<<20).Draw(t, name)
		return &n
	}
	p := &session.Pool{
		Schema:  session.PoolSchema,
		Session: rapid.String().Draw(t, "session"),
		Turn:    rapid.IntRange(0, 1000).Draw(t, "turn"), FromSession: rapid.Bool().Draw(t, "from session"),
		Time:   drawTime(t),
		Query:  rapid.String().Draw(t, "query"),
		Budget: optional("budget"), Window: optional("window"), Reserve: optional("reserve"),
		System: optional("system"), Tools: optional("tools"),
		Candidates: []session.Candidate{},
	}
	for range rapid.IntRange(0, 2).Draw(t, "pending") {
		p.Pending = append(p.Pending, session.Pending{
			ID: rapid.String().Draw(t, "id"), Text: rapid.String().Draw(t, "text"), Tokens: rapid.IntRange(0, 99).Draw(t, "tokens"),
		})
	}
	n := rapid.IntRange(0, 6).Draw(t, "candidates")
	basis := rapid.SampledFrom([]string{"text", "vectors", "similarity"}).Draw(t, "basis")
	vector := rapid.SliceOfN(rapid.Float32Range(-2, 2), 3, 3)
	for i := range n {
		c := drawCandidate(t, i)
		if basis == "vectors" {
			c.Embedding = vector.Draw(t, "embedding")
		}
		if basis == "similarity" { // it stands in for texts
			c.Text = ""
		}
		p.Candidates = append(p.Candidates, c)
	}
	switch basis {
	case "vectors":
		p.QueryEmbedding = vector.Draw(t, "query embedding")
	case "similarity":
		pairs := n * (n - 1) / 2
		p.Similarity = &session.Similarity{
			Query: rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n).Draw(t, "query similarity"),
			Pairs: triangle(rapid.SliceOfN(rapid.Float32Range(-1, 1), pairs, pairs).Draw(t, "pairs")...),
		}
		if n > 0 && rapid.Bool().Draw(t, "exactly") {
			drawExactly(t, p, n)
		}
	}
	session.Pair(p.Candidates)
	return p
}

// drawExactly gives a pool without texts what makes its selections exact.
func drawExactly(t *rapid.T, p *session.Pool, n int) {
	index := rapid.IntRange(0, n-1)
	mean, asked := rapid.Float64Range(-1, 1).Draw(t, "mean"), rapid.Bool().Draw(t, "asked")
	s := p.Similarity
	s.Mean, s.Asked = &mean, &asked
	s.Grams = rapid.SliceOfN(rapid.IntRange(0, 99), n, n).Draw(t, "grams")
	s.Unlike = rapid.SliceOfN(index, 1, 3).Draw(t, "unlike")
	s.Duplicate, s.Noise = rapid.Float64Range(0, 1).Draw(t, "duplicate"), rapid.Float64Range(0, 1).Draw(t, "noise")
	s.Source, s.Embedder = rapid.String().Draw(t, "source"), rapid.String().Draw(t, "embedder")
	list := rapid.SliceOfN(index, 1, 3)
	p.Findings = &session.Findings{
		Empty: list.Draw(t, "empty"), Polls: rapid.SliceOfN(rapid.SliceOfN(list, 1, 2), 1, 2).Draw(t, "polls"),
		Reads: []session.Reading{{At: index.Draw(t, "at"), Files: list.Draw(t, "files")}},
	}
}

func drawTime(t *rapid.T) time.Time {
	const year9999 = 253_402_300_799
	seconds := rapid.Int64Range(0, year9999).Draw(t, "seconds")
	return time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).UTC()
}

func drawCandidate(t *rapid.T, i int) session.Candidate {
	use := func() session.ToolUse {
		u := session.ToolUse{
			Name:   rapid.String().Draw(t, "name"),
			CallID: rapid.SampledFrom([]string{"", "c", "d"}).Draw(t, "call id"),
			Error:  rapid.Bool().Draw(t, "error"),
		}
		if args := rapid.SampledFrom([]string{
			"", `{"a":"<&\ud83d\ude00>"}`, "[1.50,null]", `"x"`, `{"b":"cd x && ls -l > \u0026","a":"\u00e9 é \u2028 ` + "\u2028\x7f" + `"}`,
			`{"a":1e5,"b":-0,"c":123456789012345678901}`, `{ "a": 1 }`, `{"a":"\/\b","b":[true,false,{}]}`,
		}).Draw(t, "args"); args != "" {
			u.Args = json.RawMessage(args)
		}
		return u
	}
	c := session.Candidate{
		ID:               fmt.Sprintf("%d%s", i, rapid.String().Draw(t, "id")),
		Kind:             rapid.SampledFrom(session.Kinds).Draw(t, "kind"),
		Text:             rapid.String().Draw(t, "text"),
		Tokens:           rapid.IntRange(0, 1<<30).Draw(t, "tokens"),
		Time:             drawTime(t),
		Required:         rapid.Bool().Draw(t, "required"),
		Group:            rapid.SampledFrom([]string{"", "g", "h"}).Draw(t, "group"),
		Number:           rapid.IntRange(0, 9).Draw(t, "number"),
		Turn:             rapid.IntRange(0, 9).Draw(t, "turn"),
		Internal:         rapid.SampledFrom([]string{"", "cron"}).Draw(t, "internal"),
		Images:           rapid.IntRange(0, 3).Draw(t, "images"),
		ThinkingUnsigned: rapid.Bool().Draw(t, "unsigned"),
	}
	if rapid.Bool().Draw(t, "has tool") {
		u := use()
		c.Tool = &u
	}
	for range rapid.IntRange(0, 2).Draw(t, "calls") {
		c.Calls = append(c.Calls, use())
	}
	return c
}

func TestWriteAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawPool(t)
		pools, err := poolfile.DecodeAll(bytes.NewReader(encode(t, want)), "written", counter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(pools) != 1 || !reflect.DeepEqual(pools[0], want) {
			t.Fatalf("read back %d pools\n got %s\nwant %s", len(pools), dump(pools[0]), dump(want))
		}
	})
}

// encode writes a pool with an encoder that escapes more than it has to. Arguments of
// calls are to come back byte by byte all the same.
func encode(t interface{ Fatal(args ...any) }, p *session.Pool) []byte {
	doc, err := json.Marshal(poolfile.NewDocument(p))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// A pool is the same after a program that keeps nothing but the values of its document:
// keys in another order, numbers as float64, everything escaped that may be.
func TestRewrittenIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawPool(t)
		var value any
		if err := json.Unmarshal(encode(t, want), &value); err != nil {
			t.Fatal(err)
		}
		rewritten, err := json.MarshalIndent(value, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		var escaped strings.Builder
		for _, r := range string(rewritten) {
			if r < 0x7f {
				escaped.WriteRune(r)
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&escaped, `\u%04X`, unit)
			}
		}
		got, err := poolfile.Decode(strings.NewReader(escaped.String()), counter{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: read back\n got %s\nwant %s", err, dump(got), dump(want))
		}
	})
}

func TestArgsTextHasToBeThatOfArgs(t *testing.T) {
	for _, c := range []struct{ use, args, problem string }{
		{`{"args":{"a":1,"b":"é"},"args_text":"{\"b\": \"\\u00e9\", \"a\":1.0}"}`, `{"b": "\u00e9", "a":1.0}`, ""},
		{`{"args":{"a":1},"args_text":""}`, `{"a":1}`, ""},
		{`{"args":{"a":1},"args_text":"{\"a\":2}"}`, "", "is not the text of the args beside it"},
		{`{"args":{"a":1},"args_text":"{"}`, "", "is not the text of the args beside it"},
		{`{"args_text":"{}"}`, "", "given without args"},
		{`{"args":1,"args_text":1}`, "", "must be a string"},
	} {
		p, err := poolfile.Decode(strings.NewReader(withCandidates(`{"id":"a","text":"","calls":[`+c.use+`]}`)), counter{})
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), "$.candidates[0].calls[0].args_text: "+c.problem) {
				t.Errorf("%s: %v, want %s", c.use, err, c.problem)
			}
		case err != nil || string(p.Candidates[0].Calls[0].Args) != c.args:
			t.Errorf("%s: %v, %v", c.use, p, err)
		}
	}
}

// TestDecodeKnowsEveryField adds every field that the types write to a sound
// document, with an object as its value: that is an error or all right, but for
// an unknown field, which gives a warning.
func TestDecodeKnowsEveryField(t *testing.T) {
	for _, c := range []struct {
		value  any
		format string
	}{
		{session.Pool{}, `{"candidates":[],%q:{}}`},
		{session.Pending{}, `{"candidates":[],"pending":[{%q:{}}]}`},
		{session.Candidate{}, `{"candidates":[{"id":"a","text":"",%q:{}}]}`},
		{session.ToolUse{}, `{"candidates":[{"id":"a","text":"","tool":{%q:{}}}]}`},
		{session.Similarity{}, `{"candidates":[],"similarity":{%q:{}}}`},
	} {
		warns := func(name string) bool {
			p, err := poolfile.Decode(strings.NewReader(fmt.Sprintf(c.format, name)), counter{})
			return err == nil && len(p.Warnings) > 0
		}
		if !warns("nonsense") {
			t.Errorf("%T: an unknown field gives no warning", c.value)
		}
		for field := range reflect.TypeOf(c.value).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "-" && warns(name) {
				t.Errorf("%T.%s is unknown", c.value, field.Name)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, doc := range []string{
		"", "{}", "\ufeff{}", `{"candidates":[]}`, `{"a":[[{"b":null}]]`,
		withCandidates(`{"id":"a","kind":"assistant","text":"\ud83d","calls":[{"call_id":"c","args":{"p": [1]}}]}`,
			`{"id":"b","kind":"tool","text":"","tool":{"call_id":"x"},"time":"2026-11-29T21:36:19+01:00"}`),
		`{"query":"q","query_embedding":[1e-3,-0],"budget":0,"candidates":[{"id":"a","tokens":1,"embedding":[0,1]}]}`,
		`{"query":"q","candidates":[{"id":"a","tokens":1},{"id":"b","tokens":0}],"similarity":{"query":[1,0],"pairs":"` + triangle(0.5) + `"}}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		p, err := poolfile.Decode(bytes.NewReader(doc), counter{})
		if err != nil {
			return
		}
		checkPool(t, p)
		back, err := poolfile.Decode(bytes.NewReader(encode(t, p)), counter{})
		if err != nil {
			t.Fatal(err)
		}
		p.IDsRepaired, p.Warnings, back.Warnings = 0, nil, nil
		if !reflect.DeepEqual(back, p) {
			t.Errorf("read back\n got %s\nwant %s", dump(back), dump(p))
		}
	})
}

// checkPool checks what every pool that was read holds to.
func checkPool(t *testing.T, p *session.Pool) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range p.Candidates {
		if c.ID == "" || ids[c.ID] {
			t.Errorf("id %q is empty or not unique", c.ID)
		}
		ids[c.ID] = true
		if !c.Kind.Valid() || c.Tokens < 0 || len(c.Embedding) != len(p.QueryEmbedding) {
			t.Errorf("candidate %+v", c)
		}
		for _, f := range c.Embedding {
			if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
				t.Errorf("candidate %s has a number that is not finite", c.ID)
			}
		}
	}
}
