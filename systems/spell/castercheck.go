package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// CasterChecks checks whether casters are in a state to cast, and how long it takes them.
type CasterChecks struct {
	rules.Living
	motion

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	attempts ecs.Requests[attempt]
	checked  ecs.Emit[casterChecked]

	unitAuras   ecs.Read[components.UnitAuras]
	cheats      ecs.Read[components.Cheats]
	units       ecs.Read[components.Unit]
	stances     ecs.Read[components.Stance]
	combatStats ecs.ReadRef[components.CombatStats]
}

// A casterChecked is an attempt that has been through CasterChecks.
type casterChecked attempt

// React implements sched.Reactor.
func (s *CasterChecks) React(sched.Tick) {
	for _, a := range s.attempts.Take() {
		if e := a.cast.by; s.entities.Exists(e) {
			a.cast.level, a.player = s.units.Get(e).Level, s.sessions.Has(e)
			if s.cheats.Has(e) {
				a.cheats = s.cheats.Get(e).Set
			}
			c := a.cast.in(s.defs.Get())
			a.castMs, a.globalMs = s.castMs(&a, c.spell), s.globalMs(&a, c.spell)
			if !s.Alive(e) {
				a.why = msg.CastCasterDead
			} else if a.step != atPulse && !c.triggered {
				a.why = s.check(&c)
			}
			s.checked.Emit(casterChecked(a))
		}
	}
}

// castMs returns the cast time of a cast.
//
// Source: Unit::ModSpellCastTime, AzerothCore.
func (s *CasterChecks) castMs(a *attempt, sp *defs.Spell) uint32 {
	if a.cast.triggered || sp.CastMs == 0 || a.cheats&components.CheatInstantCast != 0 {
		return 0
	}
	return uint32(float32(float32(sp.CastMs) * s.haste(a.cast.by)))
}

// The bounds, milliseconds, of global cooldowns that haste changes.
//
// Source: Spell::TriggerGlobalCooldown, AzerothCore.
const (
	leastGlobalMs = 1000
	mostGlobalMs  = 1500
)

// globalMs returns the global cooldown of a cast.
func (s *CasterChecks) globalMs(a *attempt, sp *defs.Spell) uint32 {
	ms := sp.GlobalMs
	if a.cast.triggered || a.cheats&components.CheatNoCooldown != 0 {
		return 0
	}
	if ms >= leastGlobalMs && ms <= mostGlobalMs && !sp.Has(defs.SpellMelee|defs.SpellRanged) {
		ms = min(max(uint32(float32(float32(ms)*s.haste(a.cast.by))), leastGlobalMs), mostGlobalMs)
	}
	return ms
}

// haste returns the factor on cast times.
func (s *CasterChecks) haste(e ecs.Entity) float32 { return s.combatStats.Get(e).CastSpeed }

// check checks whether the caster is in a state to cast.
//
// Source: Spell::CheckCasterAuras and Spell::CheckCast, AzerothCore.
func (s *CasterChecks) check(c *cast) msg.CastResult {
	states, unit := s.unitAuras.Get(c.by).States, s.units.Get(c.by)
	switch {
	case c.spell.Has(defs.SpellWhileStunned):
	case states&components.StateStunned != 0:
		return msg.CastStunned
	case states&components.StateFeared != 0:
		return msg.CastFleeing
	case states&components.StateConfused != 0:
		return msg.CastConfused
	}
	bodily := c.spell.School == defs.SchoolPhysical
	switch {
	case states&components.StateSilenced != 0 && !bodily:
		return msg.CastSilenced
	case states&components.StatePacified != 0 && bodily && c.spell.Has(defs.SpellHarmful):
		return msg.CastPacified
	case c.spell.Has(defs.SpellOutOfCombat) && unit.Flags&components.UnitInCombat != 0:
		return msg.CastAffectingCombat
	case s.stances.Get(c.by).Bytes1[components.ByteStand] != components.Standing:
		return msg.CastNotStanding
	case c.spell.Has(defs.SpellStill) && s.isMoving(c.by):
		return msg.CastMoving
	case c.spell.Has(defs.SpellRanged) && s.combatStats.Get(c.by).MaxDamage[components.RangedHand] == 0:
		return msg.CastEquippedItem
	}
	return castOK
}
