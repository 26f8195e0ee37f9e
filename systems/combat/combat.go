// Package combat is melee and ranged attacks of units, and the targets that they show. Players and creatures attack
// alike: a request of a client begins it for the one, system ai for the other.
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

// System swings the weapons of units that attack, and takes the requests of players about them.
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
	s.setTargets()
	s.disengage(t)
	s.request(t)
	for _, e := range s.book.SwingsDue(t) {
		if s.entities.Alive(e) {
			s.swing(t, e)
		}
	}
}

// disengage stops the attacks of players that were teleported. A teleport to another map ends their combat; on the
// same map creatures pursue them up to their leash range.
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

// setTargets sets the targets that clients selected, which observers see. A target need not exist: a client may select a
// unit that has just despawned, and is not corrected.
//
// Source: WorldSession::HandleSetSelectionOpcode, AzerothCore.
func (s *System) setTargets() {
	selections := s.selections.All()
	for i := range selections {
		if by := selections[i].By; s.entities.Alive(by) {
			s.book.SetTarget(by, selections[i].Msg.GUID)
		}
	}
}

// request does what clients have asked for. Starts and stops come in the order in which they arrived.
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
