package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"muster/loaders/store/postgres"
)

// Times of Await, our own choices.
const (
	// AwaitTime is how long a process that starts waits for a database that does not answer: one that is started with it, or that has too much to do, answers by then.
	AwaitTime  = 30 * time.Second
	awaitEvery = 250 * time.Millisecond // between two tries
)

// Await returns what do does, which a process needs of PostgreSQL when it starts. While the server does not answer, or not in time, it is tried again, until AwaitTime has passed since the first try:
// that it waits is logged, once. do may have had its effect although it fails, and is done again: what a process has enlisted so ends with its lease. What the server refuses, as a password, or a URL that is of none, is an error at once.
func Await[T any](ctx context.Context, log *slog.Logger, do func(context.Context) (T, error)) (T, error) {
	for began, said := time.Now(), false; ; said = true {
		v, err := do(ctx)
		switch {
		case err == nil || !mayAnswer(err) || ctx.Err() != nil:
			return v, err
		case time.Since(began) >= AwaitTime:
			return v, fmt.Errorf("PostgreSQL has not answered for %v: %w", time.Since(began).Round(time.Second), err)
		case !said:
			log.Warn("waits for PostgreSQL to answer", "for", AwaitTime, "err", OneLine(err))
		}
		select {
		case <-time.After(awaitEvery):
		case <-ctx.Done():
			return v, err
		}
	}
}

// mayAnswer reports whether another try may not meet an error. A host of which there is no address is a mistake in a URL.
func mayAnswer(err error) bool {
	var name *net.DNSError
	return postgres.Busy(err) && !(errors.As(err, &name) && name.IsNotFound)
}
