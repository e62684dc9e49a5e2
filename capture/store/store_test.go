//go:build cgo

package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
	"pacms/session/files"
)

// open opens a store that the test closes.
func open(t *testing.T, path string, opt Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		_ = s.Close(ctx) // a test that closes it itself has looked at the error
	})
	return s
}

// shut closes a store, which has to write all.
func shut(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if st := s.Stats(); st.Queued != 0 || st.Lost() != 0 || st.Fault != "" {
		t.Fatalf("after Close: %+v", st)
	}
}

// reading opens a reader that the test closes.
func reading(t *testing.T, path string) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// stored reads everything in a file, which has to be sound.
func stored(t *testing.T, path string) []*Capture {
	t.Helper()
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	list, damaged, err := r.Captures(t.Context(), "")
	if err != nil || damaged != nil {
		t.Fatal(err, damaged)
	}
	integrity(t, path)
	return list
}

// integrity fails the test unless SQLite finds the file sound.
func integrity(t *testing.T, path string) {
	t.Helper()
	said, faults := "", 0
	err := database(t, path).QueryRow("SELECT integrity_check, (SELECT count(*) FROM pragma_foreign_key_check) FROM pragma_integrity_check").Scan(&said, &faults)
	if err != nil || said != "ok" || faults != 0 {
		t.Errorf("%s: %q, %d references to nothing, %v", path, said, faults, err)
	}
}

// database opens the file beside a store.
func database(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", files.DatabaseURI(path))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// alter runs SQL on a file.
func alter(t *testing.T, path, query string) {
	t.Helper()
	db := database(t, path)
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// simple is a capture of a turn with so many candidates, of which the last is new
// and the first kept.
func simple(turn, candidates int) Capture {
	p := &session.Pool{Schema: session.PoolSchema, Session: "main", Turn: turn, Query: fmt.Sprintf("question %d", turn), Candidates: []session.Candidate{}}
	for i := range candidates {
		p.Candidates = append(p.Candidates, session.Candidate{
			ID: fmt.Sprintf("e%d", i+1), Kind: session.User, Tokens: 100,
			Text: fmt.Sprintf("candidate %d: %s", i+1, strings.Repeat(fmt.Sprintf("word%d ", i%97), 40)),
		})
	}
	s := &selector.Selection{
		Schema: selector.SelectionSchema, Strategy: "pacms", Budget: 100, EffectiveBudget: 100,
		BudgetTerms: map[string]selector.Term{"budget": {Value: 100, Source: "request"}},
		Kept:        []string{}, KeptIndices: []int{}, Order: []int{},
	}
	codes := make([]selector.Code, candidates)
	if candidates > 0 {
		s.Kept, s.KeptIndices, s.Order, codes[0] = []string{"e1"}, []int{0}, []int{0}, selector.Selected
	}
	s.Restore(codes)
	return Capture{Time: time.Unix(int64(1_700_000_000+turn), 0).UTC(), Session: "main", Turn: turn, Pool: p, Selection: s, RequestID: fmt.Sprintf("r%d", turn)}
}

// hand hands in a capture, which has to be taken.
func hand(t *testing.T, s *Store, c Capture) {
	t.Helper()
	if !s.Record(c) {
		t.Fatalf("the capture of turn %d was dropped: %+v", c.Turn, s.Stats())
	}
}

func flush(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// oddText has what breaks encodings: controls, quotes, marks, half of everything.
func oddText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"", "\x00", "a\u2028b", "<&>", "\ufeff", "👨‍👩‍👧", "\U0010ffff", "\r\n", "\u202e", "\\ud800", "\ufffd", strings.Repeat("long ", 500)}),
	)
}

func vector(t *rapid.T, n int, name string) []float32 {
	return rapid.SliceOfN(rapid.Float32Range(-1, 1), n, n).Draw(t, name)
}

