package gameobject

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Uses finds which game objects players use, and refuses those out of reach and those that nothing happens with.
type Uses struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	out      change.Out
	uses     ecs.Events[change.Sent[msg.GameObjectUse]]
	reports  ecs.Events[change.Sent[msg.GameObjectReportUse]]
	loots    ecs.Events[change.Sent[msg.Loot]]
	used     ecs.Emit[rules.ObjectUsed]

	objects   ecs.Read[components.Object]
	values    ecs.Read[components.GameObject]
	positions ecs.Read[components.Position]
	scripted  ecs.Read[components.Scripted]

	gone   sched.Counter `name:"gameobject.gone"`
	tooFar sched.Counter `name:"gameobject.too_far"`
	dead   sched.Counter `name:"gameobject.dead"`
	inUse  sched.Counter `name:"gameobject.in_use"`
	unable sched.Counter `name:"gameobject.unable"`
}

// OnEvents implements sched.Handler.
//
// Source: WorldSession::HandleGameObjectUseOpcode, WorldSession::HandleGameobjectReportUse and GameObject::Use, AzerothCore.
// Reports count for achievements, which there are none of. CMSG_LOOT of a chest is a use of it.
func (s *Uses) OnEvents(sched.Tick) {
	for _, m := range s.uses.All() {
		if e, ok := s.reached(m.By, m.Msg.GUID, m.Op); ok {
			s.use(m.By, e, m.Op, m.N)
		}
	}
	for _, m := range s.reports.All() {
		if e, ok := s.reached(m.By, m.Msg.GUID, m.Op); ok && s.scripted.Get(e).Block != 0 {
			s.used.Emit(rules.ObjectUsed{By: m.By, Object: e, Op: m.Op, N: m.N, Reported: true})
		}
	}
	for _, m := range s.loots.All() {
		if components.GUIDHigh(m.Msg.GUID) != components.HighGameObject {
			continue
		}
		if e, ok := s.reached(m.By, m.Msg.GUID, m.Op); ok {
			s.use(m.By, e, m.Op, m.N)
		}
	}
}

// reached is the game object of a GUID, if a player that is alive is near enough.
func (s *Uses) reached(by ecs.Entity, guid uint64, op uint16) (e ecs.Entity, ok bool) {
	e = s.space.Get().Find(guid)
	if !s.entities.Exists(e) || !s.values.Has(e) {
		s.out.Refuse(by, op, &s.gone)
		return e, false
	}
	if !s.Alive(by) {
		s.out.Refuse(by, op, &s.dead)
		return e, false
	}
	p, q := s.positions.Get(by), s.positions.Get(e)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	reach := s.defs.Get().GameObject(s.objects.Get(e).Entry).Reach()
	if float32(dx*dx)+float32(dy*dy)+float32(dz*dz) > float32(reach*reach) {
		s.out.Refuse(by, op, &s.tooFar)
		return e, false
	}
	return e, true
}

// use has the system of an object's type execute its use.
func (s *Uses) use(by, e ecs.Entity, op uint16, n uint32) {
	v := s.values.Get(e)
	kind := v.Bytes1[components.ByteObjectType]
	switch {
	case v.Flags&components.GameObjectNotSelectable != 0:
		s.out.Refuse(by, op, &s.unable)
		return
	case op == msg.OpLoot && kind != defs.ObjectChest:
		s.out.Refuse(by, op, &s.unable)
		return
	}
	switch kind {
	case defs.ObjectDoor, defs.ObjectButton, defs.ObjectGoober:
		if v.Flags&components.GameObjectInUse != 0 {
			s.out.Refuse(by, op, &s.inUse)
			return
		}
	case defs.ObjectChest, defs.ObjectChair:
	default:
		if s.scripted.Get(e).Block == 0 {
			s.out.Refuse(by, op, &s.unable)
			return
		}
	}
	s.used.Emit(rules.ObjectUsed{By: by, Object: e, Op: op, N: n})
}
