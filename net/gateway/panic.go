package gateway

// abandon gives up a world that has come to an end, and closes the connections of everybody in it. Whom it has
// not let go stays as it was saved last: without a Saver, as it was when it entered.
func (g *Gate) abandon(s *worldLink) {
	for _, p := range g.roster.evict(s) {
		p.conn.loop.do(func() {
			if p.conn.player == p {
				p.conn.markClosing(MapPanic)
			}
		})
		if !p.out {
			g.settle(p, saved)
		}
	}
}
