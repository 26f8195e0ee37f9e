// Package gameobject has the game objects of a world: doors, buttons, chests, chairs. System gameobject decides which are
// there, uses which of them players use, and a system for each kind what happens then.
//
// Like a creature's, a spawn point of a game object is dormant until an observer is near enough to see it
// (docs/adr/0012-spawn-points-lie-dormant.md). An object that exists stays: asleep it costs nothing, and only timers and
// uses change it.
package gameobject

import (
	"fmt"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

const (
	// firstCounter is the counter of the first game object's GUID: as those of creatures, they are above those of players.
	//
	// Source: protocol.md 7.9.
	firstCounter = 0x800000
	// maxSummons is the most game objects of a map without a spawn point, our own choice. Their GUIDs have the last
	// counters, in turn.
	maxSummons   = 1 << 12
	firstSummon  = components.MaxCounter + 1 - maxSummons
	maxObjects   = firstSummon - firstCounter
	restockAgain = 1 // ticks until a chest that is not consumed has new loot
)

// GameObject decides when game objects spawn and despawn. It panics at the start if the map has more than maxObjects spawn
// points, or one with an unknown template.
type GameObject struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	births   ecs.Emit[birth]
	removals ecs.Emit[removal]
	stocks   ecs.Emit[rules.StockChest]

	summons  ecs.Requests[rules.SummonObject]
	despawns ecs.Requests[rules.DespawnObject]
	moves    ecs.Requests[rules.MoveObject]
	looted   ecs.EventReader[rules.Looted]

	eventChanges ecs.Events[rules.GameEventChanged]
	pointChanges ecs.EventReader[rules.PointChanged]
	changed      ecs.Emit[rules.PointChanged]

	objects ecs.Read[components.Object]
	values  ecs.Read[components.GameObject]
	states  ecs.Read[components.ObjectState]

	events  rules.EventPoints
	eras    map[uint32]uint32 // by point: how often its object was consumed, or taken away by an event; timers of an earlier era count no more
	dormant rules.Dormant
	pools   rules.Pools
	links   rules.Links
	timers  sched.Wheel[timer]
	next    uint32             // the counter of the next summoned object to try
	guids   [maxSummons]uint64 // by counter: of its last object
	born    [maxSummons]uint64 // one more than the tick in which it was asked for
	fresh   func(grid.Patch)   // wake, bound once
	birth   func(uint32)       // spawn, bound once
	begun   bool

	badSummon sched.Counter `name:"gameobject.bad_summon"`
	crowded   sched.Counter `name:"gameobject.crowded"`
}

// A timer is due when a chest is to have new loot, or when a spawn point is to have its object again.
type timer struct {
	chest ecs.Entity
	point uint32 // one more than its number; 0 if it is for a chest
	era   uint32 // of the point; in another one the timer is not for it any more
}

// Init implements ecs.Initializer.
func (s *GameObject) Init() {
	s.birth = s.spawn
	s.fresh = func(p grid.Patch) { s.dormant.Wake(p, s.birth) }
	m := s.place.Get()
	if n := len(m.Objects); n > maxObjects {
		panic(fmt.Sprintf("gameobject: map %d %q: %d spawn points are more than %d", m.ID, m.Name, n, maxObjects))
	}
	for i := range m.Objects {
		if s.defs.Get().GameObject(m.Objects[i].Entry) == nil {
			panic(fmt.Sprintf("gameobject: spawn point %d of map %d %q: no game object has entry %d", i, m.ID, m.Name, m.Objects[i].Entry))
		}
	}
	s.links.Begin("gameobject", m)
	s.pools.Begin("gameobject", m, m.ObjectPools, len(m.Objects))
	n := len(s.defs.Get().GameEvents)
	for i, it := range m.EventObjects {
		if it.Point >= uint32(len(m.Objects)) || s.pools.Pooled(it.Point) || it.Event >= uint32(n) {
			panic(fmt.Sprintf("gameobject: object %d of events on map %d %q is not valid: %+v", i, m.ID, m.Name, it))
		}
	}
	s.eras = make(map[uint32]uint32)
	s.events.Begin(m.EventObjects, n)
}

