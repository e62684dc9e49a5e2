package cmd

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"pacms/capture/service"
	"pacms/session/files"
)

// address is where to listen, with a numeric host. Elsewhere than on this machine the
// service is reached by others, which is to be meant.
func (sf *serveFlags) address(ctx context.Context) (string, error) {
	host, port, err := net.SplitHostPort(sf.listen)
	if err != nil {
		return "", usagef("--listen %s: it is HOST:PORT, as in 127.0.0.1:8077 or :0 for any port that is free", sf.listen)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	if ip == nil {
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil || len(found) == 0 {
			return "", usagef("--listen %s: there is no machine %s", sf.listen, host)
		}
		host, ip = found[0].String(), found[0].AsSlice()
	}
	if !ip.IsLoopback() && !sf.requireToken {
		return "", usagef("--listen %s is not on this machine alone: others on the network could send pools and read what comes of them. "+
			"With --require-token it is for those who have the token", sf.listen)
	}
	return net.JoinHostPort(host, port), nil
}

// open listens. It returns nil where the service runs already and that is all right.
func (sf *serveFlags) open(ctx context.Context, address string) (net.Listener, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err == nil {
		return ln, nil
	}
	if isService(ctx, address) {
		if sf.ifNotRunning {
			return nil, nil //nolint:nilnil // nothing to listen with, and nothing wrong
		}
		return nil, fmt.Errorf("the service runs already at http://%s: use that one, or --listen :0 for another; --if-not-running takes it for done", address)
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program listens on %s: choose another port, as with --listen :0, which takes any that is free", address)
	}
	return nil, fmt.Errorf("listen on %s: %w", address, err)
}

// isService reports whether a service of this program answers at an address.
func isService(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	// No proxy knows what is on this machine.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	var doc struct{ Service string }
	err = json.NewDecoder(io.LimitReader(resp.Body, 4<<10)).Decode(&doc)
	return err == nil && doc.Service == service.Name
}

func (sf *serveFlags) addressPath() string { return cmp.Or(sf.addressFile, inState("service.address")) }
func (sf *serveFlags) tokenPath() string   { return cmp.Or(sf.tokenFile, inState("service.token")) }

// maxLine is more bytes than an address or a token has.
const maxLine = 4 << 10

// putLine writes a file of one line for the user alone, in a folder that is the user's.
func putLine(path, line string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err //nolint:wrapcheck // it names the path
	}
	return files.Replace(path, func(w io.Writer) error {
		_, err := io.WriteString(w, line)
		return err //nolint:wrapcheck // Replace names the path
	})
}

// writeAddress writes the address to where other programs look for it. forget removes
// it, unless another service has written its own meanwhile.
func writeAddress(path, url string) (forget func(), err error) {
	line := url + "\n"
	if err := putLine(path, line); err != nil {
		return nil, fmt.Errorf("write the address: %w", err)
	}
	return func() {
		if now, err := files.Read(path, maxLine); err == nil && string(now) == line {
			_ = os.Remove(path) // a wrong address does no harm: nobody answers there
		}
	}, nil
}

// readToken reads the token, and makes one where there is none.
func readToken(path string) (string, error) {
	text, err := files.Read(path, maxLine)
	if errors.Is(err, fs.ErrNotExist) {
		made := rand.Text()
		if err := putLine(path, made+"\n"); err != nil {
			return "", fmt.Errorf("make the token: %w", err)
		}
		return made, nil
	}
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return "", usagef("the token in %s can be read by others (%v): chmod 600 %s, or remove it to have a new one made", path, mode, path)
	}
	secret := strings.TrimSpace(string(text))
	if len(secret) < leastToken || strings.ContainsAny(secret, " \t\r\n") {
		return "", usagef("the token in %s is not one: it is a line of at least %d characters without blanks; remove the file to have one made", path, leastToken)
	}
	return secret, nil
}

// leastToken is the number of characters that cannot be guessed.
const leastToken = 16
