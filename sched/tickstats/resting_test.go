package tickstats

import (
	"testing"
	"time"
)

// A world rests before its first tick, and after one that leaves no player and nothing awake; not while a tick runs, and
// not after one that was abandoned.
func TestResting(t *testing.T) {
	p := New(1, "", 50*time.Millisecond, 50*time.Millisecond, nil)
	is := func(when string, want bool) {
		t.Helper()
		if got := p.Resting(); got != want {
			t.Errorf("%s: resting is %v", when, got)
		}
	}
	is("before the first tick", true)
	p.Start(1)
	is("in the first tick", false)
	for n, c := range []struct {
		load Load
		want bool
	}{
		{Load{Players: 1, Awake: 3}, false}, {Load{Awake: 2, Asleep: 5}, false}, {Load{Players: 1}, false},
		{Load{Creatures: 9, Asleep: 9}, true}, {Load{Players: 1}, false}, {Load{}, true},
	} {
		p.Start(uint64(n + 2))
		is("in a tick", false)
		p.Finish(uint64(n+2), time.Millisecond, c.load)
		is("after a tick", c.want)
	}
	p.Start(100)
	p.Abandon()
	is("after a tick that was abandoned", false)
}
