package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// CombatTimers are the timers of units in combat. Nothing is polled: a unit out of combat that lacks nothing is on
// none of these wheels.
type CombatTimers struct {
	swings     sched.Wheel[look]
	combatEnds sched.Wheel[ecs.Entity]
	regens     sched.Wheel[ecs.Entity]
	threats    sched.Wheel[uint32] // blocks of threat lists

	due          []ecs.Entity
	regenStarted []ecs.Entity // units that have begun to regenerate since the last RegenDue
}

// A look is a swing timer of a unit. It is stale if the unit has got another since.
type look struct {
	entity ecs.Entity
	tick   uint32
}

// SwingsDue returns the units whose swing timer is due in this tick, in that order. System combat calls it once a
// tick. The slice belongs to the world and is valid until the next tick.
func (b *Book) SwingsDue(t sched.Tick) []ecs.Entity {
	f := b.timers.Get()
	f.due = f.due[:0]
	for _, l := range f.swings.Take(t.N) {
		if !b.entities.Alive(l.entity) {
			continue
		}
		if combat := b.combats.Get(l.entity); combat.SwingTick == l.tick {
			combat.SwingTick = 0
			f.due = append(f.due, l.entity)
		}
	}
	return f.due
}

// ScheduleSwing sets a unit's swing timer to a delay, or leaves it if it is due earlier.
func (b *Book) ScheduleSwing(t sched.Tick, e ecs.Entity, delay time.Duration) {
	combat, at := b.combats.Get(e), t.N
	if delay > 0 {
		at = t.After(delay)
	}
	if combat.SwingTick != 0 && int32(uint32(at)-combat.SwingTick) >= 0 {
		return
	}
	combat.SwingTick = uint32(at)
	b.timers.Get().swings.Add(at, look{e, combat.SwingTick})
}

// RegenDue returns the units whose regeneration is due in this tick. System regen calls it once a tick, and calls
// ScheduleRegen for those that still have something to gain or lose. The slice is valid until the next tick.
func (b *Book) RegenDue(t sched.Tick) []ecs.Entity {
	for _, e := range b.timers.Get().regenStarted {
		b.timers.Get().regens.Add(t.After(RegenPeriod)-1, e) // it began before this tick
	}
	b.timers.Get().regenStarted = b.timers.Get().regenStarted[:0]
	return b.pending(b.timers.Get().regens.Take(t.N), components.PendingRegen)
}

// ScheduleRegen starts a unit's regeneration, due for the first time in two seconds. Scheduling again changes
// nothing. Books call it whenever they change a unit's health or power.
func (b *Book) ScheduleRegen(e ecs.Entity) {
	if b.pend(e, components.PendingRegen) {
		b.timers.Get().regenStarted = append(b.timers.Get().regenStarted, e)
	}
}

// RegenPeriod is the interval of regeneration.
//
// Source: CREATURE_REGEN_INTERVAL, Creature.h, and Player::RegenerateAll, AzerothCore (2 s).
const RegenPeriod = 2 * time.Second

// pend notes that a timer of a unit is set. It is false if it was set already.
func (b *Book) pend(e ecs.Entity, what uint8) bool {
	combat := b.combats.Get(e)
	if combat.Pending&what != 0 {
		return false
	}
	combat.Pending |= what
	return true
}

// pending returns those units of due that still exist, and clears their timers. It works in place.
func (b *Book) pending(due []ecs.Entity, what uint8) []ecs.Entity {
	there := due[:0]
	for _, e := range due {
		if b.entities.Alive(e) {
			b.combats.Get(e).Pending &^= what
			there = append(there, e)
		}
	}
	return there
}
