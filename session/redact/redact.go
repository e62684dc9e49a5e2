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
		return r.values(raw)
	}
	return []byte(r.Text(string(raw)))
}

// values is a valid JSON text with each of its values masked; all else stays as it is
// written, the order of keys among it.
func (r *Redactor) values(raw []byte) []byte {
	var out []byte
	name := "" // the key of the value that comes
	for at := 0; at < len(raw); {
		if end := numberEnd(raw, at); end > at {
			out = append(out, r.number(name, raw[at:end])...)
			name, at = "", end
			continue
		}
		if raw[at] != '"' {
			if raw[at] == '{' || raw[at] == '[' {
				name = ""
			}
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
		next := strings.TrimLeft(string(raw[end:min(end+16, len(raw))]), " \t\r\n")
		isName := strings.HasPrefix(next, ":")
		masked := r.Text(text)
		if name != "" && masked == text && !isName {
			masked = r.named(name, text)
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

// named is a text that stands under a key: a password is known by that.
func (r *Redactor) named(name, text string) string {
	if names.MatchString(name) && isPhrase(text) {
		return r.mask("password", text)
	}
	if pair := r.Text(name + ": " + text); !strings.HasSuffix(pair, ": "+text) {
		return strings.TrimPrefix(pair, name+": ")
	}
	return text
}

// number is a number that stands under a key, or the mask of it as a string.
func (r *Redactor) number(name string, digits []byte) []byte {
	if len(digits) < leastSecret || !names.MatchString(name) {
		return digits
	}
	return []byte(`"` + r.mask("password", string(digits)) + `"`)
}

// numberEnd is where the JSON number that begins at a place ends; the place itself where
// none begins there.
func numberEnd(raw []byte, at int) int {
	end := at
	for end < len(raw) && strings.IndexByte("+-.0123456789eE", raw[end]) >= 0 && (end > at || raw[end] == '-' || raw[end] >= '0' && raw[end] <= '9') {
		end++
	}
	return end
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
