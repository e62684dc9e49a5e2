package expect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacms/selector"
	"pacms/session"
)

// The keys of a file.
const (
	keep = "keep"
	drop = "drop"

	keySchema   = "schema"
	keyExpect   = "expect"
	keySession  = "session"
	keyTurn     = "turn"
	keyAt       = "at"
	keyQuestion = "question"
	keyStrategy = "strategy"
	keyBudget   = "budget"
	keyNote     = "note"
	keyID       = "id"
	keyFind     = "find"
)

var (
	fileKeys        = []string{keySchema, keyExpect}
	expectationKeys = []string{keySession, keyTurn, keyAt, keyQuestion, keep, drop, keyStrategy, keyBudget, keyNote}
	messageKeys     = []string{keyID, keyFind}
)

// KeyError is a key that the format does not have.
type KeyError struct {
	Line int
	Key  string
	// Known are the keys that there are in its place.
	Known []string
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("expect: line %d: there is no key %q here: there are %s", e.Line, e.Key, strings.Join(e.Known, ", "))
}

// Read reads a file of expectations. Every error of its form names the line; an
// unknown key is a *KeyError.
func Read(data []byte) ([]Expectation, error) {
	decode := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decode.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("expect: the file is empty: it begins with expect: and a list")
	case err != nil:
		return nil, fmt.Errorf("expect: it is no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decode.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("expect: the file has more than one document: put all into one list")
	}
	fields, err := mapping(doc.Content[0], "the file", fileKeys)
	if err != nil {
		return nil, err
	}
	if n := fields[keySchema]; n != nil && aliased(n).Value != Schema {
		return nil, fmt.Errorf("expect: line %d: the schema is %q, not %s", n.Line, aliased(n).Value, Schema)
	}
	list := aliased(fields[keyExpect])
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil, fmt.Errorf("expect: line %d: the key expect has no list of at least one expectation", doc.Content[0].Line)
	}
	out := make([]Expectation, len(list.Content))
	for i, n := range list.Content {
		if out[i], err = expectation(n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// aliased is a node, or what it is an alias of. An alias stands where it is written: its
// line is that of errors.
func aliased(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.AliasNode {
		return n
	}
	of := *n.Alias
	of.Line = n.Line
	return &of
}

// mapping are the values of a mapping by key, all of them known.
func mapping(n *yaml.Node, what string, known []string) (map[string]*yaml.Node, error) {
	n = aliased(n)
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("expect: line %d: %s consists of keys with values: %s", n.Line, what, strings.Join(known, ", "))
	}
	fields := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := aliased(n.Content[i])
		if !slices.Contains(known, key.Value) || key.Kind != yaml.ScalarNode {
			return nil, &KeyError{key.Line, key.Value, known}
		}
		if fields[key.Value] != nil {
			return nil, fmt.Errorf("expect: line %d: %s is there twice", key.Line, key.Value)
		}
		fields[key.Value] = n.Content[i+1]
	}
	return fields, nil
}

// expectation reads one item of the list.
func expectation(n *yaml.Node) (Expectation, error) {
	e := Expectation{Line: n.Line}
	fields, err := mapping(n, "an expectation", expectationKeys)
	if err != nil {
		return e, err
	}
	if err := oneOf(n.Line, fields, "the turn", keyTurn, keyAt, keyQuestion); err != nil {
		return e, err
	}
	if err := oneOf(n.Line, fields, "what is expected", keep, drop); err != nil {
		return e, err
	}
	number := ""
	for _, f := range []struct {
		key string
		to  *string
	}{{keySession, &e.Session}, {keyTurn, &number}, {keyAt, &e.At}, {keyQuestion, &e.Question}, {keyNote, &e.Note}} {
		if err := text(fields[f.key], f.key, f.to); err != nil {
			return e, err
		}
	}
	if t := fields[keyTurn]; t != nil {
		if e.Turn, err = strconv.Atoi(number); err != nil || e.Turn < 1 {
			return e, fmt.Errorf("expect: line %d: turn: %q is no number from 1 on: a time stands in at:, and words of the question in question: instead", t.Line, number)
		}
	}
	message := fields[keep]
	if e.Keep = message != nil; !e.Keep {
		message = fields[drop]
	}
	if err := e.message(message); err != nil {
		return e, err
	}
	if e.Strategies, err = several(fields[keyStrategy], keyStrategy, selector.ParseStrategy); err != nil {
		return e, err
	}
	e.Budgets, err = several(fields[keyBudget], keyBudget, selector.ParseBudget)
	return e, err
}

