//go:build unix

package files_test

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pacms/session/files"
)

// What is no regular file is refused at once, and not waited for.
func TestReadSpecial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, kind := range map[string]string{pipe: "a pipe", socket: "a socket", "/dev/zero": "a device"} {
		if _, err := files.Read(path, 10); !errors.Is(err, files.ErrNotRegular) || !strings.Contains(err.Error(), path+" is "+kind) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
