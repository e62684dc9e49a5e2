package cmd

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// ageValue is a flag that takes an age as people write it: 30d, 2w, 12h.
type ageValue struct{ age *time.Duration }

// String is the age as Set reads it; empty: none.
func (v ageValue) String() string {
	switch {
	case v.age == nil || *v.age == 0:
		return ""
	case *v.age%day == 0:
		return strconv.Itoa(int(*v.age/day)) + "d"
	}
	return v.age.String()
}

const day = 24 * time.Hour

// Set reads an age: a whole number of days or weeks, or what time.ParseDuration reads.
func (v ageValue) Set(text string) error {
	text = strings.TrimSpace(text)
	wrong := errors.New("it is an age such as 30d, 2w or 12h")
	for suffix, unit := range map[string]time.Duration{"d": day, "w": 7 * day} {
		number, ok := strings.CutSuffix(text, suffix)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || int64(n) > math.MaxInt64/int64(unit) {
			return wrong
		}
		*v.age = time.Duration(n) * unit
		return nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return wrong
	}
	*v.age = age
	return nil
}

// Type names the kind of value in a help text.
func (ageValue) Type() string { return "age" }

// sizeValue is a flag that takes a number of bytes as people write it: 500MB, 64MiB.
type sizeValue struct{ bytes *int64 }

// String is the size as Set reads it; empty: none.
func (v sizeValue) String() string {
	if v.bytes == nil || *v.bytes == 0 {
		return ""
	}
	for _, u := range sizeUnits {
		if *v.bytes%u.bytes == 0 {
			return strconv.FormatInt(*v.bytes/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(*v.bytes, 10)
}

// sizeUnits are what a size may end in, the longest first of those that end alike.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"KB", 1e3}, {"B", 1},
}

// Set reads a whole number with a unit, or of bytes.
func (v sizeValue) Set(text string) error {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range sizeUnits {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, unit = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return errors.New("it is a size such as 500MB, 64MiB or 1GB")
	}
	*v.bytes = n * unit
	return nil
}

// Type names the kind of value in a help text.
func (sizeValue) Type() string { return "size" }
