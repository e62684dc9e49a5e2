package tui

import (
	"context"
	"testing"
	"testing/synctest"
)

// As much is done at a time as there are places, and what is given up does not wait.
func TestAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := make(aside, 1)
		_, leave := a.enter(t.Context())
		entered := false
		go func() {
			_, leave := a.enter(t.Context())
			defer leave()
			entered = true
		}()
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp := false
		go func() {
			_, leave := a.enter(ctx)
			defer leave()
			gaveUp = true
		}()
		synctest.Wait()
		if entered || gaveUp {
			t.Fatal("more is done than there are places")
		}
		cancel()
		synctest.Wait()
		if !gaveUp || entered {
			t.Errorf("given up: %v, entered: %v", gaveUp, entered)
		}
		leave()
		synctest.Wait()
		if !entered || len(a) != 0 {
			t.Errorf("entered: %v, and %d places are taken", entered, len(a))
		}
	})
}
