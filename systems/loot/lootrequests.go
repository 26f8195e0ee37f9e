package loot

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Request is what is asked of a player's looting: by its client, with the state that the player was in, or by what
// has happened to it. System loot takes it.
type Request struct {
	By      ecs.Entity
	Owner   uint64     // GUID of the player
	GUID    uint64     // of the body
	Body    ecs.Entity // zero if there is none
	Verb    Verb
	N       uint32 // index of the message among all of the tick
	Allowed uint32 // a bit for each item of the body: its conditions hold
	Slot    uint8  // of the item to take
	Op      uint16 // of the message that opens a chest; else 0
	Dead    bool
	Stunned bool
	Sits    bool // or lies, or whatever is not standing
}

// A Verb is what a Request asks for.
type Verb uint8

// The verbs.
const (
	Open Verb = iota
	TakeItem
	TakeMoney
	Release
	Die   // the player has died
	Close // its open body was destroyed
)

// LootRequests hands the requests of clients about bodies to system loot, in the order of their arrival, whatever
// their types.
type LootRequests struct {
	space    ecs.Res[space.Space]
	bodies   ecs.Res[Bodies]
	opens    ecs.Events[change.Sent[msg.Loot]]
	takes    ecs.Events[change.Sent[msg.AutoStoreLootItem]]
	empties  ecs.Events[change.Sent[msg.Empty]]
	releases ecs.Events[change.Sent[msg.LootRelease]]
	used     ecs.Events[rules.ObjectUsed]
	asked    ecs.Emit[asked]
	queries  ecs.Emit[rules.ConditionQuery]

	corpseLoot  ecs.Read[components.CorpseLoot]
	objects     ecs.Read[components.Object]
	vitals      ecs.Read[components.Vitals]
	stances     ecs.Read[components.Stance]
	appearances ecs.Read[components.PlayerAppearance]
	unitAuras   ecs.Read[components.UnitAuras]
	gameObjects ecs.Read[components.GameObject]

	arrived []arrival `snapshot:"-"` // in this tick
}

// An arrival is a request with its index among all messages of the tick.
type arrival struct {
	n uint32
	Request
}

// OnEvents implements sched.Handler.
func (s *LootRequests) OnEvents(sched.Tick) {
	s.arrived = s.arrived[:0]
	for i, all := 0, s.opens.All(); i < len(all); i++ {
		if components.GUIDHigh(all[i].Msg.GUID) == components.HighGameObject { // system uses has it
			continue
		}
		s.add(all[i].N, Request{By: all[i].By, Verb: Open, GUID: all[i].Msg.GUID, Body: s.space.Get().Find(all[i].Msg.GUID)})
	}
	for _, u := range s.used.All() {
		if s.gameObjects.Get(u.Object).Bytes1[components.ByteObjectType] == defs.ObjectChest && !u.Reported {
			s.add(u.N, Request{By: u.By, Verb: Open, GUID: s.objects.Get(u.Object).GUID, Body: u.Object, Op: u.Op})
		}
	}
	for i, all := 0, s.takes.All(); i < len(all); i++ {
		s.add(all[i].N, Request{By: all[i].By, Verb: TakeItem, Slot: all[i].Msg.Slot})
	}
	for i, all := 0, s.empties.All(); i < len(all); i++ {
		if all[i].Op == msg.OpLootMoney {
			s.add(all[i].N, Request{By: all[i].By, Verb: TakeMoney})
		}
	}
	for i, all := 0, s.releases.All(); i < len(all); i++ {
		s.add(all[i].N, Request{By: all[i].By, Verb: Release, GUID: all[i].Msg.GUID})
	}
	slices.SortFunc(s.arrived, func(a, b arrival) int { return cmp.Compare(a.n, b.n) })
	for i := range s.arrived {
		s.ask(&s.arrived[i].Request)
		s.asked.Emit(asked{s.arrived[i].Request})
	}
}

// ask asks for the conditions of what is in a body that a player opens.
func (s *LootRequests) ask(r *Request) {
	if r.Verb != Open || r.Body == (ecs.Entity{}) || !s.corpseLoot.Has(r.Body) {
		return
	}
	block := s.corpseLoot.Get(r.Body).Loot
	if block == 0 {
		return
	}
	l := s.bodies.Get().At(block)
	for i := range l.Items[:l.Count] {
		if list := l.Items[i].Conditions; list != 0 {
			s.queries.Emit(rules.ConditionQuery{List: list, First: r.By, For: rules.ForLoot, A: r.N, B: uint32(i)})
		}
	}
}

// add adds a request, with the state of its player.
func (s *LootRequests) add(n uint32, r Request) {
	r.N = n
	r.Owner = s.objects.Get(r.By).GUID
	r.Dead = s.vitals.Get(r.By).Health == 0 || s.appearances.Get(r.By).Flags&components.PlayerGhost != 0
	r.Stunned = s.unitAuras.Get(r.By).States&components.StateStunned != 0
	r.Sits = s.stances.Get(r.By).Bytes1[components.ByteStand] != components.Standing
	s.arrived = append(s.arrived, arrival{n, r})
}
