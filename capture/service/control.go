package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"pacms/selector"
	"pacms/session"
)

// control is what a person decided for every request from now on. It ends with the
// service.
type control struct {
	mu       sync.Mutex
	strategy *selector.Strategy
	budget   *selector.BudgetSpec
}

// controlDocument is what a person decided; null is what nobody did.
type controlDocument struct {
	Schema   string  `json:"schema"`
	Strategy *string `json:"strategy"`
	Budget   *string `json:"budget"`
}

// controlSchema names the format of what a person decided.
const controlSchema = "pacms.control/1"

// controlBytes is how long a request to steer may be.
const controlBytes = 4 << 10

// apply changes what a request asks for, and says so.
func (c *control) apply(ask *Ask) *session.Warning {
	c.mu.Lock()
	defer c.mu.Unlock()
	var set []string
	if c.strategy != nil {
		ask.Strategy = c.strategy
		set = append(set, "the strategy "+c.strategy.String())
	}
	if c.budget != nil {
		ask.Budget, ask.Source = c.budget, "control"
		set = append(set, "a budget of "+budgetText(*c.budget))
	}
	if set == nil {
		return nil
	}
	return &session.Warning{Code: "steered", Message: "a person set " + strings.Join(set, " and ") + " for every request"}
}

// budgetText is a budget with its unit.
func budgetText(b selector.BudgetSpec) string {
	if b.IsShare() {
		return b.String() + " of the pool"
	}
	return b.String() + " tokens"
}

// document is the present state.
func (c *control) document() controlDocument {
	c.mu.Lock()
	defer c.mu.Unlock()
	doc := controlDocument{Schema: controlSchema}
	if c.strategy != nil {
		name := c.strategy.String()
		doc.Strategy = &name
	}
	if c.budget != nil {
		text := c.budget.String()
		doc.Budget = &text
	}
	return doc
}

// set takes over what fields say; one that is absent stays, one that is null is undone.
func (c *control) set(fields map[string]json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := struct {
		strategy *selector.Strategy
		budget   *selector.BudgetSpec
	}{c.strategy, c.budget}
	for name, value := range fields {
		text, null, err := controlText(value)
		if err != nil {
			return badControl(name, err.Error())
		}
		switch name {
		case "strategy":
			next.strategy = nil
			if null {
				continue
			}
			s, err := selector.ParseStrategy(text)
			if err != nil {
				return badControl(name, plainly(err))
			}
			next.strategy = &s
		case "budget":
			next.budget = nil
			if null {
				continue
			}
			b, err := selector.ParseBudget(text)
			if err != nil {
				return badControl(name, plainly(err))
			}
			next.budget = &b
		default:
			return badControl(name, "there is nothing of this name to steer: there are strategy and budget")
		}
	}
	c.strategy, c.budget = next.strategy, next.budget
	return nil
}

// controlText is a value as text: a string, or a number of tokens.
func controlText(value json.RawMessage) (text string, null bool, err error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", false, fmt.Errorf("not JSON: %w", err)
	}
	switch v := v.(type) {
	case nil:
		return "", true, nil
	case string:
		return v, false, nil
	case json.Number:
		return v.String(), false, nil
	}
	return "", false, errors.New(`must be a string as "32k", a number or null`)
}

func badControl(name, message string) error {
	return &problem{status: http.StatusBadRequest, code: "bad_control", message: message, path: "$." + name}
}

// showControl answers with what a person decided.
func (s *Service) showControl(w *answer, _ *http.Request) error {
	return s.write(w, http.StatusOK, s.control.document())
}

// setControl decides for every request from now on.
func (s *Service) setControl(w *answer, r *http.Request) error {
	if err := checkType(r); err != nil {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, controlBytes))
	if err != nil {
		return &bodyError{err}
	}
	fields, err := readControl(body)
	if err != nil {
		return err
	}
	if err := s.control.set(fields); err != nil {
		return err
	}
	doc := s.control.document()
	s.Log.Info("steered", "id", w.id, "strategy", orNone(doc.Strategy), "budget", orNone(doc.Budget))
	s.events.send(event{name: "control", doc: doc})
	return s.write(w, http.StatusOK, doc)
}

// readControl reads an object, each key of which stands once.
func readControl(body []byte) (map[string]json.RawMessage, error) {
	bad := func(message string) error {
		return &problem{status: http.StatusBadRequest, code: "bad_control", message: message, path: "$"}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, bad(`must be an object as {"strategy":"topk","budget":"32k"}`)
	}
	fields := make(map[string]json.RawMessage)
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, bad("not JSON: " + err.Error())
		}
		name, _ := tok.(string) // the decoder lets nothing else stand here
		if _, twice := fields[name]; twice {
			return nil, badControl(name, "given twice")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, bad("not JSON: " + err.Error())
		}
		fields[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, bad("not JSON: " + err.Error())
	}
	if len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return nil, bad("something follows the object")
	}
	return fields, nil
}

func orNone(text *string) string {
	if text == nil {
		return "none"
	}
	return *text
}
