package gate

import (
	"time"
)

// A pacer says when loops look at their sockets. A loop that is held does not see what arrives; at each
// drain point the pacer ends the hold, and when the loop has let go, it sends it the next task. By the time
// the loop comes to that task it has read everything that had arrived before, for gnet reads sockets first
// and runs tasks after; and the task holds it again.
//
// The task must not be sent any earlier: gnet runs all tasks there are before it looks at its sockets. A
// loop that is slow to return from its task may still run the next at once, by a rare chance; then what has
// arrived waits for one more drain point.
//
// Without connections and mail nothing is held, and the pacer sleeps.
type pacer struct {
	gate   *Gate
	wake   chan struct{} // holds a token if there is new work for a loop
	turned chan *loop    // loops whose hold has ended
}

func (p *pacer) init(g *Gate) {
	p.gate = g
	p.wake = make(chan struct{}, 1)
	p.turned = make(chan *loop, g.config.Loops)
}

func (p *pacer) run() {
	for {
		select {
		case <-p.wake:
			p.pace()
		case <-p.gate.done:
			return
		}
	}
}

// pace holds the loops for as long as they have work.
func (p *pacer) pace() {
	ticks := time.NewTicker(p.gate.config.Step / drainsPerStep)
	defer ticks.Stop()
	for n := 0; p.send(); {
		select {
		case <-ticks.C:
			if n++; n%2 == 1 && p.gate.counters.settled() {
				continue
			}
			for _, l := range *p.gate.loops.Load() {
				if l.paced {
					signal(l.end)
				}
			}
		case l := <-p.turned:
			l.paced = false
		case <-p.wake:
		case <-p.gate.done:
			return
		}
	}
}

// send gives a task to each loop that has work and no task, and reports whether any loop has one.
func (p *pacer) send() (any bool) {
	for _, l := range *p.gate.loops.Load() {
		if !l.paced && l.work.Load() > 0 {
			l.paced = l.engine.Execute(p.gate.ctx, l) == nil
		}
		any = any || l.paced
	}
	return any
}
