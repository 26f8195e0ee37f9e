package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
)

// errRefused is the error of a port at which nothing listens.
var errRefused = fmt.Errorf("registry: %w", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})

// A process waits for PostgreSQL, says so once, and goes on when it answers; it does not wait for longer than AwaitTime, nor for what has been refused.
func TestAwait(t *testing.T) {
	late := fmt.Errorf("registry: %w", context.DeadlineExceeded)
	const forever = 1 << 30
	for name, test := range map[string]struct {
		err    error
		fails  int           // tries that do
		each   time.Duration // that a try takes
		took   time.Duration // at least, and a second more at most
		said   int           // lines of the log
		want   string        // in the error; "" for none
		before time.Duration // it is stopped
	}{
		"it answers at once":         {},
		"nothing listens at first":   {err: errRefused, fails: 3, took: 3 * awaitEvery, said: 1},
		"it is late at first":        {err: late, fails: 4, each: 5 * time.Second, took: 26 * time.Second, said: 1},
		"nothing ever listens":       {err: errRefused, fails: forever, took: AwaitTime, said: 1, want: "PostgreSQL has not answered for 30s: registry: dial tcp: connect: connection refused"},
		"it is always late":          {err: late, fails: forever, each: 7 * time.Second, took: 35 * time.Second, said: 1, want: "PostgreSQL has not answered for "},
		"there is no such host":      {err: fmt.Errorf("registry: %w", &net.DNSError{Err: "no such host", Name: "nowhere", IsNotFound: true}), fails: forever, want: "no such host"},
		"it is another error":        {err: io.ErrShortWrite, fails: forever, want: "short write"},
		"it is told to at once":      {err: late, fails: forever, each: 5 * time.Second, took: 5 * time.Second, want: "deadline exceeded", before: time.Second},
		"the process is told to end": {err: errRefused, fails: forever, took: 10 * time.Second, said: 1, want: "registry: dial tcp: connect: connection refused", before: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if test.before > 0 {
					var end context.CancelFunc
					ctx, end = context.WithTimeout(ctx, test.before)
					defer end()
				}
				var log strings.Builder
				began, tries := time.Now(), 0
				v, err := Await(ctx, slog.New(slog.NewTextHandler(&log, nil)), func(context.Context) (int, error) {
					tries++
					<-time.After(test.each)
					if tries > test.fails {
						return tries, nil
					}
					return 0, test.err
				})
				took := time.Since(began)
				switch {
				case test.want == "" && (err != nil || v != test.fails+1):
					t.Errorf("it is %d, %v", v, err)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, test.err)):
					t.Errorf("the error is %v, want %q", err, test.want)
				}
				if took < test.took || took > test.took+7*time.Second {
					t.Errorf("it took %v, want %v", took, test.took)
				}
				if n := strings.Count(log.String(), "\n"); n != test.said || n > 0 && !strings.Contains(log.String(), `msg="waits for PostgreSQL to answer" for=30s err="registry: `) {
					t.Errorf("it says %d times:\n%s", n, &log)
				}
			})
		})
	}
}

// What a server refuses is not tried again, nor a URL that means none.
func TestAwaitOfMistakes(t *testing.T) {
	url := pgtest.New(t).URL(t)
	user, _, _ := strings.Cut(url, "&user=")
	for name, wrong := range map[string]string{
		"role":     user + "&user=another",
		"database": strings.Replace(url, "test1", "none", 1),
		"URL":      url + "&port=odd",
	} {
		tries := 0
		s, err := Await(t.Context(), slog.New(slog.DiscardHandler), func(ctx context.Context) (store.Store, error) {
			if tries++; tries > 1 {
				return nil, io.ErrShortWrite // ends it
			}
			return postgres.Open(ctx, postgres.Config{URL: wrong})
		})
		if err == nil {
			s.Close()
		}
		if err == nil || tries != 1 {
			t.Errorf("another %s, %s: %d tries, %v", name, wrong, tries, err)
		}
	}
}
