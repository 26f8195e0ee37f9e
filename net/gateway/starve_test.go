package gateway

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestLoopsReadUnderOverload has flushes that take longer than the time between two ticks, all the time: the sockets are
// read between two of them, whether loops are held or not.
func TestLoopsReadUnderOverload(t *testing.T) {
	for name, held := range map[string]time.Duration{"held": 10 * time.Millisecond, "not held": time.Hour} {
		t.Run(name, func(t *testing.T) {
			var slow atomic.Bool
			r := newRig(t, func(c *Config) { c.Loops, c.HeldStep = 1, held })
			c := r.dial("ALICE")
			c.login().character().enter()
			r.onLoops(func(*loop) {
				r.gate.clock = func() time.Time {
					began := time.Now() // it is asked twice a round
					for slow.Load() && time.Since(began) < 7*time.Millisecond {
					}
					return time.Now()
				}
			})
			slow.Store(true)
			for n := range uint32(60) {
				c.ping(n + 1)
			}
			slow.Store(false)
		})
	}
}
