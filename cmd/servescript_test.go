package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for what is to happen at once.
const patience = 30 * time.Second

// until waits until ready, and fails where that takes too long.
func until(ts *testscript.TestScript, what string, ready func() bool) {
	for end := time.Now().Add(patience); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s did not happen in %v", what, patience)
		}
	}
}

// serviceAddress waits for a file with an address and sets a variable to its host and
// port: address FILE VARIABLE.
func serviceAddress(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, args[0], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		url := strings.TrimSpace(string(text))
		if err != nil || url == "" {
			return false
		}
		_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
		ts.Check(err)
		ts.Setenv(args[1], net.JoinHostPort("127.0.0.1", port))
		return true
	})
}

// request sends a file to the service and writes the answer to another:
// http METHOD URL FILE|none ANSWER [TOKENFILE].
func request(ts *testscript.TestScript, _ bool, args []string) {
	body := ""
	if args[2] != "none" {
		body = ts.ReadFile(args[2])
	}
	req, err := http.NewRequest(args[0], "http://"+strings.ReplaceAll(args[1], "%", "%25"), strings.NewReader(body))
	ts.Check(err)
	req.URL.RawQuery = strings.ReplaceAll(strings.ReplaceAll(req.URL.RawQuery, "%252B", "%2B"), " ", "%20")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Pacms-Deadline-Ms", "10000") // however busy the machine is
	if len(args) > 4 {
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[4])))
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), answer, 0o600))
}

// same compares two selections to the byte, less the id of the request, times and the
// fields that are named: same A B [FIELD…].
func same(ts *testscript.TestScript, _ bool, args []string) {
	read := func(name string) (fields map[string]json.RawMessage, keys string) {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &fields))
		for _, f := range append(args[2:], "request_id", "ms") {
			delete(fields, f)
		}
		return fields, fmt.Sprint(len(fields))
	}
	want, wantKeys := read(args[0])
	got, gotKeys := read(args[1])
	if len(want) < 10 || wantKeys != gotKeys {
		ts.Fatalf("%s fields in %s, %s in %s", wantKeys, args[0], gotKeys, args[1])
	}
	for name := range want {
		if string(want[name]) != string(got[name]) {
			ts.Fatalf("%s differs:\n%s\n%s", name, want[name], got[name])
		}
	}
}

// occupy has something else listen, for the rest of a script: occupy VARIABLE.
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { ln.Close() })
	go func() {
		_ = http.Serve(ln, http.NotFoundHandler())
	}()
	ts.Setenv(args[0], ln.Addr().String())
}

// hang sends half a request and stays: hang ADDRESS.
func hang(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := net.Dial("tcp", args[0])
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
	_, err = io.WriteString(conn, "POST /select HTTP/1.1\r\nHost: "+args[0]+"\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	ts.Check(err)
	// The service asks for the rest, so that it is at work on the request.
	_, err = io.ReadFull(conn, make([]byte, len("HTTP/1.1 100")))
	ts.Check(err)
}

// refused waits until nobody listens: refused ADDRESS.
func refused(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, "the end of "+args[0], func() bool {
		conn, err := net.Dial("tcp", args[0])
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
}