// Run implements sched.Runner.
func (s *GameObject) Run(t sched.Tick) {
	if !s.begun {
		s.begun = true
		s.begin(t)
	}
	s.followEvents(t)
	s.links.Follow(s.pointChanges.Next(), func(held rules.HeldRespawn) {
		if i, ok := held.Point.Object(); ok {
			s.timers.Add(rules.AfterLink(t, held.Point), timer{point: i + 1, era: held.Era})
		}
	})
	for _, due := range s.timers.Take(t.N) {
		s.expire(t, &due)
	}
	s.executeRequests(t)
	s.space.Get().NewlyVisible(s.fresh)
}

// begin makes every point dormant, except those that a pool leaves out or an event is to bring.
func (s *GameObject) begin(t sched.Tick) {
	m := s.place.Get()
	for i := range m.Objects {
		if !s.pools.Pooled(uint32(i)) && !s.events.Absent(uint32(i)) {
			s.offer(uint32(i))
		}
	}
	for i := range m.ObjectPools {
		if !s.pools.Nested(uint32(i)) {
			s.pools.Fill(t, m.ObjectPools, uint32(i), s.offer)
		}
	}
}

// expire does what a timer is for.
func (s *GameObject) expire(t sched.Tick, due *timer) {
	switch {
	case due.point != 0 && (s.events.Absent(due.point-1) || due.era != s.eras[due.point-1]): // an event has taken it away since, or it was despawned twice
	case due.point != 0:
		if s.entities.Exists(s.object(due.point - 1)) { // no client may see two entities of one GUID
			s.timers.Add(t.N+1, *due)
			return
		}
		s.refill(t, due.point-1, due.era)
	case s.entities.Exists(due.chest):
		s.stocks.Emit(rules.StockChest{Entity: due.chest})
	}
}

// followEvents spawns and despawns the game objects of events that have begun or ended.
func (s *GameObject) followEvents(t sched.Tick) {
	for _, point := range s.events.Follow(s.place.Get().EventObjects, len(s.defs.Get().GameEvents), s.eventChanges.All()) {
		if !s.events.Absent(point) {
			s.timers.Add(t.N, timer{point: point + 1, era: s.eras[point]})
			continue
		}
		s.eras[point]++
		if e := s.object(point); s.entities.Exists(e) {
			s.removals.Emit(removal{entity: e})
		}
		s.dormant.Remove(point, s.cell(point))
	}
}

// executeRequests executes what other systems ask for.
func (s *GameObject) executeRequests(t sched.Tick) {
	for _, m := range s.summons.Take() {
		s.summon(t, &m)
	}
	for _, m := range s.moves.Take() {
		if s.entities.Exists(m.Entity) && s.states.Has(m.Entity) {
			s.move(t, &m)
		}
	}
	for _, d := range s.despawns.Take() {
		if s.entities.Exists(d.Entity) && s.states.Has(d.Entity) {
			s.despawn(t, d)
		}
	}
	for _, it := range s.looted.Next() {
		if it.Left && s.entities.Exists(it.Entity) && s.states.Has(it.Entity) {
			s.empty(t, it.Entity)
		}
	}
}

// offer gives a point its object: at once if its cell is awake, else when it wakes.
func (s *GameObject) offer(point uint32) {
	cell := s.cell(point)
	if s.space.Get().Awake(cell) {
		s.spawn(point)
		return
	}
	s.dormant.Add(point, cell)
}

// cell is the cell of a point's object.
func (s *GameObject) cell(point uint32) grid.Cell {
	at := &s.place.Get().Objects[point]
	return grid.At(at.X, at.Y, grid.Living)
}

// refill respawns the object of a point that is due, lets its pool choose another point, or has it wait for what it is linked to.
func (s *GameObject) refill(t sched.Tick, point, era uint32) {
	if s.links.Hold(defs.ObjectPoint(point), era) {
		return
	}
	s.note(point, false)
	if s.pools.Pooled(point) {
		s.pools.Leave(t, s.place.Get().ObjectPools, point, s.offer)
		return
	}
	s.offer(point)
}

// note tells what is linked to a point that its object is gone, or that the time of its respawn has come.
func (s *GameObject) note(point uint32, gone bool) {
	if p := defs.ObjectPoint(point); s.links.Counts(p) {
		s.changed.Emit(rules.PointChanged{Point: p, Gone: gone})
	}
}

