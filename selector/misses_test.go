package selector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

const (
	config  = "database:\n  host: staging-db\n  port: 5433\n  pool: 12\n"
	changed = "database:\n  host: staging-db\n  port: 5434\n  pool: 12\n"
	longer  = config + "redis:\n  host: staging-redis\n  port: 6380\n"
	hits    = "internal/pay/retry.go:14: maxAttempts = 3\n"
)

// needsOf are the needs of the turn at index i as a line each: the sign, what was
// found, and the ids of the holders.
func needsOf(s *session.Session, i int) []string {
	p := s.Pool(i, session.PoolWindow)
	var lines []string
	for _, n := range selector.NewHindsight(s).Needs(i, p) {
		line := string(n.Sign) + " " + n.Text + ":"
		for _, h := range n.Holders {
			line += " " + p.Candidates[h].ID
		}
		lines = append(lines, line)
	}
	return lines
}

// Each session is planted with one thing; the turn that counts is the one before
// the last, and the last only says what the person says next.
func TestNeedsOfPlantedSessions(t *testing.T) {
	t.Parallel()
	look := func(more ...[]session.Candidate) plantedTurn {
		return plantedTurn{ask: "Look at the settings", answer: "Done.", more: calls(more...)}
	}
	read := func(text string) []session.Candidate { return called("read", `{"path":"conf/app.yaml"}`, text) }
	grep := func(args, text string) []session.Candidate { return called("exec", args, text) }
	fact := plantedTurn{ask: "Mind that the staging port is 5433, not the default.", answer: "Noted."}
	thanks := plantedTurn{ask: "Thank you"}
	for name, c := range map[string]struct {
		turns []plantedTurn
		want  string
	}{
		"quoted": {[]plantedTurn{fact, {ask: "Which one is it?", answer: "It is 5433."}, thanks}, "quoted 5433: c0"},
		"quoted, but a common word": {
			[]plantedTurn{{ask: "The harbour is closed", answer: "Yes, the harbour."}, {ask: "So?", answer: "Then not to the harbour."}, thanks}, "",
		},
		"quoted from the question":  {[]plantedTurn{fact, {ask: "Is it 5433?", answer: "Yes, 5433."}, thanks}, ""},
		"quoted from what was read": {[]plantedTurn{fact, {ask: "Which one?", answer: "It is 5433.", more: read(config)}, thanks}, ""},

		"read again":                     {[]plantedTurn{look(read(config)), look(read(config)), thanks}, "reread conf/app.yaml: c2"},
		"read again by another spelling": {[]plantedTurn{look(read(config)), look(called("read", `{ "path" : "./conf//app.yaml" }`, config)), thanks}, "reread conf/app.yaml: c2"},
		"read again by another tool":     {[]plantedTurn{look(read(config)), look(called("view_file", `{"file_path":"conf/app.yaml"}`, config)), thanks}, "reread conf/app.yaml: c2"},
		"a part read again":              {[]plantedTurn{look(read(longer)), look(called("read", `{"path":"conf/app.yaml","offset":5,"limit":2}`, "redis:\n  host: staging-redis\n\n[1 more lines in file. Use offset=7 to continue.]")), thanks}, "reread conf/app.yaml: c2"},
		"read twice before":              {[]plantedTurn{look(read(config), read(config)), look(read(config)), thanks}, "reread conf/app.yaml: c2 c4"},
		"a first read":                   {[]plantedTurn{look(), look(read(config)), thanks}, ""},
		"another file":                   {[]plantedTurn{look(called("read", `{"path":"conf/other.yaml"}`, config)), look(read(config)), thanks}, ""},
		"read twice in the turn":         {[]plantedTurn{look(), look(read(config), read(config)), thanks}, ""},
		"more than was read before":      {[]plantedTurn{look(called("read", `{"path":"conf/app.yaml","limit":4}`, config)), look(read(longer)), thanks}, ""},
		"another part":                   {[]plantedTurn{look(called("read", `{"path":"conf/app.yaml","limit":4}`, config)), look(called("read", `{"path":"conf/app.yaml","offset":5}`, "redis:\n")), thanks}, ""},
		"a failed read":                  {[]plantedTurn{look(failed("read", `{"path":"conf/app.yaml"}`, "no such file or directory: conf/app.yaml")), look(failed("read", `{"path":"conf/app.yaml"}`, "no such file or directory: conf/app.yaml")), thanks}, ""},
		"a read that failed before":      {[]plantedTurn{look(failed("read", `{"path":"conf/app.yaml"}`, config)), look(read(config)), thanks}, ""},
		"a file that changed":            {[]plantedTurn{look(read(config)), look(read(changed)), thanks}, ""},
		"a file changed by a write":      {[]plantedTurn{look(read(config), called("write", `{"path":"conf/app.yaml","content":"…"}`, "written")), look(read(config)), thanks}, ""},
		"a file changed in the turn":     {[]plantedTurn{look(read(config)), look(called("edit", `{"path":"./conf/app.yaml"}`, "edited"), read(config)), thanks}, ""},
		"a file changed by a patch":      {[]plantedTurn{look(read(config), called("apply_patch", `{"input":"*** Update File: conf/app.yaml"}`, "patched")), look(read(config)), thanks}, ""},
		"a write that failed":            {[]plantedTurn{look(read(config), failed("write", `{"path":"conf/app.yaml"}`, "read-only")), look(read(config)), thanks}, "reread conf/app.yaml: c2"},
		"another file changed":           {[]plantedTurn{look(read(config), called("write", `{"path":"conf/other.yaml"}`, "written")), look(read(config)), thanks}, "reread conf/app.yaml: c2"},
		"read again after its change":    {[]plantedTurn{look(read(config), called("edit", `{"path":"conf/app.yaml"}`, "edited"), read(changed)), look(read(changed)), thanks}, "reread conf/app.yaml: c6"},

		"a file that became shorter":   {[]plantedTurn{look(read(longer)), look(read(config)), thanks}, ""},
		"a call again":                 {[]plantedTurn{look(grep(`{"command":"grep -rn maxAttempts","timeout":10}`, hits)), look(grep(`{"timeout":10, "command":"grep -rn maxAttempts"}`, hits)), thanks}, "repeated exec grep -rn maxAttempts 10: c2"},
		"another call":                 {[]plantedTurn{look(grep(`{"command":"grep -rn maxAttempts"}`, hits)), look(grep(`{"command":"grep -rn maxAttempt"}`, hits)), thanks}, ""},
		"another tool":                 {[]plantedTurn{look(called("bash", `{"command":"grep -rn maxAttempts"}`, hits)), look(grep(`{"command":"grep -rn maxAttempts"}`, hits)), thanks}, ""},
		"a call that brought news":     {[]plantedTurn{look(grep(`{"command":"grep -rn maxAttempts"}`, hits)), look(grep(`{"command":"grep -rn maxAttempts"}`, hits+hits)), thanks}, ""},
		"a call that is made for news": {[]plantedTurn{look(grep(`{"command":"git status"}`, "on branch pay/idempotency"), grep(`{"command":"git status"}`, hits)), look(grep(`{"command":"git status"}`, hits)), thanks}, ""},
		"news that is old again":       {[]plantedTurn{look(grep(`{"command":"git status"}`, hits), grep(`{"command":"git status"}`, "on branch pay/idempotency")), look(grep(`{"command":"git status"}`, hits)), thanks}, ""},
		"a call after a change":        {[]plantedTurn{look(grep(`{"command":"go test ./..."}`, hits), called("edit", `{"path":"a.go"}`, "edited")), look(grep(`{"command":"go test ./..."}`, hits)), thanks}, ""},
		"a call that says nothing":     {[]plantedTurn{look(grep(`{"command":"git add -A"}`, "(no output)")), look(grep(`{"command":"git add -A"}`, "(no output)")), thanks}, ""},
		"a failed call":                {[]plantedTurn{look(failed("exec", `{"command":"make"}`, hits)), look(failed("exec", `{"command":"make"}`, hits)), thanks}, ""},
		"a command that failed":        {[]plantedTurn{look(grep(`{"command":"make"}`, hits+"\n(Command exited with code 2)")), look(grep(`{"command":"make"}`, hits+"\n(Command exited with code 2)")), thanks}, ""},
		"the same written again":       {[]plantedTurn{look(called("write", `{"path":"a.go","content":"x"}`, "wrote internal/a.go")), look(called("write", `{"path":"a.go","content":"x"}`, "wrote internal/a.go")), thanks}, ""},

		"said again":                      {[]plantedTurn{fact, {ask: "Deploy it to staging", answer: "Done, on the default port."}, {ask: "No! The staging port is 5433, I told you."}}, "restated 5433: c0"},
		"the question again":              {[]plantedTurn{fact, {ask: "Deploy it to staging on port 5433", answer: "I cannot."}, {ask: "Please deploy it to staging on port 5433, would you?"}}, ""},
		"the answer again":                {[]plantedTurn{fact, {ask: "Which port has staging?", answer: "The staging port is 5433."}, {ask: "So the staging port is 5433. Thanks!"}}, "quoted 5433: c0"},
		"what the turn read again":        {[]plantedTurn{fact, {ask: "Look up the port of staging", answer: "Done.", more: read(config)}, {ask: "So the staging port is 5433?"}}, ""},
		"said again, of another matter":   {[]plantedTurn{fact, {ask: "How long does the bread rise?", answer: "An hour."}, {ask: "Mind that the staging port is 5433."}}, ""},
		"a word of it in another sense":   {[]plantedTurn{fact, {ask: "Deploy it to staging", answer: "Done."}, {ask: "Now order 5433 to the staging shelf, by tram and ferry"}}, ""},
		"one sentence, a word of another": {[]plantedTurn{{ask: "The staging port is fixed. Whoever doubts that may read the long ticket OPS-1234 aloud at lunch.", answer: "Noted."}, {ask: "Deploy to staging", answer: "Done."}, {ask: "Is the staging port fixed? OPS-1234"}}, ""},
		"said again after a reset":        {[]plantedTurn{fact, {ask: "Deploy it to staging", answer: "Done, on the default port."}, {ask: "The staging port is 5433.", boundary: "reset"}}, ""},
		"said again after a compaction":   {[]plantedTurn{fact, {ask: "Deploy it to staging", answer: "Done, on the default port."}, {ask: "The staging port is 5433.", boundary: "compaction"}}, "restated 5433: c0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := planted(c.turns...)
			if got := strings.Join(needsOf(s, len(s.Turns)-2), "; "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The host's own turns do not count as what the person says next, nor do they say
// something themselves again.
func TestNextIsThePerson(t *testing.T) {
	t.Parallel()
	s := planted(
		plantedTurn{ask: "Mind that the staging port is 5433.", answer: "Noted."},
		plantedTurn{ask: "Deploy it to staging", answer: "Done, on the default port."},
		plantedTurn{ask: "Read HEARTBEAT.md", answer: "OK"},
		plantedTurn{ask: "The staging port is 5433!"},
	)
	s.Turns[2].Internal = "heartbeat"
	if got := needsOf(s, 1); !slices.Equal(got, []string{"restated 5433: c0"}) {
		t.Errorf("before the heartbeat: %q", got)
	}
	if got := needsOf(s, 2); got != nil {
		t.Errorf("the heartbeat: %q", got)
	}
}

// An answer that says to the host that there is nothing to say quotes nothing.
func TestAcknowledgementsQuoteNothing(t *testing.T) {
	t.Parallel()
	s := planted(
		plantedTurn{ask: "Read HEARTBEAT.md, and if there is nothing answer NO_REPLY", answer: "NO_REPLY"},
		plantedTurn{ask: "Read HEARTBEAT.md", answer: "NO_REPLY"},
	)
	if got := needsOf(s, 1); got == nil {
		t.Fatal("a person's turn with this answer quotes nothing, so that the test shows nothing")
	}
	for i := range s.Candidates {
		if s.Candidates[i].Text == "NO_REPLY" {
			s.Candidates[i].Internal = "ack"
		}
	}
	if got := needsOf(s, 1); got != nil {
		t.Errorf("needs %q", got)
	}
}

// What is named is needed and nothing else, and only where it is offered.
func TestNamedNeed(t *testing.T) {
	t.Parallel()
	s := planted(
		plantedTurn{ask: "Mind that the port is 5433.", answer: "Noted."},
		plantedTurn{ask: "Which one is it?", answer: "It is 5433."},
	)
	h := selector.NewHindsight(s)
	h.Name(1, "c1")
	n := h.Needs(1, s.Pool(1, session.PoolWindow))
	if len(n) != 1 || n[0].Sign != selector.Named || n[0].Estimate() || !slices.Equal(n[0].Holders, []int{1}) {
		t.Errorf("needs %+v", n)
	}
	h.Name(1, "c9")
	if n := h.Needs(1, s.Pool(1, session.PoolWindow)); n != nil {
		t.Errorf("needs %+v of what is not offered", n)
	}
}

// Only a capture says "miss"; a replay says what is an estimate, and of what.
func TestSentences(t *testing.T) {
	t.Parallel()
	const full = " (estimate: the recorded agent had the full context)"
	need := func(s selector.Sign) selector.Need { return selector.Need{Sign: s, Text: "x"} }
	for _, c := range []struct {
		got, want string
	}{
		{need(selector.Reread).Sentence(47, 42, false, false), "likely miss in turn 47: dropped there too, and the agent read this file again" + full},
		{need(selector.Reread).Sentence(47, 47, false, false), "likely miss in this turn: dropped here, and the agent read this file again" + full},
		{need(selector.Repeated).Sentence(47, 42, false, true), "miss in turn 47: dropped there too, and the agent made this call again"},
		{need(selector.Restated).Sentence(47, 42, true, false), "needed in turn 47: kept, and the next message says it again" + full},
		{need(selector.Named).Sentence(61, 60, false, false), "turn 61 needs it, and it is dropped"},
		{need(selector.Named).Sentence(61, 61, true, false), "this turn needs it, and it is kept"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for sign, want := range map[selector.Sign]string{
		selector.Quoted: "the recorded answer says “x”", selector.Reread: "the agent read x again",
		selector.Repeated: "the agent made the call “x” again", selector.Restated: "the next message says “x” again",
		selector.Named: "the story says so",
	} {
		if got := need(sign).Found(); got != want {
			t.Errorf("%s: %q, want %q", sign, got, want)
		}
	}
}

// The same candidates are told of once, by the first sign.
func TestNeedsAreToldOnce(t *testing.T) {
	t.Parallel()
	conf := func() []session.Candidate {
		return called("read", `{"path":"conf/app.yaml"}`, "pool: 12\nRETRY_MAX: 3\n")
	}
	s := planted(
		plantedTurn{ask: "Look at it", answer: "Done.", more: conf()},
		plantedTurn{ask: "And again?", answer: "See conf/app.yaml and RETRY_MAX.", more: calls(conf(), conf())},
		plantedTurn{ask: "Thank you"},
	)
	got := needsOf(s, 1)
	if want := []string{"quoted conf/app.yaml: c1", "reread conf/app.yaml: c2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if fmt.Sprint(got) != fmt.Sprint(needsOf(s, 1)) {
		t.Error("not the same twice")
	}
}

// Where the store has no messages of the turn, its question and answer are known
// all the same.
func TestNeedsWithoutARun(t *testing.T) {
	t.Parallel()
	p := &session.Pool{Query: "Is it port 5433?", Candidates: []session.Candidate{
		{ID: "a", Text: "port 5433"},
		{ID: "b", Text: "pool_size 12"},
		{ID: "c", Text: "everything that may be set, with hosts, times, names and pool_size among it"},
	}}
	l := selector.Later{Answer: "The pool_size of that port is 12.", Next: "port 5433 and pool_size 12"}
	if n := selector.Needs(p, l); len(n) != 1 || n[0].Sign != selector.Quoted || n[0].Text != "pool_size" {
		t.Errorf("needs %+v", n)
	}
}
