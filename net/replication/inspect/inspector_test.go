package inspect

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// world answers an inspector every 50 ms until ctx is done.
func world(ctx context.Context, d *Inspector, answer func(*Query)) {
	for ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
		d.Serve(answer)
	}
}

func TestEveryCallerIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewInspector()
		ctx, stop := context.WithCancel(t.Context())
		var n uint64
		var ends sync.WaitGroup
		ends.Go(func() { world(ctx, d, func(l *Query) { n++; l.Tick = n * l.GUID }) })
		began := time.Now()
		var askers sync.WaitGroup
		for guid := range uint64(MaxAskers) {
			askers.Go(func() {
				l := Query{GUID: guid + 1}
				if err := d.Ask(ctx, &l); err != nil || l.Tick == 0 || l.Tick%l.GUID != 0 {
					t.Errorf("%d is answered %d, %v", l.GUID, l.Tick, err)
				}
			})
		}
		synctest.Wait()
		if err := d.Ask(ctx, new(Query)); !errors.Is(err, ErrBusy) {
			t.Errorf("one more asks: %v", err)
		}
		askers.Wait()
		if took := time.Since(began); n != MaxAskers || took < MaxAskers*Every {
			t.Errorf("%d answers in %v", n, took)
		}
		stop()
		ends.Wait()
	})
}

// A caller that no longer waits is not answered later, into memory that may be in use again.
func TestCallerThatGivesUpTakesTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewInspector()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := d.Ask(ctx, new(Query)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without an answer: %v", err)
		}
		d.Serve(func(*Query) { t.Error("answered a caller that has given up") })
		if err := d.Ask(ctx, new(Query)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("asked too late: %v", err)
		}

		// A caller that gives up while the world answers gets its answer nevertheless.
		ctx, cancel = context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- d.Ask(ctx, new(Query)) }()
		synctest.Wait()
		<-d.Asked()
		d.Serve(func(*Query) { cancel(); synctest.Wait() })
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A world that panics over its answer, and is given up then, keeps no caller waiting.
func TestPanicIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewInspector()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		done := make(chan error)
		go func() { done <- d.Ask(ctx, new(Query)) }()
		<-d.Asked()
		func() {
			defer func() {
				if recover() != "broken" {
					t.Error("the loop does not hear of the panic")
				}
			}()
			d.Serve(func(*Query) { panic("broken") })
		}()
		if err := <-done; !errors.Is(err, ErrPanic) {
			t.Errorf("the caller's error is %v", err)
		}
		if err := d.Ask(ctx, new(Query)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("there are no answers any more: %v", err)
		}
	})
}

// An unpaced world answers as soon as it is asked.
func TestUnpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			unpaced bool
			want    time.Duration
		}{{false, 9 * Every}, {true, 0}} {
			d := NewInspector()
			d.Unpaced = c.unpaced
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for ctx.Err() == nil {
					select {
					case <-d.Asked():
						d.Serve(func(*Query) {})
					case <-ctx.Done():
					}
				}
			}()
			began := time.Now()
			for range 10 {
				if err := d.Ask(ctx, new(Query)); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(began); took != c.want {
				t.Errorf("unpaced %t: ten answers take %v, want %v", c.unpaced, took, c.want)
			}
			stop()
			<-ended
		}
	})
}
