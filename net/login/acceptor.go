package login

import (
	"net/netip"
	"sync"
)

// An acceptor counts the connections that are open, in all and per address.
type acceptor struct {
	limit, perAddress int
	loopback          bool // perAddress applies to loopback too

	mu     sync.Mutex
	inside int
	from   map[netip.Prefix]int
}

// enter counts a new connection, or returns why it is refused. A connection that entered must leave.
func (d *acceptor) enter(place netip.Prefix) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inside >= d.limit {
		return full
	}
	if d.counts(place) {
		if d.from[place] >= d.perAddress {
			return addressFull
		}
		if d.from == nil {
			d.from = make(map[netip.Prefix]int)
		}
		d.from[place]++
	}
	d.inside++
	return nil
}

func (d *acceptor) leave(place netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if !d.counts(place) {
		return
	}
	if d.from[place]--; d.from[place] == 0 {
		delete(d.from, place)
	}
}

func (d *acceptor) counts(place netip.Prefix) bool {
	return d.perAddress >= 0 && place.IsValid() && (d.loopback || !place.Addr().IsLoopback())
}
