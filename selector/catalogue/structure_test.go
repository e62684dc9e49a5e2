package catalogue_test

import (
	"bytes"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// structure has the faults of the shape of what is kept.
func structure() []fault {
	pair := talk("s0 u1 a1{c1} t1{c1} u2 a2", map[string]string{
		"u1": "Look at the inventory.", "a1": "I shall read the kettle inventory now.",
		"t1": sized("stock", 880) + " the blue kettle is on shelf 4",
	})
	whole := func(t *testing.T, p *session.Pool, s *selector.Selection) {
		if keeps(t, p, s, "a1") != keeps(t, p, s, "t1") {
			t.Errorf("%s at %d: the call is kept %v, its result %v", s.Strategy, s.Budget, keeps(t, p, s, "a1"), keeps(t, p, s, "t1"))
		}
	}
	split := fault{number: 1, name: "a call and its result are apart, the result is asked for", check: whole, budgets: sweep(7)}
	asked := fault{number: 1, name: "a call and its result are apart, the call is asked for", check: whole, budgets: at(400)}
	out := both(split, "On which shelf is the blue kettle?", pair)
	out = append(out, both(asked, "Who shall read the kettle inventory?", pair)...)

	led := talk("s0 u1 a1{c1} t1{c1} a2 u2 a3", nil)
	starts := fault{number: 6, name: "the history starts with a tool message", budgets: sweep(5), check: startsWell}
	out = append(out, both(starts, "What is the ferry about?", led)...)
	bare := starts
	bare.name, bare.rules = "the history starts with a tool message, without rules", "none"
	out = append(out, both(bare, "What is the ferry about?", led)...)
	for name, short := range map[string]string{"no candidate": "", "only a system message": "s0", "one message": "u1"} {
		f := fault{number: 6, name: name, budgets: at(0, 1, 1000), check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			if s.Budget == 1000 && len(s.Kept) != len(p.Candidates) {
				t.Errorf("%s keeps %v", s.Strategy, s.Kept)
			}
		}}
		out = append(out, both(f, "What is the ferry about?", talk(short, nil))...)
	}
	return append(out, fault{
		number: 5, name: "a thinking block without text or signature", input: unsignedThinking, budgets: at(60),
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			w := warned(s, "thinking_unsigned")
			if keeps(t, p, s, "a2") || !keeps(t, p, s, "a1") || w == nil || w.IDs[0] != "a1" {
				t.Errorf("%s keeps %v, warning %+v", s.Strategy, s.Kept, w)
			}
		},
	},
		fault{number: 0, name: "ids of calls that repeat and that a provider rewrote", input: strangeCalls})
}

// startsWell checks that what is kept does not begin with a tool result, and in
// a session with what a person said.
func startsWell(t *testing.T, p *session.Pool, s *selector.Selection) {
	for _, i := range s.KeptIndices {
		switch kind := p.Candidates[i].Kind; {
		case kind == session.System:
			continue
		case kind == session.Tool:
			t.Errorf("%s at %d keeps %v, which begins with a tool result", s.Strategy, s.Budget, s.Kept)
		case kind != session.User && p.FromSession && len(s.Rules) > 0:
			t.Errorf("%s at %d keeps %v, which does not begin with a person", s.Strategy, s.Budget, s.Kept)
		}
		return
	}
}

// unsignedThinking has an older answer that a provider may refuse as the newest.
// What a transcript holds of a message stays as it is, byte for byte.
func unsignedThinking(t *testing.T) *session.Pool {
	said := talk("u1 a1 u2 a2", map[string]string{
		"u1": "Where is the blue kettle?", "u2": "Where is the blue kettle, in full?", "a2": sized("the blue kettle", 200),
	})
	said[1].blocks = []any{
		map[string]any{"type": "thinking", "thinking": "", "signature": nil},
		map[string]any{"type": "text", "text": "The blue kettle is on shelf 4."},
	}
	said[3].blocks = []any{
		map[string]any{"type": "thinking", "thinking": "Hm.", "thinkingSignature": "sig"},
		map[string]any{"type": "text", "text": said[3].text},
	}
	data := asking(said, "Where is the blue kettle?")
	s := read(t, data)
	stored := bytes.Split(data, []byte("\n"))[1:] // without the header
	for i, m := range said {
		if raw := s.Raw(m.id); len(raw) != 1 || !bytes.Equal(raw[0], stored[i]) {
			t.Errorf("the record of %s is %q", m.id, raw)
		}
	}
	return expect(t, s, "u1 a1 u2 a2", "", 0)
}

// strangeCalls has an id that is used again, one that two calls share, one that
// comes back without its marks, one that is empty, and a result of nothing.
func strangeCalls(t *testing.T) *session.Pool {
	data := asking(talk("u1 a1{c} t1{c} a2{c} t2{c} a3{d,d} t3{d} t4{d} a4{call_1} t5{call1} a5{e} t6{} u2 t7{gone}", nil), "And now?")
	p := expect(t, read(t, data), "u1 a1 t1 a2 t2 a3 t3 t4 a4 t5 a5 t6 u2 t7", "", 0)
	for result, caller := range map[string]string{"t1": "a1", "t2": "a2", "t3": "a3", "t4": "a3", "t5": "a4", "t6": "a5", "t7": ""} {
		if got := p.Candidates[place(t, p, result)].Group; got != caller {
			t.Errorf("%s is in the group %q, want %q", result, got, caller)
		}
	}
	if p.IDsRepaired != 4 {
		t.Errorf("%d ids repaired, want 4", p.IDsRepaired)
	}
	return p
}
