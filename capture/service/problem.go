package service

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pacms/session/poolfile"
)

// problem is why a request is not answered as it wished.
type problem struct {
	status int
	// code is stable: programs go by it.
	code, message string
	// path is where in the body or the header the cause is, if it is there.
	path string
	// retry is when it makes sense to ask again; 0 where it does not.
	retry time.Duration
}

// Error is the message.
func (p *problem) Error() string { return p.message }

// problemDocument is a problem as it is written.
type problemDocument struct {
	Error struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		Path      string `json:"path,omitempty"`
		RequestID string `json:"request_id"`
	} `json:"error"`
}

// statusGone is noted of a request whose client went away before the answer.
const statusGone = 499

func refuse(status int, code, message string) *problem {
	return &problem{status: status, code: code, message: message}
}

// busy says that there is too much to do.
func busy(message string) *problem {
	return &problem{status: http.StatusServiceUnavailable, code: "busy", message: message, retry: time.Second}
}

// problemOf is what an error of a handler is to the client.
func problemOf(r *http.Request, err error) *problem {
	var p *problem
	var fault *poolfile.Error
	var large *http.MaxBytesError
	var slow net.Error
	var body *bodyError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &fault) && fault.Limit:
		return &problem{status: http.StatusRequestEntityTooLarge, code: "too_large", message: fault.Error(), path: fault.Path}
	case errors.As(err, &fault):
		return &problem{status: http.StatusBadRequest, code: "bad_pool", message: fault.Error(), path: fault.Path}
	case errors.As(err, &large):
		return refuse(http.StatusRequestEntityTooLarge, "too_large", "the body is longer than "+sizeText(large.Limit))
	case errors.As(err, &slow) && slow.Timeout() && !errors.Is(err, context.DeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "timeout", "the body took longer than "+readTime.String())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(http.StatusBadRequest, "cut_off", "the body ended before it was complete")
	case r.Context().Err() != nil:
		return refuse(statusGone, "gone", "the client closed the connection before the answer")
	}
	if errors.As(err, &body) {
		return refuse(http.StatusBadRequest, "bad_body", "the body cannot be read: "+body.Error())
	}
	return refuse(http.StatusInternalServerError, "internal", err.Error())
}

// fail answers with a problem.
func (s *Service) fail(w *answer, p *problem) {
	if w.status != 0 {
		w.gone = p.status == statusGone
		return
	}
	var doc problemDocument
	doc.Error.Code, doc.Error.Message, doc.Error.Path, doc.Error.RequestID = p.code, p.message, p.path, w.id
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(p.retry.Seconds())))
	}
	_ = s.write(w, p.status, doc) // nothing more can be done for this client
}

// sizeText is a number of bytes as people write it.
func sizeText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// plainly is an error of what a client named, without the package that found it.
func plainly(err error) string { return strings.TrimPrefix(err.Error(), "selector: ") }
