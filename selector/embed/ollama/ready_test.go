package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pacms/selector/embed"
)

var _ embed.Embedder = (*Embedder)(nil)

func TestReady(t *testing.T) {
	f := newFake()
	e, _ := start(t, f)
	if e.Dim() != 0 || e.Noise() != 0 {
		t.Errorf("before it was asked: dim %d, noise %v", e.Dim(), e.Noise())
	}
	m, err := e.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "nomic-embed-text" || m.Digest != nomicDigest || m.Architecture != "nomic-bert" ||
		m.Dim != 768 || m.Context != 2048 || m.Server != "0.17.4" {
		t.Errorf("the model is %+v", m)
	}
	if e.Name() != "ollama:nomic-embed-text" || e.Dim() != 768 || e.Duplicate() != 0.95 || e.Noise() != nomicNoise {
		t.Errorf("%s: dim %d, duplicate %v, noise %v", e.Name(), e.Dim(), e.Duplicate(), e.Noise())
	}
	if len(f.sent()) != 0 {
		t.Errorf("texts were sent: %q", f.sent())
	}
	f.version = answer{500, "broken"}
	if again, err := e.Ready(t.Context()); err != nil || again.Digest != m.Digest {
		t.Errorf("a second call asks again: %v, %v", again, err)
	}
}

