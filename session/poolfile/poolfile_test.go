package poolfile_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pacms/session"
	"pacms/session/poolfile"
	"pacms/session/token"
)

// counter stands in for the real ones: a byte of text, name or arguments costs 1,
// an image 1,000.
type counter struct{}

func (counter) Name() string    { return "bytes" }
func (counter) Estimated() bool { return false }

func (counter) Count(p token.Parts) int {
	n := len(p.Text) + len(p.Thinking) + 1000*p.Images
	for _, c := range p.Calls {
		n += len(c.Name) + len(c.Args)
	}
	return n
}

func decode(t *testing.T, doc string) *session.Pool {
	t.Helper()
	p, err := poolfile.Decode(strings.NewReader(doc), counter{})
	if err != nil {
		t.Fatalf("Decode(%s): %v", doc, err)
	}
	return p
}

// withCandidates is a document with the given candidates, in JSON.
func withCandidates(candidates ...string) string {
	return `{"schema":"pacms.pool/1","query":"q","candidates":[` + strings.Join(candidates, ",") + `]}`
}

func TestDecodeEveryField(t *testing.T) {
	p := decode(t, `{
		"schema":"pacms.pool/1", "session":"agent:main:main", "turn":12, "time":"2026-11-29T22:36:19.5+01:00", "from_session":true,
		"query":"where?", "budget":4096, "window":128000, "reserve":20000, "system":8000, "tools":4000,
		"pending":[{"id":"p1","text":"now","tokens":25},{"text":"then"}],
		"candidates":[
			{"id":"e1","kind":"assistant","text":"I look","tokens":12,"time":"2026-11-29T21:00:00Z","required":true,
			 "group":"g7","calls":[{"name":"read","call_id":"c1","args":{ "path": "a b" }}],"number":4,"turn":3,
			 "internal":"cron","images":2,"thinking_unsigned":true},
			{"id":"e2","kind":"tool","text":"found","group":"g7","tool":{"name":"read","call_id":"c1","error":true}}]}`)

	number := func(n int) *int { return &n }
	want := &session.Pool{
		Schema: session.PoolSchema, Session: "agent:main:main", Turn: 12, FromSession: true,
		Time:  time.Date(2026, 11, 29, 21, 36, 19, 5e8, time.UTC),
		Query: "where?", Budget: number(4096), Window: number(128000), Reserve: number(20000),
		System: number(8000), Tools: number(4000),
		Pending: []session.Pending{{ID: "p1", Text: "now", Tokens: 25}, {Text: "then", Tokens: 4}},
		Candidates: []session.Candidate{{
			ID: "e1", Kind: session.Assistant, Text: "I look", Tokens: 12,
			Time: time.Date(2026, 11, 29, 21, 0, 0, 0, time.UTC), Required: true, Group: "g7",
			Calls:  []session.ToolUse{{Name: "read", CallID: "c1", Args: json.RawMessage(`{"path":"a b"}`)}},
			Number: 4, Turn: 3, Internal: "cron", Images: 2, ThinkingUnsigned: true,
		}, {
			ID: "e2", Kind: session.Tool, Text: "found", Tokens: 5, Group: "g7",
			Tool: &session.ToolUse{Name: "read", CallID: "c1", Error: true},
		}},
	}
	equalPools(t, p, want)
}

// equalPools compares two pools by everything that they hold.
func equalPools(t interface {
	Helper()
	Errorf(string, ...any)
}, got, want *session.Pool,
) {
	t.Helper()
	g, w := dump(got), dump(want)
	if g != w {
		t.Errorf("pools differ\n got %s\nwant %s", g, w)
	}
}

// dump writes out a pool with all that its JSON leaves out.
func dump(p *session.Pool) string {
	data, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s repaired %d, warnings %v, from session %t", data, p.IDsRepaired, p.Warnings, p.FromSession)
}

func TestDecodeFillsIn(t *testing.T) {
	p := decode(t, `{"query":null,"candidates":[
		{"id":"a","text":"four"},
		{"id":"b","kind":"developer","text":"","tokens":null},
		{"id":"c","kind":"assistant","text":"x","images":1,"calls":[{"name":"ls","args":[ 1, 2 ]}]},
		{"id":"d","text":"free","tokens":0}]}`)
	if p.Schema != session.PoolSchema {
		t.Errorf("Schema = %q", p.Schema)
	}
	kinds := []session.Kind{session.User, session.System, session.Assistant, session.User}
	tokens := []int{4, 0, 1 + 1000 + len("ls") + len("[1,2]"), 0}
	for i, c := range p.Candidates {
		if c.Kind != kinds[i] || c.Tokens != tokens[i] {
			t.Errorf("candidate %s is %s with %d tokens, want %s with %d", c.ID, c.Kind, c.Tokens, kinds[i], tokens[i])
		}
	}
	if len(p.Warnings) > 0 {
		t.Errorf("warnings %v", p.Warnings)
	}
}

