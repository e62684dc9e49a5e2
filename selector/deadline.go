package selector

import (
	"context"
	"errors"
	"time"
)

// askerKey is the key of the context that InTime was given.
type askerKey struct{}

// InTime returns ctx with a deadline for selections. At the deadline a selection is the
// best that was found until then; what is said of it is worked out all the same, and
// ends only with ctx. The caller calls cancel when it needs the context no more.
func InTime(ctx context.Context, deadline time.Time) (inTime context.Context, cancel context.CancelFunc) {
	return context.WithDeadline(context.WithValue(ctx, askerKey{}, ctx), deadline)
}

// Beyond returns a context for work that a deadline does not stop. It ends with the
// context that InTime was given, whose caller may have gone; where ctx does not come
// from there it never ends.
func Beyond(ctx context.Context) context.Context {
	if asker, ok := ctx.Value(askerKey{}).(context.Context); ok {
		return asker
	}
	return context.WithoutCancel(ctx)
}

// late reports whether an error of a context says that time is up, and not that
// nobody wants the answer any more.
func late(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// unwanted is an error where nobody wants the answer any more, whether time is up or not.
func unwanted(ctx context.Context) error {
	if err := ctx.Err(); !late(err) {
		return err
	}
	return Beyond(ctx).Err()
}
