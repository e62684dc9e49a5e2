package cmd

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// byteSize is a flag that takes a number of bytes: 16MiB, 500MB, 4096.
type byteSize int64

// units are those of a size, the longest first where one ends in another.
var units = []struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30},
	{"MiB", 1 << 20},
	{"KiB", 1 << 10},
	{"GB", 1e9},
	{"MB", 1e6},
	{"KB", 1e3},
	{"B", 1},
}

// String is the size in the largest unit of which it is a whole number.
func (s *byteSize) String() string { return byteSizeText(int64(*s)) }

// byteSizeText is a size as byteSize reads it.
func byteSizeText(n int64) string {
	for _, u := range units[:3] {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// Set reads a size.
func (s *byteSize) Set(text string) error {
	number, unit := strings.TrimSpace(text), int64(1)
	for _, u := range units {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, unit = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return errors.New("it is a number of bytes as in 16MiB, 500MB or 4096")
	}
	*s = byteSize(n * unit)
	return nil
}

// Type names the kind of value in a help text.
func (*byteSize) Type() string { return "size" }
