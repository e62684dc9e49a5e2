package selector_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/selectortest"
	"pacms/session"
)

// specs are the strategies that properties are tried on, some with parameters.
var specs = append(selector.Strategies(), "mmr:lambda=0.8", "rag:k=2", "pacms+:smooth=0.3", "pacms:smooth=0.3", "dedup:cosine=0.9")

// pools generates pools with vectors: few dimensions, so that near-duplicates
// and opposites occur, with groups, required candidates and pending messages.
func pools(most int) *rapid.Generator[*session.Pool] {
	return rapid.Custom(func(t *rapid.T) *session.Pool {
		dim := rapid.IntRange(1, 4).Draw(t, "dim")
		component := rapid.Custom(func(t *rapid.T) float32 { return float32(rapid.IntRange(-3, 4).Draw(t, "x")) })
		vector := rapid.SliceOfN(component, dim, dim)
		n := rapid.IntRange(0, most).Draw(t, "n")
		budget := rapid.IntRange(0, 40*max(n, 1)).Draw(t, "budget")
		p := &session.Pool{Schema: session.PoolSchema, QueryEmbedding: vector.Draw(t, "query"), Budget: &budget}
		for i := range n {
			c := session.Candidate{
				ID: fmt.Sprintf("c%d", i), Kind: session.User, Tokens: rapid.IntRange(0, 60).Draw(t, "tokens"),
				Embedding: vector.Draw(t, "v"), Required: rapid.IntRange(0, 7).Draw(t, "required") == 0,
			}
			if g := rapid.IntRange(0, 6).Draw(t, "group"); g < 3 {
				c.Group = fmt.Sprint("g", g)
			}
			p.Candidates = append(p.Candidates, c)
		}
		if rapid.Bool().Draw(t, "pending") {
			p.Pending = []session.Pending{{ID: "p", Tokens: rapid.IntRange(0, 30).Draw(t, "pending tokens")}}
		}
		return p
	})
}

func TestSelectionsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(14).Draw(t, "pool")
		rules := rapid.SampledFrom([]string{"none", "default"}).Draw(t, "rules")
		opt := selector.Options{Strategy: mustStrategy(t, rapid.SampledFrom(specs).Draw(t, "strategy")), Tail: 1}
		opt.Rules, _ = selector.ParseRules(rules)
		for i := range pool.Candidates {
			switch rapid.IntRange(0, 9).Draw(t, "person") {
			case 0:
				opt.Pins = append(opt.Pins, pool.Candidates[i].ID)
			case 1:
				opt.Bans = append(opt.Bans, pool.Candidates[i].ID)
			}
		}
		s := selectFrom(t, pool, opt)
		if err := selectortest.Check(pool, s); err != nil {
			t.Fatal(err)
		}
		for i := range pool.Candidates {
			if slices.Contains(opt.Pins, pool.Candidates[i].ID) && !s.Keeps(i) {
				t.Fatalf("candidate %d is pinned and dropped", i)
			}
			if v := s.Explain(i); v.Score == 0 && math.Signbit(v.Score) {
				t.Fatalf("%s: candidate %d has a score of −0", opt.Strategy, i)
			}
		}
		again := selectFrom(t, pool, opt)
		if !slices.Equal(s.Order, again.Order) {
			t.Fatalf("not the same twice: %v and %v", s.Order, again.Order)
		}
	})
}

// instance is a facility location written anew, in float64, for exhaustive
// search: weights of clients and affinities of clients to candidates.
type instance struct {
	weight []float64
	aff    [][]float64
}

func paperInstance(pool *session.Pool, client []bool) instance {
	unit := units(pool)
	q := normal(pool.QueryEmbedding)
	in := instance{make([]float64, len(unit)), make([][]float64, len(unit))}
	for i := range unit {
		if client[i] {
			in.weight[i] = max(0, dot(unit[i], q))
		}
		in.aff[i] = make([]float64, len(unit))
		for j := range unit {
			in.aff[i][j] = max(0, dot(unit[i], unit[j]))
		}
	}
	return in
}

func plusInstance(pool *session.Pool, client []bool) instance {
	unit := units(pool)
	q := normal(pool.QueryEmbedding)
	n, usable, sum, rel, offered := len(unit), 0.0, 0.0, 0.0, 0.0
	for i := range unit {
		if dot(unit[i], unit[i]) > 0 {
			usable++
		}
		if client[i] {
			rel += max(0, dot(unit[i], q))
			offered++
		}
		for j := range unit {
			if i != j {
				sum += dot(unit[i], unit[j])
			}
		}
	}
	m := 0.0
	if usable >= 2 {
		m = min(max(sum/(usable*(usable-1)), 0), 0.9)
	}
	in := instance{make([]float64, n), make([][]float64, n)}
	for i := range unit {
		in.aff[i] = make([]float64, n)
		degree := 0.0
		for j := range unit {
			phi := math.Pow(min(max((dot(unit[i], unit[j])-m)/(0.85*(1-m)), 0), 1), 12)
			if i == j && dot(unit[i], unit[i]) > 0 {
				phi = 1
			}
			if phi <= 0.02 {
				phi = 0
			}
			in.aff[i][j] = phi
			if client[j] {
				degree += phi
			}
		}
		if degree > 0 && client[i] {
			in.weight[i] = float64(max(pool.Candidates[i].Tokens, 1)) * math.Pow(max(0, dot(unit[i], q))+rel/offered, 2) / degree
		}
	}
	return in
}

