// Package combat is what units do to each other with their weapons, and whom they have in their sights. Players and
// creatures swing alike: what makes them begin is a request of the one and system ai for the other.
package combat

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// System has units turn on their foes and swing at them.
type System struct {
	entities ecs.Entities
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	book     rules.Book

	selections ecs.Events[change.Sent[msg.SetSelection]]
	swings     ecs.Events[change.Sent[msg.AttackSwing]]
	wishes     ecs.Events[change.Sent[msg.Empty]]
	sheaths    ecs.Events[change.Sent[msg.SetSheathed]]
	poses      ecs.Events[change.Sent[msg.StandStateChange]]
	teleports  ecs.Events[move.Teleported]

	objects  ecs.Read[components.Object]
	units    ecs.Read[components.Unit]
	stances  ecs.Write[components.Stance]
	combats  ecs.Write[components.CombatState]
	castings ecs.View[components.Casting]

	dead      sched.Counter `name:"combat.dead"`
	missing   sched.Counter `name:"combat.no_target"`
	badStance sched.Counter `name:"combat.bad_stance"`

	state   msg.AttackerState
	posture msg.StandStateUpdate
}

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.choose()
	s.disengage(t)
	s.request(t)
	for _, e := range s.book.SwingsDue(t) {
		if s.entities.Alive(e) {
			s.turn(t, e)
		}
	}
}

// disengage has players who were teleported attack no more. To another map they leave their fights behind; on this one
// their foes come after them as far as they go.
//
// Source: Player::TeleportTo and Unit::CombatStop, AzerothCore.
func (s *System) disengage(t sched.Tick) {
	for _, it := range s.teleports.All() {
		switch {
		case !s.entities.Alive(it.Entity):
		case it.Away != 0:
			s.book.LeaveWorld(t, it.Entity)
		default:
			s.book.StopCombat(it.Entity)
		}
	}
}

// choose gives players the targets they have chosen, for everybody to see. A target need not exist: a
// client may choose what has just gone, and is corrected by nothing but its own eyes.
//
// Source: WorldSession::HandleSetSelectionOpcode, AzerothCore.
func (s *System) choose() {
	selections := s.selections.All()
	for i := range selections {
		if by := selections[i].By; s.entities.Alive(by) {
			s.book.SetTarget(by, selections[i].Msg.GUID)
		}
	}
}

// request does what players have asked for. Starts and stops come in the order in which they arrived.
func (s *System) request(t sched.Tick) {
	swings, wishes := s.swings.All(), s.wishes.All()
	for len(swings) > 0 || len(wishes) > 0 {
		if len(wishes) == 0 || len(swings) > 0 && swings[0].N < wishes[0].N {
			if it := &swings[0]; s.entities.Alive(it.By) {
				s.attack(t, it.By, it.Msg.GUID)
			}
			swings = swings[1:]
			continue
		}
		if it := &wishes[0]; it.Op == msg.OpAttackStop && s.entities.Alive(it.By) {
			s.book.Stop(it.By)
		}
		wishes = wishes[1:]
	}
	for i := range s.sheaths.All() {
		if it := &s.sheaths.All()[i]; s.entities.Alive(it.By) {
			s.sheathe(it.By, it.Msg.Sheath)
		}
	}
	for i := range s.poses.All() {
		if it := &s.poses.All()[i]; s.entities.Alive(it.By) {
			s.pose(it.By, it.Msg.State)
		}
	}
}

var nothing msg.Empty
