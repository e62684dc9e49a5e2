package service

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// A body is read as it is, whatever was said of its length, and takes the memory of
// what has come.
func TestReadAll(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, n := range []int{0, 1, 511, 512, mib - 1, mib, mib + 1, 5*mib + 7} {
		want := bytes.Repeat([]byte("abcdefg"), n/7+1)[:n]
		for _, said := range []int64{int64(n), -1} {
			got, err := readAll(bytes.NewReader(want), said)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("of %d bytes, said to be %d, %d are read: %v", n, said, len(got), err)
			}
			if said > 0 && cap(got) > max(2*mib, n+n/4) {
				t.Errorf("%d bytes take %d", n, cap(got))
			}
		}
	}
	cut := io.MultiReader(bytes.NewReader(make([]byte, 10)), brokenOff{})
	if got, err := readAll(cut, 16*mib); !errors.Is(err, io.ErrUnexpectedEOF) || cap(got) > 2*mib {
		t.Errorf("10 bytes of 16 MiB take %d: %v", cap(got), err)
	}
}

// brokenOff is what is read of a connection that ended too early.
type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
