// Package pay charges orders through the payment provider.
package pay

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrBusy is what the provider answers when it wants to be asked again.
var ErrBusy = errors.New("provider busy")

const (
	maxAttempts = 4
	firstDelay  = 250 * time.Millisecond
)

// Order is what is charged.
type Order struct {
	ID    string
	Cents int64
}

// Provider charges an order once for each key.
type Provider interface {
	Charge(ctx context.Context, key string, o Order) error
}

// Charge charges an order and asks again, with growing pauses, while the
// provider is busy.
func Charge(ctx context.Context, p Provider, o Order, newKey func() string, pause func(time.Duration)) error {
	delay := firstDelay
	for attempt := 1; ; attempt++ {
		err := p.Charge(ctx, newKey(), o)
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrBusy) || attempt == maxAttempts {
			return fmt.Errorf("charge order %s, attempt %d: %w", o.ID, attempt, err)
		}
		pause(delay)
		delay *= 2
	}
}