func TestDecodeEmptyPool(t *testing.T) {
	if p := decode(t, withCandidates()); len(p.Candidates) != 0 || p.Candidates == nil {
		t.Errorf("Candidates = %v, want an empty array", p.Candidates)
	}
}

// triangle is base64 of little-endian float32.
func triangle(numbers ...float32) string {
	var b []byte
	for _, f := range numbers {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func TestDecodeSimilarity(t *testing.T) {
	doc := func(query, pairs, containment string) string {
		return `{"query":"q","candidates":[{"id":"a","tokens":1},{"id":"b","tokens":1},{"id":"c","tokens":1}],` +
			`"similarity":{"query":` + query + `,"pairs":"` + pairs + `","containment":"` + containment + `"}}`
	}
	three, shared := triangle(0.5, -1, 0), triangle(0.5, 1, 0)
	p := decode(t, doc("[1,0.5,-0.25]", three, shared))
	if s := p.Similarity; s.Pairs != three || s.Containment != shared || s.Query[2] != -0.25 {
		t.Errorf("Similarity = %+v", s)
	}
	nan := triangle(0, 0, float32(math.NaN()))
	for _, c := range []struct{ name, doc, want string }{
		{"short query", doc("[1,0]", three, shared), "$.similarity.query: has 2 numbers for 3 candidates"},
		{"no cosine", doc("[1,0,-30]", three, shared), "$.similarity.query: number 2 is -30: a cosine is from -1 to 1"},
		{"no base64", doc("[1,0,0]", "?", shared), "$.similarity.pairs: not base64"},
		{"short", doc("[1,0,0]", triangle(1), shared), "$.similarity.pairs: has 4 bytes; 3 pairs of 3 candidates need 12"},
		{"not finite", doc("[1,0,0]", nan, shared), "$.similarity.pairs: number 2 is NaN: it is from -1 to 1"},
		{"large", doc("[1,0,0]", triangle(0, 10, 0), shared), "$.similarity.pairs: number 1 is 10"},
		{"grams", `{"candidates":[{"id":"a","tokens":1}],"similarity":{"query":[1],"pairs":"","grams":[1,2]}}`, "$.similarity.query: stands beside 2 numbers of grams for 1 candidates"},
		{"unlike", `{"candidates":[{"id":"a","tokens":1}],"similarity":{"query":[1],"pairs":"","unlike":[1]}}`, "$.similarity.query: stands beside unlike, in which 1 is not the index of one of 1 candidates"},
		{"mean", `{"candidates":[],"similarity":{"query":[],"pairs":"","mean":"x"}}`, `$.similarity.mean: must be a number, not a string`},
		{"findings of texts", `{"candidates":[{"id":"a","text":"x"}],"findings":{}}`, "$.findings: given without $.similarity"},
		{"found elsewhere", `{"candidates":[],"similarity":{"query":[],"pairs":""},"findings":{"reads":[{"at":3,"files":[0]}]}}`, "$.findings: reads: 3 is not the index of one of 0 candidates"},
		{"a poll of nothing", `{"candidates":[],"similarity":{"query":[],"pairs":""},"findings":{"polls":[[[]]]}}`, "$.findings: polls: a poll without a group"},
		{"containment", doc("[1,0,0]", three, triangle(1)), "$.similarity.containment: has 4 bytes"},
		{"negative containment", doc("[1,0,0]", three, three), "$.similarity.containment: number 1 is -1: it is from 0 to 1"},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.doc, c.want) })
	}
}

