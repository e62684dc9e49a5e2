package cmd

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAgeValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "2w": 336 * time.Hour, "12h": 12 * time.Hour, "90m": 90 * time.Minute, "0d": 0, " 1d ": 24 * time.Hour} {
		var age time.Duration
		if err := (ageValue{&age}).Set(text); err != nil || age != want {
			t.Errorf("%q is %v, %v", text, age, err)
		}
		again := age
		if text := (ageValue{&age}).String(); text != "" {
			if err := (ageValue{&again}).Set(text); err != nil || again != age {
				t.Errorf("%v is written as %q and read as %v, %v", age, text, again, err)
			}
		}
	}
	for _, text := range []string{"", "d", "-1d", "30", "1.5d", "-3h", "99999999999999999d", "month"} {
		var age time.Duration
		if err := (ageValue{&age}).Set(text); err == nil {
			t.Errorf("%q is %v", text, age)
		}
	}
}

func TestSizeValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"500MB": 500e6, "64MiB": 64 << 20, "1gb": 1e9, "2 KB": 2000, "12": 12, "7B": 7, "0": 0, "1KiB": 1024} {
		var n int64
		if err := (sizeValue{&n}).Set(text); err != nil || n != want {
			t.Errorf("%q is %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "MB", "-1MB", "1.5MB", "99999999999GB", "many"} {
		var n int64
		if err := (sizeValue{&n}).Set(text); err == nil {
			t.Errorf("%q is %d", text, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1<<62).Draw(t, "bytes")
		again := int64(0)
		if err := (sizeValue{&again}).Set(sizeValue{&n}.String()); err != nil || again != n {
			t.Fatalf("%d is written as %s and read as %d, %v", n, sizeValue{&n}, again, err)
		}
	})
}