// spawn spawns the object of a point.
func (s *GameObject) spawn(point uint32) {
	at := &s.place.Get().Objects[point]
	s.births.Emit(birth{
		entry: at.Entry, counter: firstCounter + point, point: point + 1, state: at.State, progress: at.Progress, parent: at.Parent,
		at: components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O}, rotation: at.Rotation,
	})
}

// object is the object of a point, zero or gone if it has none.
func (s *GameObject) object(point uint32) ecs.Entity {
	return s.space.Get().Find(components.GameObjectGUID(s.place.Get().Objects[point].Entry, firstCounter+point))
}

// summon makes an object without a spawn point.
func (s *GameObject) summon(t sched.Tick, m *rules.SummonObject) {
	if s.defs.Get().GameObject(m.Entry) == nil || !m.At.OnMap() {
		s.badSummon.Count()
		return
	}
	b := birth{
		entry: m.Entry, at: m.At, rotation: m.Rotation, parent: upright, state: components.GameObjectReady, progress: summonedProgress,
	}
	if m.ForMs != 0 {
		b.expiry = t.After(time.Duration(m.ForMs) * time.Millisecond)
	}
	s.bring(t, b)
}

// bring spawns an object with the next counter that is free, and reports whether there is one.
func (s *GameObject) bring(t sched.Tick, b birth) bool {
	for range maxSummons {
		n := s.next
		s.next = (s.next + 1) % maxSummons
		if s.born[n] == t.N+1 || s.entities.Exists(s.space.Get().Find(s.guids[n])) {
			continue
		}
		b.counter = firstSummon + n
		s.guids[n], s.born[n] = b.guid(), t.N+1
		s.births.Emit(b)
		return true
	}
	s.crowded.Count()
	return false
}

// upright is the rotation of what stands as its model does.
var upright = [4]float32{0, 0, 0, 1}

// summonedProgress is the progress of the animation of summoned objects.
//
// Source: HandleGameObjectAddTempCommand, cs_gobject.cpp, AzerothCore.
const summonedProgress = 100

// move despawns an object, and spawns it at its new place under a GUID of its own: clients have an object that they have just
// destroyed back where it was if it is created again. It despawns when it would have.
//
// Source: HandleGameObjectMoveCommand, cs_gobject.cpp, AzerothCore.
func (s *GameObject) move(t sched.Tick, m *rules.MoveObject) {
	v, expiry := s.values.Get(m.Entity), s.states.Get(m.Entity).Expiry
	if expiry != 0 {
		expiry = max(expiry, t.N+1)
	}
	if s.bring(t, birth{
		entry: s.objects.Get(m.Entity).Entry, at: m.At, rotation: m.Rotation, parent: v.ParentRotation,
		state: v.Bytes1[components.ByteObjectState], progress: v.Bytes1[components.ByteObjectProgress],
		expiry: expiry,
	}) {
		s.removals.Emit(removal{entity: m.Entity})
	}
}

// despawn despawns an object. One of a spawn point that was consumed respawns after the time of its point, if there is one.
func (s *GameObject) despawn(t sched.Tick, d rules.DespawnObject) {
	s.removals.Emit(removal{entity: d.Entity, consumed: d.Consumed})
	point := s.states.Get(d.Entity).Point
	if !d.Consumed || point == 0 {
		return
	}
	if ms := s.place.Get().Objects[point-1].RespawnMs; ms != 0 {
		s.eras[point-1]++ // an object that is despawned twice respawns once
		s.timers.Add(max(t.After(time.Duration(ms)*time.Millisecond), t.N+2), timer{point: point, era: s.eras[point-1]})
		s.note(point-1, true)
	}
}

// empty despawns a chest that has been emptied, or has it get new loot.
//
// Source: GameObject::Update, AzerothCore.
func (s *GameObject) empty(t sched.Tick, e ecs.Entity) {
	template := s.defs.Get().GameObject(s.objects.Get(e).Entry)
	if template.Consumable() {
		s.despawn(t, rules.DespawnObject{Entity: e, Consumed: true})
		return
	}
	seconds := template.Data[defs.ChestRestockSeconds]
	s.timers.Add(max(t.After(time.Duration(seconds)*time.Second), t.N+restockAgain), timer{chest: e})
}
