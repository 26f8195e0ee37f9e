// Package respawn puts creatures where they belong, takes their bodies away when they have died, and brings
// the next ones.
//
// A spawn point has a creature only once somebody has been near enough to see it: until then the point lies
// dormant in its tile's list, and costs a few bytes. A timer that fires while the point's cell sleeps makes it
// dormant again, so that no timer is lost and nobody is made whom nobody can see. And a creature that has slept
// for long, whole and at peace, goes back to being its point.
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

// creatureParts are what a creature is made of.
type creatureParts struct{}

// Components implements ecs.Bundle.
func (creatureParts) Components() []ecs.Type {
	return slices.Concat(components.CreatureParts(),
		ecs.Of4[components.Position, components.HomeCell, components.Walk, components.SpawnInfo](),
		ecs.Of4[components.AIState, components.Speeds, components.Dirty, components.CreatureImage](),
		ecs.Of4[components.CombatState, components.CombatStats, components.Casting, components.CorpseLoot]())
}

// System spawns and despawns creatures. It does not start if the map has more than MaxCreatures spawn points, or one
// whose creature, path or leader is not there, or a path or pool that makes no sense.
type System struct {
	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	space     ecs.ResMut[space.Space]
	cells     change.Cells
	book      rules.Book
	creatures ecs.Spawn[creatureParts]
	despawn   ecs.Despawn
	left      change.Left
	leaving   ecs.Emit[change.Leaving]
	woken     ecs.Emit[change.Woken]

	deaths  ecs.EventReader[rules.Death]
	looted  ecs.Requests[rules.Looted]
	summons ecs.Requests[rules.Summon]

	despawnRequests ecs.Requests[rules.DespawnCreature]
	respawnRequests ecs.Requests[rules.RespawnAll]

	objects    ecs.Write[components.Object]
	vitals     ecs.Write[components.Vitals]
	units      ecs.Write[components.Unit]
	stances    ecs.Write[components.Stance]
	positions  ecs.Write[components.Position]
	homeCells  ecs.Read[components.HomeCell]
	walks      ecs.Write[components.Walk]
	spawnInfos ecs.Write[components.SpawnInfo]
	aiStates   ecs.Write[components.AIState]
	speeds     ecs.Write[components.Speeds]
	combats    ecs.Write[components.CombatState]

	points points
	pools  pools
	timers sched.Wheel[timer]
	tick   sched.Tick
	fresh  func(grid.Patch)      // wake, bound once
	gone   func(ecs.Entity) bool // forget, likewise
	born   func(int, ecs.Entity) // settle, for those who wake
	guests guests
	begun  bool

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

// A timer is of a spawn point that is to have its next creature, or of an entity that is to go.
type timer struct {
	entity ecs.Entity
	point  uint32 // one more than its number; 0: it is the entity's
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.tick = t
	if !s.begun {
		s.begun = true
		s.begin(t)
	}
	for _, death := range s.deaths.Next() {
		s.bury(t, death.Entity)
	}
	for _, body := range s.looted.Take() {
		s.empty(t, body.Entity)
	}
	for _, due := range s.timers.Take(t.N) {
		if due.point == 0 {
			s.remove(due.entity)
		} else {
			s.refill(t, due.point-1)
		}
	}
	s.grant(t)
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
