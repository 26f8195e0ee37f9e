package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// Engage puts two units into combat with each other after a hostile act. A creature adds the other to its threat
// list, with no threat yet. An evading one does not enter combat.
func (b *Book) Engage(t sched.Tick, by, to ecs.Entity) {
	if by == to || !b.Alive(by) || !b.Alive(to) || b.combats.Get(by).Evading != 0 || b.combats.Get(to).Evading != 0 {
		return
	}
	b.enterCombat(t, by)
	b.enterCombat(t, to)
	b.AddRawThreat(t, to, by, 0)
	b.AddRawThreat(t, by, to, 0)
}

// combatMs is how long a player that is on no threat list stays in combat after the last hostile act.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
const combatMs = 5000

// enterCombat notes a hostile act of a unit or on it.
func (b *Book) enterCombat(t sched.Tick, e ecs.Entity) {
	combat, unit := b.combats.Get(e), b.units.Get(e)
	combat.UntilMs = t.NowMs + combatMs
	if unit.Flags&components.UnitInCombat == 0 {
		unit.Flags |= components.UnitInCombat
		b.dirty.Mark(e, components.DirtyUnit)
	}
	if b.pend(e, components.PendingCombatEnd) {
		b.timers.Get().combatEnds.Add(t.After(combatMs*time.Millisecond), e)
	}
}

// InCombat reports whether a unit is in combat.
func (b *Book) InCombat(e ecs.Entity) bool { return b.units.Get(e).Flags&components.UnitInCombat != 0 }

// threatCheckPeriod is the interval at which a player without a recent hostile act that is still on a threat list is
// checked.
const threatCheckPeriod = time.Second

// EndCombats ends the combat of units whose combat timer has run out: a player on no threat list whose last hostile
// act is long enough ago, a creature with an empty threat list. System combat calls it once a tick.
func (b *Book) EndCombats(t sched.Tick) {
	for _, e := range b.pending(b.timers.Get().combatEnds.Take(t.N), components.PendingCombatEnd) {
		combat := b.combats.Get(e)
		left := time.Duration(int32(combat.UntilMs-t.NowMs)) * time.Millisecond
		switch {
		case !b.InCombat(e):
			continue
		case left <= 0 && combat.ThreatenedByCount == 0 && combat.Threat == 0:
			b.endCombat(e)
			continue
		case left <= 0:
			left = threatCheckPeriod
		}
		b.pend(e, components.PendingCombatEnd)
		b.timers.Get().combatEnds.Add(t.After(left), e)
	}
}

// endCombat ends a unit's combat.
func (b *Book) endCombat(e ecs.Entity) {
	if unit := b.units.Get(e); unit.Flags&components.UnitInCombat != 0 {
		unit.Flags &^= components.UnitInCombat
		b.dirty.Mark(e, components.DirtyUnit)
	}
}