// randomPool draws a pool with everything that one can have.
func randomPool(t *rapid.T) *session.Pool {
	moment := func(name string) time.Time {
		return time.Unix(rapid.Int64Range(-1e9, 1e10).Draw(t, name), rapid.Int64Range(0, 999_999_999).Draw(t, name+" ns")).UTC()
	}
	count := func(name string) *int {
		if !rapid.Bool().Draw(t, "has "+name) {
			return nil
		}
		n := rapid.IntRange(0, 1<<30).Draw(t, name)
		return &n
	}
	use := func() session.ToolUse {
		u := session.ToolUse{Name: oddText().Draw(t, "tool"), CallID: oddText().Draw(t, "call"), Error: rapid.Bool().Draw(t, "error")}
		if rapid.Bool().Draw(t, "has args") {
			args, err := encode(map[string]string{oddText().Draw(t, "key"): oddText().Draw(t, "value")})
			if err != nil {
				t.Fatal(err)
			}
			u.Args = args
		}
		return u
	}
	p := &session.Pool{
		Schema: session.PoolSchema, Session: oddText().Draw(t, "session"), Turn: rapid.IntRange(0, 100).Draw(t, "turn"), Query: oddText().Draw(t, "query"),
		Budget: count("budget"), Window: count("window"), Reserve: count("reserve"), System: count("system"), Tools: count("tools"),
		FromSession: rapid.Bool().Draw(t, "from a session"), IDsRepaired: rapid.IntRange(0, 3).Draw(t, "repaired"), Candidates: []session.Candidate{},
	}
	if rapid.Bool().Draw(t, "has a time") {
		p.Time = moment("time")
	}
	if rapid.Bool().Draw(t, "has pending") {
		p.Pending = []session.Pending{{ID: "p", Text: oddText().Draw(t, "pending"), Tokens: rapid.IntRange(0, 99).Draw(t, "pending tokens")}}
	}
	if rapid.Bool().Draw(t, "has warnings") {
		p.Warnings = []session.Warning{{Code: "c", Message: oddText().Draw(t, "warning"), IDs: []string{"a"}, Count: 2}}
	}
	n, dim := rapid.IntRange(0, 6).Draw(t, "candidates"), 0
	how := rapid.SampledFrom([]string{"text", "vectors", "similarity"}).Draw(t, "how")
	if how == "vectors" {
		dim = rapid.IntRange(1, 5).Draw(t, "dimensions")
		p.QueryEmbedding = vector(t, dim, "query vector")
	}
	if how == "similarity" {
		triangle := base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 2*n*max(n-1, 0), 2*n*max(n-1, 0)).Draw(t, "pairs"))
		p.Similarity = &session.Similarity{Query: vector(t, n, "cosines"), Pairs: triangle, Containment: triangle}
	}
	for i := range n {
		c := session.Candidate{
			ID: fmt.Sprint(i, oddText().Draw(t, "id")), Kind: rapid.SampledFrom(session.Kinds).Draw(t, "kind"), Text: oddText().Draw(t, "text"),
			Tokens: rapid.IntRange(0, 9999).Draw(t, "tokens"), Required: rapid.Bool().Draw(t, "required"), Group: oddText().Draw(t, "group"),
			Number: rapid.IntRange(0, 9).Draw(t, "number"), Turn: rapid.IntRange(0, 9).Draw(t, "said in"), Internal: oddText().Draw(t, "internal"),
			Images: rapid.IntRange(0, 2).Draw(t, "images"), ThinkingUnsigned: rapid.Bool().Draw(t, "unsigned"),
		}
		if rapid.Bool().Draw(t, "has a time") {
			c.Time = moment("said at")
		}
		if rapid.Bool().Draw(t, "is a result") {
			tool := use()
			c.Tool = &tool
		}
		for range rapid.IntRange(0, 2).Draw(t, "calls") {
			c.Calls = append(c.Calls, use())
		}
		if dim > 0 {
			c.Embedding = vector(t, dim, "vector")
		}
		p.Candidates = append(p.Candidates, c)
	}
	return p
}