// What a person can help is said in a sentence with the command that helps.
func TestNotReady(t *testing.T) {
	for _, c := range []struct {
		name  string
		model string
		with  func(*fake)
		is    error
		says  []string
	}{
		{name: "old", with: func(f *fake) { f.version.body = `{"version":"0.5.13"}` }, is: ErrTooOld, says: []string{"0.5.13", "0.6.5", "https://ollama.com/download"}},
		{name: "no model", with: func(f *fake) { f.show = answer{404, notShownBody} }, is: ErrNoModel, says: []string{"nomic-embed-text", "`ollama pull nomic-embed-text`"}},
		{name: "chat model", model: "llama3.2", with: func(f *fake) {
			f.show.body = `{"model_info":{"general.architecture":"llama"},"capabilities":["completion","tools"]}`
		}, is: ErrNoEmbedding, says: []string{"llama3.2", "`ollama pull nomic-embed-text`"}},
		{name: "no capabilities", with: func(f *fake) { f.show.body = `{"model_info":{}}` }, is: ErrNoEmbedding, says: []string{"`ollama pull"}},
		{name: "other server", with: func(f *fake) { f.version = answer{404, "404 page not found"} }, is: ErrNoAnswer, says: []string{"something else", "404 page not found", "OLLAMA_HOST"}},
		{name: "web page", with: func(f *fake) { f.version.body = "<!doctype html>" }, is: ErrNoAnswer, says: []string{"something else", "OLLAMA_HOST"}},
		{name: "no version", with: func(f *fake) { f.version.body = "{}" }, is: ErrNoAnswer, says: []string{"no version", "OLLAMA_HOST"}},
		{name: "bad name", model: "no such:model:", with: func(*fake) {}, says: []string{`"no such:model:"`, "nomic-embed-text:latest"}},
		{name: "escapes in the name", model: "a\x1b[2J", with: func(*fake) {}, says: []string{`"a\x1b[2J"`}},
		{name: "show fails", with: func(f *fake) { f.show = answer{500, `{"error":"open manifest: permission denied"}`} }, says: []string{"look for nomic-embed-text", "permission denied"}},
		{name: "list fails", with: func(f *fake) { f.tags = answer{500, `{"error":"disk"}`} }, says: []string{"list the models", "disk"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			c.with(f)
			e, _ := start(t, f)
			if c.model != "" {
				e = New(c.model)
			}
			_, err := e.Documents(t.Context(), []string{"text"})
			if err == nil {
				t.Fatal("no error")
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
			if _, err := e.Query(t.Context(), "text"); err == nil {
				t.Error("a query has no error")
			}
			if err := e.Warm(t.Context()); err == nil {
				t.Error("warming has no error")
			}
			if len(f.sent()) != 0 {
				t.Errorf("texts were sent: %q", f.sent())
			}
		})
	}
}

func TestNotRunning(t *testing.T) {
	const nobody = "http://127.0.0.1:1"
	t.Setenv("OLLAMA_HOST", nobody)
	e := New("")
	_, err := e.Documents(t.Context(), []string{"text"})
	if !errors.Is(err, ErrNoAnswer) {
		t.Fatalf("%v", err)
	}
	for _, s := range []string{nobody, "refused", "`ollama serve`"} {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
	if e.Available(t.Context()) {
		t.Error("it is available")
	}
}

func TestOlder(t *testing.T) {
	for version, want := range map[string]bool{
		"0.6.4": true, "0.5.13": true, "v0.1.2": true, "0.6.4-rc1": true,
		"0.6.5": false, "0.6.5-rc0": false, "0.10.0": false, "0.17.4": false, "1.0.0": false,
		"0.0.0": false, "dev": false, "1.2": false, "0.6.x": false, "": false,
	} {
		if got := older(version); got != want {
			t.Errorf("older(%q) = %v", version, got)
		}
	}
}

// A model without a digest has vectors, but they cannot be stored.
func TestCacheKey(t *testing.T) {
	f := newFake()
	e, _ := start(t, f)
	m, err := e.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key := m.CacheKey()
	for _, part := range []string{nomicDigest, textRules, "search_document: ", "search_query: "} {
		if !strings.Contains(key, part) {
			t.Errorf("the key %q lacks %q", key, part)
		}
	}
	f = newFake()
	f.tags.body = `{"models":[]}`
	e, _ = start(t, f)
	if m, err = e.Ready(t.Context()); err != nil || m.CacheKey() != "" {
		t.Errorf("without a digest the key is %q, %v", m.CacheKey(), err)
	}
}

// A tag that is left out is "latest", as for Ollama itself.
func TestDigestOfTag(t *testing.T) {
	f := newFake()
	f.tags.body = strings.Replace(tagsBody, `"name":"nomic-embed-text:latest"`, `"name":"nomic-embed-text:v1.5"`, 1)
	start(t, f)
	for name, want := range map[string]string{"nomic-embed-text:v1.5": nomicDigest, "Nomic-Embed-Text:V1.5": nomicDigest, "nomic-embed-text": "", "library/nomic-embed-text:v1.5": nomicDigest} {
		if m, err := New(name).Ready(t.Context()); err != nil || m.Digest != want {
			t.Errorf("%s has the digest %q, %v", name, m.Digest, err)
		}
	}
}

// The dimension of a model whose description lacks it is that of a vector.
func TestDimensionUnknown(t *testing.T) {
	f := newFake()
	f.dim = 5
	f.show.body = `{"model_info":{"general.architecture":"new"},"capabilities":["embedding"]}`
	e, _ := start(t, f)
	if m, err := e.Ready(t.Context()); err != nil || m.Dim != 5 {
		t.Fatalf("the dimension is %d, %v", m.Dim, err)
	}
	f.embed = failOn("", answer{200, emptyBody})
	if _, err := New("").Ready(t.Context()); !errors.Is(err, ErrNoEmbedding) {
		t.Errorf("a model without vectors: %v", err)
	}
}

func TestAvailable(t *testing.T) {
	e, _ := start(t, newFake())
	if !e.Available(t.Context()) {
		t.Error("it is not available")
	}
	f := newFake()
	f.show = answer{404, notShownBody}
	if e, _ = start(t, f); e.Available(t.Context()) {
		t.Error("it is available without the model")
	}
}

// A server whose vectors come byte by byte, or not at all, is not there; one that
// only takes long to begin loads its model. All of it takes 300 ms at most.
func TestAvailableEmbeds(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request, _ []string) bool {
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Second)
		}
		return true
	}
	load := func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
		<-r.Context().Done()
		return true
	}
	for name, c := range map[string]struct {
		embed func(http.ResponseWriter, *http.Request, []string) bool
		want  bool
		took  time.Duration
	}{
		"drips":  {drip, false, availableWithin},
		"loads":  {load, true, availableWithin},
		"fails":  {failAlways(answer{500, crashBody}), false, 0},
		"embeds": {nil, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.embed = c.embed
				e, stop := startInMemory(f)
				defer stop()
				began := time.Now()
				got := e.Available(t.Context())
				if took := time.Since(began); got != c.want || took != c.took {
					t.Errorf("available: %v after %v, want %v after %v", got, took, c.want, c.took)
				}
				time.Sleep(2 * time.Second) // whatever still drips has ended then
			})
		})
	}
}

