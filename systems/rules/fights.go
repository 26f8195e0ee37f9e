package rules

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// Fights are the looks at fighting units that are due some time. Nobody is polled: a unit at peace that lacks
// nothing is on none of these wheels, however many there are.
type Fights struct {
	swings  sched.Wheel[look]
	calms   sched.Wheel[ecs.Entity]
	rests   sched.Wheel[ecs.Entity]
	threats sched.Wheel[uint32] // blocks of threat lists

	due      []ecs.Entity
	restless []ecs.Entity // who has begun to rest since the last Resting
}

// A look at a unit's weapons is stale if the unit has got another since.
type look struct {
	entity ecs.Entity
	tick   uint32
}

// Swinging is who may strike in this tick, in the order in which that became due. System combat asks for it once
// a tick. The slice belongs to the world and is good until the next tick.
func (b *Book) Swinging(t sched.Tick) []ecs.Entity {
	f := b.fights.Get()
	f.due = f.due[:0]
	for _, l := range f.swings.Take(t.N) {
		if !b.entities.Alive(l.entity) {
			continue
		}
		if bout := b.bouts.Get(l.entity); bout.Turn == l.tick {
			bout.Turn = 0
			f.due = append(f.due, l.entity)
		}
	}
	return f.due
}

// Await has a unit look at its weapons after a delay, or earlier if it would have done so.
func (b *Book) Await(t sched.Tick, e ecs.Entity, delay time.Duration) {
	bout, at := b.bouts.Get(e), t.N
	if delay > 0 {
		at = t.After(delay)
	}
	if bout.Turn != 0 && int32(uint32(at)-bout.Turn) >= 0 {
		return
	}
	bout.Turn = uint32(at)
	b.fights.Get().swings.Add(at, look{e, bout.Turn})
}

// Resting is whose gains and losses of two seconds are due in this tick. System regen asks for it once a tick,
// and has those rest on (Rest) who still have something to gain or lose. The slice is good until the next tick.
func (b *Book) Resting(t sched.Tick) []ecs.Entity {
	for _, e := range b.fights.Get().restless {
		b.fights.Get().rests.Add(t.After(RestEvery)-1, e) // it began before this tick
	}
	b.fights.Get().restless = b.fights.Get().restless[:0]
	return b.pending(b.fights.Get().rests.Take(t.N), components.PendingRest)
}

// Rest has a unit gain and lose by and by what it does, for the first time in two seconds. Asking again changes
// nothing. Books ask themselves whenever they change a unit's health or power.
func (b *Book) Rest(e ecs.Entity) {
	if b.pend(e, components.PendingRest) {
		b.fights.Get().restless = append(b.fights.Get().restless, e)
	}
}

// RestEvery is how often units gain and lose by and by.
//
// Source: CREATURE_REGEN_INTERVAL, Creature.h, and Player::RegenerateAll, AzerothCore (2 s).
const RestEvery = 2 * time.Second

// pend notes that a look is due some time. It is false if one was already.
func (b *Book) pend(e ecs.Entity, what uint8) bool {
	bout := b.bouts.Get(e)
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
			b.bouts.Get(e).Pending &^= what
			there = append(there, e)
		}
	}
	return there
}
