package sched

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// waited is the result of ClockOrder.Wait, and the time of the clock when it returned.
type waited struct {
	ended int
	err   error
	at    time.Duration
}

// await returns a channel that delivers the result of an order.
func await(ctx context.Context, h *ClockDriver, o *ClockOrder) <-chan waited {
	c := make(chan waited, 1)
	go func() {
		ended, err := o.Wait(ctx)
		c <- waited{ended, err, h.Now()}
	}()
	return c
}

// busy is a map that always has a player.
func busy() *fakeMap { return &fakeMap{until: 1 << 40, asked: make(chan struct{})} }

// Steps that are ordered at the same time add up: 50 times 10 steps of 50 ms are 25 s, and each caller returns when
// its own are taken.
func TestStepsAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := busy()
		h, _ := turned(t, m)
		var callers sync.WaitGroup
		var mu sync.Mutex
		at := map[time.Duration]int{}
		for range 50 {
			callers.Go(func() {
				o, err := h.Advance(10)
				if err != nil {
					t.Error(err)
					return
				}
				if ended, err := o.Wait(t.Context()); ended != 0 || err != nil {
					t.Errorf("%d steps were not taken: %v", ended, err)
				}
				mu.Lock()
				defer mu.Unlock()
				at[o.until]++
				if h.Now() < o.until {
					t.Errorf("an order until %v is done at %v", o.until, h.Now())
				}
			})
		}
		callers.Wait()
		if h.Now() != 25_000*time.Millisecond || len(m.steps) != 500 || h.Pending() != 0 {
			t.Errorf("the clock is at %v after %d ticks, with %d steps pending, want 25 s, 500 and 0", h.Now(), len(m.steps), h.Pending())
		}
		for n := 1; n <= 50; n++ {
			if end := time.Duration(n) * 500 * time.Millisecond; at[end] != 1 {
				t.Errorf("%d orders end at %v, want 1", at[end], end)
			}
		}
	})
}

// An order is done when the followers of the clock and their readers are done with its last step, and no step is taken
// before.
func TestOrderWaitsForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewVirtualClock()
		h := NewClockDriver(clock, 50*time.Millisecond)
		read := make(chan struct{})
		h.Settled = func(ctx context.Context) {
			select {
			case <-read:
			case <-ctx.Done():
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { h.Run(ctx); close(ended) }()
		o, _ := h.Advance(3)
		c := await(t.Context(), h, o)
		for n := 1; n <= 3; n++ {
			time.Sleep(time.Hour)
			if len(c) != 0 || h.Now() != time.Duration(n)*50*time.Millisecond {
				t.Errorf("before the readers are done with step %d the clock is at %v, done: %v", n, h.Now(), len(c) > 0)
			}
			read <- struct{}{}
		}
		if got := <-c; got != (waited{at: 150 * time.Millisecond}) {
			t.Errorf("the order returned %+v", got)
		}
		o, _ = h.Advance(5)
		c = await(t.Context(), h, o)
		synctest.Wait()
		stop() // the end does not wait for readers
		<-ended
		if got := <-c; got.ended != 4 {
			t.Errorf("an order of 5 has %d steps left after one, want 4", got.ended)
		}
	})
}

// More than MaxSteps are never pending: what is over is refused, and what is pending stays.
func TestPendingStepsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewClockDriver(NewVirtualClock(), 50*time.Millisecond) // does not run yet
		o, err := h.Advance(71_999)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Advance(2); !errors.Is(err, ErrSpeed) || !strings.Contains(err.Error(), "71999 steps are pending, and 2 more are over 72000") {
			t.Errorf("two steps more than are free: %v", err)
		}
		if _, err := h.AdvanceTo(3600*time.Second + 1); !errors.Is(err, ErrSpeed) {
			t.Errorf("a time beyond an hour of steps: %v", err)
		}
		if n := h.Pending(); n != 71_999 {
			t.Errorf("%d steps are pending after refusals", n)
		}
		last, err := h.Advance(1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { h.Run(ctx); close(ended) }()
		if ended, err := o.Wait(t.Context()); ended != 0 || err != nil {
			t.Errorf("%d steps were not taken: %v", ended, err)
		}
		if ended, err := last.Wait(t.Context()); ended != 0 || err != nil || h.Now() != time.Hour {
			t.Errorf("the last was not taken: %d, %v, at %v", ended, err, h.Now())
		}
		stop()
		<-ended
	})
}

