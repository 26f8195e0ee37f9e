package finetimer

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A timer fires when its time is over, never sooner, and as often as it is set.
func TestTimerFires(t *testing.T) {
	timer := New()
	defer timer.Close()
	for _, d := range []time.Duration{0, time.Microsecond, 300 * time.Microsecond, 1700 * time.Microsecond, 12 * time.Millisecond} {
		began := time.Now()
		timer.Reset(d)
		<-timer.C
		if took := time.Since(began); took < d {
			t.Errorf("a timer of %v fires after %v", d, took)
		}
	}
}

// A timer that is set anew does not fire at the moment that it was set to before.
func TestTimerIsSetAnew(t *testing.T) {
	for name, timer := range map[string]*Timer{"of the kernel": New(), "of the runtime": NewCoarse()} {
		timer.Reset(0)
		for deadline := time.Now().Add(10 * time.Second); len(timer.C) == 0; { // until it has fired, and nothing has taken that
			if time.Now().After(deadline) {
				t.Fatalf("%s: it does not fire", name)
			}
			runtime.Gosched()
		}
		timer.Reset(time.Hour)
		select {
		case <-timer.C:
			t.Errorf("%s: it fires at the moment that it was set to before", name)
		default:
		}
		timer.Reset(time.Millisecond)
		<-timer.C
		timer.Close()
	}
}

// Where the kernel has no timers, those of the runtime fire when their time is over, and not once they are closed.
func TestRuntimeTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timer := NewCoarse()
		for _, d := range []time.Duration{time.Second, time.Millisecond, time.Minute} {
			began := time.Now()
			timer.Reset(d)
			<-timer.C
			if took := time.Since(began); took != d {
				t.Errorf("a timer of %v fires after %v", d, took)
			}
		}
		timer.Reset(time.Second)
		timer.Close()
		time.Sleep(time.Minute)
		if len(timer.C) != 0 {
			t.Error("a timer that is closed fires")
		}
	})
}
