package cmd_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"pacms/capture/store"
	"pacms/cmd"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pacms": func() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the program as a user would. Under -short, by which the race
// detector runs, scripts skip where one thing is done after another.
func TestScripts(t *testing.T) {
	t.Parallel()
	pool, err := filepath.Abs("testdata/pool.json")
	if err != nil {
		t.Fatal(err)
	}
	sets, err := filepath.Abs("../testdata/openclaw")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			for name, dir := range map[string]string{"XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state"} {
				env.Setenv(name, filepath.Join(env.WorkDir, dir))
			}
			env.Setenv("OLLAMA_HOST", "http://127.0.0.1:1") // where nothing answers
			// Under the race detector a program would sleep for a second when it ends,
			// for others to race with the end. Here nothing goes on that was not waited for.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Setenv("TERM", "xterm-256color")
			env.Setenv("LC_ALL", "C.UTF-8")
			env.Setenv("POOL", pool)
			env.Setenv("SETS", sets)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"json":    validJSON,
			"ollama":  serveOllama,
			"neutral": neutral,
			"address": serviceAddress,
			"http":    request,
			"same":    same,
			"occupy":  occupy,
			"hang":    hang,
			"refused": refused,
			"capture": capture,
		},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
	})
}

// capture stores what a service would: some turns of the demo, each with what was
// selected of it under a budget of its own: capture FILE SESSION FIRST LAST.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	ctx := context.Background()
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		ts.Check(err)
		return n
	}
	counter, err := token.New("openclaw")
	ts.Check(err)
	demo, err := openclaw.Read(ctx, testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	ts.Check(err)
	strategies := []string{"pacms", "lastk"}
	captures, err := store.Open(ctx, ts.MkAbs(args[0]), store.Options{})
	ts.Check(err)
	engine := selector.NewEngine(embed.NewBuiltin(), demo.Tokenizer)
	rules, err := selector.ParseRules("default")
	ts.Check(err)
	for i := number(args[2]); i <= number(args[3]); i++ {
		pool := demo.Pool(i-1, session.PoolWindow)
		pool.Budget = new(int)
		*pool.Budget = 1000 + 10*i
		prepared, err := engine.Prepare(ctx, pool, selector.PrepareOptions{})
		ts.Check(err)
		strategy, err := selector.ParseStrategy(strategies[i%2])
		ts.Check(err)
		selection, err := prepared.Select(ctx, selector.Options{Strategy: strategy, Rules: rules, Tail: 1})
		ts.Check(err)
		captures.Record(store.Capture{
			Time: time.Date(2026, 11, 30, 12, i%60, 0, 0, time.UTC), Session: args[1], Turn: i, Pool: pool, Selection: selection, RequestID: fmt.Sprintf("r-%d", i),
		})
	}
	ts.Check(captures.Close(ctx))
	if lost := captures.Stats().Lost(); lost != 0 {
		ts.Fatalf("%d captures were lost", lost)
	}
}

// update has the scripts take what is printed for the files that they compare with:
// go test ./cmd -run TestScripts -update, and then look at the difference.
var update = flag.Bool("update", false, "write what is printed into the scripts")

// varying is what a comparison prints otherwise each time or on each machine, and
// what stands in for it.
var varying = []struct {
	is *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`[^ ",]+( [0-9a-f]{16})? \(go[^)]*\)`), "BUILD"},
	{regexp.MustCompile(`(?m) +\d+\.\d$`), " MS"},
	{regexp.MustCompile(`(?m) +ms$`), " ms"},
	{regexp.MustCompile(`(?m) \d+\.\d \|$`), " MS |"},
	{regexp.MustCompile(`(?m)^((?:[^,\n]+,){13})[\d.]+`), "${1}MS"},
}

// neutral writes a file anew in which a comparison has no times and no build:
// neutral FROM TO.
func neutral(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	for _, v := range varying {
		text = v.is.ReplaceAllString(text, v.to)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// exits runs a program and checks its exit code: exits CODE PROGRAM [ARG…].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// validJSON checks that a file is JSON, one document or with -lines one a line,
// and that nothing in it acts on a terminal: json [-lines] FILE [DOCUMENTS].
func validJSON(ts *testscript.TestScript, _ bool, args []string) {
	lines := len(args) > 0 && args[0] == "-lines"
	if lines {
		args = args[1:]
	}
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	docs := []string{text}
	if lines {
		docs = strings.Split(text, "\n")
	}
	for _, doc := range docs {
		if !json.Valid([]byte(doc)) {
			ts.Fatalf("no JSON: %.200s", doc)
		}
	}
	if len(args) > 1 {
		if want, err := strconv.Atoi(args[1]); err != nil || want != len(docs) {
			ts.Fatalf("%d documents, want %s", len(docs), args[1])
		}
	}
	for _, r := range text {
		if r != '\n' && r < 0x20 || r >= 0x7f && r <= 0x9f {
			ts.Fatalf("a control character %U", r)
		}
	}
}
