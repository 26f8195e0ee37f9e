package gateway

import "time"

// outTime is how long a connection may take to be flushed the last frame of a player that has left a world before that has ended, our own choice: ten times the longest wait for a flush.
const outTime = 5 * time.Second

// abandon gives up a world that has ended, and closes the connections of all its players. Players that have
// not left it stay as they were saved last: without a Saver, as they were when they entered. Those that have left it go on when they are
// flushed that.
func (g *Gate) abandon(s *worldLink) {
	reason := MapPanic
	switch {
	case g.resetting.Load():
		reason = Reset
	case s.port.Moved():
		reason = WorldMoved
	}
	for _, p := range g.roster.evict(s) {
		end := func() {
			if p.conn.player == p {
				p.conn.markClosing(reason)
			}
		}
		if !g.roster.markOut(p) {
			p.conn.loop.do(func() { p.conn.loop.after(outTime, end) })
			continue
		}
		p.conn.loop.do(end)
		g.settle(p, saved)
	}
}
