package ai

import (
	"slices"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// CreatureWalks begins and ends the walks of creatures. It does so in the order of their turns: what clients are sent does
// not depend on which system has ordered a walk.
type CreatureWalks struct {
	orders    ecs.Events[walkOrder]
	out       change.Out
	setOut    ecs.Emit[change.SetOut]
	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	walks     ecs.Write[components.Walk]

	way    [1]components.Vec `snapshot:"-"` // of a walk
	ends   []int32           `snapshot:"-"` // by turn: how many orders there are up to it
	sorted []int32           `snapshot:"-"` // numbers of orders
}

// A walkOrder has a creature walk to a point, or stop where it is.
type walkOrder struct {
	entity ecs.Entity
	to     components.Vec
	speed  float32
	flags  uint32 // components.SplineWalk, or 0 to run
	turn   uint32
	halt   bool
}

// OnEvents implements sched.Handler.
func (s *CreatureWalks) OnEvents(t sched.Tick) {
	orders := s.orders.All()
	for _, i := range s.inTurn(orders) {
		if o := &orders[i]; o.halt {
			s.halt(o.entity)
		} else {
			s.move(t, o)
		}
	}
}

// inTurn lists the numbers of orders by turn, those of one turn as they were given.
func (s *CreatureWalks) inTurn(orders []walkOrder) []int32 {
	s.ends = s.ends[:0]
	for i := range orders {
		for len(s.ends) <= int(orders[i].turn)+1 {
			s.ends = append(s.ends, 0)
		}
		s.ends[orders[i].turn+1]++
	}
	for i := 1; i < len(s.ends); i++ {
		s.ends[i] += s.ends[i-1]
	}
	s.sorted = slices.Grow(s.sorted[:0], len(orders))[:len(orders)]
	for i := range orders {
		at := &s.ends[orders[i].turn]
		s.sorted[*at] = int32(i)
		*at++
	}
	return s.sorted
}

func (s *CreatureWalks) move(t sched.Tick, o *walkOrder) {
	walk, p := s.walks.Get(o.entity), s.positions.Get(o.entity)
	was := walk.Walking()
	walk.Flags, s.way[0] = o.flags, o.to
	if !walk.Begin(p.Vec(), s.way[:], o.speed, t.NowMs) {
		return
	}
	s.out.Write(update.AppendWalk(s.out.Buffer(), s.objects.Get(o.entity).GUID, walk, &p, t.NowMs))
	s.out.BroadcastWritten(o.entity, frame.Moves)
	if !was {
		s.setOut.Emit(change.SetOut{Entity: o.entity})
	}
}

// halt stops a creature where it is.
func (s *CreatureWalks) halt(e ecs.Entity) {
	walk := s.walks.Get(e)
	if !walk.Walking() {
		return
	}
	walk.Stop()
	walk.SplineID++
	p := s.positions.Get(e)
	s.out.Write(update.AppendHalt(s.out.Buffer(), s.objects.Get(e).GUID, walk, &p))
	s.out.BroadcastWritten(e, frame.Moves)
}
