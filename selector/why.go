package selector

import (
	"fmt"
	"slices"
)

// Why is the whole reasoning about one candidate in one selection.
type Why struct {
	Verdict Verdict
	// Headline is the reason in a few words, without KEPT or DROPPED.
	Headline string
	// Steps are what was looked at, in the order in which it was decided; what
	// does not apply is left out.
	Steps []Step
	// CoveredBy are, for one that a facility location dropped, the kept ones that
	// say what it would add, the greatest share first. The shares add up to the
	// covered share.
	CoveredBy []Share
	// Covers are, for one that a facility location kept, the dropped ones whose
	// worth its group gives: at least half, and no other kept one more.
	Covers []Share
	// Certificate says how good the selection is, as Selection.Claim does.
	Certificate string
}

// Step is one thing that was looked at: a label of a word or two and a sentence
// with the numbers of this run.
type Step struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Why gives the whole reasoning about the candidate at pool index i. The first
// call on a selection costs a pass over what is kept, each other one little.
func (s *Selection) Why(i int) Why { return s.why.why(i) }

// detailed is the verdict on the candidate at pool index i with its reasoning.
func (s *Selection) detailed(i int) Verdict {
	w := s.Why(i)
	w.Verdict.Steps, w.Verdict.Covers = w.Steps, w.Covers
	return w.Verdict
}

// Keepers lists the pool indices of what stands for the dropped candidate at pool
// index i: the kept ones that cover it, the greatest share first, or the kept
// newer one that says the same. It is nil for a kept candidate.
func (s *Selection) Keepers(i int) []int { return s.why.keepers(i) }

// Covers lists the pool indices of the dropped candidates that the kept one at
// pool index i stands for, the best covered first: it gives at least half of
// their worth and no other kept one gives more, or it is the newer one that says
// the same. It is nil for a dropped candidate.
func (s *Selection) Covers(i int) []int { return s.why.covered(i) }

// Claim says what the certificate proves or, where Optimum is set, what that
// shows, in words that promise nothing about an answer; empty where there is no
// certificate.
func (s *Selection) Claim() string {
	if s.Optimum != nil {
		return s.Optimum.Claim()
	}
	if s.Certificate == nil || *s.Certificate <= 0 || len(s.kept) == 0 {
		return ""
	}
	return "no subset within this budget scores " + higher(*s.Certificate) + " (it says nothing about the answer)"
}

func (r *reasons) why(i int) Why {
	w := Why{Verdict: r.verdict(i), Certificate: r.s.Claim()}
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.pb.of[i]
	w.Headline = r.headline(g, w.Verdict.Reason)
	if r.c.located != nil && r.chosenFrom(g) && !w.Verdict.Kept {
		w.CoveredBy = r.shares(g)
	}
	w.Covers = r.covers(g)
	w.Steps = r.steps(i, g, &w)
	return w
}

// chosenFrom reports whether the strategy could weigh group g: no rule and no
// person set it aside.
func (r *reasons) chosenFrom(g int) bool {
	code := r.pb.fate[g].code
	return code == "" || code == TooLarge || code == Fits || r.pb.isMust(g)
}

// headline is the reason without the names and numbers that the steps give.
func (r *reasons) headline(g int, reason Reason) string {
	code, speaker := r.groupCode(g)
	if code != CoveredBy {
		return reason.Text
	}
	text := r.coveredShare(g)
	if reason.Code == WithGroup {
		return fmt.Sprintf("goes with %s: %s", r.pb.Pool.Candidates[speaker].Label(speaker), text)
	}
	return text
}

// covers gives, for a kept group, what it covers.
func (r *reasons) covers(g int) []Share {
	if r.c.located == nil || !r.s.kept[r.pb.groups[g].first()] {
		return nil
	}
	var shares []Share
	for _, w := range r.c.located.covers(g, r.s.kept) {
		shares = append(shares, Share{ID: r.pb.Pool.Candidates[w.candidate].ID, Share: w.share})
	}
	return shares
}

func (r *reasons) keepers(i int) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.pb.of[i]
	if r.s.kept[i] {
		return nil
	}
	var keepers []int
	if r.c.located != nil && r.chosenFrom(g) {
		for _, p := range r.c.located.parts(g) {
			keepers = append(keepers, r.c.located.decides(p.keeper))
		}
		return keepers
	}
	return r.successors(g)
}

// successors are the kept candidates that a rule or the strategy names as saying
// the same as group g and newer.
func (r *reasons) successors(g int) []int {
	return slices.DeleteFunc(slices.Clone(r.newer(g)), func(i int) bool { return !r.s.kept[i] })
}

// newer is successors with those that are not kept.
func (r *reasons) newer(g int) []int {
	switch f := r.pb.fate[g]; f.code {
	case SupersededBy, Heartbeat:
		return f.by
	case "":
		return r.drops[g].by
	default:
		return nil
	}
}

func (r *reasons) covered(i int) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.s.kept[i] {
		return nil
	}
	g := r.pb.of[i]
	var list []int
	if r.c.located != nil {
		for _, w := range r.c.located.covers(g, r.s.kept) {
			list = append(list, w.candidate)
		}
	}
	for h := range r.pb.groups {
		if slices.ContainsFunc(r.newer(h), func(j int) bool { return r.s.kept[j] && r.pb.of[j] == g }) {
			list = append(list, r.pb.groups[h].members...)
		}
	}
	return list
}
