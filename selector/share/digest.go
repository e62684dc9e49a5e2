package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pacms/session/poolfile"
)

// digested are the fields of a case that have a digest of their own, by where they
// stand in the document. Everything else in the pool is of FactorPool, and everything
// else at all of FactorResult: no value is in none.
var digested = map[string]Factor{
	"pool.query":           FactorQuery,
	"pool.query_embedding": FactorQuery,
	"config.no_widen":      FactorQuery,
	"config.budget":        FactorBudget,
	"config.strategy":      FactorStrategy,
	"config.rules":         FactorRules,
	"config.tail":          FactorRules,
	"config.pins":          FactorRules,
	"config.bans":          FactorRules,
	"config.from_session":  FactorRules,
	"config.embedder":      FactorEmbedder,
	"config.model":         FactorEmbedder,
	"config.counter":       FactorCounter,
}

// digestedFactors are the parts of a case that have a digest, in the order in which they
// are looked at.
var digestedFactors = []Factor{FactorResult, FactorPool, FactorQuery, FactorBudget, FactorStrategy, FactorRules, FactorCounter, FactorEmbedder}

// Sign sets the digests to those of the case as it is.
func (c *Case) Sign() error {
	text, err := c.MarshalJSON()
	if err != nil {
		return err
	}
	c.Digests, err = digestsOf(text)
	return err
}

// digestsOf are the digests of the parts of a document of a case, by factor. They are of
// its values, so that it may be written otherwise, and of each that stands in it,
// whether it means something or not.
func digestsOf(document []byte) (map[string]string, error) {
	parts := make(map[Factor][]element)
	add := func(factor Factor, path string, value json.RawMessage) {
		parts[factor] = append(parts[factor], element{path, value})
	}
	top, err := fields(document)
	if err != nil {
		return nil, err
	}
	for _, f := range top {
		if f.Path == "digests" {
			continue
		}
		inner, err := fields(f.Value)
		if err != nil || f.Path != "pool" && f.Path != "config" {
			add(FactorResult, f.Path, f.Value)
			continue
		}
		for _, part := range inner {
			path := f.Path + "." + part.Path
			factor, ok := digested[path]
			switch {
			case ok:
			case f.Path == "pool":
				factor = FactorPool
			default:
				factor = FactorResult
			}
			add(factor, path, part.Value)
		}
	}
	digests := make(map[string]string, len(digestedFactors))
	for _, factor := range digestedFactors {
		list := parts[factor]
		slices.SortStableFunc(list, func(a, b element) int { return strings.Compare(a.Path, b.Path) })
		text, err := json.Marshal(list)
		if err != nil {
			return nil, fmt.Errorf("share: a digest: %w", err)
		}
		if text, err = poolfile.Canonical(text); err != nil {
			return nil, fmt.Errorf("share: a digest: %w", err)
		}
		sum := sha256.Sum256(text)
		digests[string(factor)] = hex.EncodeToString(sum[:])
	}
	return digests, nil
}

// element is a value of a document with where it stands.
type element struct {
	Path  string
	Value json.RawMessage
}

// fields are the fields of an object in their order, those that are given twice among
// them.
func fields(object []byte) ([]element, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("share: no object")
	}
	var list []element
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("share: read a case: %w", err)
		}
		var e element
		e.Path, _ = key.(string) // a key is nothing else
		if err := d.Decode(&e.Value); err != nil {
			return nil, fmt.Errorf("share: read a case: %w", err)
		}
		list = append(list, e)
	}
	return list, nil
}

// changedParts are the parts of the file that are not as they were when it was written.
func (c *Case) changedParts() ([]Factor, error) {
	now := c.read
	if now == nil {
		text, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if now, err = digestsOf(text); err != nil {
			return nil, err
		}
	}
	var list []Factor
	for _, f := range digestedFactors {
		if c.Digests[string(f)] != now[string(f)] {
			list = append(list, f)
		}
	}
	// A digest of nothing is a change as well.
	if len(list) == 0 && !maps.Equal(c.Digests, now) {
		list = append(list, FactorResult)
	}
	return list, nil
}

// digest is one of a value by its JSON.
func digest(value any) string {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(value); err != nil {
		return "" // what has no JSON is in no case
	}
	return hex.EncodeToString(h.Sum(nil))
}
