package cmd

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"pacms/selector/compare"
	"pacms/session"
	"pacms/session/files"
)

// limits reads what gates demand, and the baseline.
func (c *comparison) limits() ([]compare.Limit, *compare.Document, error) {
	if c.failUnder == "" {
		if c.baseline != "" {
			return nil, nil, usagef("--baseline is compared with by --fail-under, which is not given")
		}
		return nil, nil, nil
	}
	limits, err := compare.ParseLimits(c.failUnder)
	if err != nil {
		return nil, nil, usagef("--fail-under: %w", err)
	}
	counts := slices.ContainsFunc(limits, func(l compare.Limit) bool { return l.Name == compare.GateExpected })
	if counts && c.expect == "" {
		return nil, nil, usagef("--fail-under: the gate %s counts expectations, and there are none (--expect FILE)", compare.GateExpected)
	}
	if c.baseline == "" {
		return limits, nil, nil
	}
	// A pipe may never have a writer, and opening it would wait for one.
	if info, err := os.Stat(c.baseline); err == nil && !info.Mode().IsRegular() {
		return nil, nil, usagef("--baseline %s is %s: name the file that compare --json wrote", c.baseline, files.Kind(info.Mode()))
	}
	f, err := os.Open(c.baseline)
	if err != nil {
		return nil, nil, usagef("--baseline: %w", err)
	}
	defer f.Close()
	base, err := compare.Read(f)
	if err != nil {
		return nil, nil, usagef("--baseline %s: %w", c.baseline, err)
	}
	return limits, base, nil
}

// check applies the limits; failed is what the gates say.
func check(d, base *compare.Document, limits []compare.Limit) (failed, err error) {
	if limits == nil {
		return nil, nil
	}
	if d.Gates, err = d.Check(base, limits); err != nil {
		return nil, usagef("%w", err)
	}
	if base != nil {
		d.Warnings = append(d.Warnings, differences(d, base)...)
	}
	var worst *compare.Gate
	n := 0
	for i := range d.Gates {
		g := &d.Gates[i]
		if g.Failed {
			n++
			if worst == nil || g.Least-g.Low > worst.Least-worst.Low {
				worst = g
			}
		}
	}
	switch n {
	case 0:
		return nil, nil
	case 1:
		return &gateError{fmt.Errorf("1 of %s failed: %s", session.Counted(len(d.Gates), "gate"), worst.Text)}, nil
	}
	return &gateError{fmt.Errorf("%d of %d gates failed, the worst: %s", n, len(d.Gates), worst.Text)}, nil
}

// differences are what a baseline was made of or with otherwise.
func differences(d, base *compare.Document) []session.Warning {
	var list []session.Warning
	add := func(count int, format string, args ...any) {
		list = append(list, session.Warning{Code: "baseline", Message: "the baseline " + fmt.Sprintf(format, args...), Count: count})
	}
	for _, f := range []struct{ what, was, is string }{
		{"is of another build", base.Build.Version, d.Build.Version},
		{"has another embedder", base.Embedder, d.Embedder},
		{"has another counter", base.Tokenizer, d.Tokenizer},
		{"has other rules", strings.Join(base.Rules, ","), strings.Join(d.Rules, ",")},
	} {
		if f.was != f.is {
			add(0, "%s: %s, not %s", f.what, cmp.Or(f.was, "none"), cmp.Or(f.is, "none"))
		}
	}
	missing, changed := d.Unpaired(base)
	if missing > 0 {
		add(missing, "has not %s, which the gates leave out", session.Counted(missing, "turn"))
	}
	if changed > 0 {
		add(changed, "has another pool in %s", session.Counted(changed, "turn"))
	}
	return list
}
