package main

import (
	"errors"
	"fmt"
	"time"
)

// deadTick is how long a tick may take before the server is no longer alive.
const deadTick = 30 * time.Second

// alive is the error of a world that stands still, or is not stepped any more: only another start brings it back.
func (r *worldSet) alive() error {
	for _, p := range r.tickStats {
		if t, _ := p.Running(); t.For > deadTick {
			return fmt.Errorf("tick %d of map %d has been running for %v", t.N, p.Map, t.For)
		}
	}
	if len(r.tickStats) == 0 { // its worlds are of other processes
		return nil
	}
	return r.givenUp()
}

// givenUp is the error of a world that has panicked.
func (r *worldSet) givenUp() error {
	for _, p := range r.exchanges {
		if p.Stopped() {
			return errors.New("a map has been given up")
		}
	}
	return nil
}
