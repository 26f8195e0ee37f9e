package movement

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
)

// MoveControl notes of each player that reports its movement whether it may move itself.
type MoveControl struct {
	entities ecs.Entities
	joined   ecs.Events[change.Joined]
	moves    ecs.Events[change.Sent[msg.Move]]

	records     ecs.ReadRef[components.Record]
	walks       ecs.ReadRef[components.Walk]
	unitAuras   ecs.Read[components.UnitAuras]
	vitals      ecs.Read[components.Vitals]
	appearances ecs.Read[components.PlayerAppearance]
	validations ecs.Write[components.MoveValidation]
}

// OnEvents implements sched.Handler.
func (s *MoveControl) OnEvents(sched.Tick) {
	for _, it := range s.joined.All() {
		if s.records.Get(it.Entity).SecurityLevel > 0 {
			s.validations.Get(it.Entity).Control = components.ControlMaster
		}
	}
	moves := s.moves.All()
	if len(moves) == 0 {
		return
	}
	for _, k := range s.entities.Archetypes() { // players have one archetype
		if validations := s.validations.Rows(k); len(validations) > 0 {
			s.note(moves, validations, s.walks.Rows(k), s.unitAuras.Rows(k), s.vitals.Rows(k))
			return
		}
	}
}

// note notes the control of the players of some reports, whose components lie in rows.
func (s *MoveControl) note(moves []change.Sent[msg.Move], validations []components.MoveValidation, walks []components.Walk,
	unitAuras []components.UnitAuras, vitals []components.Vitals) {
	for k := range moves {
		e := moves[k].By
		i := s.validations.Row(validations, e)
		if i < 0 {
			continue
		}
		control := validations[i].Control & components.ControlMaster
		if driven(&walks[i], &unitAuras[i]) {
			control |= components.ControlServer
		}
		if s.held(e, &vitals[i], &unitAuras[i]) {
			control |= components.ControlHeld
		}
		validations[i].Control = control
	}
}

// driven reports whether a player's movement is controlled by the server: its client has been sent so, and its
// reports are ignored.
//
// Source: Player::SetClientControl, AzerothCore.
func driven(walk *components.Walk, auras *components.UnitAuras) bool {
	return walk.Walking() || auras.States&(components.StateFeared|components.StateConfused) != 0
}

// held reports whether a player may not move, besides what it has been ordered. A player that has just entered does not
// count as dead: its health has not been computed yet.
func (s *MoveControl) held(e ecs.Entity, v *components.Vitals, auras *components.UnitAuras) bool {
	return auras.States&(components.StateStunned|components.StateRooted) != 0 ||
		v.Health == 0 && v.MaxHealth > 0 && s.appearances.Get(e).Flags&components.PlayerGhost == 0
}
