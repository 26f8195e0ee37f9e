package gateway

// abandon gives up a world that has ended, and closes the connections of all its players. Players that have
// not left it stay as they were saved last: without a Saver, as they were when they entered.
func (g *Gate) abandon(s *worldLink) {
	reason := MapPanic
	switch {
	case g.resetting.Load():
		reason = Reset
	case s.port.Moved():
		reason = WorldMoved
	}
	for _, p := range g.roster.evict(s) {
		p.conn.loop.do(func() {
			if p.conn.player == p {
				p.conn.markClosing(reason)
			}
		})
		if g.roster.markOut(p) {
			g.settle(p, saved)
		}
	}
}