// randomSelection draws what was selected of a pool.
func randomSelection(t *rapid.T, p *session.Pool) *selector.Selection {
	s := &selector.Selection{
		Schema: selector.SelectionSchema, Strategy: rapid.SampledFrom(selector.Strategies()).Draw(t, "strategy"),
		Budget: rapid.IntRange(0, 99999).Draw(t, "asked"), BudgetTerms: map[string]selector.Term{}, QuerySource: "request",
		Kept: []string{}, KeptIndices: []int{}, Order: []int{}, Coverage: rapid.Float64Range(0, 1).Draw(t, "coverage"),
		Embedder: oddText().Draw(t, "embedder"), Tokenizer: "openclaw", Rules: []string{"first"}, Warnings: []session.Warning{},
		Partial: rapid.Bool().Draw(t, "partial"), MS: selector.Timing{Embed: 0.25, Select: 3},
	}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"budget", "pending", "window", "reserve"}), rapid.ID[string]).Draw(t, "terms") {
		s.BudgetTerms[name] = selector.Term{Value: rapid.IntRange(0, 9999).Draw(t, name), Source: "request"}
	}
	codes := make([]selector.Code, len(p.Candidates))
	for i := range p.Candidates {
		codes[i] = selector.Irrelevant
		if rapid.Bool().Draw(t, "kept") {
			codes[i] = selector.Selected
			s.Kept, s.KeptIndices, s.Order = append(s.Kept, p.Candidates[i].ID), append(s.KeptIndices, i), append(s.Order, i)
		}
	}
	if rapid.Bool().Draw(t, "has an objective") {
		x := rapid.Float64Range(0, 9).Draw(t, "objective")
		s.Objective, s.UpperBound, s.Certificate = &x, &x, &x
	}
	s.Restore(codes)
	return s
}

// same fails unless what was read is what was recorded.
func same(t interface{ Fatalf(string, ...any) }, got *Capture, want Capture) {
	gotPool, gotSelection := got.Pool, got.Selection
	if !reflect.DeepEqual(gotPool, want.Pool) {
		t.Fatalf("the pool\n%#v\nwas read as\n%#v", want.Pool, gotPool)
	}
	if gotPool.Hash() != want.Pool.Hash() {
		t.Fatalf("the pool has another hash")
	}
	if !reflect.DeepEqual(gotSelection, want.Selection) {
		t.Fatalf("the selection\n%#v\nwas read as\n%#v", want.Selection, gotSelection)
	}
	if !got.Time.Equal(want.Time) || got.Session != want.Session || got.Turn != want.Turn || got.RequestID != want.RequestID || got.Redacted {
		t.Fatalf("%+v was read as %+v", want, got)
	}
}

// What is recorded reads back equal, whatever a pool has in it, and however much of
// it pools share.
func TestReadsBackEqual(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		path := filepath.Join(folder, fmt.Sprint(run), "c.sqlite")
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		var want []Capture
		for i := range rapid.IntRange(1, 4).Draw(rt, "captures") {
			p := randomPool(rt)
			if i > 0 && rapid.Bool().Draw(rt, "goes on") {
				p.Candidates = append(slices.Clone(want[i-1].Pool.Candidates), p.Candidates...)
			}
			c := Capture{
				Time: time.Unix(int64(i), 5).UTC(), Session: oddText().Draw(rt, "key"), Turn: p.Turn, Pool: p,
				Selection: randomSelection(rt, p), RequestID: fmt.Sprint("r", i),
			}
			if !s.Record(c) {
				rt.Fatalf("dropped: %+v", s.Stats())
			}
			want = append(want, c)
		}
		if err := s.Close(context.Background()); err != nil {
			rt.Fatal(err)
		}
		list := stored(t, path)
		if len(list) != len(want) {
			rt.Fatalf("%d captures were read, not %d: %+v", len(list), len(want), s.Stats())
		}
		for i := range want {
			same(rt, list[i], want[i])
		}
		_ = os.RemoveAll(filepath.Dir(path)) // hundreds of them add up
	})
}

