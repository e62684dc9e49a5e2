package expect_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/expect"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
)

// demo is the recorded session.
func demo(t testing.TB) *session.Session {
	t.Helper()
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	s, err := openclaw.Read(t.Context(), testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRead(t *testing.T) {
	t.Parallel()
	list, err := expect.Read([]byte(`# what must not be forgotten
schema: pacms.expect/1
expect:
  - turn: 61
    keep: {find: 'staging db port is 5433'}
    strategy: [pacms, "mmr:lambda=0.7"]
    budget: [5%, 4k]
    note: the question asks for it
  - at: 2026-11-29 15:04
    session: agent:main:main
    drop:
      id: 17
  - question: which port
    keep: {id: "#3"}
    budget: 900
`))
	if err != nil {
		t.Fatal(err)
	}
	budgets := func(texts ...string) (list []selector.BudgetSpec) {
		for _, text := range texts {
			b, err := selector.ParseBudget(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, b)
		}
		return list
	}
	if s := list[0].Strategies; len(s) != 2 || s[0].String() != "pacms" || s[1].String() != "mmr:lambda=0.7" {
		t.Errorf("the strategies are %v", s)
	}
	pacms, other := list[0].Strategies[0], budgets("5%", "6%")
	if !list[0].Of(pacms, other[0]) || list[0].Of(pacms, other[1]) || !list[1].Of(pacms, other[1]) {
		t.Error("an expectation is of another strategy or budget than it names")
	}
	list[0].Strategies = nil
	want := []expect.Expectation{
		{Line: 4, Turn: 61, Keep: true, Find: "staging db port is 5433", Budgets: budgets("5%", "4k"), Note: "the question asks for it"},
		{Line: 9, At: "2026-11-29 15:04", Session: "agent:main:main", ID: "17"},
		{Line: 13, Question: "which port", Keep: true, ID: "#3", Budgets: budgets("900")},
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("%+v\nwant\n%+v", list, want)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  "the file is empty",
		"expect: [":                         "line 1",
		"- turn: 1":                         "line 1: the file consists of keys",
		"schema: pacms.pool/1\nexpect: [1]": `line 1: the schema is "pacms.pool/1", not pacms.expect/1`,
		"expect: []":                        "line 1: the key expect has no list of at least one",
		"expect: {}\n":                      "has no list of at least one",
		"expect:\n - 5\n":                   "line 2: an expectation consists of keys",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   kepp: {id: 2}\n":                           `line 4: there is no key "kepp"`,
		"expect:\n - turn: 1\n   keep: {id: 1}\n   turn: 2\n":                                 "line 4: turn is there twice",
		"expect:\n - keep: {id: 1}\n":                                                         "line 2: the turn is said by one of turn, at, question, and there are 0",
		"expect:\n - turn: 1\n   at: 1\n   keep: {id: 1}\n":                                   "and there are 2",
		"expect:\n - turn: 1\n":                                                               "what is expected is said by one of keep, drop",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   drop: {id: 1}\n":                           "what is expected is said by one of keep, drop",
		"expect:\n - turn: 0\n   keep: {id: 1}\n":                                             `line 2: turn: "0" is no number from 1 on`,
		"expect:\n - turn: [1]\n   keep: {id: 1}\n":                                           "line 2: the value of turn is one text or number",
		"expect:\n - turn: 1\n   keep: 17\n":                                                  "line 3: what is kept or dropped consists of keys with values: id, find",
		"expect:\n - turn: 1\n   keep: {}\n":                                                  "the item is said by one of id, find, and there are 0",
		"expect:\n - turn: 1\n   keep: {find: ' '}\n":                                         "line 3: the value of find is empty: it is a text or a number",
		"expect:\n - turn: 1\n   keep: {find: \"\\u200b\"}\n":                                 "line 3: the text of find cannot be looked for: there is nothing to find",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   budget: lots\n":                            "line 4: budget: ",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   budget: []\n":                              "line 4: the list of budget: is empty",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   strategy: [topk, topk]\n":                  "line 4: strategy: topk is there twice",
		"expect:\n - turn: 1\n   keep: {id: 1}\n   strategy: best\n":                          `line 4: strategy: no strategy "best"`,
		"expect:\n - turn: 1\n   keep: {id: 1}\n---\nexpect:\n - turn: 1\n   keep: {id: 1}\n": "more than one document",
		"a: &a [*a]\n":      `no key "a"`,
		"expect: &a [*a]\n": "line 1: an expectation consists of keys",
		"expect:\n - turn: .nan\n   keep: {id: 1}\n":               `line 2: turn: ".nan" is no number from 1 on`,
		"expect:\n - turn: 1\n   keep: {id: 1}\n   budget: .nan\n": `line 4: budget: selector: no budget ".nan": ".nan" is not a number`,
		"expect:\n - turn: 1\n   keep: {find: null}\n":             "line 3: the value of find is nothing, which YAML writes as null: the word stands in quotes",
		"expect:\n - turn: 1\n   keep: {id: }\n":                   "line 3: the value of id is empty",
		"expect: x: y\n":                                           "it is no YAML: mapping values are not allowed",
		"expect:\n - turn: 1\n   keep: &x {id: 1}\n - *x\n":        `line 3: there is no key "id" here`,
	} {
		_, err := expect.Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", text, err, want)
		}
	}
	_, err := expect.Read([]byte("expect:\n - turn: 1\n   kep: {id: 1}\n"))
	if unknown, ok := errors.AsType[*expect.KeyError](err); !ok || unknown.Key != "kep" || unknown.Line != 3 {
		t.Errorf("an unknown key gives %v", err)
	}
}

// What is written is read as the same.
func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-zA-Z0-9#:%'" _\-{}\[\]&*?|>!,.~@]{1,20}`).Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
	rapid.Check(t, func(t *rapid.T) {
		var list []expect.Expectation
		for i := range rapid.IntRange(1, 4).Draw(t, "n") {
			e := expect.Expectation{Keep: rapid.Bool().Draw(t, "keep")}
			switch i % 3 {
			case 0:
				e.Turn = rapid.IntRange(1, 999).Draw(t, "turn")
			case 1:
				e.At = word.Draw(t, "at")
			default:
				e.Question = word.Draw(t, "question")
			}
			if rapid.Bool().Draw(t, "by id") {
				e.ID = word.Draw(t, "id")
			} else {
				e.Find = word.Draw(t, "find")
			}
			if rapid.Bool().Draw(t, "more") {
				e.Session, e.Note = word.Draw(t, "session"), word.Draw(t, "note")
				b, err := selector.ParseBudget("12.5%")
				if err != nil {
					t.Fatal(err)
				}
				s, err := selector.ParseStrategy("mmr:lambda=0.7")
				if err != nil {
					t.Fatal(err)
				}
				e.Budgets, e.Strategies = []selector.BudgetSpec{b}, []selector.Strategy{s}
			}
			list = append(list, e)
		}
		var b bytes.Buffer
		if err := expect.Write(&b, list); err != nil {
			t.Fatal(err)
		}
		again, err := expect.Read(b.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		for i := range again {
			if again[i].Line == 0 {
				t.Fatal("what was read has no line")
			}
			again[i].Line = 0
			for k, s := range again[i].Strategies {
				if s.String() != list[i].Strategies[k].String() {
					t.Fatalf("%v became %v", list[i].Strategies, again[i].Strategies)
				}
			}
			again[i].Strategies = list[i].Strategies
		}
		if !reflect.DeepEqual(again, list) {
			t.Fatalf("%+v became %+v by way of\n%s", list, again, b.String())
		}
	})
}

// FuzzExpectations gives any bytes as a file: they are refused, or read as what can be
// written and read again.
func FuzzExpectations(f *testing.F) {
	for _, text := range []string{
		"expect:\n - turn: 1\n   keep: {id: 1}\n", "schema: pacms.expect/1\nexpect:\n- question: a\n  drop: {find: b}\n  budget: [1, 2%]\n  strategy: topk\n",
		"a: &a\n - *a\n", "expect: [[[[{", "---\n---\n", "\xff\xfe", "expect:\n - at: 15:04\n   keep: {id: ~}\n", "? - a\n: b\n", "expect: !!binary aaaa",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := expect.Read(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := expect.Write(&b, list); err != nil {
			t.Fatal(err)
		}
		if again, err := expect.Read(b.Bytes()); err != nil || len(again) != len(list) {
			t.Fatalf("%q is written as %q, which gives %v", data, b.String(), err)
		}
	})
}

func TestResolve(t *testing.T) {
	t.Parallel()
	s := demo(t)
	places := session.NewPlaces(s, session.PoolWindow)
	resolve := func(list ...expect.Expectation) ([]expect.Case, error) {
		pointers := make([]*expect.Expectation, len(list))
		for i := range list {
			list[i].Line = 7 + i
			pointers[i] = &list[i]
		}
		cases, wrong, err := expect.Resolve(t.Context(), s, places, pointers)
		for _, u := range wrong {
			err = errors.Join(err, u)
		}
		return cases, err
	}
	for name, e := range map[string]expect.Expectation{
		"by number": {Turn: 61, ID: "13"}, "by label": {Turn: 61, ID: "#13"}, "by id": {Turn: 61, ID: "4358f661-2734-4bc7-b243-5199f3571cd5"},
		"by text": {Turn: 61, Find: "Staging DB port is 5433, not the"}, "by question": {Question: "which port did we settle", ID: "13"},
	} {
		cases, err := resolve(e)
		if err != nil || len(cases) != 1 || cases[0].Item.Number != 13 || s.Turns[cases[0].Turn].Number != 61 {
			t.Errorf("%s: %v, %v", name, cases, err)
		}
	}
	for want, e := range map[string]expect.Expectation{
		"line 7: there is no turn 999: the session has turns 1 to":              {Turn: 999, ID: "13"},
		`there is no item of the number or id "9999"`:                           {Turn: 61, ID: "9999"},
		"#14 had not been said when turn 4 began":                               {Turn: 4, ID: "14"},
		`line 7: no item before turn 2 says "staging db port is 5433, not the"`: {Turn: 2, Find: "staging db port is 5433, not the"},
		"take a longer text or an id:\n  #":                                     {Turn: 61, Find: "staging"},
		`question: no turn was asked "what is the colour of the moon"`:          {Question: "what is the colour of the moon", ID: "13"},
		"turns were asked \"the\", name one by its number: turn ":               {Question: "the", ID: "13"},
		`at: "noon" is no time such as 15:04`:                                   {At: "noon", ID: "13"},
		"at: no turn is as late as 2999-01-01 10:00":                            {At: "2999-01-01 10:00", ID: "13"},
		"and 1": {Turn: 61, Find: "a"},
	} {
		if _, err := resolve(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v gives %v, want %q", e, err, want)
		}
	}
	cases, err := resolve(expect.Expectation{Turn: 900, ID: "1"}, expect.Expectation{Turn: 61, ID: "1"}, expect.Expectation{Turn: 901, ID: "1"})
	if err == nil || len(cases) != 1 || !strings.Contains(err.Error(), "line 7: there is no turn 900") || !strings.Contains(err.Error(), "line 9: there is no turn 901") {
		t.Errorf("two that name nothing give %v, %v", cases, err)
	}
}

// An expectation and its contrary are refused where one selection may be asked for both.
func TestContraryExpectations(t *testing.T) {
	t.Parallel()
	s := demo(t)
	places := session.NewPlaces(s, session.PoolWindow)
	for how, contrary := range map[string]bool{
		"":                              true,
		"strategy: pacms":               true,
		"strategy: topk":                false,
		"strategy: [topk, pacms]":       true,
		"strategy: pacms, budget: 5%":   true,
		"strategy: pacms, budget: 6%":   false,
		"strategy: lastk, budget: 5%":   false,
		"strategy: [lastk], budget: 1k": false,
	} {
		list, err := expect.Read([]byte("expect:\n- {turn: 61, keep: {id: 13}, strategy: pacms, budget: 5%}\n- {turn: 60, drop: {id: 13}}\n" +
			"- {turn: 61, keep: {id: 13}, " + how + "}\n- {turn: 61, drop: {find: staging db port is 5433}, " + how + "}\n"))
		if err != nil {
			t.Fatal(err)
		}
		cases, wrong, err := expect.Resolve(t.Context(), s, places, []*expect.Expectation{&list[0], &list[1], &list[3]})
		if err != nil || (len(wrong) == 1) != contrary || len(cases)+len(wrong) != 3 {
			t.Errorf("%s: %v, %v", how, wrong, err)
		}
		if contrary && wrong[0].Error() != "expect: line 5: #13 is to be dropped in turn 61, and line 2 says that it is to be kept there" {
			t.Error(wrong[0])
		}
	}
}

// An alias stands for what it is an alias of, and has its own line.
func TestAliases(t *testing.T) {
	t.Parallel()
	got, err := expect.Read([]byte("expect:\n - &one {turn: 61, keep: &item {id: 13}, strategy: &which [pacms, topk]}\n - *one\n - turn: 60\n   keep: *item\n   strategy: *which\n"))
	if err != nil || len(got) != 3 || got[1].Line != 3 || got[1].ID != "13" || got[1].Turn != 61 || got[2].ID != "13" || len(got[2].Strategies) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAssign(t *testing.T) {
	t.Parallel()
	a := &session.Session{Key: "agent:a", Source: session.Source{Path: "/x/one.jsonl"}}
	b := &session.Session{Key: "agent:b", Source: session.Source{Path: "/x/two.jsonl"}}
	list := []expect.Expectation{{Session: "agent:b", Line: 1}, {Session: "one.jsonl", Line: 2}}
	got, err := expect.Assign(list, []*session.Session{a, b})
	if err != nil || len(got[0]) != 1 || got[0][0].Line != 2 || len(got[1]) != 1 || got[1][0].Line != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := expect.Assign([]expect.Expectation{{Line: 3}}, []*session.Session{a}); err != nil || len(got[0]) != 1 {
		t.Errorf("the only session: %v, %v", got, err)
	}
	for want, e := range map[string]expect.Expectation{
		"line 3: there are several sessions, and no session: says which":                                                  {Line: 3},
		`line 4: no session that is looked at is called "agent:c", there are: agent:a in one.jsonl, agent:b in two.jsonl`: {Line: 4, Session: "agent:c"},
	} {
		if _, err := expect.Assign([]expect.Expectation{e}, []*session.Session{a, b}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// An expectation is met exactly where the selection keeps what is to be kept, and what
// no turn is offered is not kept.
func TestMet(t *testing.T) {
	t.Parallel()
	s := demo(t)
	places := session.NewPlaces(s, session.PoolWindow)
	engine := selector.NewEngine(embed.NewBuiltin(), s.Tokenizer)
	const turn = 60
	number := s.Turns[turn].Number
	pool := s.Pool(turn, session.PoolWindow)
	p, err := engine.Prepare(t.Context(), pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range selector.Strategies() {
		strategy, err := selector.ParseStrategy(name)
		if err != nil {
			t.Fatal(err)
		}
		sel, err := p.Select(t.Context(), selector.Options{Strategy: strategy, Budget: selector.Term{Value: 1808, Source: "flag"}, Rules: selector.DefaultRules(), Tail: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range pool.Candidates {
			for _, keep := range []bool{true, false} {
				cases, _, err := expect.Resolve(t.Context(), s, places, []*expect.Expectation{{Turn: number, Keep: keep, ID: pool.Candidates[i].ID}})
				if err != nil {
					t.Fatal(err)
				}
				c := &cases[0]
				if met := c.Met(c.Sight(places, pool, sel)); !c.Offered(places) || met != (sel.Keeps(i) == keep) {
					t.Fatalf("%s: %s of #%d is met: %v, kept: %v", name, c.Verb(), i+1, met, sel.Keeps(i))
				}
			}
		}
	}
}

// What a compaction took away is missed where it is to be kept, and the summary is said.
func TestCompactedIsMissed(t *testing.T) {
	t.Parallel()
	s := demo(t)
	places := session.NewPlaces(s, session.PoolWindow)
	last := len(s.Turns) - 1
	for _, keep := range []bool{true, false} {
		cases, _, err := expect.Resolve(t.Context(), s, places, []*expect.Expectation{{Turn: s.Turns[last].Number, Keep: keep, ID: "13"}})
		if err != nil {
			t.Fatal(err)
		}
		sight := cases[0].Sight(places, nil, nil)
		if cases[0].Offered(places) || cases[0].Met(sight) == keep || sight.Code != selector.Code(session.Compacted) || sight.Into == 0 {
			t.Errorf("keep %v: %+v", keep, sight)
		}
	}
}
