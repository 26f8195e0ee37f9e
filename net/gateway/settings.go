package gateway

import (
	"cmp"
	"time"
)

// Settings are the part of a Config that can change while a gateway runs. Zero means the documented default.
type Settings struct {
	// Some clients need a moment before they can read what comes next. Default none.
	//
	// Source: protocol.md 7.4.
	DelayAuthChallenge time.Duration
	DelayAuthResponse  time.Duration

	// A client that sends nothing but pings is closed: on the character screen after Idle, default 15 min, and in a world
	// after IdleActive, default 60 s. KeepIdle closes none.
	Idle, IdleActive time.Duration
	KeepIdle         bool

	MaxQueue int // connections that may wait to be let in; default 10,000

	TwoSides TwoSides // what the two factions may do with each other; default nothing
}

func (s *Settings) setDefaults() {
	s.Idle = cmp.Or(s.Idle, 15*time.Minute)
	s.IdleActive = cmp.Or(s.IdleActive, time.Minute)
	s.MaxQueue = cmp.Or(s.MaxQueue, 10_000)
}

// Change has the gateway go on with other settings, all at once. TwoSides.Channel stays what it was in the Config: it says
// which channels there are. Any goroutine may call it.
func (g *Gate) Change(s Settings) {
	s.setDefaults()
	g.settings.Store(&s)
	g.queue.resize(s.MaxQueue)
	g.realmQueue.resize(s.MaxQueue)
}
