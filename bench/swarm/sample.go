package swarm

import (
	"math/rand/v2"
	"time"
)

const (
	// sampleAbove is how many relays per second are decoded, all clients together, before a sample is taken: on one
	// core of the reference machine no swarm reads many more.
	sampleAbove = 5e6

	// behindRelays is the share of that above which a sample is taken when the swarm stays late by behindTooMuch. Else
	// it is late by ever more, and the server closes those that do not read.
	behindRelays = 0.5

	// behindTooMuch is how late clients may be read before there are too many relays, if it is so for behindFor seconds on
	// end: a stall of the machine, or a ramp, is shorter.
	behindTooMuch = 250 * time.Millisecond
	behindFor     = 3

	// sampleOneIn is how many clients there are to one of the sample: it has a tenth of them, rounded up.
	sampleOneIn = 10
)

// A Sample says which part of the clients was verified. Those have everything decoded that they are sent; of the others
// headers are decrypted, packets framed and counted, and what they must answer is answered.
type Sample struct {
	Clients int     `json:"clients"`           // that were verified to the end
	FromMs  float64 `json:"from_ms"`           // since the start of the run; until then all were
	Relays  float64 `json:"relays_per_second"` // at that moment
	Behind  float64 `json:"behind_ms"`         // in the second before, a client was read at most so late
	Framed  uint64  `json:"framed"`            // packets of the others since then, framed and counted only
}

// A gauge counts relays until the next second is over.
type gauge struct {
	relays uint64
	from   moment
	late   int // seconds on end in which clients were read too late
}

// rate gives the relays per second, once in a second.
func (g *gauge) rate(now moment) (perSecond float64, ok bool) {
	passed := time.Duration(now - g.from)
	if passed < time.Second {
		return 0, false
	}
	perSecond = float64(g.relays) / passed.Seconds()
	g.relays, g.from = 0, now
	return perSecond, true
}

// gaugeRelays begins to verify a sample only, if all are too many: by their number, or because the swarm comes late. It
// does not go back. A client on its way into the world is decoded until it is there. What Grind and Trade do depends on
// all that is decoded, so there it is.
func (r *run) gaugeRelays() {
	if r.report.Sample != nil || r.config.Behaviour.reads() {
		return
	}
	rate, ok := r.gauge.rate(r.now)
	if !ok {
		return
	}
	behind := r.behind.most
	r.behind.most = 0
	if behind < behindTooMuch || rate <= behindRelays*r.config.SampleAbove {
		r.gauge.late = 0
	} else {
		r.gauge.late++
	}
	if rate <= r.config.SampleAbove && r.gauge.late < behindFor {
		return
	}
	n := len(r.clients)
	chosen := rand.New(rand.NewPCG(r.config.Seed, sampleOneIn)).Perm(n)[:(n+sampleOneIn-1)/sampleOneIn]
	for i := range r.clients {
		r.clients[i].framed = true
	}
	for _, i := range chosen {
		r.clients[i].framed = false
	}
	r.report.Sample = &Sample{Clients: len(chosen), FromMs: float64(r.now) / 1e6, Relays: rate, Behind: float64(behind) / 1e6}
}
