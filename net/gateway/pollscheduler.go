package gateway

import (
	"time"

	"muster/sched/finetimer"
)

// A pollScheduler decides when loops poll their sockets. A loop that is held does not see what arrives; at each drain
// point the pollScheduler ends the hold, and when the loop has let go, it sends it the next task. By the time the loop
// runs that task it has read everything that had arrived before, for gnet reads sockets first and runs tasks after; and
// the task holds it again.
//
// The task must not be sent any earlier: gnet runs all tasks there are before it polls its sockets. A loop that is slow
// to return from its task may still run the next at once, by a rare chance; then what has arrived waits for one more
// drain point.
//
// Drain points are fixed by the clock of the world with the most players: the last of a step is shortly before its next tick, so that what
// has arrived by then is in it. Without connections and input nothing is held, and the pollScheduler sleeps.
//
// In steps shorter than Config.HeldStep no loop is held, and a drain point is but a round every shortPause. Where the worlds are in other processes loops are held in
// the shortest steps too: what they read is sent once a step, shortly before the tick, and each wake-up for a packet that waits anyhow would cost as much as the packet. While someone
// is on the way into a world they are not held there, as Gate.holds says.
type pollScheduler struct {
	gate   *Gate
	wake   chan struct{} // holds a token if there is new work for a loop
	turned chan *loop    // loops whose hold has ended
	again  chan *loop    // loops that were woken during a round, and must poll their sockets before the next
}

func (p *pollScheduler) init(g *Gate) {
	p.gate = g
	p.wake = make(chan struct{}, 1)
	p.turned = make(chan *loop, g.config.Loops)
	p.again = make(chan *loop, g.config.Loops)
}

func (p *pollScheduler) run() {
	for {
		select {
		case <-p.wake:
			p.pace()
		case l := <-p.again:
			l.wake()
		case <-p.gate.done:
			return
		}
	}
}

// pace holds the loops for as long as they have work.
func (p *pollScheduler) pace() {
	pause, skips := p.next()
	timer := finetimer.New()
	defer timer.Close()
	timer.Reset(pause)
	due := true
	for p.send(due || p.gate.holds()) {
		due = false
		select {
		case <-timer.C:
			p.endHolds()
			due = true
			pause, skips = p.next()
			timer.Reset(pause)
		case l := <-p.turned:
			l.pollPending = false
		case <-p.wake:
			if skips && !p.gate.counters.settled() {
				pause, skips = p.next()
				timer.Reset(pause)
			}
		case l := <-p.again:
			l.wake()
		case <-p.gate.done:
			return
		}
	}
}

func (p *pollScheduler) endHolds() {
	for _, l := range *p.gate.loops.Load() {
		if l.pollPending {
			signal(l.end)
		}
	}
}

// next is how long it is until the next drain point that is not skipped, and whether one is: while all are in a world, every second is.
func (p *pollScheduler) next() (pause time.Duration, skips bool) {
	if !p.gate.holds() {
		return shortPause, false
	}
	step, port := p.gate.step(), p.gate.fullest().port
	now := port.Now()
	if port.Lead != nil {
		now += port.Lead() // the world is in another process
	}
	pause, point := nextDrain(now, step)
	if skips = point%2 == 1 && p.gate.counters.settled(); skips {
		pause += drainPeriod(step)
	}
	return pause, skips
}

// fullest is the world with the most players. Worlds of one process go by one clock, those of several by as many, which tick at different moments.
func (g *Gate) fullest() *worldLink {
	links := g.worldLinks()
	most := links[0]
	for _, s := range links[1:] {
		if s.inside.Load() > most.inside.Load() {
			most = s
		}
	}
	return most
}

// shortPause is the time between two drain points while loops are not held, and the least between two of one step while they are: as in held steps of 50 ms.
const shortPause = 12500 * time.Microsecond

// readingShare is the part of a step that is reserved for reading before a tick: 5 ms of 50, in which 1,600 packets are read, as 14,000 players send in half a step; and
// 0.7 ms of 7, in which 1,000 send some ten.
//
// Source: 3 µs for each, performance.md 4.3. With half a millisecond of 7, and with 1, 1,000 walking clients of two gateways had the same latency: docs/adr/0023.
const readingShare = 10

// drainPeriod is the time between two drain points: a quarter of a step of 50 ms, and of a step below 25 ms the whole.
func drainPeriod(step time.Duration) time.Duration {
	return step / max(1, min(step/shortPause, drainsPerStep))
}

// nextDrain is how long after now the next drain point is, and which of its step, from 0 for the one before a tick. It is
// never much sooner than half a drain period, so that a clock that is set anew, or stands still, does not matter.
func nextDrain(now, step time.Duration) (pause time.Duration, point int) {
	period := drainPeriod(step)
	since := (now + step/readingShare) % step // since point 0
	point = int(since/period) + 1
	if pause = time.Duration(point)*period - since; pause < period/2 {
		point++
		pause += period
	}
	return pause, point % int(step/period)
}

// send gives a task to each loop that has work and no task, if one is due, and reports whether any loop has work.
func (p *pollScheduler) send(due bool) (any bool) {
	for _, l := range *p.gate.loops.Load() {
		works := l.work.Load() > 0
		if due && works && !l.pollPending && !p.gate.holds() {
			l.due.Store(true)
			l.wake()
		} else if due && works && !l.pollPending {
			l.pollPending = l.engine.Execute(p.gate.ctx, l) == nil
		}
		any = any || works || l.pollPending
	}
	return any
}
