package respawn

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// FirstCounter is the counter of the first creature's GUID. Those of players are smaller, so that no client takes a
// creature for its own player.
//
// Source: protocol.md 7.9.
const FirstCounter = 0x800000

// MaxCreatures is the most creatures of one map: counters have 24 bits.
const MaxCreatures = components.MaxCounter - FirstCounter + 1

// occupySpawnPoint makes an entity the creature of a spawn point, unless that has one.
func (s *System) settle(t sched.Tick, point uint32, e ecs.Entity) {
	if s.entities.Alive(s.points.born[point]) {
		s.despawn.Despawn(e)
		return
	}
	at := &s.place.Get().Spawns[point]
	// The level is rolled once for a spawn point: the same creature respawns.
	dice := sched.Tick{Seed: t.Seed}.Dice("respawn", uint64(point))
	s.make(t, e, s.defs.Get().Creature(at.Entry), FirstCounter+point, components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O}, &dice)
	info := s.made.spawnInfos.Get(e)
	info.Wander, info.Path, info.Point = at.Wander, at.Path, point+1
	s.points.born[point] = e
	s.join(e, point)
}

// join puts a creature into the formation of its spawn point, with those members that exist.
func (s *System) join(e ecs.Entity, point uint32) {
	if s.points.first == nil {
		return
	}
	if leader := s.place.Get().Spawns[point].Leader; leader > 0 {
		if l := s.points.born[leader-1]; s.entities.Alive(l) && s.vitals.Get(l).Health > 0 {
			s.follow(e, l)
		}
		return
	}
	for f := s.points.first[point]; f != 0; f = s.points.next[f-1] {
		if follower := s.points.born[f-1]; s.entities.Alive(follower) && s.aiStates.Get(follower).Leader == (ecs.Entity{}) {
			s.follow(follower, e)
		}
	}
}

func (s *System) follow(e, leader ecs.Entity) {
	state, first := s.aiStates.Get(e), &s.aiStates.Get(leader).Follower
	state.Leader, state.Next = leader, *first
	*first = e
}

// layerOf is the layer of creatures of a template: spirit healers are in that of ghosts, which living players do not
// see.
//
// Source: Creature::LoadCreatureFromDB and Creature::InitEntry, AzerothCore (GHOST_VISIBILITY_GHOST for a spirit
// service).
func layerOf(template *defs.Creature) int {
	if template.NPCFlags&(components.NPCSpiritHealer|components.NPCSpiritGuide) != 0 {
		return grid.Ghosts
	}
	return grid.Living
}

// made has the components of creatures that are being spawned.
type made struct {
	objects    ecs.Fill[components.Object]
	vitals     ecs.Fill[components.Vitals]
	units      ecs.Fill[components.Unit]
	stances    ecs.Fill[components.Stance]
	positions  ecs.Fill[components.Position]
	walks      ecs.Fill[components.Walk]
	spawnInfos ecs.Fill[components.SpawnInfo]
	speeds     ecs.Fill[components.Speeds]
	stats      ecs.Fill[components.CombatStats]
}

// make makes an entity a creature at a position, visible to observers.
func (s *System) make(t sched.Tick, e ecs.Entity, template *defs.Creature, counter uint32, at components.Position, dice *sched.Dice) {
	*s.made.objects.Get(e) = components.Object{
		GUID: components.CreatureGUID(template.Entry, counter), Type: components.MaskOfCreature,
		Entry: template.Entry, Scale: template.Scale,
	}
	up := uint32(dice.Intn(int(template.MaxLevel-template.MinLevel) + 1))
	*s.made.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{components.ByteClass: template.Class}, Level: uint32(template.MinLevel) + up,
		Faction: template.Faction, BoundingRadius: template.BoundingRadius, CombatReach: template.CombatReach,
		DisplayID: template.DisplayID, NativeDisplayID: template.DisplayID,
	}
	*s.made.stances.Get(e) = components.Stance{CastSpeed: 1, NPCFlags: template.NPCFlags}
	*s.made.positions.Get(e) = at
	*s.made.spawnInfos.Get(e) = components.SpawnInfo{At: at, Path: -1}
	s.made.walks.Get(e).Flags = components.SplineWalk
	speeds := components.NormalSpeeds()
	speeds[components.SpeedWalk], speeds[components.SpeedRun] = template.WalkSpeed, template.RunSpeed
	*s.made.speeds.Get(e) = speeds
	s.equip(e, template)

	s.space.Get().Add(s.made.objects.Get(e).GUID, e)
	s.space.Get().Hunt(e, template.Temper == defs.Aggressive)
	s.space.Get().Arrive(e)
	s.cells.Set(t, e, grid.At(at.X, at.Y, layerOf(template)))
	s.woken.Emit(change.Woken{Entity: e})
}

// equip gives a new creature its stats, and full health and mana.
func (s *System) equip(e ecs.Entity, template *defs.Creature) {
	unit := s.made.units.Get(e)
	stats := rules.CreatureStats(s.defs.Get(), template, unit.Level, nil)
	*s.made.stats.Get(e) = stats.Combat
	swing := stats.Combat.SwingMs[components.MainHand]
	unit.AttackTimeMs, unit.RangedAttackTimeMs = [2]uint32{swing, swing}, swing
	v := components.Vitals{Health: stats.MaxHealth, MaxHealth: stats.MaxHealth}
	v.Power[components.PowerMana], v.MaxPower[components.PowerMana] = stats.MaxPower, stats.MaxPower
	*s.made.vitals.Get(e) = v
}
