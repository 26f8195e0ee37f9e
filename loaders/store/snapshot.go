package store

import "muster/components/life"

// A Snapshot is a whole character at a moment of play, and which parts of it are new. Its lists do not change any
// more: receivers may keep them.
type Snapshot struct {
	Character
	Since uint64   // the version from which it differs as follows
	Lists life.Set // lists that may have changed; other fields may have changed in any case
	Soon  bool     // it is to be on the disk as soon as possible
}

// Merge updates a character from a snapshot: all but account, name, realm, and the lists that it does not have, of which
// cooldowns and auras advance by the time since. The lists stay those of s.
func (c *Character) Merge(s *Character, lists life.Set) {
	passed := uint64(max(s.SavedUnix-c.SavedUnix, 0)) * 1000
	if c.SavedUnix == 0 {
		passed = 0
	}
	next := *s
	next.Account, next.Name, next.Realm = c.Account, c.Name, c.Realm
	if lists&life.Spells == 0 {
		next.Spells = c.Spells
	}
	if lists&life.Cooldowns == 0 {
		next.Cooldowns = goOn(c.Cooldowns, passed, cooldown)
	}
	if lists&life.Auras == 0 {
		next.Auras = goOn(c.Auras, passed, aura)
	}
	if lists&life.Actions == 0 {
		next.Actions = c.Actions
	}
	if lists&life.Items == 0 {
		next.Items = c.Items
	}
	*c = next
}

// cooldown returns what is left of a cooldown.
func cooldown(c *life.Cooldown) (leftMs *uint32) { return &c.LeftMs }

// aura returns what is left of an aura, nil if it has expired.
func aura(a *life.Aura) (leftMs *uint32) {
	if a.MaxMs == 0 {
		return nil
	}
	return &a.LeftMs
}

// goOn returns a list after some time, without what has expired; the argument is not changed.
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
