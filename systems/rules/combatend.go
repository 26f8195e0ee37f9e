package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// Engage puts two units into combat with each other: one has done the other something hostile. A creature begins
// to hate, with nothing yet. One that runs home fights nobody.
func (b *Book) Engage(t sched.Tick, by, to ecs.Entity) {
	if by == to || !b.Alive(by) || !b.Alive(to) || b.combats.Get(by).Evading != 0 || b.combats.Get(to).Evading != 0 {
		return
	}
	b.enterCombat(t, by)
	b.enterCombat(t, to)
	b.AddRawThreat(t, to, by, 0)
	b.AddRawThreat(t, by, to, 0)
}

// combatMs is how long a player stays in combat after the last hostile act when nobody hates it.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
const combatMs = 5000

// enterCombat notes that a unit has done or suffered a hostile act.
func (b *Book) enterCombat(t sched.Tick, e ecs.Entity) {
	bout, unit := b.combats.Get(e), b.units.Get(e)
	bout.UntilMs = t.NowMs + combatMs
	if unit.Flags&components.UnitInCombat == 0 {
		unit.Flags |= components.UnitInCombat
		b.dirty.Mark(e, components.DirtyUnit)
	}
	if b.pend(e, components.PendingCombatEnd) {
		b.timers.Get().combatEnds.Add(t.After(combatMs*time.Millisecond), e)
	}
}

// InCombat reports whether a unit fights.
func (b *Book) InCombat(e ecs.Entity) bool { return b.units.Get(e).Flags&components.UnitInCombat != 0 }

// hatedEvery is how often a player who has done nothing hostile for a while, but is still hated, is looked at.
const hatedEvery = time.Second

// EndCombats ends the combat of those who have been at peace long enough: a player whom nobody hates when its last
// hostile act is a while ago, a creature that hates nobody. System combat calls it once a tick.
func (b *Book) EndCombats(t sched.Tick) {
	for _, e := range b.pending(b.timers.Get().combatEnds.Take(t.N), components.PendingCombatEnd) {
		bout := b.combats.Get(e)
		left := time.Duration(int32(bout.UntilMs-t.NowMs)) * time.Millisecond
		switch {
		case !b.InCombat(e):
			continue
		case left <= 0 && bout.ThreatenedByCount == 0 && bout.Threat == 0:
			b.endCombat(e)
			continue
		case left <= 0:
			left = hatedEvery
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
