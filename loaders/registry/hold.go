package registry

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrTaken is the error of Hold for a realm that another process holds.
var ErrTaken = errors.New("registry: another process holds the realm")

// A Hold is a realm that this process holds, by the advisory lock of a session of its own: no other process does, until it lets it go or its session ends, which
// it does if Keep is not called for 10 s. One goroutine owns it.
type Hold struct {
	registry *Registry
	realm    string
	conn     *pgx.Conn // has the lock; nil while it may not
}

// holdLock is the class of the advisory lock of a realm that is held: "hold" in ASCII.
const holdLock = 0x686f6c64

// holdSilence is after how long without a call of Keep the session ends, as that of a machine which is cut off. Our own choice: some calls may be late.
const holdSilence = 10 * time.Second

const takeHold = `SELECT pg_try_advisory_lock($1, hashtext($2))`

// Hold holds a realm. The error is ErrTaken if another process does.
func (r *Registry) Hold(ctx context.Context, realm string) (*Hold, error) {
	h := &Hold{registry: r, realm: realm}
	if err := h.take(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

// take takes the lock.
func (h *Hold) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, h.registry.config.Timeout)
	defer cancel()
	pooled, err := h.registry.pool.Acquire(ctx)
	if err != nil {
		return wrap(err)
	}
	var held bool
	switch err := pooled.QueryRow(ctx, takeHold, holdLock, h.realm).Scan(&held); {
	case err != nil:
		return errors.Join(wrap(err), pooled.Hijack().Close(ctx)) // it may have the lock
	case !held:
		pooled.Release()
		return ErrTaken
	}
	h.conn = pooled.Hijack()
	if _, err := h.conn.Exec(ctx, endIfIdle, strconv.FormatInt(holdSilence.Milliseconds(), 10)); err != nil {
		h.Close()
		return wrap(err)
	}
	return nil
}

// Keep finds out whether the session is still there, and takes the lock again if it has ended, as with the database. The error is ErrTaken if another process has it by then.
func (h *Hold) Keep(ctx context.Context) error {
	if h.conn != nil {
		pinging, cancel := context.WithTimeout(ctx, h.registry.config.Timeout)
		defer cancel()
		err := h.conn.Ping(pinging)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		h.Close()
	}
	return h.take(ctx)
}

// Close lets the realm go: the end of the session does.
func (h *Hold) Close() {
	if h.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	h.conn.Close(ctx) // what it says of a connection that is broken does not matter: that has ended
	h.conn = nil
}
