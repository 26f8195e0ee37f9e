package movement

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/update"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// ackTimeout is the time after which an order counts as done without an acknowledgement: some clients acknowledge few
// of them. Our own choice.
const ackTimeout = 10 * time.Second

// An Order is one that was sent to a client, which is to acknowledge it before tick Due. System acks takes it.
type Order struct {
	Entity  ecs.Entity
	Kind    int
	Counter uint32
	Due     uint64
}

// players has what is known of players' movement, as a part of the systems that write it.
type players struct {
	entities    ecs.Entities
	out         change.Out
	objects     ecs.Read[components.Object]
	pendingAcks ecs.Write[components.PendingMoveAcks]
	validations ecs.Write[components.MoveValidation]
}

// player reports whether an entity is a player in this world, and not on its way to another map.
func (p *players) player(e ecs.Entity) bool {
	return p.entities.Exists(e) && p.pendingAcks.Has(e) && p.pendingAcks.Get(e).Away == 0
}

// beginCorrection has a player's reports ignored until its client acknowledges the order with the returned counter,
// which is to be sent.
func (p *players) beginCorrection(e ecs.Entity) (counter uint32) {
	validation := p.validations.Get(e)
	validation.Credit, validation.Falling = slackYards, 0
	return p.pendingAcks.Get(e).Add(components.OrderTeleport)
}

// clients gives orders to players' clients, as a part of the systems that do.
type clients struct {
	players
	orders ecs.Emit[Order]
}

// ordered registers an order to a player, and returns its counter.
func (c *clients) ordered(t sched.Tick, e ecs.Entity, kind int) (counter uint32) {
	counter = c.pendingAcks.Get(e).Add(kind)
	c.orders.Emit(Order{e, kind, counter, t.After(ackTimeout)})
	return counter
}

// splines has clients, and broadcasts walks that begin or end by an order, as a part of the systems that do. A player that runs is
// sent this as its observers are, since its own movement is not relayed to it.
//
// Source: MoveSplineInit::Launch, AzerothCore.
type splines struct {
	clients
	positions ecs.Read[components.Position]
	walks     ecs.Write[components.Walk]
}

// begun broadcasts a walk that has begun.
func (s *splines) begun(t sched.Tick, e ecs.Entity) {
	at := s.positions.Get(e)
	s.out.Write(update.AppendWalk(s.out.Buffer(), s.objects.Get(e).GUID, s.walks.Get(e), &at, t.NowMs))
	s.broadcast(e)
}

// halt ends a unit's walk where it is.
func (s *splines) halt(e ecs.Entity) {
	writeHalt(&s.out, s.objects.Get(e).GUID, s.walks.Get(e), s.positions.Get(e))
	s.broadcast(e)
}

// writeHalt ends a unit's walk where it is, and writes that.
func writeHalt(out *change.Out, guid uint64, walk *components.Walk, at components.Position) {
	walk.Stop()
	walk.SplineID++
	out.Write(update.AppendHalt(out.Buffer(), guid, walk, &at))
}

func (s *splines) broadcast(e ecs.Entity) {
	packet := s.out.BroadcastWritten(e, frame.Moves)
	if s.pendingAcks.Has(e) {
		s.out.SendSpanNow(e, frame.Middle, s.out.Span(packet))
	}
}

func pick[T any](on bool, yes, no T) T {
	if on {
		return yes
	}
	return no
}
