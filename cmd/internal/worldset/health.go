package worldset

import (
	"errors"
	"fmt"
	"time"
)

// deadTick is how long a tick may take before the server is no longer alive.
const deadTick = 30 * time.Second

// Alive is the error of a world that stands still, or is not stepped any more: only another start brings it back.
func (r *Set) Alive() error {
	for _, p := range r.TickStats {
		if t, _ := p.Running(); t.For > deadTick {
			return fmt.Errorf("tick %d of map %d has been running for %v", t.N, p.Map, t.For)
		}
	}
	if len(r.TickStats) == 0 { // its worlds are of other processes
		return nil
	}
	return r.GivenUp()
}

// GivenUp is the error of a world that has panicked.
func (r *Set) GivenUp() error {
	for _, p := range r.Exchanges {
		if p.Stopped() {
			return errors.New("a map has been given up")
		}
	}
	return nil
}
