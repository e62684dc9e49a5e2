package render_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacms/cmd/render"
	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
)

// document compares the demo and another recorded session.
func document(t *testing.T) *compare.Document {
	t.Helper()
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	demo, err := openclaw.Read(t.Context(), testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	other, err := openclaw.Open(t.Context(), "../../testdata/openclaw/2026.9.6-edge.jsonl", openclaw.Options{Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	plan := &compare.Plan{
		Sessions: []*session.Session{demo, other}, Embedder: embed.NewBuiltin(),
		Options: compare.Options{Rules: selector.DefaultRules(), Tail: 1, Mode: session.PoolWindow, Source: "flag"},
	}
	for _, name := range []string{"pacms", "topk", "lastk"} {
		s, err := selector.ParseStrategy(name)
		if err != nil {
			t.Fatal(err)
		}
		plan.Strategies = append(plan.Strategies, s)
	}
	for _, text := range []string{"45%", "900"} {
		b, err := selector.ParseBudget(text)
		if err != nil {
			t.Fatal(err)
		}
		plan.Budgets = append(plan.Budgets, b)
	}
	r, err := compare.Run(t.Context(), plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := plan.Document(r)
	d.Build, d.Repeat = compare.Build{Version: "v1", Go: "go1", Platform: "os/arch"}, "pacms compare demo"
	return d
}

func written(t *testing.T, write func(io.Writer, *compare.Document) error, d *compare.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wanted are the fields of a row as people read them, from the strategy on.
func wanted(r *compare.Row) []string {
	mark := ""
	if r.Strategy == "pacms" {
		mark = "*"
	}
	tokens := strconv.FormatFloat(math.Floor(r.Tokens+0.5), 'f', 0, 64)
	if n := len(tokens); n > 3 {
		tokens = tokens[:n-3] + "," + tokens[n-3:]
	}
	fields := []string{
		r.Strategy, fmt.Sprintf("%d of %d", r.Missed, r.Needs), strconv.Itoa(r.Quoted), fmt.Sprintf("%.1f", r.Items), tokens,
		fmt.Sprintf("%.3f", r.Coverage) + mark, fmt.Sprintf("%.3f", r.Overlap), fmt.Sprintf("%.3f", r.Prefix), fmt.Sprintf("%.1f", r.MS),
	}
	if r.Expected > 0 {
		fields = slices.Insert(fields, 3, fmt.Sprintf("%d of %d", r.Met, r.Expected))
	}
	return fields
}

// TestEveryFormatHasTheSameNumbers reads each format back.
func TestEveryFormatHasTheSameNumbers(t *testing.T) {
	t.Parallel()
	d := document(t)
	sameNumbers(t, d)
	d.Expect = "expect.yaml"
	for i := range d.Rows {
		d.Rows[i].Expected, d.Rows[i].Met = 20+i, i
	}
	sameNumbers(t, d) // with what is expected
	for i, line := range strings.Split(strings.TrimSpace(written(t, render.CellsCSV, d)), "\n") {
		if i == 0 && !strings.Contains(line, ",kept_hash,met,expected,partial,") || i > 0 && !strings.Contains(line, ",0,0,false,") {
			t.Errorf("line %d has not what is expected: %s", i, line)
		}
	}
}

func sameNumbers(t *testing.T, d *compare.Document) {
	t.Helper()
	text, md, page := written(t, render.Text, d), written(t, render.Markdown, d), written(t, render.HTML, d)
	for name, text := range map[string]string{"text": text, "Markdown": md, "page": page} {
		if strings.Contains(text, "expectations of expect.yaml that are met") != (d.Expect != "") {
			t.Errorf("the %s with the expectations %q has them wrong:\n%s", name, d.Expect, text)
		}
	}
	lines, err := csv.NewReader(strings.NewReader(written(t, render.CSV, d))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	field := func(line []string, name string) string {
		for i, head := range lines[0] {
			if head == name {
				return line[i]
			}
		}
		t.Fatalf("no column %s", name)
		return ""
	}
	cells := regexp.MustCompile(`<td[^>]*>([^<]*)</td>`)
	var table [][][]string
	for _, row := range regexp.MustCompile(`(?s)<table id="rows">.*?</table>`).FindAllString(page, -1) {
		for _, tr := range regexp.MustCompile(`<tr[^>]*>(<td.*?)</tr>`).FindAllStringSubmatch(row, -1) {
			table = append(table, cells.FindAllStringSubmatch(tr[1], -1))
		}
	}
	if len(d.Rows) != 6 || len(lines) != 7 || len(table) != 6 {
		t.Fatalf("%d rows, %d lines of CSV, %d of HTML", len(d.Rows), len(lines), len(table))
	}
	for i := range d.Rows {
		r := &d.Rows[i]
		want := wanted(r)
		if pattern := strings.Join(escapedAll(want), `\s+`) + "\n"; !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
		if line := "| " + strings.ReplaceAll(strings.Join(want, " | "), "*", `\*`) + " |\n"; !strings.Contains(md, line) {
			t.Errorf("Markdown has no %q:\n%s", line, md)
		}
		for k, text := range want {
			if got := strings.TrimSpace(table[i][k+2][1]); got != text {
				t.Errorf("row %d of the page has %q, want %q", i, got, text)
			}
		}
		line := lines[i+1]
		for name, want := range map[string]float64{
			"turns": float64(r.Turns), "contested": float64(r.Contested), "counted": float64(r.Counted), "items_mean": r.Items,
			"tokens_mean": r.Tokens, "coverage_mean": r.Coverage, "overlap_mean": r.Overlap, "prefix_mean": r.Prefix,
			"prefix_turns": float64(r.PrefixTurns), "ms_mean": r.MS, "missed_sum": float64(r.Missed), "quoted_sum": float64(r.Quoted), "needs_sum": float64(r.Needs),
		} {
			if got, err := strconv.ParseFloat(field(line, name), 64); err != nil || got != want {
				t.Errorf("line %d of CSV: %s is %v, want %v (%v)", i, name, got, want, err)
			}
		}
		if d.Expect != "" && (field(line, "met_sum") != strconv.Itoa(r.Met) || field(line, "expected_sum") != strconv.Itoa(r.Expected)) {
			t.Errorf("line %d of CSV: %q", i, line)
		}
		if field(line, "strategy") != r.Strategy || field(line, "budget") != r.Budget || field(line, "pool_hash") != d.PoolHash || field(line, "repeat") != d.Repeat {
			t.Errorf("line %d of CSV: %q", i, line)
		}
		// Each number with all its digits, and the point of each in its chart.
		for _, x := range []float64{r.Items, r.Tokens, r.Coverage, r.Overlap, r.Prefix} {
			if !strings.Contains(page, `data-value="`+strconv.FormatFloat(x, 'g', -1, 64)+`"`) {
				t.Errorf("the page has no %v", x)
			}
		}
		for _, x := range []float64{float64(r.Needs-r.Missed) / float64(r.Needs), r.Coverage, r.Tokens, r.Prefix} {
			point := fmt.Sprintf(`data-value="%s"><title>%s at %s: `, strconv.FormatFloat(x, 'g', -1, 64), r.Strategy, r.Budget)
			if !strings.Contains(page, point) {
				t.Errorf("no chart has the point %s", point)
			}
		}
	}
	for name, text := range map[string]string{"text": text, "Markdown": md, "page": page} {
		for _, part := range []string{compare.Footnote, "pacms compare demo", "v1 (go1, os/arch)", "embedder builtin", "counter openclaw (estimates)", "rules system,first", d.PoolHash[:16], "by design"} {
			if !strings.Contains(text, part) {
				t.Errorf("the %s does not say %q", name, part)
			}
		}
	}
}

// TestNothingIsNoZero has a budget under which everything fits: means over no turn are
// no numbers, in no format.
func TestNothingIsNoZero(t *testing.T) {
	t.Parallel()
	d := document(t)
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Budget == "900" {
			d.Rows[i] = compare.Row{Strategy: r.Strategy, Budget: r.Budget, Turns: r.Turns}
		}
	}
	text, md, page := written(t, render.Text, d), written(t, render.Markdown, d), written(t, render.HTML, d)
	if n := len(regexp.MustCompile(`(?m)^900 .* 0 of \d+ +\w+( +–){8}$`).FindAllString(text, -1)); n != 3 {
		t.Errorf("%d rows of text without numbers:\n%s", n, text)
	}
	if n := strings.Count(md, strings.Repeat(" | –", 8)+" |\n"); n != 3 {
		t.Errorf("%d rows of Markdown without numbers:\n%s", n, md)
	}
	if n := strings.Count(page, strings.Repeat("<td>–</td>", 8)); n != 3 {
		t.Errorf("%d rows of HTML without numbers", n)
	}
	if strings.Contains(page, " at 900: ") || strings.Contains(page, "NaN") {
		t.Error("a chart has a point that no turn gives")
	}
	lines, err := csv.NewReader(strings.NewReader(written(t, render.CSV, d))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		for i, head := range lines[0] {
			if empty := line[1] == "900" && strings.HasSuffix(head, "_mean"); empty != (line[i] == "") {
				t.Errorf("%s of %s at %s is %q", head, line[0], line[1], line[i])
			}
		}
	}
	for i := range d.Rows {
		b, err := json.Marshal(&d.Rows[i])
		if err != nil {
			t.Fatal(err)
		}
		if nulls := strings.Count(string(b), "null"); (nulls == 6) != (d.Rows[i].Budget == "900") || nulls%6 != 0 {
			t.Errorf("%s", b)
		}
		var read compare.Row
		if err := json.Unmarshal(b, &read); err != nil || read != d.Rows[i] {
			t.Errorf("read back: %+v, %v", read, err)
		}
	}
}

func escapedAll(texts []string) []string {
	list := make([]string, len(texts))
	for i, s := range texts {
		list[i] = regexp.QuoteMeta(s)
	}
	return list
}

// TestChartsStandWhereTheirNumbersAre measures the drawing.
func TestChartsStandWhereTheirNumbersAre(t *testing.T) {
	t.Parallel()
	page := written(t, render.HTML, document(t))
	charts := regexp.MustCompile(`(?s)<figcaption>(\w+).*?</svg>`).FindAllStringSubmatch(page, -1)
	point := regexp.MustCompile(`translate\(([\d.]+),([\d.]+)\)" d="[^"]*" data-value="([^"]+)"`)
	tried := 0
	for _, chart := range charts {
		if chart[1] == "Tokens" {
			continue // it has a scale of its own
		}
		for _, p := range point.FindAllStringSubmatch(chart[0], -1) {
			y, err := strconv.ParseFloat(p[2], 64)
			value, err2 := strconv.ParseFloat(p[3], 64)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if want := 12 + (1-value)*190; math.Abs(y-want) > 0.06 {
				t.Errorf("%s: %v stands at %v, want %v", chart[1], value, y, want)
			}
			tried++
		}
	}
	if tried != 18 { // three charts, three strategies, two budgets
		t.Errorf("%d points were tried", tried)
	}
	for _, chart := range charts { // what is more is drawn no lower
		points := point.FindAllStringSubmatch(chart[0], -1)
		for _, p := range points {
			for _, q := range points {
				py, _ := strconv.ParseFloat(p[2], 64)
				qy, _ := strconv.ParseFloat(q[2], 64)
				pv, _ := strconv.ParseFloat(p[3], 64)
				qv, _ := strconv.ParseFloat(q[3], 64)
				if pv > qv && py > qy {
					t.Errorf("%s: %v is drawn below %v", chart[1], pv, qv)
				}
			}
		}
	}
}

// TestPageLoadsNothing looks for anything that a browser would fetch or run.
func TestPageLoadsNothing(t *testing.T) {
	t.Parallel()
	page := strings.ToLower(written(t, render.HTML, document(t)))
	for _, bad := range []string{"<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import", "http:", "https:", "onload"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the page does not forbid to load anything")
	}
}

// TestForeignTextsDoNothing gives every text of a document something that acts.
func TestForeignTextsDoNothing(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[31m\u202e<script>alert(1)</script>|`*\n=1+1"
	d := document(t)
	d.Repeat, d.Embedder, d.Tokenizer, d.Build.Version, d.Pool = evil, evil, evil, evil, evil
	d.Sessions[0].Source.Path, d.Sessions[0].Session = evil, evil
	d.Warnings = []session.Warning{{Message: evil}}
	d.Gates = []compare.Gate{{Text: evil, Failed: true}}
	for name, write := range map[string]func(io.Writer, *compare.Document) error{
		"text": render.Text, "Markdown": render.Markdown, "CSV": render.CSV, "cells": render.CellsCSV, "page": render.HTML,
	} {
		out := written(t, write, d)
		if strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("the %s has what acts on a terminal", name)
		}
		if name == "page" && strings.Contains(out, "<script") {
			t.Error("the page has a script")
		}
		if name == "Markdown" && strings.Contains(strings.Split(out, "    repeat")[0], "<script") {
			t.Error("Markdown has a script")
		}
	}
	d.Strategies[0] = "=1+1"
	d.Sessions[0].Source.Path = "=1+1"
	if out := written(t, render.CellsCSV, d); strings.HasPrefix(strings.Split(out, "\n")[1], "=") {
		t.Error("CSV has a formula")
	}
}

// TestPartialIsSaid is about a comparison that was interrupted.
func TestPartialIsSaid(t *testing.T) {
	t.Parallel()
	d := document(t)
	d.Partial, d.Done, d.Total = true, 5, 78
	for name, write := range map[string]func(io.Writer, *compare.Document) error{"text": render.Text, "Markdown": render.Markdown, "page": render.HTML} {
		if out := written(t, write, d); !strings.Contains(out, "PARTIAL: it ended after 5 of 78 turns") {
			t.Errorf("the %s does not say it", name)
		}
	}
	if out := written(t, render.CSV, d); !strings.Contains(out, `,true,"v1 (go1`) {
		t.Error("CSV does not say it")
	}
}
