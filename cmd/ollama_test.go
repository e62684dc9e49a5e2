package cmd_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveOllama starts a server that answers as Ollama does, for the rest of a
// script: ollama MODEL [BROKEN]. It has one model, embeds nothing that contains
// the text BROKEN, and tells of its requests in nothing but its answers: a vector
// counts the letters of its text.
func serveOllama(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: ollama model [broken]")
	}
	model, broken := args[0], ""
	if len(args) == 2 {
		broken = args[1]
	}
	mux := http.NewServeMux()
	answer := func(pattern string, body func(r *http.Request) (int, any)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			status, value := body(r)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(value)
		})
	}
	answer("GET /api/version", func(*http.Request) (int, any) { return http.StatusOK, map[string]any{"version": "0.17.4"} })
	answer("GET /api/tags", func(*http.Request) (int, any) {
		return http.StatusOK, map[string]any{"models": []any{map[string]any{"name": model + ":latest", "digest": "d1"}}}
	})
	answer("POST /api/show", func(r *http.Request) (int, any) {
		var req struct{ Model string }
		if json.NewDecoder(r.Body).Decode(&req) != nil || strings.TrimSuffix(req.Model, ":latest") != model {
			return http.StatusNotFound, map[string]any{"error": "model '\x1b[31m" + req.Model + "' not found"}
		}
		return http.StatusOK, map[string]any{
			"capabilities": []string{"embedding"},
			"model_info":   map[string]any{"general.architecture": "bert", "bert.embedding_length": 26, "bert.context_length": 512},
		}
	})
	answer("POST /api/embed", func(r *http.Request) (int, any) {
		var req struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			return http.StatusBadRequest, map[string]any{"error": err.Error()}
		}
		vectors := make([][]float32, len(req.Input))
		for i, text := range req.Input {
			if broken != "" && strings.Contains(text, broken) {
				return http.StatusInternalServerError, map[string]any{"error": fmt.Sprintf("cannot embed \x1b[2J%s", broken)}
			}
			vectors[i] = letters(text)
		}
		return http.StatusOK, map[string]any{"model": model, "embeddings": vectors}
	})
	srv := httptest.NewServer(mux)
	ts.Defer(srv.Close)
	ts.Setenv("OLLAMA_HOST", srv.URL)
}

// letters is how often each letter is in a text, as a vector of length 1.
func letters(text string) []float32 {
	v := make([]float32, 26)
	v[0] = 1 // so that no vector is zero
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' {
			v[r-'a']++
		}
	}
	return v
}