// The clock runs until a time, and no further: to the first step that is not before it. The past is refused.
func TestAdvanceTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := busy()
		h, _ := turned(t, m)
		for _, c := range []struct{ until, at time.Duration }{
			{time.Second, time.Second}, {1010 * time.Millisecond, 1050 * time.Millisecond}, {1050 * time.Millisecond, 1050 * time.Millisecond},
			{time.Minute, time.Minute},
		} {
			began := time.Now()
			o, err := h.AdvanceTo(c.until)
			if err != nil {
				t.Fatal(err)
			}
			if ended, err := o.Wait(t.Context()); ended != 0 || err != nil || h.Now() != c.at {
				t.Errorf("until %v: at %v, %d steps were not taken, %v", c.until, h.Now(), ended, err)
			}
			if took := time.Since(began); took != 0 {
				t.Errorf("until %v it took %v", c.until, took)
			}
		}
		if _, err := h.AdvanceTo(time.Minute - 1); !errors.Is(err, ErrSpeed) || !strings.Contains(err.Error(), "59999 ms is over, the clock is at 60000") {
			t.Errorf("the past: %v", err)
		}
		time.Sleep(time.Hour)
		if n := len(m.steps); n != 1200 || h.Speed() != 0 {
			t.Errorf("%d ticks in a minute, speed %v; want 1200 and 0", n, h.Speed())
		}
		// Pending steps stay, before and after it.
		until, _ := h.AdvanceTo(61 * time.Second)
		steps, _ := h.Advance(20)
		before, _ := h.AdvanceTo(60_500 * time.Millisecond)
		if h.Pending() != 40 {
			t.Errorf("%d steps are pending, want 40", h.Pending())
		}
		for _, o := range []*ClockOrder{before, until, steps} {
			if ended, err := o.Wait(t.Context()); ended != 0 || err != nil || h.Now() < o.until {
				t.Errorf("until %v: at %v, %d, %v", o.until, h.Now(), ended, err)
			}
		}
		if h.Now() != 62*time.Second {
			t.Errorf("at %v, want 62 s", h.Now())
		}
	})
}

// A stop, or a speed, ends what is pending: its callers return at once with the steps that they had left. A caller that
// does not wait any longer leaves its steps to be taken.
func TestPauseEndsOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fakeMap{until: 1 << 40, asked: make(chan struct{}), clock: NewRealClock(), took: map[uint64]time.Duration{}}
		for n := range uint64(10_000) {
			slow.took[n] = 10 * time.Millisecond
		}
		h, _ := turned(t, slow)
		for _, end := range []func() int{h.Pause, func() int { n, _ := h.SetSpeed(MinSpeed); return n }} {
			began := h.Now()
			gone, leave := context.WithCancel(t.Context())
			a, _ := h.Advance(100)
			b, _ := h.Advance(200)
			first, second, third := await(t.Context(), h, a), await(t.Context(), h, b), await(gone, h, b)
			leave()
			if got := <-third; got.err != context.Canceled {
				t.Errorf("a caller that is gone: %+v", got)
			}
			time.Sleep(505 * time.Millisecond) // 51 steps of 10 ms have begun
			left := end()
			one, two := <-first, <-second
			if at := began + 51*50*time.Millisecond; left != 249 || one.ended != 49 || two.ended != 249 || one.at != at || two.at != at {
				t.Errorf("after 51 of 300 steps %d were pending; orders had %d and %d left at %v and %v", left, one.ended, two.ended, one.at-began, two.at-began)
			}
			if h.Pending() != 0 {
				t.Errorf("%d steps are pending after the end", h.Pending())
			}
			h.Pause()
			time.Sleep(time.Second) // the step that has begun ends
		}
	})
}

// However calls of Advance, AdvanceTo and the driver's steps interleave, none is lost.
func TestOrdersInterleave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		h, _ := turned(t, busy())
		var callers sync.WaitGroup
		total, mu := 0, sync.Mutex{}
		for i := range uint64(40) {
			dice := rand.New(rand.NewPCG(seed, i))
			callers.Go(func() {
				for range 20 {
					time.Sleep(time.Duration(dice.IntN(5)) * time.Millisecond)
					n := 1 + dice.IntN(20)
					o, err := h.Advance(n)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					total += n
					mu.Unlock()
					if ended, err := o.Wait(t.Context()); ended != 0 || err != nil {
						t.Errorf("%d steps were not taken: %v", ended, err)
					}
				}
			})
		}
		callers.Wait()
		if want := time.Duration(total) * 50 * time.Millisecond; h.Now() != want {
			t.Errorf("the clock is at %v after %d steps, want %v", h.Now(), total, want)
		}
	})
}
