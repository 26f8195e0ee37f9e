package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// The bounds, milliseconds, of global cooldowns that haste changes.
//
// Source: Spell::TriggerGlobalCooldown, AzerothCore.
const (
	leastGlobalMs = 1000
	mostGlobalMs  = 1500
)

// global starts the caster's global cooldown.
func (s *System) global(t sched.Tick, c *cast) {
	ms := c.spell.GlobalMs
	if ms == 0 || c.triggered || s.exempt(c.by, components.CheatNoCooldown) {
		return
	}
	if ms >= leastGlobalMs && ms <= mostGlobalMs && !c.spell.Has(defs.SpellMelee|defs.SpellRanged) {
		ms = min(max(uint32(float32(float32(ms)*s.haste(c.by))), leastGlobalMs), mostGlobalMs)
	}
	s.casting.Get(c.by).GlobalUntilMs = t.NowMs + ms
}

// cooldown starts the cooldowns of a spell and of its category. The client starts them by itself; one that waits for
// its aura starts with SMSG_COOLDOWN_EVENT.
//
// Source: Player::AddSpellAndCategoryCooldowns, AzerothCore.
func (s *System) cooldown(t sched.Tick, c *cast) {
	if c.triggered || !s.cooldowns.Has(c.by) || s.exempt(c.by, components.CheatNoCooldown) {
		return
	}
	held := uint32(0)
	if c.spell.Has(defs.SpellWaitsForAura) && s.gather.hits() {
		held = 1
	}
	if c.spell.CooldownMs > 0 {
		s.wait(t, c.by, components.Cooldown{Spell: c.spell.ID, UntilMs: t.NowMs + c.spell.CooldownMs, Held: held})
	}
	if c.spell.Category != 0 && c.spell.CategoryMs > 0 {
		s.wait(t, c.by, components.Cooldown{Category: c.spell.Category, UntilMs: t.NowMs + c.spell.CategoryMs})
	}
}

func (s *System) wait(t sched.Tick, e ecs.Entity, c components.Cooldown) {
	if !s.cooldowns.Get(e).Wait(c, t.NowMs) {
		s.cooldownsFull.Count()
	}
	s.unsaved.Mark(e, life.Cooldowns)
}

// lock keeps a unit from casting spells of some schools for a while, and sends its client the spells.
//
// Source: Player::ProhibitSpellSchool, AzerothCore.
func (s *System) lock(t sched.Tick, e ecs.Entity, schools, ms uint32) {
	casting := s.casting.Get(e)
	casting.LockSchools, casting.LockUntilMs = schools, t.NowMs+ms
	if !s.spells.Has(e) {
		return
	}
	m := &s.said.cooldown
	m.Caster, m.Flags, m.Spells = s.objects.Get(e).GUID, 0, m.Spells[:0]
	book := s.spells.Get(e)
	for _, id := range book.Spells[:book.Count] {
		if sp := s.spell(id); sp != nil && sp.School&schools != 0 && !sp.Has(defs.SpellPassive) {
			m.Spells = append(m.Spells, msg.CooldownSpell{Spell: id, Ms: ms})
		}
	}
	if len(m.Spells) > 0 {
		s.out.SendNow(e, msg.OpSpellCooldown, m)
	}
}
