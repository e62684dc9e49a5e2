package share_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/token"
)

// talk is a selection that has something to choose.
func talk(t testing.TB, strategy string) share.Source {
	t.Helper()
	counter, err := token.New("chars4")
	if err != nil {
		t.Fatal(err)
	}
	s := share.Source{
		Pool: &session.Pool{Query: "which port does the staging database use", FromSession: true}, Turn: 7,
		Embedder: embed.NewBuiltin(), Counter: counter, Build: build,
		Options: selector.Options{Rules: selector.DefaultRules(), Tail: 1, Budget: selector.Term{Value: 40, Source: "flag"}},
	}
	if s.Options.Strategy, err = selector.ParseStrategy(strategy); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{
		"good morning", "what can I do for you", "the staging database is on port 5433", "noted", "the bread needs two hours",
		"then it is done at nine", "status?", "OK", "the ferry leaves at six", "I shall remind you", "status?", "OK", "the port of production is 6432", "noted", "status?", "OK",
	} {
		kind := session.User
		if i%2 == 1 {
			kind = session.Assistant
		}
		s.Pool.Candidates = append(s.Pool.Candidates, session.Candidate{
			ID: fmt.Sprint("e", i), Kind: kind, Text: text, Tokens: counter.Count(token.Parts{Text: text}), Number: i + 1,
		})
	}
	return s
}

// shape is an embedder that gives other numbers: how long a text is, and how many
// letters e it has.
type shape struct {
	embed.Embedder
	name string
}

func (s shape) Name() string { return s.name }
func (shape) Dim() int       { return 2 }
func (shape) Documents(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{float32(len(t)), 9 * float32(strings.Count(t, "e"))}
	}
	return out, nil
}

func (s shape) Query(ctx context.Context, text string) ([]float32, error) {
	out, err := s.Documents(ctx, []string{text})
	return out[0], err
}

func TestVerifyNamesTheCause(t *testing.T) {
	other := build
	other.Version, other.Platform = "v2", "linux/arm64"
	with := func(e embed.Embedder, model string) func(h *share.Here) {
		return func(h *share.Here) {
			h.Open = func(context.Context, string) (embed.Embedder, string, error) { return e, model, nil }
		}
	}
	for _, c := range []struct {
		name, strategy string
		there          func(c *share.Case)
		here           func(h *share.Here)
		cause          share.Factor
		// causes are all that is not as it was.
		causes string
	}{
		{name: "nothing", strategy: "pacms"},
		{name: "another build with the same result", strategy: "pacms", here: func(h *share.Here) { h.Build = other }, causes: "version"},
		{name: "another embedder", strategy: "topk", here: with(shape{embed.NewBuiltin(), "shape"}, ""), cause: share.FactorEmbedder, causes: "embedder"},
		{name: "another model", strategy: "topk", here: with(shape{embed.NewBuiltin(), "builtin"}, "sha256:12"), cause: share.FactorEmbedder, causes: "embedder"},
		{name: "other data in the embedder", strategy: "topk", here: with(shape{embed.NewBuiltin(), "builtin"}, ""), cause: share.FactorEmbedder, causes: "embedder"},
		{
			name: "another processor", strategy: "topk", cause: share.FactorKernel, causes: "kernel version",
			here: func(h *share.Here) { with(shape{embed.NewBuiltin(), "builtin"}, "")(h); h.Build = other },
		},
		{
			name: "the same kept, but other numbers", strategy: "lastk", cause: share.FactorEmbedder, causes: "embedder",
			here: with(shape{embed.NewBuiltin(), "shape"}, ""),
		},
		{
			name: "rules that found something else", strategy: "lastk", cause: share.FactorReading, causes: "reading version",
			here: func(h *share.Here) { h.Build = other },
			// The build that wrote it saw that message 14 says nothing.
			there: func(c *share.Case) {
				c.Evidence.Found.Empty = append(c.Evidence.Found.Empty, 9)
				without(t, c, 9)
			},
		},
		{
			name: "another version of the choice", strategy: "topk", cause: share.FactorVersion, causes: "version",
			here:  func(h *share.Here) { h.Build = other },
			there: func(c *share.Case) { without(t, c, 2) },
		},
		{
			name: "the same build and another result", strategy: "topk", cause: share.FactorResult, causes: "result",
			there: func(c *share.Case) { without(t, c, 2) },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			made, _ := makeCase(t, talk(t, c.strategy))
			if c.there != nil {
				c.there(made)
				if err := made.Sign(); err != nil {
					t.Fatal(err)
				}
			}
			text, err := json.Marshal(made)
			if err != nil {
				t.Fatal(err)
			}
			h := here()
			if c.here != nil {
				c.here(&h)
			}
			r, err := readCase(t, text).Verify(t.Context(), h)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, k := range r.Causes {
				names = append(names, string(k.Factor))
			}
			if got := strings.Join(names, " "); r.Cause() != c.cause || r.Same != (c.cause == "") || got != c.causes {
				t.Errorf("same %t by %q of %q, want %q of %q: %+v", r.Same, r.Cause(), got, c.cause, c.causes, r)
			}
		})
	}
}

