package selector_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/selectortest"
)

// What a pool that was not read gives is sound, keeps what lastk keeps, and says
// that it is partial where the strategy might have chosen otherwise.
func TestUnread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(12).Draw(t, "pool")
		engine := selector.NewEngine(embed.NewBuiltin(), "chars4")
		unread, err := engine.Unread(pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		read, err := engine.Prepare(background, pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opt := selector.Options{
			Rules: selector.DefaultRules(), Tail: rapid.IntRange(0, 2).Draw(t, "tail"), Debug: true,
			Budget: selector.Term{Value: rapid.IntRange(0, pool.Tokens()+1).Draw(t, "budget"), Source: "flag"},
		}
		opt.Strategy = mustStrategy(t, "lastk")
		newest, err := read.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range selector.Strategies() {
			opt.Strategy = mustStrategy(t, name)
			s, err := unread.Select(background, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := selectortest.Check(pool, s); err != nil {
				t.Error(err)
			}
			if !slices.Equal(s.KeptIndices, newest.KeptIndices) {
				t.Errorf("%s keeps %v unread, lastk %v", name, s.KeptIndices, newest.KeptIndices)
			}
			if s.Partial != warned(s, "partial") || warned(s, "query_empty") {
				t.Errorf("%s: partial %v, warnings %v", name, s.Partial, s.Warnings)
			}
			if s.Partial && name == "lastk" {
				t.Error("lastk is partial, but it reads no text")
			}
			if !s.Partial && name != "lastk" && len(s.Kept) < len(newest.Kept) {
				t.Errorf("%s is not partial, but was not read", name)
			}
		}
	})
}

func TestUnreadIsPartial(t *testing.T) {
	pool := long(60)
	p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Unread(pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range specs {
		opt := selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: pool.Tokens() / 3, Source: "flag"}}
		s, err := p.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		if s.Partial != (opt.Strategy.Name() != "lastk") || !s.Keeps(59) {
			t.Errorf("%s: partial %v, keeps the newest %v", name, s.Partial, s.Keeps(59))
		}
	}
}

// Whatever was warmed before, and wherever that ended, the answer is the same to
// the byte.
func TestWarmChangesNoAnswer(t *testing.T) {
	pool := long(300)
	opt := selector.Options{Budget: selector.Term{Value: pool.Tokens() / 4, Source: "flag"}, Debug: true}
	answers := func(e *selector.Engine) map[string][]byte {
		p, err := e.Prepare(background, pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		docs := make(map[string][]byte, len(specs))
		for _, name := range specs {
			opt.Strategy = mustStrategy(t, name)
			s, err := p.Select(background, opt)
			if err != nil {
				t.Fatal(err)
			}
			s.MS = selector.Timing{}
			if docs[name], err = json.Marshal(s); err != nil {
				t.Fatal(err)
			}
		}
		return docs
	}
	all := newEndsAfter(1<<40, nil)
	if err := selector.NewEngine(embed.NewBuiltin(), "chars4").Warm(all, pool); err != nil {
		t.Fatal(err)
	}
	want := answers(selector.NewEngine(embed.NewBuiltin(), "chars4"))
	for k := range 4 {
		e := selector.NewEngine(embed.NewBuiltin(), "chars4")
		if err := e.Warm(background, prefix(pool, 70)); err != nil {
			t.Fatal(err)
		}
		if err := e.Warm(newEndsAfter(1+all.asked*k/3, context.Canceled), pool); k < 3 && !errors.Is(err, context.Canceled) {
			t.Errorf("ended at look %d: %v", all.asked*k/3, err)
		}
		got := answers(e)
		for _, name := range specs {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s, warmed to %d of 3, gives\n%s\ncold\n%s", name, k, got[name], want[name])
			}
		}
	}
}

func TestBytesGrowWithWhatIsHeld(t *testing.T) {
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	e.KeepCosines(400)
	before := e.Bytes()
	for _, n := range []int{100, 300, 600} {
		if err := e.Warm(background, long(n)); err != nil {
			t.Fatal(err)
		}
		const least = 100 * 4 // what a vector has of the meaning of words, which is seldom 0
		if now := e.Bytes(); now <= before || now < int64(n)*least {
			t.Errorf("%d texts take %d bytes, those before %d", n, now, before)
		} else {
			before = now
		}
	}
	if got := fmt.Sprint(selector.NewEngine(embed.NewBuiltin(), "chars4").Bytes()); got != "0" {
		t.Errorf("an engine that saw nothing holds %s bytes", got)
	}
}
