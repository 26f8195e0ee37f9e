package store

import "muster/components/life"

// A Snapshot is a whole character as it was at a moment of play, and what of it is new. Nobody changes its lists any
// more: whoever has the snapshot may keep them.
type Snapshot struct {
	Character
	Since uint64   // the version from which it differs as follows
	Told  life.Set // lists that may have changed; what is no list may have changed in any case
	Soon  bool     // it is to be safe as soon as possible
}

// Tell brings a character to what a snapshot of it says: all but account, name, and the lists that are not told, of
// which cooldowns and auras have gone on since. The lists stay those of s.
func (c *Character) Tell(s *Character, told life.Set) {
	passed := uint64(max(s.SavedUnix-c.SavedUnix, 0)) * 1000
	if c.SavedUnix == 0 {
		passed = 0
	}
	next := *s
	next.Account, next.Name = c.Account, c.Name
	if told&life.Spells == 0 {
		next.Spells = c.Spells
	}
	if told&life.Cooldowns == 0 {
		next.Cooldowns = goOn(c.Cooldowns, passed, cooldown)
	}
	if told&life.Auras == 0 {
		next.Auras = goOn(c.Auras, passed, aura)
	}
	if told&life.Actions == 0 {
		next.Actions = c.Actions
	}
	if told&life.Items == 0 {
		next.Items = c.Items
	}
	*c = next
}

// cooldown is what is left of a cooldown.
func cooldown(c *life.Cooldown) (leftMs *uint32) { return &c.LeftMs }

// aura is what is left of an aura, nil if it lasts.
func aura(a *life.Aura) (leftMs *uint32) {
	if a.MaxMs == 0 {
		return nil
	}
	return &a.LeftMs
}

// goOn is a list after some time, without what has ended; the list that it is given stays as it is.
func goOn[T any](list []T, passedMs uint64, left func(*T) *uint32) []T {
	if len(list) == 0 || passedMs == 0 {
		return list
	}
	after := make([]T, 0, len(list))
	for _, e := range list {
		if ms := left(&e); ms != nil {
			if uint64(*ms) <= passedMs {
				continue
			}
			*ms -= uint32(passedMs)
		}
		after = append(after, e)
	}
	return after
}
