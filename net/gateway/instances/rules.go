package instances

import (
	"cmp"
	"time"

	"muster/loaders/registry"
	"muster/net/gateway"
)

// Rules are the bounds of instances, of one process or of a realm. Zero means the documented default.
type Rules struct {
	Slots int // how many instances there are at a time; default 16, none if negative
	// PerHour is how many different instances the characters of an account may enter in an hour; default 5.
	//
	// Source: AccountInstancesPerHour, worldserver.conf.dist, AzerothCore.
	PerHour int
	// Players is how many characters may be in an instance at a time; default 5, and bound to it 20 times as many.
	Players int
	// Empty is how long an instance without players is kept; default 30 minutes.
	//
	// Source: Instance.UnloadDelay, worldserver.conf.dist, AzerothCore.
	Empty time.Duration
}

func (r *Rules) setDefaults() {
	r.Slots, r.PerHour, r.Players = cmp.Or(r.Slots, 16), cmp.Or(r.PerHour, 5), cmp.Or(r.Players, 5)
	r.Empty = cmp.Or(r.Empty, 30*time.Minute)
}

// boundPerPlayer is how many characters are bound to an instance for each that may be in it.
const boundPerPlayer = 20

// bound is how many characters may be bound to an instance.
func (r *Rules) bound() int { return boundPerPlayer * r.Players }

// refuse is why a character may not enter the instance that it is bound to, or a new one if there is none. One that logs in has none made. It is nil if it may.
func (r *Rules) refuse(c registry.Chance, login bool) error {
	switch {
	case r.Slots <= 0:
		return gateway.AbortMapNotAllowed
	case c.Number != 0 && c.Inside >= r.Players:
		return gateway.AbortFull
	case c.Number != 0:
	case login:
		return gateway.AbortNotFound
	case c.Instances >= r.Slots:
		return gateway.AbortTooManyRealm
	}
	if !c.Again && c.Visited >= r.PerHour {
		return gateway.AbortTooMany
	}
	return nil
}
