package account

import "net/netip"

// A tally counts wrong passwords up to a limit, which keeps out until a time; then it begins anew.
type tally struct {
	count uint32
	until int64 // seconds since 1970; 0 while nothing is counted
}

// full reports whether a tally keeps out at a time.
func (t *tally) full(limit uint32, now int64) bool { return t.count >= limit && t.until > now }

// add counts one more. What has not become full in as long as it would keep out is forgotten. It reports whether the
// tally has become full.
func (t *tally) add(limit uint32, now, end int64) bool {
	if t.until <= now {
		*t = tally{until: end}
	}
	if t.count++; t.count == limit {
		t.until = end
		return true
	}
	return false
}

// maxPlaces bounds the addresses that are remembered. The one seen first gives way.
const maxPlaces = 1 << 16

// places are the tallies of addresses.
type places struct {
	index map[netip.Prefix]int
	ring  []placed
	next  int // in a full ring, the one to give way
}

type placed struct {
	place netip.Prefix
	tally
}

// of is the tally of an address, nil if it has none.
func (p *places) of(place netip.Prefix) *tally {
	if i, ok := p.index[place]; ok {
		return &p.ring[i].tally
	}
	return nil
}

// make is the tally of an address, a new one if it had none.
func (p *places) make(place netip.Prefix) *tally {
	if t := p.of(place); t != nil {
		return t
	}
	if p.index == nil {
		p.index = make(map[netip.Prefix]int)
	}
	i := len(p.ring)
	if i < maxPlaces {
		p.ring = append(p.ring, placed{})
	} else {
		i, p.next = p.next, (p.next+1)%maxPlaces
		delete(p.index, p.ring[i].place)
	}
	p.ring[i] = placed{place: place}
	p.index[place] = i
	return &p.ring[i].tally
}