// wantFault checks that doc is refused with an Error that begins with want.
func wantFault(t *testing.T, doc, want string) {
	t.Helper()
	p, err := poolfile.Decode(strings.NewReader(doc), counter{})
	var fault *poolfile.Error
	if !errors.As(err, &fault) {
		t.Fatalf("Decode = %v, %v; want an Error", p, err)
	}
	if !strings.HasPrefix(fault.Error(), want) {
		t.Errorf("Decode = %q, want %q", fault, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	const a = `{"id":"a","text":"x"}`
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct{ name, doc, want string }{
		{"nothing", "", "the document ends early, after 0 bytes"},
		{"not an object", "[]", "must be an object, not an array"},
		{"cut off", `{"candidates":[{"id":"a"`, "$.candidates[0]: the document ends early"},
		{"not JSON", `{"candidates":[{"id":"a","embedding":[1,NaN]}]}`, "$.candidates[0].embedding: not JSON near byte 37: invalid character 'N'"},
		{"comma", `{"query":"q",}`, "not JSON"},
		{"trailing data", withCandidates(a) + "{}", "something follows the document, after byte"},
		{"other schema", `{"schema":"pacms.selection/1"}`, `$.schema: must be "pacms.pool/1", not "pacms.selection/1"`},
		{"no candidates", `{"query":"q"}`, "$.candidates: missing"},
		{"null candidates", `{"candidates":null}`, "$.candidates: missing"},
		{"key twice", `{"query":"a","query":"b"}`, "$.query: given twice"},
		{"key twice, escaped", `{"query":"a","\u0071uery":"b"}`, "$.query: given twice"},
		{"key twice in arguments", withCandidates(`{"id":"a","text":"","tool":{"args":{"p":1,"p":2}}}`), "$.candidates[0].tool.args.p: given twice"},
		{"null element", withCandidates(a, "null"), "$.candidates[1]: must be an object, not null"},
		{"no id", withCandidates(a, `{"text":"x"}`), "$.candidates[1].id: missing"},
		{"empty id", withCandidates(`{"id":"","text":"x"}`), "$.candidates[0].id: missing or empty"},
		{"id twice", withCandidates(a, `{"id":"b","text":"x"}`, a), `$.candidates[2].id: "a" is also the id of $.candidates[0]`},
		{"number as id", withCandidates(`{"id":3,"text":"x"}`), "$.candidates[0].id: must be a string, not the number 3"},
		{"no content", withCandidates(`{"id":"a"}`), "$.candidates[0].text: missing"},
		{"negative tokens", withCandidates(`{"id":"a","text":"x","tokens":-1}`), "$.candidates[0].tokens: must be a whole number from 0 to 2147483647, not -1"},
		{"fraction", withCandidates(`{"id":"a","text":"x","tokens":1.5}`), "$.candidates[0].tokens: must be a whole number"},
		{"too many tokens", withCandidates(`{"id":"a","text":"x","tokens":9223372036854775807}`), "$.candidates[0].tokens: must be a whole number"},
		{"beyond any int", `{"budget":9223372036854775808}`, "$.budget: must be a whole number"},
		{"negative budget", `{"budget":-1}`, "$.budget: must be a whole number from 0"},
		{"text as tokens", withCandidates(`{"id":"a","text":"x","tokens":"3"}`), "$.candidates[0].tokens: must be a whole number, not a string"},
		{"tokens of nothing", `{"query_embedding":[1],"candidates":[{"id":"a","embedding":[1]}]}`, "$.candidates[0].tokens: missing, and there is no text to count"},
		{"flag", withCandidates(`{"id":"a","text":"x","required":1}`), "$.candidates[0].required: must be true or false, not the number 1"},
		{"time", withCandidates(`{"id":"a","text":"x","time":"yesterday"}`), `$.candidates[0].time: must be a time such as 2026-11-29T21:36:19Z, not "yesterday"`},
		{"year -1", `{"time":"0000-01-01T00:00:00+01:00"}`, "$.time: must be a time in the years 0 to 9999"},
		{"vector without query", withCandidates(`{"id":"a","embedding":[1],"tokens":1}`), "$.candidates[0].embedding: given without $.query_embedding"},
		{"candidate without vector", `{"query_embedding":[1],"candidates":[` + a + `]}`, "$.candidates[0].embedding: missing"},
		{"other length", `{"query_embedding":[1,2],"candidates":[{"id":"a","tokens":1,"embedding":[1]}]}`, "$.candidates[0].embedding: has 1 numbers, $.query_embedding has 2"},
		{"empty vector", `{"query_embedding":[],"candidates":[]}`, "$.query_embedding: empty"},
		{"null in vector", `{"query_embedding":[1,null]}`, "$.query_embedding[1]: must be a number within the range of float32, not null"},
		{"text in vector", `{"query_embedding":[1,"2"]}`, `$.query_embedding[1]: must be a number within the range of float32, not "2"`},
		{"vector cut off", `{"query_embedding":[1,`, "$.query_embedding: the document ends early"},
		{"vector not closed", `{"query_embedding":[1}`, "$.query_embedding: not JSON near byte 19"},
		{"infinite", `{"query_embedding":[1e39]}`, "$.query_embedding[0]: must be a number within the range of float32, not 1e39"},
		{"both", `{"query_embedding":[1],"candidates":[],"similarity":{"query":[],"pairs":""}}`, "$.similarity: given beside $.query_embedding"},
		{"beside a text", `{"candidates":[{"id":"a","tokens":1},{"id":"b","tokens":1,"text":"x"}],"similarity":{"query":[1,1],"pairs":"AAAAAA=="}}`, "$.candidates[1].text: given beside $.similarity"},
		{"deep", `{"x":` + deep + `}`, "$.x[0][0][0][0][0]…91 more…[0][0][0]: nested deeper than 100 levels"},
		{"odd key", `{"a b":` + deep + `}`, `$["a b"][0]`},
		{"long key", `{"` + strings.Repeat("k", 1000) + `":{"a":1,"a":2}}`, `$["` + strings.Repeat("k", 60) + `…"].a: given twice`},
		{"long id", withCandidates(`{"id":"` + strings.Repeat("i", 1000) + `","text":"x"},{"id":"` + strings.Repeat("i", 1000) + `","text":"x"}`), "$.candidates[1].id: \"" + strings.Repeat("i", 60) + "…\" is also the id of"},
		{"kind that is no string", withCandidates(`{"id":"a","text":"x","kind":3}`), "$.candidates[0].kind: must be a string, not the number 3"},
		{"UTF-16 little-endian", "\xff\xfe{\x00}\x00", "the text is UTF-16 (little-endian); convert it to UTF-8"},
		{"UTF-32 little-endian", "\xff\xfe\x00\x00{\x00\x00\x00", "the text is UTF-32 (little-endian); convert it to UTF-8"},
		{"UTF-32 big-endian", "\x00\x00\x00{", "the text is UTF-32 (big-endian)"},
		{"UTF-16 big-endian", "\x00{\x00}", "the text is UTF-16 (big-endian)"},
		{"raw NUL", withCandidates("{\"id\":\"a\",\"text\":\"\x00\"}"), "$.candidates[0].text: not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.doc, c.want) })
	}
}

// endless is a document that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestDecodeLimitsSize(t *testing.T) {
	for name, read := range map[string]func() error{
		"Decode": func() error {
			_, err := poolfile.Decode(endless{}, counter{})
			return err
		},
		"DecodeAll": func() error {
			_, err := poolfile.DecodeAll(endless{}, "pools.jsonl", counter{})
			return err
		},
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "longer than 64 MiB") {
			t.Errorf("%s = %v", name, err)
		}
	}
}

func TestDecodeBrokenText(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		count            int
	}{
		{"half a pair", `kettle \ud83d`, "kettle \ufffd", 1},
		{"low half", `\udca9 kettle`, "\ufffd kettle", 1},
		{"two high halves", `\ud83d\ud83d`, "\ufffd\ufffd", 2},
		{"high half before a whole pair", `\ud83d\ud83d\udca9`, "\ufffd💩", 1},
		{"whole pair", `\ud83d\udca9`, "💩", 0},
		{"escaped backslash", `\\ud83d`, `\ud83d`, 0},
		{"bytes", "a\xc3(b", "a\ufffd(b", 1},
		{"overlong", "\xc0\xaf", "\ufffd\ufffd", 2},
		{"escaped NUL", `\u0000`, "\x00", 0},
		{"a replacement character", "\ufffd", "\ufffd", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := decode(t, withCandidates(`{"id":"a","text":"`+c.text+`"}`))
			if got := p.Candidates[0].Text; got != c.want {
				t.Errorf("text = %q, want %q", got, c.want)
			}
			count := 0
			for _, w := range p.Warnings {
				if w.Code == "invalid_unicode" {
					count = w.Count
				}
			}
			if count != c.count {
				t.Errorf("%d broken characters, want %d", count, c.count)
			}
		})
	}
}

