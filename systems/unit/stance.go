package unit

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Stances sets postures and what else is in components.Stance.
type Stances struct {
	rules.Living

	entities ecs.Entities
	out      change.Out
	dirty    change.Dirty

	sheaths     ecs.Events[change.Sent[msg.SetSheathed]]
	poses       ecs.Events[change.Sent[msg.StandStateChange]]
	stands      ecs.Requests[rules.SetStand]
	standUps    ecs.Requests[rules.StandUp]
	emotes      ecs.Requests[rules.SetEmoteState]
	tapped      ecs.Requests[rules.SetTapped]
	changes     ecs.EventReader[rules.ChangeUnit]
	damageDealt ecs.EventReader[rules.DamageDealt]

	units   ecs.Read[components.Unit]
	stances ecs.Write[components.Stance]

	badStance sched.Counter `name:"combat.bad_stance"`

	posture msg.StandStateUpdate // kept here, since a packet takes its message by reference
}

// OnEvents sets what clients have asked for.
func (s *Stances) OnEvents(sched.Tick) {
	for _, sent := range s.sheaths.All() {
		s.sheathe(sent.By, sent.Msg.Sheath)
	}
	for _, sent := range s.poses.All() {
		s.pose(sent.By, sent.Msg.State)
	}
}

// React sets what other systems have asked for, and has units stand up that were damaged.
func (s *Stances) React(sched.Tick) {
	for _, it := range s.tapped.Take() {
		if s.entities.Exists(it.Entity) {
			s.setTapped(it.Entity, it.On)
		}
	}
	for _, it := range s.emotes.Take() {
		if s.entities.Exists(it.Entity) {
			s.stances.Get(it.Entity).EmoteState = it.Emote
			s.dirty.Mark(it.Entity, components.DirtyStance)
		}
	}
	for _, it := range s.changes.Next() {
		if it.Part >= rules.UnitMount && s.entities.Exists(it.Entity) {
			s.change(it)
		}
	}
	for _, it := range s.standUps.Take() {
		if s.entities.Exists(it.Entity) {
			s.standUp(it.Entity)
		}
	}
	for dealt, i := s.damageDealt.Next(), 0; i < len(dealt); i++ {
		if d := &dealt[i]; d.Dealt > 0 && !d.Killed && s.entities.Exists(d.To) {
			s.standUp(d.To)
		}
	}
	for _, it := range s.stands.Take() {
		switch {
		case !s.entities.Exists(it.Entity):
		case it.Say:
			s.setStand(it.Entity, it.State)
		default:
			s.stances.Get(it.Entity).Bytes1[components.ByteStand] = it.State
			s.dirty.Mark(it.Entity, components.DirtyStance)
		}
	}
}

// ownFlags are the dynamic flags that follow from something else.
const ownFlags = components.DynamicLootable | components.DynamicTapped | components.DynamicDead

// change has a unit show something else.
func (s *Stances) change(it rules.ChangeUnit) {
	stance := s.stances.Get(it.Entity)
	now := *stance
	switch it.Part {
	case rules.UnitMount:
		now.MountDisplayID = it.Set
	case rules.UnitSheath:
		now.Bytes2[components.ByteSheath] = uint8(it.Set)
	case rules.UnitNPCFlags:
		now.NPCFlags = now.NPCFlags&^it.Clear | it.Set
	case rules.UnitDynamicFlags:
		now.DynamicFlags = now.DynamicFlags&^(it.Clear&^ownFlags) | it.Set&^ownFlags
	}
	if now != *stance {
		*stance = now
		s.dirty.Mark(it.Entity, components.DirtyStance)
	}
}

// sheathe shows the weapons that a player has in hand.
//
// Source: WorldSession::HandleSetSheathedOpcode, AzerothCore (0 none, 1 melee, 2 ranged).
func (s *Stances) sheathe(by ecs.Entity, sheath uint32) {
	if sheath > 2 {
		s.out.Refuse(by, msg.OpSetSheathed, &s.badStance)
		return
	}
	if stance := s.stances.Get(by); stance.Bytes2[components.ByteSheath] != uint8(sheath) {
		stance.Bytes2[components.ByteSheath] = uint8(sheath)
		s.dirty.Mark(by, components.DirtyStance)
	}
}

// pose has a player stand, sit, sleep or kneel, if it is alive and can move.
//
// Source: WorldSession::HandleStandStateChangeOpcode and Unit::SetStandState, AzerothCore.
func (s *Stances) pose(by ecs.Entity, state uint32) {
	switch state {
	case components.Standing, components.Sitting, components.Sleeping, components.Kneeling:
	default:
		s.out.Refuse(by, msg.OpStandStateChange, &s.badStance)
		return
	}
	if s.Alive(by) && s.units.Get(by).Flags&components.UnitStunned == 0 &&
		s.stances.Get(by).Bytes1[components.ByteStand] != uint8(state) {
		s.setStand(by, uint8(state))
	}
}

// standUp makes a sitting unit stand up, if it can.
func (s *Stances) standUp(e ecs.Entity) {
	if s.units.Get(e).Flags&components.UnitStunned != 0 {
		return
	}
	switch s.stances.Get(e).Bytes1[components.ByteStand] {
	case components.Standing, components.LyingDead, components.Submerged:
	default:
		s.setStand(e, components.Standing)
	}
}

// setStand sets the posture of a unit, and confirms it to the client of a player.
func (s *Stances) setStand(e ecs.Entity, state uint8) {
	s.stances.Get(e).Bytes1[components.ByteStand] = state
	s.dirty.Mark(e, components.DirtyStance)
	s.posture = msg.StandStateUpdate{State: state}
	s.out.Send(e, msg.OpStandStateUpdate, &s.posture)
}

// setTapped shows whether a creature is tapped.
func (s *Stances) setTapped(e ecs.Entity, on bool) {
	stance := s.stances.Get(e)
	if stance.DynamicFlags &^= components.DynamicTapped; on {
		stance.DynamicFlags |= components.DynamicTapped
	}
	s.dirty.Mark(e, components.DirtyStance)
}
