package respawn

import (
	"slices"

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
		ecs.Of3[components.Formation, components.Sleep, components.CorpseLoot](),
		ecs.Of4[components.StepTimer, components.SpellTimers, components.Errand, components.Route](), ecs.Of2[components.Scripted, components.ScriptWay]())
}

// A birth asks for a creature: System spawner spawns it in the same tick.
type birth struct {
	entry   uint32 // of its template
	counter uint32 // of its GUID; no other creature of that GUID exists
	level   uint32
	faction uint32
	info    components.SpawnInfo
	look    defs.Look
}

// Spawner spawns creatures, visible to observers at once. It names more types than other systems: most of them are what
// a creature has at its spawn.
type Spawner struct {
	defs      ecs.Res[defs.World]
	space     ecs.ResMut[space.Space]
	cells     change.Cells
	woken     ecs.Emit[change.Woken]
	births    ecs.Events[birth]
	creatures ecs.Spawn[creatureParts]

	objects    ecs.Fill[components.Object]
	vitals     ecs.Fill[components.Vitals]
	units      ecs.Fill[components.Unit]
	stances    ecs.Fill[components.Stance]
	positions  ecs.Fill[components.Position]
	walks      ecs.Fill[components.Walk]
	spawnInfos ecs.Fill[components.SpawnInfo]
	speeds     ecs.Fill[components.Speeds]
	stats      ecs.Fill[components.CombatStats]

	tick sched.Tick
	make func(int, ecs.Entity) // fill, bound once
}

// Init implements ecs.Initializer.
func (s *Spawner) Init() { s.make = s.fill }

// OnEvents implements sched.Handler.
func (s *Spawner) OnEvents(t sched.Tick) {
	s.tick = t
	if n := len(s.births.All()); n > 0 {
		s.creatures.SpawnBatch(n, s.make)
	}
}

// fill makes an entity the creature of the i-th birth.
func (s *Spawner) fill(i int, e ecs.Entity) {
	b := &s.births.All()[i]
	template, at := s.defs.Get().Creature(b.entry), b.info.At
	guid := components.CreatureGUID(b.entry, b.counter)
	*s.objects.Get(e) = components.Object{GUID: guid, Type: components.MaskOfCreature, Entry: b.entry, Scale: template.Scale}
	*s.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{components.ByteClass: template.Class}, Level: b.level,
		Faction: b.faction, BoundingRadius: template.BoundingRadius, CombatReach: template.CombatReach,
		DisplayID: template.DisplayID, NativeDisplayID: template.DisplayID, VirtualItem: b.look.Items,
	}
	*s.stances.Get(e) = components.Stance{
		CastSpeed: 1, NPCFlags: template.NPCFlags, MountDisplayID: b.look.Mount, EmoteState: b.look.Emote,
		Bytes1: [4]uint8{components.ByteStand: b.look.Stand, components.ByteVisibility: b.look.Visibility, components.ByteAnimTier: b.look.AnimTier},
		Bytes2: [4]uint8{components.ByteSheath: b.look.Sheath, components.BytePvP: b.look.PvP},
	}
	*s.positions.Get(e), *s.spawnInfos.Get(e) = at, b.info
	s.walks.Get(e).Flags = components.SplineWalk
	speeds := components.NormalSpeeds()
	speeds[components.SpeedWalk], speeds[components.SpeedRun] = template.WalkSpeed, template.RunSpeed
	*s.speeds.Get(e) = speeds
	s.equip(e, template)

	s.space.Get().Add(guid, e)
	s.space.Get().Hunt(e, template.ReactState == defs.Aggressive)
	s.space.Get().Arrive(e)
	s.cells.Set(s.tick, e, grid.At(at.X, at.Y, layerOf(template)))
	s.woken.Emit(change.Woken{Entity: e})
}

// equip gives a new creature its stats, and full health and mana.
func (s *Spawner) equip(e ecs.Entity, template *defs.Creature) {
	unit := s.units.Get(e)
	stats := rules.CreatureStats(s.defs.Get(), template, unit.Level, nil)
	*s.stats.Get(e) = stats.Combat
	swing := stats.Combat.SwingMs[components.MainHand]
	unit.AttackTimeMs, unit.RangedAttackTimeMs = [2]uint32{swing, swing}, swing
	v := components.Vitals{Health: stats.MaxHealth, MaxHealth: stats.MaxHealth}
	v.Power[components.PowerMana], v.MaxPower[components.PowerMana] = stats.MaxPower, stats.MaxPower
	*s.vitals.Get(e) = v
}
