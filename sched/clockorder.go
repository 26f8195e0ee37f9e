package sched

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// A ClockOrder is a number of steps that a ClockDriver is to take as fast as possible. It is pending until they are
// taken, or until the clock is stopped or given a speed.
type ClockOrder struct {
	until time.Duration // the time of the clock at which it is done
	done  chan struct{} // closed when it is no longer pending
	ended int           // steps that are not taken; valid once done is closed
}

// Wait returns when the steps are taken, and followers and readers of the clock are done with the last of them. It
// returns at once when the order ends before that, with the number of steps that it had left; and when ctx is done,
// with its error: then the order stays pending.
func (o *ClockOrder) Wait(ctx context.Context) (ended int, err error) {
	select {
	case <-o.done:
		return o.ended, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// Advance orders n steps after all pending ones; the clock stands then. More than MaxSteps in all are refused, and
// the pending ones stay.
func (h *ClockDriver) Advance(n int) (*ClockOrder, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch pending := h.pending(); {
	case n < 1 || n > MaxSteps:
		return nil, fmt.Errorf("%w: steps are from 1 to %d, not %d", ErrSpeed, MaxSteps, n)
	case n > MaxSteps-pending:
		return nil, fmt.Errorf("%w: %d steps are pending, and %d more are over %d", ErrSpeed, pending, n, MaxSteps)
	}
	return h.order(max(h.target, h.clock.Now()) + time.Duration(n)*h.step), nil
}

// AdvanceTo orders the steps to the first one at or after a time of the clock, which is at most MaxSteps ahead. The
// pending ones stay: the clock stands after the last of all.
func (h *ClockDriver) AdvanceTo(until time.Duration) (*ClockOrder, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.clock.Now()
	switch ahead := until - now; {
	case until < now:
		return nil, fmt.Errorf("%w: %d ms is over, the clock is at %d", ErrSpeed, until.Milliseconds(), now.Milliseconds())
	case ahead > MaxSteps*h.step:
		return nil, fmt.Errorf("%w: %d ms is more than %d steps after %d", ErrSpeed, until.Milliseconds(), MaxSteps, now.Milliseconds())
	default:
		return h.order(now + (ahead+h.step-1)/h.step*h.step), nil
	}
}

// Pending returns the number of steps that are ordered and not taken.
func (h *ClockDriver) Pending() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pending()
}

func (h *ClockDriver) pending() int { return int(max(0, h.target-h.clock.Now()) / h.step) }

// order adds an order; the caller holds mu.
func (h *ClockDriver) order(until time.Duration) *ClockOrder {
	h.speed = 0
	o := &ClockOrder{until: until, done: make(chan struct{})}
	if until == h.clock.Now() {
		close(o.done)
		return o
	}
	at, _ := slices.BinarySearchFunc(h.orders, until, func(o *ClockOrder, until time.Duration) int { return cmp.Compare(o.until, until) })
	h.orders = slices.Insert(h.orders, at, o)
	h.target = max(h.target, until)
	h.tell()
	return o
}

// completeOrders closes the orders whose time has come.
func (h *ClockDriver) completeOrders() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, n := h.clock.Now(), 0
	for ; n < len(h.orders) && h.orders[n].until <= now; n++ {
		close(h.orders[n].done)
	}
	h.orders = slices.Delete(h.orders, 0, n)
}

// endOrders ends all orders, and returns the number of steps that are not taken; the caller holds mu.
func (h *ClockDriver) endOrders() (ended int) {
	now := h.clock.Now()
	ended = h.pending()
	for _, o := range h.orders {
		o.ended = int(max(0, o.until-now) / h.step)
		close(o.done)
	}
	h.orders, h.target = nil, now
	return ended
}
