package sched

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// turned runs a map by a driver, and ends both with the test.
func turned(t *testing.T, m *fakeMap) (*ClockDriver, *Loop) {
	clock := NewVirtualClock()
	h, l := NewClockDriver(clock, 50*time.Millisecond), &Loop{Map: m, Clock: clock}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	go func() { l.Run(ctx); ended <- struct{}{} }()
	go func() { h.Run(ctx); ended <- struct{}{} }()
	t.Cleanup(func() { stop(); <-ended; <-ended })
	synctest.Wait()
	return h, l
}

func TestClockDriverSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &fakeMap{until: 1 << 40, asked: make(chan struct{})}
		h, _ := turned(t, m)
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(m.steps) != 0 {
			t.Errorf("stepped %v before the first order", m.steps)
		}
		if _, err := h.Advance(3); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if want := []uint64{1, 2, 3}; !slices.Equal(m.steps, want) || h.Now() != 150*time.Millisecond {
			t.Errorf("three steps are %v, until %v", m.steps, h.Now())
		}
		if _, err := h.SetSpeed(2); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second - time.Millisecond)
		h.Pause()
		synctest.Wait()
		if n := len(m.steps); n != 3+40 || h.Speed() != 0 {
			t.Errorf("%d ticks after a second at twice the speed, want 43", n)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(m.steps); n != 43 {
			t.Errorf("%d ticks after an hour's pause", n)
		}
		for _, speed := range []float64{0, -1, 1e-300, MinSpeed / 2, MaxSpeed + 1, math.NaN()} {
			if _, err := h.SetSpeed(speed); !errors.Is(err, ErrSpeed) {
				t.Errorf("speed %v: %v", speed, err)
			}
		}
		for _, n := range []int{0, -1, MaxSteps + 1} {
			if _, err := h.Advance(n); !errors.Is(err, ErrSpeed) {
				t.Errorf("%d steps: %v", n, err)
			}
		}
	})
}

// However fast the clock runs, and however slow the map is, no tick is dropped.
func TestClockDriverWaitsForFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := NewRealClock()
		m := &fakeMap{until: 1 << 40, asked: make(chan struct{}), clock: slow, took: map[uint64]time.Duration{}}
		for n := range uint64(100) {
			m.took[n] = 20 * time.Millisecond
		}
		h, l := turned(t, m)
		l.Overrun = func(n uint64, _, _ time.Duration, dropped uint64) { t.Errorf("tick %d: %d dropped", n, dropped) }
		h.SetSpeed(100)
		time.Sleep(10 * time.Second)
		h.Pause()
		synctest.Wait()
		for i, n := range m.steps {
			if n != uint64(i+1) {
				t.Fatalf("tick %d is the %d-th", n, i+1)
			}
		}
		if want := 99 + (10_000-99*20)*2; len(m.steps) < want-2 || len(m.steps) > want+2 {
			t.Errorf("%d ticks, want %d: at 100 times the speed when the map keeps up", len(m.steps), want)
		}
	})
}

// A map answers queries while its clock stands and while it is idle, and neither steps it.
func TestLoopAnswersWhenAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &fakeMap{until: 3, asked: make(chan struct{}), wake: make(chan struct{})}
		h, _ := turned(t, m)
		ask := func(when string) {
			t.Helper()
			steps, rests := len(m.steps), m.rests
			m.asked <- struct{}{}
			synctest.Wait()
			if len(m.steps) != steps || m.rests != rests+1 {
				t.Errorf("%s: asked once, %d rests and %d ticks", when, m.rests-rests, len(m.steps)-steps)
			}
		}
		ask("before the first tick")
		h.Advance(2)
		synctest.Wait()
		ask("between two ticks")
		h.Advance(3)
		synctest.Wait()
		ask("asleep")
		m.wake <- struct{}{} // for nothing: it is still idle
		synctest.Wait()
		ask("still asleep")
		if want := []uint64{1, 2, 3}; !slices.Equal(m.steps, want) {
			t.Errorf("stepped %v, want %v", m.steps, want)
		}
	})
}
