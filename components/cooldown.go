package components

import "muster/components/life"

// Cooldowns has a player's cooldowns.
type Cooldowns struct {
	Waiting uint32 // in use
	List    [life.MaxCooldowns]Cooldown
}

// A Cooldown is the time until which a spell, or all of a category, cannot be cast.
type Cooldown struct {
	Spell, Category uint32 // of which one is 0
	UntilMs         uint32 // world time
	Held            uint32 // 1 while it has not begun: it begins when the spell's aura ends
}

// WaitMs is the remaining cooldown of a spell and its category; held reports that it has not begun.
func (b *Cooldowns) WaitMs(spell, category, nowMs uint32) (ms uint32, held bool) {
	for i := range b.List[:b.Waiting] {
		c := &b.List[i]
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
func (b *Cooldowns) Wait(c Cooldown, nowMs uint32) bool {
	least := 0
	n := uint32(0)
	for i := range b.List[:b.Waiting] {
		old := b.List[i]
		if old.Spell == c.Spell && old.Category == c.Category || old.Held == 0 && old.leftMs(nowMs) == 0 {
			continue
		}
		b.List[n] = old
		if old.leftMs(nowMs) < b.List[least].leftMs(nowMs) {
			least = int(n)
		}
		n++
	}
	full := n == life.MaxCooldowns
	if full {
		n--
		b.List[least] = b.List[n]
	}
	b.List[n] = c
	clear(b.List[n+1:])
	b.Waiting = n + 1
	return !full
}

// Release begins the held cooldown of a spell. It reports whether there was one.
func (b *Cooldowns) Release(spell, untilMs uint32) bool {
	for i := range b.List[:b.Waiting] {
		if c := &b.List[i]; c.Spell == spell && c.Held != 0 {
			c.Held, c.UntilMs = 0, untilMs
			return true
		}
	}
	return false
}