// Every field of a candidate is part of what names it in the file, but for whether it
// is required, which belongs to the pool.
func TestEveryFieldIsStored(t *testing.T) {
	t.Parallel()
	typ := reflect.TypeFor[session.Candidate]()
	for i := range typ.NumField() {
		field := typ.Field(i)
		var c session.Candidate
		switch v := reflect.ValueOf(&c).Elem().Field(i).Addr().Interface().(type) {
		case *string:
			*v = "x"
		case *session.Kind:
			*v = session.Tool
		case *int:
			*v = 3
		case *bool:
			*v = true
		case *time.Time:
			*v = time.Unix(1, 0).UTC()
		case **session.ToolUse:
			*v = &session.ToolUse{Name: "x"}
		case *[]session.ToolUse:
			*v = []session.ToolUse{{Name: "x"}}
		case *[]float32:
			*v = []float32{0.5}
		default:
			t.Fatalf("nothing is known of the type of %s", field.Name)
		}
		q := &queued{Capture: Capture{Pool: &session.Pool{Candidates: []session.Candidate{c}}, Selection: &selector.Selection{}}}
		e, err := newEntry(q, nil)
		if err != nil {
			t.Fatal(err)
		}
		read, err := decodeItem(pack(e.list[0].body))
		if err != nil {
			t.Fatal(err)
		}
		r, err := decodeRecord(e.record)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := r.capture([]session.Candidate{read})
		if err != nil || !reflect.DeepEqual(p.Candidates[0], c) {
			t.Errorf("%s is lost: %+v, %v", field.Name, p.Candidates[0], err)
		}
	}
}

// The turns of a session share what they have in common: a thousand of them take
// hardly more than their items and a few KB each.
func TestSharedItems(t *testing.T) {
	t.Parallel()
	const turns, candidates = 200, 300
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{Queue: turns, QueueBytes: 1 << 30})
	texts := 0
	for i := range turns {
		c := simple(i+1, candidates+i)
		texts += int(sizeOf(c.Pool))
		hand(t, s, c)
	}
	shut(t, s)
	r := reading(t, path)
	info, err := r.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Captures != turns || info.Items != candidates+turns-1 {
		t.Errorf("%d captures with %d items are stored, not %d with %d", info.Captures, info.Items, turns, candidates+turns-1)
	}
	if info.Bytes*20 > int64(texts) {
		t.Errorf("pools of %d bytes take %d in the file", texts, info.Bytes)
	}
	t.Logf("%d bytes of pools take %d", texts, info.Bytes)
}

// The file is its owner's alone, and so is all beside it.
func TestPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	path := filepath.Join(t.TempDir(), "state", "c.sqlite")
	s := open(t, path, Options{})
	hand(t, s, simple(1, 3))
	flush(t, s)
	found := 0
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		if err != nil {
			continue
		}
		found++
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", path+suffix, info.Mode())
		}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 || found != 3 {
		t.Errorf("the folder with %d files is %v, %v", found, info.Mode(), err)
	}
	shut(t, s)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	shut(t, open(t, path, Options{}))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a file that others can read stays %v, %v", info.Mode(), err)
	}
}

// A store that is closed, or has too much to write, drops what comes, and says so,
// also in the file.
func TestDropped(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{})
	shut(t, s)
	if s.Record(simple(1, 2)) || s.Stats().Dropped != 1 || s.Stats().Lost() != 1 {
		t.Errorf("a closed store took a capture: %+v", s.Stats())
	}
	lock := holdLock(t, path)
	s = open(t, path, Options{Queue: 5})
	for i := range 8 {
		if took := s.Record(simple(i+1, 2)); took != (i < 5) {
			t.Errorf("capture %d: %v", i, took)
		}
	}
	if err := s.Flush(canceled()); err == nil || !strings.Contains(err.Error(), "5 captures not written") {
		t.Errorf("Flush says %v", err)
	}
	lock()
	flush(t, s)
	shut2 := s.Close(t.Context())
	if st := s.Stats(); shut2 != nil || st.Written != 5 || st.Dropped != 3 || st.Failed != 0 || st.Queued != 0 {
		t.Errorf("%+v, %v", st, shut2)
	}
	info, err := reading(t, path).Info(t.Context())
	if err != nil || info.Lost() != 3 || info.Captures != 5 {
		t.Errorf("the file tells %+v, %v", info, err)
	}
}

