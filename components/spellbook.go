package components

import "muster/components/life"

// A Spellbook has a player's spells and cooldowns. Spells are ascending.
type Spellbook struct {
	Count  uint32
	Spells [life.MaxSpells]uint32

	Waiting   uint32 // cooldowns in use
	Cooldowns [life.MaxCooldowns]Cooldown
}

// A Cooldown is the time until which a spell, or all of a category, cannot be cast.
type Cooldown struct {
	Spell, Category uint32 // of which one is 0
	UntilMs         uint32 // world time
	Held            uint32 // 1 while it has not begun: it begins when the spell's aura ends
}

// WaitMs is the remaining cooldown of a spell and its category; held reports that it has not begun.
func (b *Spellbook) WaitMs(spell, category, nowMs uint32) (ms uint32, held bool) {
	for i := range b.Cooldowns[:b.Waiting] {
		c := &b.Cooldowns[i]
		if c.Spell == spell && c.Spell != 0 || c.Category == category && c.Category != 0 {
			ms = max(ms, c.leftMs(nowMs))
			held = held || c.Held != 0
		}
	}
	return ms, held
}

func (c *Cooldown) leftMs(nowMs uint32) uint32 { return uint32(max(int32(c.UntilMs-nowMs), 0)) }

// Wait adds a cooldown. It removes those that are over; if there is no room, the one that would end first, and then
// it reports false.
func (b *Spellbook) Wait(c Cooldown, nowMs uint32) bool {
	least := 0
	n := uint32(0)
	for i := range b.Cooldowns[:b.Waiting] {
		old := b.Cooldowns[i]
		if old.Spell == c.Spell && old.Category == c.Category || old.Held == 0 && old.leftMs(nowMs) == 0 {
			continue
		}
		b.Cooldowns[n] = old
		if old.leftMs(nowMs) < b.Cooldowns[least].leftMs(nowMs) {
			least = int(n)
		}
		n++
	}
	full := n == life.MaxCooldowns
	if full {
		n--
		b.Cooldowns[least] = b.Cooldowns[n]
	}
	b.Cooldowns[n] = c
	clear(b.Cooldowns[n+1:])
	b.Waiting = n + 1
	return !full
}

// Release begins the held cooldown of a spell. It reports whether there was one.
func (b *Spellbook) Release(spell, untilMs uint32) bool {
	for i := range b.Cooldowns[:b.Waiting] {
		if c := &b.Cooldowns[i]; c.Spell == spell && c.Held != 0 {
			c.Held, c.UntilMs = 0, untilMs
			return true
		}
	}
	return false
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
