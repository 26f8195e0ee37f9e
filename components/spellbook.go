package components

import "muster/components/life"

// A Spellbook has a player's spells, ascending.
type Spellbook struct {
	Count  uint32
	Spells [life.MaxSpells]uint32
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

// find is the index of a spell, or that at which it belongs.
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
