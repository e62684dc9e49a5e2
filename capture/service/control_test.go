package service_test

import (
	"strings"
	"testing"

	"pacms/selector"
)

// What a person decided counts for every request, and every answer says so.
func TestControl(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	auth := "Authorization: Bearer " + secret
	steer := func(body string, want int) reply {
		t.Helper()
		r := s.ask("POST", "/control", body, auth)
		if r.status != want {
			t.Fatalf("%s: %d %s", body, r.status, r.body)
		}
		return r
	}
	warned := func(sel *selector.Selection) string {
		for _, w := range sel.Warnings {
			if w.Code == "steered" {
				return w.Message
			}
		}
		return ""
	}
	term := func(sel *selector.Selection) selector.Term { return sel.BudgetTerms["budget"] }

	sel := s.ask("POST", "/select", kettle).selection(t)
	if warned(sel) != "" || term(sel) != (selector.Term{Value: 12, Source: "request"}) {
		t.Errorf("before: %+v", sel)
	}
	steer(`{"strategy":"topk","budget":9}`, 200)
	sel = s.ask("POST", "/select?strategy=mmr&budget=5", kettle).selection(t)
	if sel.Strategy != "topk" || term(sel) != (selector.Term{Value: 9, Source: "control"}) || warned(sel) != "a person set the strategy topk and a budget of 9 tokens for every request" {
		t.Errorf("steered: %+v", sel)
	}
	// What is not named stays, what is null is given back.
	steer(`{"budget":"50%"}`, 200)
	sel = s.ask("POST", "/v1/select_debug", kettle).selection(t)
	if sel.Strategy != "topk" || term(sel).Value != 8 || !strings.Contains(warned(sel), "50% of the pool") {
		t.Errorf("half: %+v", sel)
	}
	if r := steer(`{"strategy":null}`, 200); !strings.Contains(r.body, `"strategy":null,"budget":"50%"`) {
		t.Errorf("%s", r.body)
	}
	// A request that cannot be used changes nothing.
	for _, body := range []string{
		``, `[]`, `null`, `{"strategy":"none"}`, `{"strategy":"lastk","budget":-1}`, `{"budget":[]}`, `{"budget":true}`, `{"colour":"red"}`, `{"strategy":"lastk","strategy":"topk"}`,
		`{"strategy":"lastk"}x`, `{"strategy":"lastk"`, `{"strategy":"lastk","budget":1e3}`,
	} {
		r := s.ask("POST", "/control", body, auth, "Content-Type: application/json")
		if r.status != 400 || r.problem(t).Error.Code != "bad_control" {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := s.ask("POST", "/control", strings.Repeat(" ", 5<<10), auth); r.status != 413 {
		t.Errorf("a long one: %d", r.status)
	}
	if r := s.ask("GET", "/control", "", auth); !strings.Contains(r.body, `"strategy":null,"budget":"50%"`) {
		t.Errorf("%s", r.body)
	}
	steer(`{"budget":null}`, 200)
	if sel = s.ask("POST", "/select", kettle).selection(t); warned(sel) != "" || term(sel).Source != "request" {
		t.Errorf("afterwards: %+v", sel)
	}
}
