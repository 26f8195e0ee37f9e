package gateway

import "time"

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
// In steps shorter than Config.HeldStep no loop is held, and a drain point is but a round every shortPause.
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
	timer := time.NewTimer(timerDelay(pause))
	defer timer.Stop()
	due := true
	for p.send(due || p.gate.holds()) {
		due = false
		select {
		case <-timer.C:
			p.endHolds()
			due = true
			pause, skips = p.next()
			timer.Reset(timerDelay(pause))
		case l := <-p.turned:
			l.pollPending = false
		case <-p.wake:
			if skips && !p.gate.counters.settled() {
				pause, skips = p.next()
				timer.Reset(timerDelay(pause))
			}
		case l := <-p.again:
			l.wake()
		case <-p.gate.done:
			return
		}
	}
}

// timerMargin is what a thread that sleeps for whole milliseconds sleeps longer, about: the slack of its timer is 50 µs at least.
const timerMargin = 100 * time.Microsecond

// timerDelay is the delay after which a timer fires that is set to d, on Linux: whole milliseconds, and a little more. A process that sleeps until a moment
// between two milliseconds is woken twice: its thread sleeps for the whole milliseconds that are left, and then for another one, as the runtime of Go
// calls epoll_pwait with a number of milliseconds (netpoll, runtime/netpoll_epoll.go, go1.26).
func timerDelay(d time.Duration) time.Duration {
	return max(d-timerMargin+time.Millisecond-1, 0)/time.Millisecond*time.Millisecond + timerMargin
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
	step := p.gate.step()
	pause, point := nextDrain(time.Duration(p.gate.fullest().port.NowMs())*time.Millisecond, step)
	if skips = point%2 == 1 && p.gate.counters.settled(); skips {
		pause += step / drainsPerStep
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

// shortPause is the time between two drain points while loops are not held: as in held steps of 50 ms.
const shortPause = 12500 * time.Microsecond

// readingShare is the part of a step that is reserved for reading before a tick: 5 ms at the default step, in which
// 1,600 packets are read, as 14,000 players send in half a step.
//
// Source: 3 µs for each, performance.md 4.3; and a timer may be 1 ms late, performance.md 5.
const readingShare = 10

// nextDrain is how long after now the next drain point is, and which of its step, from 0 for the one before a tick. It is
// never much sooner than a quarter of a step, so that a clock that is rounded, or stands still, does not matter.
func nextDrain(now, step time.Duration) (pause time.Duration, point int) {
	period := step / drainsPerStep
	since := (now + step/readingShare) % step // since point 0
	point = int(since/period) + 1
	if pause = time.Duration(point)*period - since; pause < period/2 {
		point++
		pause += period
	}
	return pause, point % drainsPerStep
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
