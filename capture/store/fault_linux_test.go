//go:build cgo

package store

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mounted is a folder with a file system of its own of so many bytes. The test skips
// where none can be mounted.
func mounted(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// On a disk that is full nobody waits; the captures do, and are written once there is
// room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	folder := mounted(t, "512k")
	ballast := filepath.Join(folder, "ballast")
	path := filepath.Join(folder, "c.sqlite")
	s := open(t, path, Options{})
	hand(t, s, simple(1, 3))
	flush(t, s)
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	f.Close()
	for i := range 5 {
		hand(t, s, simple(i+2, 200))
	}
	for ; s.Stats().Fault == ""; time.Sleep(time.Millisecond) {
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
	if st := s.Stats(); !strings.Contains(st.Fault, "full") || st.Queued != 5 || st.Lost() != 0 {
		t.Errorf("%+v", st)
	}
	if list := stored(t, path); len(list) != 1 {
		t.Errorf("%d captures are in the file", len(list))
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	flush(t, s)
	shut(t, s)
	if list := stored(t, path); len(list) != 6 || len(list[5].Pool.Candidates) != 200 {
		t.Errorf("%d captures are in the file", len(list))
	}
}

// On a disk that cannot be written to captures fail and are counted, and what is there
// can be read.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	folder := mounted(t, "4m")
	path := filepath.Join(folder, "c.sqlite")
	s := open(t, path, Options{})
	hand(t, s, simple(1, 3))
	shut(t, s)
	remount := func(flags uintptr) {
		if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT|flags, "size=4m"); err != nil {
			t.Fatal(err)
		}
	}
	remount(syscall.MS_RDONLY)
	s = open(t, path, Options{})
	hand(t, s, simple(2, 3))
	if err := s.Close(t.Context()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Close says %v", err)
	}
	if st := s.Stats(); st.Failed != 1 || st.Fault == "" || st.Aside != "" {
		t.Errorf("%+v", st)
	}
	r := reading(t, path)
	if c, err := r.Capture(t.Context(), 1); err != nil || c.Turn != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Prune(t.Context(), path, Policy{KeepBytes: 1}); err == nil {
		t.Error("captures were removed from a disk that cannot be written to")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	remount(0)
	s = open(t, path, Options{})
	hand(t, s, simple(3, 3))
	shut(t, s)
	if list := stored(t, path); len(list) != 2 {
		t.Errorf("%d captures", len(list))
	}
}
