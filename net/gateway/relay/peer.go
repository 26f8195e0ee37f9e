package relay

import (
	"time"

	"muster/net/gateway"
)

// A peer is another gateway.
type peer struct {
	number uint8
	life   uint64
	heard  time.Time
	// synced is whether all is known that it has said of its members of channels, up to the change of a number.
	synced  bool
	changes uint64
	asked   time.Time // when a gap was asked for last
	// coming are the members of a state, of which some parts have come.
	coming []gateway.ChannelChange
	until  uint64 // the number of its last change
	parts  uint32
}

// heard notes that a gateway has said something, and reports whether that is the first of it. It returns nil for what an earlier process
// has said.
func (r *Relay) heard(from uint8, life uint64) (p *peer, begins bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p = r.peers[from]
	if p != nil && life < p.life {
		return nil, false
	}
	if begins = p == nil || life > p.life; begins {
		p = &peer{number: from, life: life}
		r.peers[from] = p
	}
	p.heard = time.Now()
	return p, begins
}

// beat says that this gateway is there, and forgets those that are silent.
func (r *Relay) beat(gate Gate) {
	r.say(r.all(), &here{gate.ChannelChanges()})
	r.mu.Lock()
	var gone []uint8
	for n, p := range r.peers {
		if time.Since(p.heard) > silence {
			gone = append(gone, n)
			delete(r.peers, n)
		}
	}
	r.mu.Unlock()
	for _, n := range gone {
		r.config.Log.Warn("a gateway is silent: its players have left the channels", "gateway", n)
		gate.ChannelsAre(uint32(n), nil)
	}
}

// check asks for what a gateway has said of channels and was not heard.
func (r *Relay) check(p *peer, changes uint64, gate Gate) {
	if p.synced && p.changes >= changes {
		return
	}
	if !p.synced && changes == 0 { // it begins
		p.synced = true
		gate.ChannelsAre(uint32(p.number), nil)
		return
	}
	if now := time.Now(); now.Sub(p.asked) >= missEvery {
		p.asked = now
		r.config.Metric.Count(Missed)
		r.say(r.to(p.number), new(miss))
	}
}

// changed notes a change.
func (r *Relay) changed(p *peer, m *change, gate Gate) {
	switch {
	case p.synced && m.Number <= p.changes:
	case m.Number == p.changes+1 && p.synced:
		p.changes = m.Number
		gate.ChannelChanged(uint32(p.number), &m.ChannelChange)
	default:
		p.synced = false
		r.check(p, m.Number, gate)
	}
}

// maxMembers are of one part of a state, and maxParts of one state.
const (
	maxMembers = 1000
	maxParts   = 1000
)

// tellState tells a gateway all members of channels here.
func (r *Relay) tellState(to uint8, gate Gate) {
	gate.ChannelState(func(number uint64, members []gateway.ChannelChange) {
		for part := uint32(0); part == 0 || len(members) > 0; part++ {
			n := min(len(members), maxMembers)
			r.say(r.to(to), &state{Number: number, Part: part, Last: n == len(members), Members: members[:n]})
			members = members[n:]
		}
	})
}

// state takes a part of a state. One of which a part is missing is asked for again.
func (r *Relay) state(p *peer, m *state, gate Gate) {
	switch {
	case p.synced && m.Number <= p.changes:
		return
	case m.Part == 0:
		p.coming, p.parts, p.until = nil, 0, m.Number
	case p.until != m.Number || p.parts != m.Part || m.Part >= maxParts:
		p.coming, p.parts = nil, 0
		return
	}
	p.coming = append(p.coming, m.Members...)
	p.parts++
	if m.Last {
		gate.ChannelsAre(uint32(p.number), p.coming)
		p.synced, p.changes = true, m.Number
		p.coming, p.parts = nil, 0
	}
}