// A server that takes the connection and says nothing is given up.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, stop := startInMemory(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		defer stop()
		began := time.Now()
		if e.Available(t.Context()) {
			t.Error("it is available")
		}
		if took := time.Since(began); took != availableWithin {
			t.Errorf("that took %v", took)
		}
		began = time.Now()
		_, err := e.Ready(t.Context())
		if took := time.Since(began); took != greetTime || !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), "within 2s") {
			t.Errorf("after %v: %v", took, err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v looks like a deadline of the caller's", err)
		}
	})
}

func TestHost(t *testing.T) {
	for env, want := range map[string]string{
		"": "http://127.0.0.1:11434", "box:1234": "http://box:1234", "https://box": "https://box:443", "http://10.0.0.7": "http://10.0.0.7:80",
		"0.0.0.0": "http://127.0.0.1:11434", "0.0.0.0:99": "http://127.0.0.1:99", "[::]:99": "http://[::1]:99", "::": "http://[::1]:11434",
	} {
		t.Setenv("OLLAMA_HOST", env)
		if got := host().String(); got != want {
			t.Errorf("OLLAMA_HOST=%q is %s, want %s", env, got, want)
		}
	}
}

func TestCheckHost(t *testing.T) {
	for env, port := range map[string]string{
		"": "", "box": "", "box:1234": "", "http://[::1]:99/path:x": "", "::": "", "https://box:65535/": "",
		"x:99999": "99999", "http://x:0": "0", "x:": "", "x:-1": "-1", "[::1]:http/a": "http", `"x:port"`: "port",
	} {
		t.Setenv("OLLAMA_HOST", env)
		refused := port != "" || env == "x:"
		err := CheckHost()
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), fmt.Sprintf("of which %q is no port", port)) {
			t.Errorf("OLLAMA_HOST=%q: %v", env, err)
		}
	}
}

// HTTP_PROXY is set for all tests: a loopback address ignores it, another does not.
func TestProxy(t *testing.T) {
	for base, proxied := range map[string]bool{
		"http://127.0.0.1:11434": false, "http://localhost:11434": false, "http://[::1]:11434": false, "http://192.0.2.1:11434": true,
	} {
		u, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		proxy, err := newClient(u).Transport.(bounded).Proxy(&http.Request{URL: u})
		if err != nil || (proxy != nil) != proxied {
			t.Errorf("%s is asked through %v, %v", base, proxy, err)
		}
	}
}

// Texts are never sent on to a host that was not named.
func TestRedirect(t *testing.T) {
	elsewhere := newFake()
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	f := newFake()
	f.embed = func(w http.ResponseWriter, r *http.Request, _ []string) bool {
		http.Redirect(w, r, other.URL+"/api/embed", http.StatusTemporaryRedirect)
		return true
	}
	e, _ := start(t, f)
	if _, err := e.Documents(t.Context(), []string{"secret"}); !errors.Is(err, errElsewhere) {
		t.Errorf("%v", err)
	}
	if len(elsewhere.sent()) != 0 || len(f.sent()) != 1 {
		t.Errorf("sent %q, and elsewhere %q", f.sent(), elsewhere.sent())
	}
}

// A redirect within the host is followed, but not in a circle.
func TestRedirectWithinHost(t *testing.T) {
	f := newFake()
	moved := http.NewServeMux()
	moved.Handle("/", f)
	moved.HandleFunc("/api/embed", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/v2/embed", http.StatusPermanentRedirect)
	})
	moved.HandleFunc("/v2/embed", f.serveEmbed)
	e, _ := start(t, moved)
	if v, err := e.Query(t.Context(), "q"); err != nil || len(v) != 768 {
		t.Errorf("%d numbers, %v", len(v), err)
	}
	circle := http.NewServeMux()
	circle.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	e, _ = start(t, circle)
	if _, err := e.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("%v", err)
	}
}
