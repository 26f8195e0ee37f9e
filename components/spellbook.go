package components

import "muster/components/life"

// A Spellbook is what a player knows and must wait for. Spells are ascending.
type Spellbook struct {
	Count  uint32
	Spells [life.MaxSpells]uint32

	GlobalUntilMs uint32 // world time
	Waiting       uint32 // cooldowns in use
	Cooldowns     [life.MaxCooldowns]Cooldown
}

// A Cooldown is until when a spell, and its category, must wait.
type Cooldown struct {
	Spell, Category uint32
	UntilMs         uint32 // world time
}

// Knows reports whether a spell is in the book, in logarithmic time.
func (b *Spellbook) Knows(spell uint32) bool {
	i := b.find(spell)
	return i < b.Count && b.Spells[i] == spell
}

// Learn adds a spell. It reports whether it was new and there was room.
func (b *Spellbook) Learn(spell uint32) bool {
	i := b.find(spell)
	if i < b.Count && b.Spells[i] == spell || b.Count == life.MaxSpells {
		return false
	}
	copy(b.Spells[i+1:b.Count+1], b.Spells[i:b.Count])
	b.Spells[i] = spell
	b.Count++
	return true
}

// Forget removes a spell. It reports whether it was there.
func (b *Spellbook) Forget(spell uint32) bool {
	i := b.find(spell)
	if i == b.Count || b.Spells[i] != spell {
		return false
	}
	copy(b.Spells[i:], b.Spells[i+1:b.Count])
	b.Count--
	b.Spells[b.Count] = 0
	return true
}

// find is where a spell is or belongs.
func (b *Spellbook) find(spell uint32) uint32 {
	lo, hi := uint32(0), b.Count
	for lo < hi {
		if mid := (lo + hi) / 2; b.Spells[mid] < spell {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
