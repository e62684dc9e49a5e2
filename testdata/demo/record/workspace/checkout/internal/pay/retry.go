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

// Refund gives back a part of a charge, or all of it. The key is the caller's,
// because a person may press the button twice.
func Refund(ctx context.Context, p Provider, o Order, cents int64, key string) error {
	if cents <= 0 || cents > o.Cents {
		return fmt.Errorf("refund order %s: %d cents of a charge of %d", o.ID, cents, o.Cents)
	}
	back := Order{ID: o.ID, Cents: -cents}
	if err := p.Charge(ctx, key, back); err != nil {
		return fmt.Errorf("refund order %s: %w", o.ID, err)
	}
	return nil
}
