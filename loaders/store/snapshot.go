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

// Tell brings a character to what a snapshot of it says: all but account, name, and the lists that are not told. The
// lists stay those of s.
func (c *Character) Tell(s *Character, told life.Set) {
	next := *s
	next.Account, next.Name = c.Account, c.Name
	if told&life.Spells == 0 {
		next.Spells = c.Spells
	}
	if told&life.Cooldowns == 0 {
		next.Cooldowns = c.Cooldowns
	}
	if told&life.Auras == 0 {
		next.Auras = c.Auras
	}
	if told&life.Actions == 0 {
		next.Actions = c.Actions
	}
	if told&life.Items == 0 {
		next.Items = c.Items
	}
	*c = next
}
