// Package respawn spawns creatures at their spawn points, removes their corpses, and respawns them.
//
// A spawn point has a creature only once an observer has been near enough to see it: until then the point is dormant
// in its tile's list, and takes a few bytes. A timer that fires while the point's cell sleeps makes it dormant again,
// so that no timer is lost and no creature is made that no observer can see. A creature that has slept for long, idle
// and at full health, is despawned, and its point is dormant again.
package respawn

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// creatureParts are the components of a creature.
type creatureParts struct{}

// Components implements ecs.Bundle.
func (creatureParts) Components() []ecs.Type {
	return slices.Concat(components.CreatureParts(), components.CombatParts(),
		ecs.Of4[components.Position, components.HomeCell, components.Walk, components.SpawnInfo](),
		ecs.Of4[components.AIState, components.Speeds, components.Dirty, components.CreatureImage](),
		ecs.Of[components.CorpseLoot]())
}

// System spawns and despawns creatures. It panics at the start if the map has more than MaxCreatures spawn points, or
// one with an unknown template, path or leader, or an invalid path or pool.
type System struct {
	rules.Living

	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	space     ecs.ResMut[space.Space]
	cells     change.Cells
	creatures ecs.Spawn[creatureParts]
	despawn   ecs.Despawn
	leaving   ecs.Emit[change.Leaving]
	woken     ecs.Emit[change.Woken]
	departing ecs.Emit[rules.LeaveCombat]

	deaths  ecs.EventReader[rules.Death]
	looted  ecs.EventReader[rules.Looted]
	summons ecs.Requests[rules.Summon]
	results ecs.Emit[rules.Summoned]

	despawnRequests ecs.Requests[rules.DespawnCreature]
	respawnRequests ecs.Requests[rules.RespawnAll]

	objects      ecs.Read[components.Object]
	attacks      ecs.Read[components.Attack]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	vitalsStates ecs.Read[components.VitalsState]
	vitals       ecs.View[components.Vitals]
	units        ecs.Read[components.Unit]
	homeCells    ecs.Read[components.HomeCell]
	spawnInfos   ecs.Read[components.SpawnInfo]
	aiStates     ecs.Write[components.AIState]

	made made

	points   points
	pools    pools
	timers   sched.Wheel[timer]
	tick     sched.Tick
	fresh    func(grid.Patch)      // wake, bound once
	gone     func(ecs.Entity) bool // forget, bound once
	born     func(int, ecs.Entity) // occupySpawnPoint for creatures that wake
	summoned summoned
	begun    bool

	badSummon sched.Counter `name:"respawn.bad_summon"`
	crowded   sched.Counter `name:"respawn.crowded"`
	forgotten sched.Counter `name:"respawn.forgotten"`
}

// Init implements ecs.Initializer.
func (s *System) Init() {
	s.check()
	s.fresh, s.gone = s.wake, s.forget
	s.born = func(i int, e ecs.Entity) { s.settle(s.tick, s.points.waking[i], e) }
}

// A timer is for a spawn point whose respawn is due, or for an entity to despawn.
type timer struct {
	entity ecs.Entity
	point  uint32 // one more than its number; 0 if it is for the entity
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.tick = t
	if !s.begun {
		s.begun = true
		s.begin(t)
	}
	for _, death := range s.deaths.Next() {
		s.scheduleCorpseRemoval(t, death.Entity)
	}
	for _, body := range s.looted.Next() {
		s.empty(t, body.Entity)
	}
	for _, due := range s.timers.Take(t.N) {
		if due.point == 0 {
			s.remove(due.entity)
		} else {
			s.refill(t, due.point-1)
		}
	}
	s.executeRequests(t)
	s.space.Get().NewlyVisible(s.fresh)
	summons := s.summons.Take()
	for i := range summons {
		s.summon(t, &summons[i])
	}
	s.space.Get().VisitSleeping(looksPerTick, s.gone)
}

func (s *System) after(t sched.Tick, ms uint32, due timer) {
	s.timers.Add(t.After(time.Duration(ms)*time.Millisecond), due)
}