// message reads what names the message.
func (e *Expectation) message(n *yaml.Node) error {
	fields, err := mapping(n, "what is kept or dropped", messageKeys)
	if err != nil {
		return err
	}
	if err := oneOf(n.Line, fields, "the item", keyID, keyFind); err != nil {
		return err
	}
	if err := text(fields[keyID], keyID, &e.ID); err != nil {
		return err
	}
	if err := text(fields[keyFind], keyFind, &e.Find); err != nil || e.Find == "" {
		return err
	}
	if _, err := session.NewNeedle(e.Find); err != nil {
		return fmt.Errorf("expect: line %d: the text of find cannot be looked for: %w", fields[keyFind].Line, err)
	}
	return nil
}

// oneOf demands exactly one of some keys.
func oneOf(line int, fields map[string]*yaml.Node, what string, keys ...string) error {
	n := 0
	for _, key := range keys {
		if fields[key] != nil {
			n++
		}
	}
	if n == 1 {
		return nil
	}
	return fmt.Errorf("expect: line %d: %s is said by one of %s, and there are %d of them", line, what, strings.Join(keys, ", "), n)
}

// text reads a value that is a text, which is not empty.
func text(n *yaml.Node, key string, to *string) error {
	if n == nil {
		return nil
	}
	n = aliased(n)
	switch {
	case n.Kind != yaml.ScalarNode:
		return fmt.Errorf("expect: line %d: the value of %s is one text or number", n.Line, key)
	case n.Tag == "!!null" && n.Value != "":
		return fmt.Errorf("expect: line %d: the value of %s is nothing, which YAML writes as %s: the word stands in quotes", n.Line, key, n.Value)
	case strings.TrimSpace(n.Value) == "":
		return fmt.Errorf("expect: line %d: the value of %s is empty: it is a text or a number", n.Line, key)
	}
	*to = n.Value
	return nil
}

// several reads a value or a list of values, none of them twice.
func several[T fmt.Stringer](n *yaml.Node, key string, parse func(string) (T, error)) ([]T, error) {
	if n == nil {
		return nil, nil
	}
	n = aliased(n)
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	if len(nodes) == 0 {
		return nil, fmt.Errorf("expect: line %d: the list of %s: is empty: leave it out where any will do", n.Line, key)
	}
	var list []T
	for _, node := range nodes {
		var word string
		if err := text(node, key, &word); err != nil {
			return nil, err
		}
		value, err := parse(word)
		if err != nil {
			return nil, fmt.Errorf("expect: line %d: %s: %w", node.Line, key, err)
		}
		if slices.ContainsFunc(list, func(v T) bool { return v.String() == value.String() }) {
			return nil, fmt.Errorf("expect: line %d: %s: %s is there twice", node.Line, key, value)
		}
		list = append(list, value)
	}
	return list, nil
}

// document is a file as it is written.
type document struct {
	Schema string   `yaml:"schema"`
	Expect []record `yaml:"expect"`
}

type record struct {
	Session  string   `yaml:"session,omitempty"`
	Turn     int      `yaml:"turn,omitempty"`
	At       string   `yaml:"at,omitempty"`
	Question string   `yaml:"question,omitempty"`
	Keep     *message `yaml:"keep,omitempty"`
	Drop     *message `yaml:"drop,omitempty"`
	Strategy []string `yaml:"strategy,flow,omitempty"`
	Budget   []string `yaml:"budget,flow,omitempty"`
	Note     string   `yaml:"note,omitempty"`
}

type message struct {
	ID   string `yaml:"id,omitempty"`
	Find string `yaml:"find,omitempty"`
}

// Write writes expectations as Read reads them.
func Write(w io.Writer, list []Expectation) error {
	doc := document{Schema: Schema, Expect: make([]record, len(list))}
	for i := range list {
		e := &list[i]
		r := record{Session: e.Session, Turn: e.Turn, At: e.At, Question: e.Question, Note: e.Note}
		m := &message{e.ID, e.Find}
		if r.Keep = m; !e.Keep {
			r.Keep, r.Drop = nil, m
		}
		for _, s := range e.Strategies {
			r.Strategy = append(r.Strategy, s.String())
		}
		for _, b := range e.Budgets {
			r.Budget = append(r.Budget, b.String())
		}
		doc.Expect[i] = r
	}
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	err := out.Encode(doc)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("expect: write the expectations: %w", err)
	}
	return nil
}
