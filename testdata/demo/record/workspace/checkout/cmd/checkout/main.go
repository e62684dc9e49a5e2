// Command checkout serves the checkout API.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const shutdownTimeout = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, ":8080"); err != nil {
		slog.Error("checkout stopped", "error", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, address string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("POST /vouchers/check", checkVoucher)
	server := &http.Server{Addr: address, Handler: mux, ReadHeaderTimeout: 2 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	select {
	case err := <-failed:
		return fmt.Errorf("listen on %s: %w", address, err)
	case <-ctx.Done():
	}
	// Requests that run get this long to finish.
	ending, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ending); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("shut down: %w", err)
	}
	return nil
}

// checkVoucher says what a voucher would take off, without using it up.
func checkVoucher(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Code, Basket string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<14)).Decode(&ask); err != nil {
		refuse(w, http.StatusBadRequest, "body_unreadable", "The body is not JSON of at most 16 KiB.")
		return
	}
	if ask.Code == "" || ask.Basket == "" {
		refuse(w, http.StatusUnprocessableEntity, "field_missing", "Both code and basket are needed.")
		return
	}
	refuse(w, http.StatusNotFound, "voucher_unknown", "There is no voucher "+ask.Code+".")
}

// refuse answers with an error in the shape that docs/api.md promises.
func refuse(w http.ResponseWriter, status int, code, message string) {
	type problem struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(map[string]problem{"error": {code, message}}); err != nil {
		slog.Warn("answer not written", "code", code, "error", err)
	}
}
