package gameobject

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// objectParts are the components of a game object.
type objectParts struct{}

// Components implements ecs.Bundle.
func (objectParts) Components() []ecs.Type {
	return slices.Concat(components.GameObjectParts(),
		ecs.Of4[components.GameObjectImage, components.ObjectState, components.Position, components.HomeCell](),
		ecs.Of4[components.Dirty, components.Sleep, components.CorpseLoot, components.Scripted]())
}

// A birth asks for a game object: ObjectSpawner spawns it in the same tick.
type birth struct {
	entry    uint32 // of its template
	counter  uint32 // of its GUID; no other game object of that GUID exists
	point    uint32 // one more than that of its spawn point; 0 none
	expiry   uint64 // the tick in which it despawns; 0 none
	at       components.Position
	rotation [4]float32
	parent   [4]float32
	state    uint8
	progress uint8
}

func (b *birth) guid() uint64 { return components.GameObjectGUID(b.entry, b.counter) }

// ObjectSpawner spawns game objects, visible to observers at once.
type ObjectSpawner struct {
	defs    ecs.Res[defs.World]
	space   ecs.ResMut[space.Space]
	cells   change.Cells
	woken   ecs.Emit[change.Woken]
	births  ecs.Events[birth]
	stocks  ecs.Emit[rules.StockChest]
	expires ecs.Emit[expiry]

	spawn     ecs.Spawn[objectParts]
	objects   ecs.Fill[components.Object]
	values    ecs.Fill[components.GameObject]
	states    ecs.Fill[components.ObjectState]
	positions ecs.Fill[components.Position]

	tick sched.Tick
	make func(int, ecs.Entity) // fill, bound once
}

// Init implements ecs.Initializer.
func (s *ObjectSpawner) Init() { s.make = s.fill }

// OnEvents implements sched.Handler.
func (s *ObjectSpawner) OnEvents(t sched.Tick) {
	s.tick = t
	if n := len(s.births.All()); n > 0 {
		s.spawn.SpawnBatch(n, s.make)
	}
}

// fill makes an entity the object of the i-th birth.
//
// Source: GameObject::Create, AzerothCore.
func (s *ObjectSpawner) fill(i int, e ecs.Entity) {
	b := &s.births.All()[i]
	template, guid := s.defs.Get().GameObject(b.entry), b.guid()
	*s.objects.Get(e) = components.Object{GUID: guid, Type: components.MaskOfGameObject, Entry: b.entry, Scale: template.Size}
	*s.values.Get(e) = components.GameObject{
		DisplayID: template.DisplayID, Flags: template.Flags, ParentRotation: b.parent, Dynamic: components.GameObjectDynamic,
		Faction: template.Faction,
		Bytes1: [4]uint8{
			components.ByteObjectState: b.state, components.ByteObjectType: template.Type, components.ByteObjectProgress: b.progress,
		},
	}
	r := b.rotation
	*s.states.Get(e) = components.ObjectState{Rotation: components.PackRotation(r[0], r[1], r[2], r[3]), Point: b.point, Expiry: b.expiry}
	*s.positions.Get(e) = b.at
	s.space.Get().Add(guid, e)
	s.space.Get().Hunt(e, false)
	s.space.Get().Arrive(e)
	s.cells.Set(s.tick, e, grid.At(b.at.X, b.at.Y, grid.Living))
	s.woken.Emit(change.Woken{Entity: e})
	if template.Type == defs.ObjectChest {
		s.stocks.Emit(rules.StockChest{Entity: e})
	}
	if b.expiry != 0 {
		s.expires.Emit(expiry{entity: e, at: b.expiry})
	}
}

// A removal asks for the despawn of a game object. System objectremovals takes it in the same tick.
type removal struct {
	entity   ecs.Entity
	consumed bool // clients are to see it vanish
}

// An expiry is a game object that is to despawn at a tick.
type expiry struct {
	entity ecs.Entity
	at     uint64
}

// ObjectRemovals despawns game objects, and those whose time is up.
type ObjectRemovals struct {
	entities  ecs.Entities
	space     ecs.ResMut[space.Space]
	cells     change.Cells
	out       change.Out
	removals  ecs.Events[removal]
	expires   ecs.Requests[expiry]
	leaving   ecs.Emit[change.Leaving]
	objects   ecs.Read[components.Object]
	homeCells ecs.Read[components.HomeCell]

	timers sched.Wheel[expiry]
	anim   msg.GameObjectDespawnAnim // kept here, since a packet takes its message by reference
}

// Run implements sched.Runner.
func (s *ObjectRemovals) Run(t sched.Tick) {
	for _, it := range s.expires.Take() {
		s.timers.Add(it.at, it)
	}
	for _, it := range s.timers.Take(t.N) {
		s.remove(removal{entity: it.entity})
	}
	for _, it := range s.removals.All() {
		s.remove(it)
	}
}

// remove despawns an object: it is gone after the tick, or after the next one if clients are to see it vanish.
//
// Source: GameObject::Update and WorldObject::SendObjectDeSpawnAnim, AzerothCore.
func (s *ObjectRemovals) remove(it removal) {
	if !s.entities.Exists(it.entity) {
		return
	}
	home := s.homeCells.Get(it.entity).Cell
	if home == grid.None {
		return
	}
	if it.consumed {
		s.anim = msg.GameObjectDespawnAnim{GUID: s.objects.Get(it.entity).GUID}
		s.out.Broadcast(it.entity, msg.OpGameObjectDespawnAnim, &s.anim)
	}
	s.space.Get().Drop(it.entity, home)
	s.cells.Leave(home)
	s.leaving.Emit(change.Leaving{Entity: it.entity})
}
