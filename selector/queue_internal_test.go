package selector

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The queue gives what a look at all groups gives, and puts each offer right at most
// once between two changes: one that stayed behind its gain would come up for ever.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "n")
		groups, gain, all := make([]group, n), make([]float64, n), make([]int, n)
		for g := range groups {
			groups[g].tokens = rapid.IntRange(0, 5).Draw(t, "tokens")
			gain[g], all[g] = float64(rapid.IntRange(0, 6).Draw(t, "gain")), g
		}
		room, looked := 12, 0
		by := func(gain float64, tokens int) float64 {
			if looked++; looked > 10*(n+1) {
				t.Fatalf("the same offers come up again and again: gains %v", gain)
			}
			return perToken(gain, tokens)
		}
		q := newQueue(by, 0, groups, all, gain)
		// What does not fit is found out one by one in another queue: the same is asked.
		slow := newQueue(perToken, 0, groups, all, gain)
		slow.misfits = -1 << 40
		asked, slowly := slack{noSlack, noSlack}, slack{noSlack, noSlack}
		fits := func(tokens int) bool { return tokens <= room }
		for {
			looked = 0
			got, want := q.top(gain, func(tokens int) bool { return asked.fits(tokens, room) }, room), -1
			slow.top(gain, func(tokens int) bool { return slowly.fits(tokens, room) }, room)
			if asked != slowly {
				t.Fatalf("what was asked holds for %+v, one by one for %+v", asked, slowly)
			}
			for g := range groups {
				o := offer{perToken(gain[g], groups[g].tokens), gain[g], groups[g].tokens, g}
				if !(gain[g] > 0) || !fits(groups[g].tokens) {
					continue
				}
				if want < 0 || o.before(&offer{perToken(gain[want], groups[want].tokens), gain[want], groups[want].tokens, want}) {
					want = g
				}
			}
			if got != want {
				t.Fatalf("%d is first, want %d of gains %v", got, want, gain)
			}
			if looked > n {
				t.Fatalf("%d offers were put right %d times", n, looked)
			}
			if got < 0 {
				return
			}
			room -= groups[got].tokens
			gain[got] = 0
			for g := range gain {
				switch rapid.IntRange(0, 5).Draw(t, "falls") {
				case 0:
					gain[g] = math.Nextafter(gain[g], -1)
				case 1:
					gain[g] /= 2
				case 2:
					gain[g] = math.NaN() // cannot happen, and must not stay
				}
			}
		}
	})
}
