// Package redact masks secrets in texts: keys of services, tokens, private keys,
// passwords, and addresses of mail. It knows them by their form, so that it finds what
// is written as its provider writes it, and misses what looks like any other word.
package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
)

// Redactor masks secrets. Equal secrets get equal masks for as long as it lives, and
// different ones different masks. Its zero value is ready; it is safe for concurrent
// use.
type Redactor struct {
	mu     sync.Mutex
	masks  map[string]string // by kind and secret
	counts map[string]int    // masked places, by kind
	kinds  map[string]int    // different secrets, by kind
}

// Text is a text with a mask in the place of each secret: [redacted:aws-key] for the
// first one of its kind, [redacted:aws-key-2] for the second.
func (r *Redactor) Text(text string) string {
	for i := range rules {
		rule := &rules[i]
		if !rule.near(text) {
			continue
		}
		text = rule.replace(text, func(secret string) string { return r.mask(rule.kind, secret) })
	}
	return text
}

// JSON is a JSON value with masks in its strings. What is not JSON is masked as text.
func (r *Redactor) JSON(raw []byte) []byte {
	if len(raw) == 0 {
		return raw
	}
	if json.Valid(raw) {
		return stringsOf(raw, r.Text)
	}
	return []byte(r.Text(string(raw)))
}

// stringsOf is a valid JSON text with each of its strings replaced; all else stays as
// it is written, the order of keys among it.
func stringsOf(raw []byte, replace func(string) string) []byte {
	var out []byte
	name := "" // the key of the value that comes
	for at := 0; at < len(raw); {
		if raw[at] != '"' {
			out = append(out, raw[at])
			at++
			continue
		}
		end := at + 1
		for raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end++
		var text string
		_ = json.Unmarshal(raw[at:end], &text) // it is valid
		masked := replace(text)
		next := strings.TrimLeft(string(raw[end:min(end+16, len(raw))]), " \t\r\n")
		isName := strings.HasPrefix(next, ":")
		if name != "" && masked == text && !isName {
			// A password is known by the key that it stands under.
			if pair := replace(name + ": " + text); !strings.HasSuffix(pair, ": "+text) {
				masked = strings.TrimPrefix(pair, name+": ")
			}
		}
		name = ""
		if isName {
			name = text
		}
		if masked == text {
			out = append(out, raw[at:end]...)
		} else {
			quoted, _ := json.Marshal(masked) // a string has JSON
			out = append(out, quoted...)
		}
		at = end
	}
	return out
}

// Counts is how many places were masked, by the kind of the secret.
func (r *Redactor) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counts)
}

func (r *Redactor) mask(kind, secret string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.masks == nil {
		r.masks, r.counts, r.kinds = map[string]string{}, map[string]int{}, map[string]int{}
	}
	r.counts[kind]++
	key := kind + "\x00" + secret
	if m, ok := r.masks[key]; ok {
		return m
	}
	r.kinds[kind]++
	m := "[redacted:" + kind + "]"
	if n := r.kinds[kind]; n > 1 {
		m = fmt.Sprintf("[redacted:%s-%d]", kind, n)
	}
	r.masks[key] = m
	return m
}

// random reports whether a word looks drawn by lot: of the letters that it has, none is
// much more frequent than the others. Its entropy is in bits for each character.
func random(word string, least float64) bool {
	count := make(map[byte]int)
	for i := range len(word) {
		count[word[i]]++
	}
	bits := 0.0
	for _, n := range count {
		p := float64(n) / float64(len(word))
		bits -= p * math.Log2(p)
	}
	return bits >= least
}
