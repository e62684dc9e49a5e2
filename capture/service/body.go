package service

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// read reads a body into memory that is set aside for it, until free is called.
func (s *Service) read(w *answer, r *http.Request) (body []byte, free func(), err error) {
	length := r.ContentLength
	if length > s.Limits.Body {
		return nil, nil, &http.MaxBytesError{Limit: s.Limits.Body}
	}
	if length < 0 { // not said: it may be as long as any
		length = s.Limits.Body
	}
	free, err = s.gate.hold(length)
	if err != nil {
		return nil, nil, err
	}
	body, err = readAll(http.MaxBytesReader(w.ResponseWriter, r.Body, s.Limits.Body), r.ContentLength)
	if err != nil {
		free()
		return nil, nil, &bodyError{err}
	}
	// The rest of the time is the selection's.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	return body, free, nil
}

// bodyError is why a body could not be read to its end, which is no fault of the service.
type bodyError struct{ error }

func (e *bodyError) Unwrap() error { return e.error }

// readAll reads a body of the length that was said, or of any if that is negative. Memory
// grows with what has come and not with what was said; past the first 1 MiB it grows once.
func readAll(r io.Reader, length int64) ([]byte, error) {
	const first = 1 << 20
	var b bytes.Buffer
	if length > first {
		b.Grow(first)
		if _, err := io.CopyN(&b, r, first-bytes.MinRead); err != nil {
			return nil, err //nolint:wrapcheck // read does
		}
	}
	if length >= 0 {
		b.Grow(int(length) - b.Len() + bytes.MinRead)
	}
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}