// What waits is bounded in bytes too, but a large pool alone is taken.
func TestQueueBytes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	shut(t, open(t, path, Options{}))
	lock := holdLock(t, path)
	s := open(t, path, Options{QueueBytes: 1000})
	if !s.Record(simple(1, 50)) {
		t.Error("a pool that is larger than the queue is not taken at all")
	}
	if s.Record(simple(2, 1)) {
		t.Error("more is taken than may wait")
	}
	lock()
	flush(t, s)
	hand(t, s, simple(3, 1))
}

// Redaction reaches every text, and leaves arguments JSON.
func TestRedact(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{Redact: func(text string) string { return strings.ReplaceAll(text, "hunter2", `"***"`) }})
	c := simple(1, 2)
	c.Pool.Query = "is it hunter2?"
	c.Pool.Pending = []session.Pending{{ID: "p", Text: "hunter2"}}
	c.Pool.Candidates[0].Text = "it is hunter2"
	c.Pool.Candidates[0].Calls = []session.ToolUse{{Name: "login", Args: []byte(`{"password":"hunter2"}`)}}
	c.Pool.Candidates[1].Tool = &session.ToolUse{Name: "login", Args: []byte(`["hunter2"]`)}
	hand(t, s, c)
	shut(t, s)
	if strings.Contains(c.Pool.Query+c.Pool.Candidates[0].Text, "***") {
		t.Error("the pool itself was changed")
	}
	got := stored(t, path)[0]
	document, err := encode(got.Pool)
	if err != nil || strings.Contains(string(document), "hunter2") || strings.Count(string(document), "***") != 5 || !got.Redacted {
		t.Errorf("stored is %s, %v", document, err)
	}
	entries, err := reading(t, path).List(t.Context(), Filter{})
	if err != nil || strings.Contains(entries[0].Question, "hunter2") || !entries[0].Redacted {
		t.Errorf("listed is %+v, %v", entries, err)
	}
}

// A list has the newest first, of one session if asked.
func TestList(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{})
	for i := range 5 {
		c := simple(i+1, 2)
		c.Session = []string{"main", "other"}[i%2]
		hand(t, s, c)
	}
	shut(t, s)
	r := reading(t, path)
	for _, test := range []struct {
		filter Filter
		turns  string
	}{
		{Filter{}, "5 4 3 2 1"}, {Filter{Newest: 2}, "5 4"}, {Filter{Session: "other"}, "4 2"}, {Filter{Session: "main", Newest: 1}, "5"}, {Filter{Session: "none"}, ""},
	} {
		entries, err := r.List(t.Context(), test.filter)
		var turns []string
		for i := range entries {
			turns = append(turns, fmt.Sprint(entries[i].Turn))
		}
		if got := strings.Join(turns, " "); err != nil || got != test.turns {
			t.Errorf("%+v: %q, not %q, %v", test.filter, got, test.turns, err)
		}
	}
	sessions, err := r.Sessions(t.Context())
	if err != nil || len(sessions) != 2 || sessions[0].Key != "main" || sessions[0].Captures != 3 || sessions[0].First != "question 1" || sessions[1].Captures != 2 {
		t.Errorf("%+v, %v", sessions, err)
	}
	third, err := r.Capture(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		session string
		at      time.Time
		turn    int
	}{{"main", third.Time, 1}, {"main", third.Time.Add(1), 3}, {"main", third.Time.Add(time.Hour), 5}, {"main", time.Unix(0, 0), 0}, {"none", third.Time, 0}} {
		c, err := r.Before(t.Context(), test.session, test.at)
		if err != nil || (c == nil) != (test.turn == 0) || c != nil && (c.Turn != test.turn || len(c.Pool.Candidates) != 2) {
			t.Errorf("%s before %v: %+v, %v, want turn %d", test.session, test.at, c, err, test.turn)
		}
	}
	if c, err := r.Capture(t.Context(), 2); err != nil || c.Turn != 2 || c.ID != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := r.Capture(t.Context(), 99); err == nil || !strings.Contains(err.Error(), "has no capture 99") {
		t.Error(err)
	}
}

// canceled is a context that has ended.
func canceled() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	return ctx
}

// holdLock takes the write lock of a file, as another process may, until the
// returned function is called.
func holdLock(t *testing.T, path string) (release func()) {
	t.Helper()
	conn, err := database(t, path).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
	}
}
