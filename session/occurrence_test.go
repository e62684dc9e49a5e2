package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestNeedle(t *testing.T) {
	for _, c := range []struct {
		needle, text string
		count        int
		first        string
	}{
		{"5433", "port is 5433, not 5432", 1, "5433"},
		{"staging PORT", "the Staging\n\t port", 1, "Staging\n\t port"},
		{" port ", "port", 1, "port"},
		{"aa", "aaaaa", 2, "aa"},
		{"ÄRGER", "viel Ärger", 1, "Ärger"},
		{"ärger", "viel A\u0308rger", 1, "A\u0308rger"},
		{"a\u0308rger", "viel ärger", 1, "ärger"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", 1, "σίσυφος"},
		{"kelvin", "\u212Aelvin", 1, "\u212Aelvin"},
		{"passkey", "pa\u00ADss\u200bkey", 1, "pa\u00ADss\u200bkey"},
		{"one two", "one\u00a0two", 1, "one\u00a0two"},
		{"中文", "这是中文。", 1, "中文"},
		{"port", "", 0, ""},
		{"part", "port", 0, ""},
		{"\xff", "a\xffb", 1, "\xff"},
	} {
		n, err := NewNeedle(c.needle)
		if err != nil {
			t.Fatal(err)
		}
		count, first := n.Find(c.text)
		if count != c.count || c.text[first.From:first.To] != c.first {
			t.Errorf("%q is in %q %d times, first as %q; want %d, %q", c.needle, c.text, count, c.text[first.From:first.To], c.count, c.first)
		}
	}
	for _, text := range []string{"", " \n\t", "\u200b\u00ad"} {
		if _, err := NewNeedle(text); err == nil {
			t.Errorf("%q gives a needle", text)
		}
	}
}

func TestNeedleWords(t *testing.T) {
	n, err := NewNeedle("Staging 端口 port")
	if err != nil {
		t.Fatal(err)
	}
	words := n.Words()
	for _, c := range []struct {
		text string
		want []int
	}{
		{"port of staging", []int{1, 0, 1}},
		{"a report of supports, import port", []int{0, 0, 1}},
		{"staging-port: PORT_1 port1 port端口", []int{1, 1, 3}},
		{"这是端口。", []int{0, 1, 0}},
		{"aport port", []int{0, 0, 1}},
	} {
		var got []int
		for _, w := range words {
			count, _ := w.Find(c.text)
			got = append(got, count)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q has %v, want %v", c.text, got, c.want)
		}
	}
	if one, _ := NewNeedle(" port "); one.Words() != nil {
		t.Error("one word has words")
	}
}

// Any piece of a text is found in it, also in capitals, decomposed and with other
// blanks; what is pointed at is found again by itself.
func TestNeedleFindsEveryPiece(t *testing.T) {
	letters := rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("aAzZ  \n\tÄäßẞéσςΣ\u0301\u00ad中")))
	rapid.Check(t, func(t *rapid.T) {
		text := norm.NFC.String(rapid.StringOfN(letters, 1, 60, -1).Draw(t, "text"))
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(runes)).Draw(t, "to")
		// Not from the middle of a character.
		if from > 0 && !norm.NFC.PropertiesString(string(runes[from:])).BoundaryBefore() ||
			to < len(runes) && !norm.NFC.PropertiesString(string(runes[to:])).BoundaryBefore() {
			t.Skip("half a character")
		}
		piece := string(runes[from:to])
		for _, form := range []string{piece, strings.ReplaceAll(piece, " ", "\n \t"), norm.NFD.String(piece), "\u200b" + piece + " "} {
			n, err := NewNeedle(form)
			if err != nil {
				continue
			}
			count, first := n.Find(text)
			if count == 0 {
				t.Fatalf("%q is not found in %q", form, text)
			}
			if again, _ := n.Find(text[first.From:first.To]); again != 1 {
				t.Fatalf("%q points at %q of %q, in which it is %d times", form, text[first.From:first.To], text, again)
			}
		}
	})
}