func units(pool *session.Pool) [][]float64 {
	unit := make([][]float64, len(pool.Candidates))
	for i := range unit {
		unit[i] = normal(pool.Candidates[i].Embedding)
	}
	return unit
}

func normal(v []float32) []float64 {
	out, norm := make([]float64, len(v)), 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	for i, x := range v {
		if norm > 0 {
			out[i] = float64(x) / math.Sqrt(norm)
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func (in instance) value(kept []int) float64 {
	sum := 0.0
	for i, w := range in.weight {
		best := 0.0
		for _, j := range kept {
			best = max(best, in.aff[i][j])
		}
		sum += w * best
	}
	return sum
}

// optimum is the greatest value of any set of whole groups that holds all the
// required and fits the budget.
func (in instance) optimum(pool *session.Pool, budget int) float64 {
	groups := map[string][]int{}
	var names []string
	for i := range pool.Candidates {
		name := pool.Candidates[i].Group
		if name == "" {
			name = fmt.Sprint("single", i)
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], i)
	}
	best := 0.0
	for set := range 1 << len(names) {
		var kept []int
		tokens, valid := 0, true
		for k, name := range names {
			in := set>>k&1 == 1
			for _, m := range groups[name] {
				if in {
					kept = append(kept, m)
					tokens += pool.Candidates[m].Tokens
				}
				valid = valid && (in || !pool.Candidates[m].Required)
			}
		}
		if valid && tokens <= budget {
			best = max(best, in.value(kept))
		}
	}
	return best
}

func TestBoundHoldsAgainstExhaustiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(9).Draw(t, "pool")
		all := slices.Repeat([]bool{true}, len(pool.Candidates))
		for name, in := range map[string]instance{"pacms": paperInstance(pool, all), "pacms+": plusInstance(pool, all)} {
			s := selectFrom(t, pool, selector.Options{Strategy: mustStrategy(t, name)})
			if s.Objective == nil {
				continue // nothing to choose: over the budget, or no question
			}
			opt := in.optimum(pool, s.EffectiveBudget)
			slackness := 1e-5 * max(1, opt)
			if value := in.value(s.KeptIndices); math.Abs(value-*s.Objective) > slackness {
				t.Fatalf("%s: objective %v, the kept set has %v", name, *s.Objective, value)
			}
			if *s.UpperBound < opt-slackness {
				t.Fatalf("%s: upper bound %v is below the optimum %v", name, *s.UpperBound, opt)
			}
			if *s.Objective > opt+slackness {
				t.Fatalf("%s: objective %v is above the optimum %v", name, *s.Objective, opt)
			}
			if opt > 1e-6 && *s.Certificate > *s.Objective/opt+1e-5 {
				t.Fatalf("%s: certificate %v, true ratio %v", name, *s.Certificate, *s.Objective/opt)
			}
			if opt > 1e-6 && *s.Objective/opt < 0.5-1e-5 {
				t.Fatalf("%s: %v of the optimum, half is guaranteed", name, *s.Objective/opt)
			}
		}
	})
}

func TestNextChangeMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(10).Draw(t, "pool")
		opt := ruled(t, pool)
		total := pool.Tokens()
		from := rapid.IntRange(0, total).Draw(t, "from")
		p := prepare(t, pool)
		at := func(b int) []int {
			opt.Budget = selector.Term{Value: b, Source: "test"}
			s, err := p.Select(background, opt)
			if err != nil {
				t.Fatal(err)
			}
			return s.KeptIndices
		}
		for _, dir := range []int{1, -1} {
			start := at(from)
			want, found := 0, false
			for b := from + dir; b >= 0 && b <= beyond(pool) && !found; b += dir {
				if !slices.Equal(at(b), start) {
					want, found = b, true
				}
			}
			opt.Budget = selector.Term{Value: from, Source: "test"}
			got, ok, err := p.NextChange(background, opt, dir)
			if err != nil {
				t.Fatal(err)
			}
			if ok != found || ok && got != want {
				t.Fatalf("%s from %d by %+d: got %d %v, want %d %v", opt.Strategy, from, dir, got, ok, want, found)
			}
		}
	})
}

// Where the pool knows a window and no budget, the next change is still told as a
// budget from which what is pending comes off.
func TestNextChangeFromAWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(9).Draw(t, "pool")
		window := *pool.Budget
		pool.Budget, pool.Window = nil, &window
		opt := peopled(t, pool, specs)
		p := prepare(t, pool)
		start, err := p.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []int{1, -1} {
			got, ok, err := p.NextChange(background, opt, dir)
			if err != nil {
				t.Fatal(err)
			}
			want, found := 0, false
			for b := start.EffectiveBudget + start.Tokens.Pending; b >= 0 && b <= beyond(pool) && !found; b += dir {
				if !slices.Equal(keptAt(t, p, opt, b).KeptIndices, start.KeptIndices) {
					want, found = b, true
				}
			}
			if ok != found || ok && got != want {
				t.Fatalf("%s by %+d: got %d %v, want %d %v", opt.Strategy, dir, got, ok, want, found)
			}
		}
	})
}