// without rewrites the result of a case as one that was made with another finding:
// nothing is kept of candidate i, by a run under that.
func without(t *testing.T, c *share.Case, i int) {
	t.Helper()
	pool := *c.Pool
	if slices.Contains(c.Evidence.Found.Empty, i) {
		pool.Findings = c.Evidence.Found
	} else {
		c.Config.Bans = []string{pool.Candidates[i].ID}
	}
	opt, err := c.Options()
	if err != nil {
		t.Fatal(err)
	}
	c.Config.Bans = nil
	p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(t.Context(), &pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sel, err := p.Select(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	c.Result.Selection = sel
	for k := range c.Result.Codes {
		c.Result.Codes[k] = sel.Code(k)
	}
}

// Each part of a file that is changed after it was written is named.
func TestVerifySeesWhatWasChanged(t *testing.T) {
	for part, change := range map[share.Factor]func(c *share.Case){
		share.FactorPool:     func(c *share.Case) { c.Pool.Candidates[2].Text += "!" },
		share.FactorQuery:    func(c *share.Case) { c.Pool.Query = "when does the ferry leave" },
		share.FactorBudget:   func(c *share.Case) { c.Config.Budget.Value++ },
		share.FactorStrategy: func(c *share.Case) { c.Config.Strategy = "mmr" },
		share.FactorRules:    func(c *share.Case) { c.Config.Rules = []string{} },
		share.FactorCounter:  func(c *share.Case) { c.Config.Counter = "openclaw" },
		share.FactorEmbedder: func(c *share.Case) { c.Config.Model = "sha256:1" },
		share.FactorResult:   func(c *share.Case) { c.Result.Kept[0] = "e0e0" },
	} {
		made, _ := makeCase(t, talk(t, "topk"))
		change(made)
		text, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		r, err := readCase(t, text).Verify(t.Context(), here())
		if err != nil {
			t.Fatal(err)
		}
		if r.Same || r.Cause() != part {
			t.Errorf("%s: same %t, caused by %q in %+v", part, r.Same, r.Cause(), r.Causes)
		}
	}
}

// Whatever value of a case is changed, left out or added: nobody is told that it is the
// same, and no build is blamed for it.
func TestVerifySeesEveryChange(t *testing.T) {
	var texts [][]byte
	for _, noText := range []bool{false, true} {
		s := talk(t, "pacms")
		s.NoText = noText
		s.Pool.Candidates[3].Calls = []session.ToolUse{{Name: "exec", CallID: "c", Args: json.RawMessage(`{"command":"cd x && ls","n":[1.5]}`)}}
		_, text := makeCase(t, s)
		texts = append(texts, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		var doc map[string]any
		if err := json.Unmarshal(rapid.SampledFrom(texts).Draw(t, "case"), &doc); err != nil {
			t.Fatal(err)
		}
		what := mutate(t, doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := share.Read(bytes.NewReader(text))
		if err != nil {
			return // it is refused
		}
		r, err := cases[0].Verify(context.Background(), here())
		if err != nil {
			return
		}
		if r.Same || !slices.ContainsFunc(r.Causes, func(k share.Cause) bool { return k.Explains && k.Is == "changed in the file" }) {
			t.Fatalf("%s: same %t, causes %+v", what, r.Same, r.Causes)
		}
	})
}

// mutate changes one value of a document, and says which.
func mutate(t *rapid.T, doc map[string]any) string {
	path, at := "$", any(doc)
	for {
		var keys []string
		var set func(key string, value any)
		var inner func(key string) any
		switch v := at.(type) {
		case map[string]any:
			keys = slices.Sorted(maps.Keys(v))
			set, inner = func(key string, value any) { v[key] = value }, func(key string) any { return v[key] }
			if len(keys) == 0 || rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				v["zz"] = "unknown"
				return path + ".zz"
			}
		case []any:
			for i := range v {
				keys = append(keys, strconv.Itoa(i))
			}
			index := func(key string) int { i, _ := strconv.Atoi(key); return i }
			set, inner = func(key string, value any) { v[index(key)] = value }, func(key string) any { return v[index(key)] }
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		path += "." + key
		switch v := inner(key).(type) {
		case map[string]any:
			at = v
			continue
		case []any:
			if len(v) > 0 {
				at = v
				continue
			}
			set(key, []any{"zz"})
		case string:
			set(key, v+"z")
		case float64:
			set(key, v+1)
		case bool:
			set(key, !v)
		default:
			set(key, "zz")
		}
		return path
	}
}

// A file that another program wrote again with the same values is the same.
func TestVerifyTakesARewrittenFile(t *testing.T) {
	s := talk(t, "mmr")
	args := `{"command":"cd x && echo \u00e9 'é' \u2028 ` + "\u2028" + `","a":1.50,"n":12345678901234567890}`
	s.Pool.Candidates[3].Calls = []session.ToolUse{{Name: "exec", CallID: "c", Args: json.RawMessage(args)}}
	made, text := makeCase(t, s)
	if got := string(made.Pool.Candidates[3].Calls[0].Args); got != args {
		t.Errorf("args became %s", got)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	r, err := readCase(t, append([]byte("\ufeff"), text...)).Verify(t.Context(), here())
	if err != nil || !r.Same || len(r.Causes) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReadRefuses(t *testing.T) {
	_, text := makeCase(t, talk(t, "topk"))
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", string(text), "", "there is no case in it"},
		{"half", string(text), string(text[:len(text)/2]), "read case 1: unexpected EOF"},
		{"no JSON", string(text), "# Notes", "read case 1: it is not what pacms export writes: invalid character '#'"},
		{"no object", string(text), "[1]", "$: must not be a JSON array"},
		{"selection", `"selection":{`, `"selection":[],"was":{`, "$.selection: must not be a JSON array"},
		{"tail", `"tail":1`, `"tail":"1"`, "$.config.tail: must not be a JSON string"},
		{"other schema", "pacms.case/1", "pacms.case/2", `$.schema: must be "pacms.case/1", not "pacms.case/2"`},
		{"counter", `"counter":"chars4"`, `"counter":"beans"`, `$.config.counter: token: no counter "beans"`},
		{"strategy", `"strategy":"topk","budget":{`, `"strategy":"best","budget":{`, "$.config: share: "},
		{"rules", `"rules":["system"`, `"rules":["rumour"`, "no rule"},
		{"text", `"text":"full"`, `"text":"some"`, "$.text: must be full, redacted or none"},
		{"codes", `"codes":["`, `"codes":["x","`, "$.codes: has 17 for 16 candidates"},
		{"pool", `"candidates":[{"id":"e0"`, `"candidates":[{"id":""`, "$.pool: poolfile: $.candidates[0].id: missing"},
		{"no pool", `"pool":{`, `"pond":{`, "a case has a pool and a selection"},
		{"found", `"found":{`, `"found":{"empty":[99],`, "$.evidence.found: empty: 99"},
		{"turn", `"turn":7`, `"turn":-7`, "a number of turns"},
		{"budget", `"budget":{"value":40`, `"budget":{"value":-40`, "is 0 or more"},
	} {
		_, err := share.Read(strings.NewReader(strings.Replace(string(text), c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	cases, err := share.Read(strings.NewReader(string(text) + "\n" + string(text)))
	if err != nil || len(cases) != 2 {
		t.Errorf("two cases: %d, %v", len(cases), err)
	}
}

// Whatever is read can be written, run and read again.
func FuzzRead(f *testing.F) {
	for _, noText := range []bool{false, true} {
		s := talk(f, "pacms+")
		s.NoText = noText
		_, text := makeCase(f, s)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := share.Read(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		for _, c := range cases {
			text, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := share.Read(strings.NewReader(string(text)))
			if err != nil || len(again) != 1 {
				t.Fatalf("%s: %v", text, err)
			}
			if len(c.Pool.Candidates) < 100 {
				_, _ = c.Verify(t.Context(), here()) // it may be impossible, but nothing breaks
			}
		}
	})
}
