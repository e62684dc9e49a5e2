package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// What keeps a server from being used. The text of an error that wraps one of
// them is a sentence for a person, with the command that helps.
var (
	ErrNoAnswer    = errors.New("ollama does not answer")
	ErrTooOld      = errors.New("ollama is too old")
	ErrNoModel     = errors.New("ollama has no such model")
	ErrNoEmbedding = errors.New("this model of ollama makes no embeddings")
)

// oldest is the first release known to say which models embed.
var oldest = [3]int{0, 6, 5}

const (
	greetTime = 2 * time.Second  // for a server to say its version
	lookTime  = 10 * time.Second // for it to look up a model
)

// Model is what the server says of the model.
type Model struct {
	// Name is the name that was asked for.
	Name string
	// Digest is the hash of the model's files, empty if unknown.
	Digest string
	// Architecture is the model's family, for example "nomic-bert".
	Architecture string
	// Dim is the length of a vector, Context the longest text in tokens, 0 if
	// unknown.
	Dim, Context int
	// Server is the version of the server.
	Server string

	rules rules
}

// CacheKey is the key under which vectors of the model may be stored; empty if
// they must not be, because it is not known which files made them.
func (m Model) CacheKey() string {
	if m.Digest == "" {
		return ""
	}
	return fmt.Sprintf("ollama %s %s %q %q", m.Digest, textRules, m.rules.document, m.rules.query)
}

// Ready asks the server for its version and the model, once; a later call has
// the same answer without asking, after an error it asks again. The error wraps
// ErrNoAnswer, ErrTooOld, ErrNoModel or ErrNoEmbedding where a person can help.
func (e *Embedder) Ready(ctx context.Context) (Model, error) {
	if m := e.ready.Load(); m != nil {
		return *m, nil
	}
	if !model.ParseName(e.model).IsValid() {
		return Model{}, fmt.Errorf("ollama: %q is not the name of a model; name one as in %s or %s:latest", e.model, DefaultModel, DefaultModel)
	}
	server, err := e.greet(ctx)
	if err != nil {
		return Model{}, err
	}
	m, err := e.look(ctx)
	if err != nil {
		return Model{}, err
	}
	m.Server = server
	e.ready.Store(&m)
	return m, nil
}

// greet returns the version of the server, if it is new enough.
func (e *Embedder) greet(ctx context.Context) (string, error) {
	inTime, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	version, err := e.api.Version(inTime)
	if silence := e.silence(ctx, err, greetTime); silence != nil {
		return "", silence
	}
	if err == nil && version == "" {
		err = errors.New("it says no version")
	}
	if err != nil {
		return "", fmt.Errorf("%w at %s, something else does (%w); set OLLAMA_HOST to where it runs", ErrNoAnswer, e.base, err)
	}
	if older(version) {
		return "", fmt.Errorf("%w: version %s at %s, at least %d.%d.%d is needed; get a new one from https://ollama.com/download",
			ErrTooOld, version, e.base, oldest[0], oldest[1], oldest[2])
	}
	return version, nil
}

// older reports whether version is older than oldest. A version that is not
// three numbers, and 0.0.0, which a build without a version has, are not.
func older(version string) bool {
	release, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(release, ".")
	var have [3]int
	if len(parts) != len(have) {
		return false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return false
		}
		have[i] = n
	}
	return have != [3]int{} && slices.Compare(have[:], oldest[:]) < 0
}

// look asks the server for the model.
func (e *Embedder) look(ctx context.Context) (Model, error) {
	inTime, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	shown, err := e.api.Show(inTime, &api.ShowRequest{Model: e.model})
	if err != nil {
		return Model{}, e.explain(ctx, err, lookTime, "look for "+e.model)
	}
	if !slices.Contains(shown.Capabilities, model.CapabilityEmbedding) {
		return Model{}, fmt.Errorf("%w: %s; get one that does with `ollama pull %s`", ErrNoEmbedding, e.model, DefaultModel)
	}
	m := Model{Name: e.model}
	m.Architecture, _ = shown.ModelInfo["general.architecture"].(string)
	m.Dim = number(shown.ModelInfo, m.Architecture+".embedding_length")
	m.Context = number(shown.ModelInfo, m.Architecture+".context_length")
	basename, _ := shown.ModelInfo["general.name"].(string)
	m.rules = rulesFor(m.Architecture, []string{e.model, basename}, m.Context)
	if m.Digest, err = e.digest(inTime); err != nil {
		return Model{}, e.explain(ctx, err, lookTime, "list the models")
	}
	if m.Dim == 0 {
		if m.Dim, err = e.measure(ctx, m); err != nil {
			return Model{}, err
		}
	}
	return m, nil
}

// number is a positive whole number of the model's description, else 0.
func number(info map[string]any, key string) int {
	x, ok := info[key].(float64) // as JSON numbers are decoded
	if !ok || x < 1 || x > 1<<24 {
		return 0
	}
	return int(x)
}

// digest is the digest of the model in the server's list, empty if it is not
// there.
func (e *Embedder) digest(ctx context.Context) (string, error) {
	list, err := e.api.List(ctx)
	if err != nil {
		return "", err //nolint:wrapcheck // explained by the caller
	}
	want := model.ParseName(e.model)
	for _, m := range list.Models {
		if model.ParseName(m.Name).EqualFold(want) {
			return m.Digest, nil
		}
	}
	return "", nil
}

// measure is the length of a vector, for a model whose description lacks it.
func (e *Embedder) measure(ctx context.Context, m Model) (int, error) {
	resp, err := e.post(ctx, []string{m.rules.document + probe}, loadTime)
	if err != nil {
		return 0, err
	}
	if len(resp.Embeddings) != 1 || len(resp.Embeddings[0]) == 0 {
		return 0, fmt.Errorf("%w: %s gives no vector; get one that does with `ollama pull %s`", ErrNoEmbedding, e.model, DefaultModel)
	}
	return len(resp.Embeddings[0]), nil
}
