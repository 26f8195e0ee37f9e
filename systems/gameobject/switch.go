package gameobject

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Switches opens and closes doors, and switches buttons and goobers. It is the only writer of GameObject and ObjectState,
// besides what spawns one.
type Switches struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	dirty    change.Dirty
	out      change.Out
	used     ecs.Events[rules.ObjectUsed]
	requests ecs.Requests[rules.SwitchObject]
	despawns ecs.Emit[rules.DespawnObject]
	switched ecs.Emit[rules.ObjectSwitched]

	objects ecs.Read[components.Object]
	values  ecs.Write[components.GameObject]
	states  ecs.Write[components.ObjectState]

	timers sched.Wheel[closing]
	anim   msg.GameObjectCustomAnim // kept here, since a packet takes its message by reference
}

// A closing is due when an object is to be as it was before its last use. It is stale if it has been used since.
type closing struct {
	entity ecs.Entity
	uses   uint32
}

// activateMs is how long a door stays open that a game master has activated, milliseconds, if it closes by itself.
//
// Source: HandleGameObjectActivateCommand, cs_gobject.cpp, AzerothCore.
const activateMs = 10_000

// Run implements sched.Runner.
func (s *Switches) Run(t sched.Tick) {
	for _, due := range s.timers.Take(t.N) {
		if s.entities.Exists(due.entity) && s.states.Get(due.entity).Uses == due.uses {
			s.reset(due.entity)
		}
	}
	for _, u := range s.used.All() {
		if u.Reported {
			continue
		}
		switch template := s.template(u.Object); template.Type {
		case defs.ObjectDoor, defs.ObjectButton:
			if s.values.Get(u.Object).Flags&components.GameObjectInUse == 0 { // it was used twice in this tick
				s.toggle(t, u.Object, u.By, template.CloseMs())
			}
		case defs.ObjectGoober:
			if s.values.Get(u.Object).Flags&components.GameObjectInUse == 0 {
				s.activate(t, u.Object, u.By, template)
			}
		}
	}
	s.React(t)
}

// React implements sched.Reactor.
func (s *Switches) React(t sched.Tick) {
	for _, it := range s.requests.Take() {
		if s.entities.Exists(it.Entity) && s.values.Has(it.Entity) {
			s.execute(t, &it)
		}
	}
}

// execute executes a request of another system.
func (s *Switches) execute(t sched.Tick, it *rules.SwitchObject) {
	e, v := it.Entity, s.values.Get(it.Entity)
	switch it.Kind {
	case rules.SwitchToggle:
		ms := s.template(e).CloseMs()
		if ms != 0 {
			ms = activateMs
		}
		s.toggle(t, e, it.By, ms)
	case rules.SwitchUse:
		s.toggle(t, e, it.By, s.template(e).CloseMs())
	case rules.SwitchReset:
		if v.Flags&components.GameObjectInUse != 0 {
			s.reset(e)
		}
	case rules.SwitchState:
		s.set(e, it.By, uint8(it.Value), v.Flags&components.GameObjectInUse != 0)
	case rules.SwitchFlags:
		v.Flags = v.Flags&^it.Clear | it.Value
		s.dirty.Mark(e, components.DirtyGameObject)
	case rules.SwitchAnim:
		s.anim = msg.GameObjectCustomAnim{GUID: s.objects.Get(e).GUID, Animation: it.Value}
		s.out.Broadcast(e, msg.OpGameObjectCustomAnim, &s.anim)
	}
}

func (s *Switches) template(e ecs.Entity) *defs.GameObject {
	return s.defs.Get().GameObject(s.objects.Get(e).Entry)
}

// toggle opens what is closed and closes what is open, for so many milliseconds; 0 is until it is activated again.
//
// Source: GameObject::UseDoorOrButton and GameObject::SwitchDoorOrButton, AzerothCore.
func (s *Switches) toggle(t sched.Tick, e, by ecs.Entity, ms uint32) {
	s.set(e, by, other(s.values.Get(e).Bytes1[components.ByteObjectState]), true)
	s.closeAfter(t, e, ms)
}

// activate uses a goober: it shows an animation, or is active for a while.
//
// Source: GameObject::Use and GameObject::Update, AzerothCore, without pages, gossip, quests, events, traps and spells.
func (s *Switches) activate(t sched.Tick, e, by ecs.Entity, template *defs.GameObject) {
	v, ms, animated := s.values.Get(e), template.CloseMs(), template.Data[defs.GooberAnimation] != 0
	if ms != 0 || template.Consumable() {
		state := uint8(components.GameObjectActive)
		if animated {
			state = v.Bytes1[components.ByteObjectState]
		}
		s.set(e, by, state, true)
		s.closeAfter(t, e, max(ms, 1))
	}
	if animated {
		s.anim = msg.GameObjectCustomAnim{GUID: s.objects.Get(e).GUID, Animation: uint32(v.Bytes1[components.ByteObjectProgress])}
		s.out.Broadcast(e, msg.OpGameObjectCustomAnim, &s.anim)
	}
}

func (s *Switches) closeAfter(t sched.Tick, e ecs.Entity, ms uint32) {
	state := s.states.Get(e)
	state.Uses++
	if ms != 0 {
		s.timers.Add(max(t.After(time.Duration(ms)*time.Millisecond), t.N+1), closing{e, state.Uses})
	}
}

// reset has an object be as it was before it was used. A goober that is consumed despawns.
//
// Source: GameObject::ResetDoorOrButton and GameObject::Update, AzerothCore.
func (s *Switches) reset(e ecs.Entity) {
	template := s.template(e)
	if template.Type != defs.ObjectGoober {
		s.set(e, ecs.Entity{}, other(s.values.Get(e).Bytes1[components.ByteObjectState]), false)
		return
	}
	s.set(e, ecs.Entity{}, components.GameObjectReady, false)
	if template.Consumable() {
		s.despawns.Emit(rules.DespawnObject{Entity: e, Consumed: true})
	}
}

// other is the state that a door or a button has after its use.
func other(state uint8) uint8 {
	if state == components.GameObjectReady {
		return components.GameObjectActive
	}
	return components.GameObjectReady
}

// set sets the state of an object, and whether it is in use.
func (s *Switches) set(e, by ecs.Entity, state uint8, inUse bool) {
	v := s.values.Get(e)
	if v.Bytes1[components.ByteObjectState] != state {
		s.switched.Emit(rules.ObjectSwitched{Object: e, By: by, State: uint32(state)})
	}
	v.Bytes1[components.ByteObjectState] = state
	if v.Flags &^= components.GameObjectInUse; inUse {
		v.Flags |= components.GameObjectInUse
	}
	s.dirty.Mark(e, components.DirtyGameObject)
}