func TestOccurrences(t *testing.T) {
	s := &Session{
		Candidates: []Candidate{
			{ID: "u1", Kind: User, Text: "The Port is 5433. Which port?", Turn: 1},
			{ID: "a1", Kind: Assistant, Turn: 1, Calls: []ToolUse{{Name: "write", Args: json.RawMessage(`{"path":"notes.md","text":"the\nport \"staging\""}`)}}},
			{ID: "t1", Kind: Tool, Text: "done", Turn: 1},
		},
		Aside: []Aside{{Candidate: Candidate{ID: "x", Kind: User, Text: "the port again", Turn: 2}, Why: OtherBranch}},
		Host:  []HostFile{{Name: "USER.md", Text: "Ada asks for the port."}},
		Turns: []Turn{{Number: 1, Branch: BranchActive, EntryID: "u1"}, {Number: 2, Branch: BranchOther, EntryID: "x"}, {Number: 3, Branch: BranchActive, Window: []Span{{0, 3}}}},
	}
	for _, c := range []struct{ text, want string }{
		{"port", "u1×2 a1×1 x×1 USER.md×1"},
		{"the port", "u1×1 a1×1 x×1 USER.md×1"},
		{`port "staging"`, "a1×1"},
		{`"path":"notes.md"`, "a1×1"},
		{"write", "a1×1"},
		{"nothing of that", ""},
	} {
		n, err := NewNeedle(c.text)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Occurrences(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for k := range found {
			got = append(got, found[k].ID+"×"+string(rune('0'+found[k].Count)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q is in %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text, want string
		byWords    bool
	}{
		{"the port", "u1 a1 x USER.md", false},
		{"staging  THE port", "a1", true},
		{"port which", "u1", true},
		{"port nowhere", "", false},
		{"nowhere", "", false},
	} {
		n, err := NewNeedle(c.text)
		if err != nil {
			t.Fatal(err)
		}
		found, byWords, err := s.Lookup(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for k := range found {
			got = append(got, found[k].ID)
		}
		if strings.Join(got, " ") != c.want || byWords != c.byWords {
			t.Errorf("%q is looked up in %q (by words: %v), want %q", c.text, got, byWords, c.want)
		}
	}
	n, _ := NewNeedle("port")
	found, _ := s.Occurrences(t.Context(), n)
	places := NewPlaces(s, PoolWindow)
	for turn, want := range [][]Absence{
		{Asked, SaidInTurn, SaidLater, HostInjected},
		{OtherBranch, OtherBranch, OtherBranch, OtherBranch},
		{"", "", OtherBranch, HostInjected},
	} {
		for k := range found {
			if p := places.Find(turn, &found[k]); p.Absence != want[k] {
				t.Errorf("turn %d: %s is %+v, want %q", turn+1, found[k].ID, p, want[k])
			}
		}
	}
	s.Candidates = append(s.Candidates, Candidate{ID: "u1b"}, Candidate{ID: "20261129-x"}, Candidate{ID: "12345678a"}, Candidate{ID: "12345678b"})
	for name, want := range map[string]string{"u1": "u1", "#2": "a1", "3": "t1", "x": "x", "u1b": "u1b", "20261129": "20261129-x", "12345678b": "12345678b"} {
		if o, ok := s.Named(name); !ok || o.ID != want {
			t.Errorf("%q names %q", name, o.ID)
		}
	}
	for _, name := range []string{"", "#", "0", "8", "-1", "u", "#20", "2026112", "12345678"} {
		if o, ok := s.Named(name); ok {
			t.Errorf("%q names %q", name, o.ID)
		}
	}
}

// The arguments of a call read as what they say, whatever is escaped in them.
func TestUnescape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"\\\n/\tä")))).Draw(t, "said")
		other := rapid.String().Draw(t, "other")
		args, err := json.Marshal(map[string]any{"a": said, "b": []string{other}, "c": 5433})
		if err != nil {
			t.Fatal(err)
		}
		if got := unescape(string(args)); got != `{"a":"`+said+`","b":["`+other+`"],"c":5433}` {
			t.Fatalf("%s reads as %s", args, got)
		}
	})
	for _, broken := range []string{`"`, `{"a":"b`, `\`, `"\`, `{"a":"\x"}`, `"\u12"`} {
		unescape(broken) // ends
	}
}

// A file of pools repeats what it offers: one occurrence, wherever its pools have it.
func TestOccurrencesInPools(t *testing.T) {
	s := &Session{
		Candidates: []Candidate{{ID: "a", Text: "port", Number: 7}, {ID: "b", Text: "port", Number: 8}, {ID: "a", Text: "port", Number: 7}, {ID: "a", Text: "changed", Number: 7}},
		Turns: []Turn{
			{Number: 1, Branch: BranchActive, Window: []Span{{0, 2}}},
			{Number: 2, Branch: BranchActive, Window: []Span{{2, 3}}},
			{Number: 3, Branch: BranchActive, Window: []Span{{3, 4}}},
		},
		Pools: []*Pool{{}, {}, {}},
	}
	n, _ := NewNeedle("port")
	found, err := s.Occurrences(t.Context(), n)
	if err != nil || len(found) != 2 || found[0].Number != 7 {
		t.Fatalf("found %+v, %v", found, err)
	}
	places := NewPlaces(s, PoolWindow)
	for k, want := range [][]int{{0, 0, -1}, {1, -1, -1}} {
		var got []int
		for i := range s.Turns {
			got = append(got, places.Find(i, &found[k]).Index)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is at %v, want %v", found[k].ID, got, want)
		}
	}
	if p := places.Find(2, &found[0]); p.Absence != NotInPool {
		t.Errorf("what a pool has with another text is %+v", p)
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("before ä ", 30) + "PORT" + strings.Repeat(" after ö", 60)
	at := strings.Index(long, "PORT")
	got := excerpt(long, Span{From: at, To: at + 4})
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || !strings.Contains(got, "ä PORT after") || len(got) > 250 {
		t.Errorf("excerpt %q", got)
	}
	if got := excerpt("  short ", Span{}); got != "short" {
		t.Errorf("excerpt %q", got)
	}
}
