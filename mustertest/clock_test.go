package mustertest_test

import (
	"testing"
	"time"

	"muster/mustertest"
)

// A logout takes 20 s of the world, which a virtual clock makes as short as the machine can.
func TestVirtualClock(t *testing.T) {
	server := mustertest.Start(t, mustertest.VirtualClock(), mustertest.Flags("--creatures", "0"), mustertest.Strict())
	server.CreateAccount("ANNA", "secret")
	now := func() (at time.Duration) {
		t.Helper()
		var clock struct {
			NowMs int64 `json:"now_ms"`
		}
		if err := server.Call("GET", "/api/clock", nil, &clock); err != nil {
			t.Fatal(err)
		}
		return time.Duration(clock.NowMs) * time.Millisecond
	}
	if at := now(); at != 0 {
		t.Errorf("it is %v at the start", at)
	}
	server.Step(10)
	if at := now(); at != 500*time.Millisecond {
		t.Errorf("it is %v after ten steps, want half a second", at)
	}
	server.StepUntil(3 * time.Second)
	if at := now(); at != 3*time.Second {
		t.Errorf("it is %v, want 3 s", at)
	}
	server.RunClock(100)
	anna := server.Login("ANNA", "secret")
	anna.CreateCharacter("Anna")
	anna.Enter("Anna")
	entered := now()
	anna.Logout()
	if took := now() - entered; took < 19*time.Second {
		t.Errorf("the logout took %v of the world, want 20 s", took)
	}
	server.StopClock()
	if at := now(); at != now() {
		t.Error("it does not stand")
	}
	server.Reset("")
	if at := now(); at != 0 {
		t.Errorf("it is %v after a reset", at)
	}
}
