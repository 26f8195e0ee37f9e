package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// CombatTimers are the looks at fighting units that are due some time. Nobody is polled: a unit at peace that lacks
// nothing is on none of these wheels, however many there are.
type CombatTimers struct {
	swings     sched.Wheel[look]
	combatEnds sched.Wheel[ecs.Entity]
	regens     sched.Wheel[ecs.Entity]
	threats    sched.Wheel[uint32] // blocks of threat lists

	due          []ecs.Entity
	regenStarted []ecs.Entity // who has begun to rest since the last Resting
}

// A look at a unit's weapons is stale if the unit has got another since.
type look struct {
	entity ecs.Entity
	tick   uint32
}

// SwingsDue is who may strike in this tick, in the order in which that became due. System combat asks for it once
// a tick. The slice belongs to the world and is good until the next tick.
func (b *Book) SwingsDue(t sched.Tick) []ecs.Entity {
	f := b.timers.Get()
	f.due = f.due[:0]
	for _, l := range f.swings.Take(t.N) {
		if !b.entities.Alive(l.entity) {
			continue
		}
		if bout := b.combats.Get(l.entity); bout.SwingTick == l.tick {
			bout.SwingTick = 0
			f.due = append(f.due, l.entity)
		}
	}
	return f.due
}

// ScheduleSwing has a unit look at its weapons after a delay, or earlier if it would have done so.
func (b *Book) ScheduleSwing(t sched.Tick, e ecs.Entity, delay time.Duration) {
	bout, at := b.combats.Get(e), t.N
	if delay > 0 {
		at = t.After(delay)
	}
	if bout.SwingTick != 0 && int32(uint32(at)-bout.SwingTick) >= 0 {
		return
	}
	bout.SwingTick = uint32(at)
	b.timers.Get().swings.Add(at, look{e, bout.SwingTick})
}

// RegenDue is whose gains and losses of two seconds are due in this tick. System regen asks for it once a tick,
// and has those rest on (Rest) who still have something to gain or lose. The slice is good until the next tick.
func (b *Book) RegenDue(t sched.Tick) []ecs.Entity {
	for _, e := range b.timers.Get().regenStarted {
		b.timers.Get().regens.Add(t.After(RegenPeriod)-1, e) // it began before this tick
	}
	b.timers.Get().regenStarted = b.timers.Get().regenStarted[:0]
	return b.pending(b.timers.Get().regens.Take(t.N), components.PendingRegen)
}

// ScheduleRegen has a unit gain and lose by and by what it does, for the first time in two seconds. Asking again changes
// nothing. Books ask themselves whenever they change a unit's health or power.
func (b *Book) ScheduleRegen(e ecs.Entity) {
	if b.pend(e, components.PendingRegen) {
		b.timers.Get().regenStarted = append(b.timers.Get().regenStarted, e)
	}
}

// RegenPeriod is how often units gain and lose by and by.
//
// Source: CREATURE_REGEN_INTERVAL, Creature.h, and Player::RegenerateAll, AzerothCore (2 s).
const RegenPeriod = 2 * time.Second

// pend notes that a look is due some time. It is false if one was already.
func (b *Book) pend(e ecs.Entity, what uint8) bool {
	bout := b.combats.Get(e)
	if bout.Pending&what != 0 {
		return false
	}
	bout.Pending |= what
	return true
}

// pending is who of those that are due is still there. It works in place.
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
