// Package respawn spawns creatures at their spawn points and on request, removes their corpses, and respawns them.
//
// A spawn point has a creature only once an observer has been near enough to see it: until then the point is dormant
// in its tile's list, and takes a few bytes. A timer that fires while the point's cell sleeps makes it dormant again,
// so that no timer is lost and no creature is made that no observer can see. A creature that has slept for long, idle
// and at full health, is despawned, and its point is dormant again.
//
// System respawn and Summons decide which creatures are to be; what is to go, Removals and Forgets take out of the
// world; then Spawner spawns, and Formations connects. All of them run in the same tick, in this order.
package respawn

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Respawn decides when the creatures of spawn points spawn and despawn. It panics at the start if the map has more than
// MaxCreatures spawn points, or one with an unknown template, path or leader, or an invalid path, pool or event.
type Respawn struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	births   ecs.Emit[birth]
	removals ecs.Emit[removal]

	deaths          ecs.EventReader[rules.Death]
	looted          ecs.EventReader[rules.Looted]
	vacancies       ecs.Requests[vacancy]
	despawnRequests ecs.Requests[rules.DespawnCreature]
	respawnRequests ecs.Requests[rules.RespawnAll]
	eventChanges    ecs.Events[rules.GameEventChanged]
	pointChanges    ecs.EventReader[rules.PointChanged]
	changed         ecs.Emit[rules.PointChanged]

	objects      ecs.Read[components.Object]
	spawnInfos   ecs.Read[components.SpawnInfo]
	vitals       ecs.Read[components.Vitals]
	vitalsStates ecs.Read[components.VitalsState]

	dormant    rules.Dormant
	refilled   []uint32 // points, in this tick
	pools      rules.Pools
	events     rules.EventPoints
	eventPools rules.EventPoints
	eras       map[uint32]uint32 // by point: how often events have taken it away
	links      rules.Links
	timers     sched.Wheel[timer]
	tick       sched.Tick
	fresh      func(grid.Patch) // wake, bound once
	birth      func(uint32)     // spawn, bound once
	begun      bool
}

// Init implements ecs.Initializer.
func (s *Respawn) Init() {
	s.check()
	s.birth = s.spawn
	s.fresh = func(p grid.Patch) { s.dormant.Wake(p, s.birth) }
}

// A timer is for a spawn point whose respawn is due, or for an entity to despawn.
type timer struct {
	entity ecs.Entity
	point  uint32 // one more than its number; 0 if it is for the entity
	era    uint32 // of the point, of events; in another one the timer is not for it any more
}

// due is a timer for a point.
func (s *Respawn) due(point uint32) timer { return timer{point: point + 1, era: s.eras[point]} }

// A vacancy is a spawn point, one more than its number, whose creature has been forgotten.
type vacancy struct{ point uint32 }

// Run implements sched.Runner.
func (s *Respawn) Run(t sched.Tick) {
	s.tick, s.refilled = t, s.refilled[:0]
	if !s.begun {
		s.begun = true
		s.begin(t)
	}
	s.followEvents(t)
	s.followLinks(t)
	for _, it := range s.vacancies.Take() {
		s.timers.Add(t.N, s.due(it.point-1))
	}
	for _, death := range s.deaths.Next() {
		s.scheduleCorpseRemoval(t, death.Entity)
		s.noteDeath(death.Entity)
	}
	for _, body := range s.looted.Next() {
		if !body.Left {
			s.empty(t, body.Entity)
		}
	}
	for _, due := range s.timers.Take(t.N) {
		if due.point == 0 {
			s.remove(due.entity)
		} else {
			s.refill(t, due)
		}
	}
	s.executeRequests(t)
	s.space.Get().NewlyVisible(s.fresh)
}

// remove despawns a creature, alive or dead.
func (s *Respawn) remove(e ecs.Entity) {
	if s.entities.Exists(e) {
		s.removals.Emit(removal{e})
	}
}

func (s *Respawn) after(t sched.Tick, ms uint32, due timer) {
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), due)
}
