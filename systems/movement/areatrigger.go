package movement

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// triggerReach is how far from the edge of an area a player may be whose client says that it is in it, in yards.
//
// Source: WorldSession::HandleAreaTriggerOpcode, AzerothCore.
const triggerReach = 5

// AreaTriggers teleports players that walk into an area, or has its script happen. Areas that are not known, or far away, and players that are
// dead or on their way, are refused.
//
// Source: WorldSession::HandleAreaTriggerOpcode and SmartTrigger::OnTrigger, AzerothCore.
type AreaTriggers struct {
	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	out       change.Out
	reports   ecs.Events[change.Sent[msg.AreaTrigger]]
	teleports ecs.Emit[move.Teleport]
	entries   ecs.Emit[move.AreaEntered]

	positions   ecs.Read[components.Position]
	records     ecs.ReadRef[components.Record]
	pendingAcks ecs.ReadRef[components.PendingMoveAcks]

	noTrigger  sched.Counter `name:"intake.no_trigger"`
	farTrigger sched.Counter `name:"move.far_trigger"`
}

// Run implements sched.Runner.
func (s *AreaTriggers) Run(sched.Tick) {
	for _, it := range s.reports.All() {
		switch at := s.defs.Get().Trigger(it.Msg.ID); {
		case at == nil || at.Map != s.place.Get().ID:
			s.out.Refuse(it.By, msg.OpAreaTrigger, &s.noTrigger)
		case s.records.Get(it.By).Death.State != life.Alive || s.pendingAcks.Get(it.By).Away != 0 || !s.near(it.By, at):
			s.out.Refuse(it.By, msg.OpAreaTrigger, &s.farTrigger)
		case at.Script != 0:
			s.entries.Emit(move.AreaEntered{Player: it.By, Area: at.ID, Script: at.Script - 1})
		default:
			to := &at.To
			s.teleports.Emit(move.Teleport{Entity: it.By, To: life.Place{Map: to.Map, X: to.X, Y: to.Y, Z: to.Z, O: to.O}})
		}
	}
}

// near reports whether a player is in an area, or near enough.
func (s *AreaTriggers) near(e ecs.Entity, at *defs.Trigger) bool {
	p := s.positions.Get(e)
	return at.Near(p.X, p.Y, p.Z, triggerReach)
}
