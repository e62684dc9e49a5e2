package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ollama/ollama/api"

	"pacms/selector/kernel"
)

// TestMain names a proxy that is not there for every test, so that nothing is
// right that would ask it.
func TestMain(m *testing.M) {
	os.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	os.Exit(m.Run())
}

// What a server 0.17.4 answers, cut to what matters.
const (
	versionBody = `{"version":"0.17.4"}`
	showBody    = `{"license":"Apache License\nVersion 2.0","modelfile":"FROM nomic-embed-text","parameters":"num_ctx                        8192","template":"{{ .Prompt }}","details":{"parent_model":"","format":"gguf","family":"nomic-bert","families":["nomic-bert"],"parameter_size":"137M","quantization_level":"F16"},"model_info":{"general.architecture":"nomic-bert","general.file_type":1,"general.name":"nomic-embed-text-v1.5","general.parameter_count":136727040,"nomic-bert.attention.causal":false,"nomic-bert.block_count":12,"nomic-bert.context_length":2048,"nomic-bert.embedding_length":768,"nomic-bert.feed_forward_length":3072,"nomic-bert.pooling_type":1,"tokenizer.ggml.model":"bert","tokenizer.ggml.tokens":null},"capabilities":["embedding"],"modified_at":"2026-11-29T20:14:31.123456789Z"}`
	tagsBody    = `{"models":[{"name":"llama3.2:latest","model":"llama3.2:latest","modified_at":"2026-11-29T20:14:31Z","size":2019393189,"digest":"a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72","details":{"format":"gguf","family":"llama","families":["llama"],"parameter_size":"3.2B","quantization_level":"Q4_K_M"}},{"name":"nomic-embed-text:latest","model":"nomic-embed-text:latest","modified_at":"2026-11-29T20:14:31Z","size":274302450,"digest":"0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f","details":{"format":"gguf","family":"nomic-bert","families":["nomic-bert"],"parameter_size":"137M","quantization_level":"F16"}}]}`
	nomicDigest = "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"

	notFoundBody  = `{"error":"model \"nomic-embed-text\" not found, try pulling it first"}`
	notShownBody  = `{"error":"model 'nomic-embed-text' not found"}`
	tooLongBody   = `{"error":"the input length exceeds the context length"}`
	nanBody       = `{"error":"embedding contains NaN or Inf values"}`
	oldNaNBody    = `{"error":"failed to encode response: json: unsupported value: NaN"}`
	crashBody     = `{"error":"do embedding request: Post \"http://127.0.0.1:41234/embedding\": EOF"}`
	busyBody      = `{"error":"server busy, please try again.  maximum pending requests exceeded"}`
	emptyBody     = `{"model":"nomic-embed-text","embeddings":[],"total_duration":14143917,"load_duration":1019500}`
	inputTypeBody = `{"error":"invalid input type"}`
)

// answer is what a fake server says to a request.
type answer struct {
	status int
	body   string
}

// fake is a server that answers as Ollama does, and remembers what it was asked.
type fake struct {
	version, show, tags answer
	dim                 int
	// embed answers a request for vectors in place of the fake; false leaves it
	// to the fake. It is called with the prompts.
	embed func(w http.ResponseWriter, r *http.Request, prompts []string) bool

	mu       sync.Mutex
	requests []api.EmbedRequest
	prompts  [][]string
}

func newFake() *fake {
	return &fake{
		version: answer{200, versionBody}, show: answer{200, showBody}, tags: answer{200, tagsBody}, dim: 768,
	}
}

// small makes the vectors short, for tests with many of them.
func (f *fake) small() *fake {
	f.dim = 8
	f.show.body = strings.Replace(showBody, `"nomic-bert.embedding_length":768`, `"nomic-bert.embedding_length":8`, 1)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /api/version":
		f.version.write(w)
	case "POST /api/show":
		f.show.write(w)
	case "GET /api/tags":
		f.tags.write(w)
	case "POST /api/embed":
		f.serveEmbed(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	fmt.Fprint(w, a.body)
}

func (f *fake) serveEmbed(w http.ResponseWriter, r *http.Request) {
	var req api.EmbedRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		answer{400, fmt.Sprintf(`{"error":%q}`, err)}.write(w)
		return
	}
	list, ok := req.Input.([]any)
	if !ok {
		answer{400, inputTypeBody}.write(w)
		return
	}
	prompts := make([]string, len(list))
	for i := range list {
		prompts[i] = list[i].(string)
	}
	f.mu.Lock()
	f.requests = append(f.requests, req)
	f.prompts = append(f.prompts, prompts)
	f.mu.Unlock()
	switch {
	case f.embed != nil && f.embed(w, r, prompts):
	case len(prompts) == 0:
		answer{200, emptyBody}.write(w)
	default:
		answer{200, f.vectors(prompts)}.write(w)
	}
}

// vectors is the body of a good answer.
func (f *fake) vectors(prompts []string) string {
	resp := api.EmbedResponse{Model: DefaultModel, TotalDuration: 14143917, LoadDuration: 1019500, PromptEvalCount: 2}
	for _, p := range prompts {
		resp.Embeddings = append(resp.Embeddings, vectorOf(p, f.dim))
	}
	body, err := json.Marshal(resp)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// sent is the prompts of the requests so far.
func (f *fake) sent() [][]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.prompts)
}

// vectorOf is a unit vector that depends on the prompt alone.
func vectorOf(prompt string, dim int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(prompt))
	x := h.Sum64()
	v := make([]float32, dim)
	for i := range v {
		x = x*6364136223846793005 + 1442695040888963407
		v[i] = float32(int32(x>>33)) / (1 << 30)
	}
	u, ok := kernel.Unit(v)
	if !ok {
		panic("the vector of " + prompt + " is zero")
	}
	return u
}

// failOn answers every request with a prompt that contains the mark.
func failOn(mark string, a answer) func(http.ResponseWriter, *http.Request, []string) bool {
	return func(w http.ResponseWriter, _ *http.Request, prompts []string) bool {
		if !slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(p, mark) }) {
			return false
		}
		a.write(w)
		return true
	}
}

// failAlways answers every request.
func failAlways(a answer) func(http.ResponseWriter, *http.Request, []string) bool {
	return func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
		a.write(w)
		return true
	}
}

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request, []string) bool {
	panic(http.ErrAbortHandler)
}

// start serves f and returns an embedder that asks it, and the list of what was
// skipped.
func start(t *testing.T, f http.Handler, options ...Option) (*Embedder, *[]Skipped) {
	t.Helper()
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	t.Setenv("OLLAMA_HOST", srv.URL)
	skipped := &[]Skipped{}
	options = append(options, WithSkipped(func(s Skipped) { *skipped = append(*skipped, s) }))
	return New("", options...), skipped
}

// startInMemory does the same over pipes, for use in a synctest bubble, where
// waiting takes no time. The returned function ends it.
func startInMemory(f http.Handler, options ...Option) (*Embedder, func()) {
	pipes := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	srv := httptest.NewUnstartedServer(f)
	_ = srv.Listener.Close()
	srv.Listener = pipes
	srv.Start()
	e := New("", options...)
	e.http.Transport.(bounded).DialContext = pipes.dial
	return e, func() {
		e.http.CloseIdleConnections()
		srv.Close()
	}
}

// pipeListener is a net.Listener whose connections are pipes.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