func TestDecodeCountsUnknownFields(t *testing.T) {
	p := decode(t, `{"version":1,"candidates":[{"id":"a","role":{"x":[1,{}]},"text":"x"}]}`)
	if len(p.Warnings) != 1 || p.Warnings[0].Code != "unknown_fields" || p.Warnings[0].Count != 2 {
		t.Fatalf("Warnings = %+v", p.Warnings)
	}
	if got, want := p.Warnings[0].Message, "2 fields ignored that a pool does not have, the first at $.version"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	p = decode(t, `{"version":1,"candidates":[]}`)
	if got, want := p.Warnings[0].Message, "1 field ignored that a pool does not have, at $.version"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

// S16: a kind that there is not is no reason to go without an answer.
func TestDecodeOddKinds(t *testing.T) {
	for doc, want := range map[string]string{
		withCandidates(`{"id":"a","kind":"robot","text":"x"}`, `{"id":"b","kind":"user","text":"x"}`): `1 item of no known kind ("robot") taken for documents; there are memory, user, assistant, tool, summary, document, system`,
		withCandidates(`{"id":"a","kind":"","text":"x"}`, `{"id":"c","kind":"User","text":"x"}`):      `2 items of no known kind (the first "") taken for documents; there are `,
		withCandidates(`{"id":"a","kind":"` + strings.Repeat("\\u001b", 1000) + `","text":"x"}`):      `("` + strings.Repeat(`\x1b`, 60) + `…")`,
	} {
		p := decode(t, doc)
		if len(p.Warnings) != 1 || p.Warnings[0].Code != "odd_kind" || !strings.Contains(p.Warnings[0].Message, want) || p.Candidates[0].Kind != session.Document {
			t.Errorf("%.90s: %+v, the kind is %s", doc, p.Warnings, p.Candidates[0].Kind)
		}
	}
}

func TestDecodePairsCalls(t *testing.T) {
	p := decode(t, withCandidates(
		`{"id":"a","kind":"assistant","text":"","calls":[{"call_id":"c1"},{"call_id":"c2"}]}`,
		`{"id":"t1","kind":"tool","text":"","tool":{"call_id":"c1"}}`,
		`{"id":"t2","kind":"tool","text":"","tool":{"call_id":"other"}}`,
		`{"id":"u","text":"hm"}`))
	var groups []string
	for _, c := range p.Candidates {
		groups = append(groups, c.Group)
	}
	if got := strings.Join(groups, ","); got != "a,a,a," || p.IDsRepaired != 1 {
		t.Errorf("groups %q with %d repaired, want %q with 1", got, p.IDsRepaired, "a,a,a,")
	}
}

func TestDecodeAll(t *testing.T) {
	one, two := withCandidates(`{"id":"a","text":"x"}`), withCandidates(`{"id":"b","text":"y"}`)
	pools, err := poolfile.DecodeAll(strings.NewReader("\ufeff"+one+"\r\n\r\n \n"+two), "pools.jsonl", counter{})
	if err != nil || len(pools) != 2 {
		t.Fatalf("DecodeAll = %d pools, %v", len(pools), err)
	}
	if pools[0].Candidates[0].ID != "a" || pools[1].Candidates[0].ID != "b" {
		t.Error("pools are not in the order of the file")
	}
	for _, c := range []struct{ name, file, want string }{
		{"empty", "\n", "poolfile: read pools.jsonl: no pools in it"},
		{"second", one + "\n" + `{"candidates":[{}]}`, "poolfile: read pools.jsonl line 2: $.candidates[0].id: missing"},
		{"after a blank line", "\n\n{}", "poolfile: read pools.jsonl line 3: $.candidates: missing"},
		{"byte order mark inside", one + "\n\ufeff" + two, "poolfile: read pools.jsonl line 2: not JSON"},
		{"UTF-16", "\xfe\xff\x00{", "poolfile: read pools.jsonl line 1: the text is UTF-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := poolfile.DecodeAll(strings.NewReader(c.file), "pools.jsonl", counter{})
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("DecodeAll = %v, want %q", err, c.want)
			}
		})
	}
}

// TestDecodeVectors reads the pools with known selections.
func TestDecodeVectors(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors in testdata (%v)", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var vector struct{ Pool json.RawMessage }
			if err := json.Unmarshal(data, &vector); err != nil {
				t.Fatal(err)
			}
			p, err := poolfile.Decode(bytes.NewReader(vector.Pool), counter{})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Warnings) > 0 || p.IDsRepaired > 0 {
				t.Errorf("%d ids repaired, warnings %v", p.IDsRepaired, p.Warnings)
			}
			if len(p.Candidates) == 0 || len(p.QueryEmbedding) == 0 {
				t.Errorf("%d candidates, %d numbers in the query's vector", len(p.Candidates), len(p.QueryEmbedding))
			}
		})
	}
}
