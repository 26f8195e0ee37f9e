package threat

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// LootRecipients keeps which player may loot a creature. All observers see whether it is tapped.
type LootRecipients struct {
	rules.Living
	threats rules.Threats

	entities    ecs.Entities
	damageDealt ecs.EventReader[rules.DamageDealt]
	changes     ecs.EventReader[listChange]
	tapped      ecs.Emit[rules.SetTapped]
	recipients  ecs.Emit[rules.LootRecipientSet]
	engages     ecs.Emit[rules.Engage]

	sessions   ecs.Read[components.Session]
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]
	taps       ecs.Write[components.Tapped]
}

// OnEvents implements sched.Handler: taps change by reactions only.
func (s *LootRecipients) OnEvents(sched.Tick) {}

// React clears and sets the loot recipients of creatures, once system threatlists has changed their lists.
func (s *LootRecipients) React(sched.Tick) {
	for _, it := range s.changes.Next() {
		if it.kind != listDue {
			s.clear(it.creature, it.unit)
		}
	}
	for dealt, i := s.damageDealt.Next(), 0; i < len(dealt); i++ {
		d := &dealt[i]
		if d.Quiet || d.By == d.To || !s.entities.Exists(d.To) || s.taps.Get(d.To).LootRecipient != 0 ||
			!s.entities.Exists(d.By) || s.sessions.Has(d.To) {
			continue
		}
		if player := s.controller(d.By); s.sessions.Has(player) && s.mayTap(d, player) {
			s.set(d.To, player)
		}
	}
}

// mayTap reports whether a hit gives a player the right to loot a creature that is not tapped: the creature has died of
// it, or has the player on its threat list. The owner of the attacker is put on it here.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (s *LootRecipients) mayTap(d *rules.DamageDealt, player ecs.Entity) bool {
	list := s.threats.List(d.To)
	switch {
	case d.Killed:
		return true
	case !d.Hit() || list == nil || !s.Alive(d.By):
		return false
	}
	for i := range list {
		if list[i].Entity == player {
			return true
		}
	}
	if player == d.By || !s.Alive(player) {
		return false
	}
	s.engages.Emit(rules.Engage{By: player, To: d.To})
	return true
}

// set makes a player a creature's loot recipient.
func (s *LootRecipients) set(e, player ecs.Entity) {
	*s.taps.Get(e) = components.Tapped{Player: player, LootRecipient: uint32(s.objects.Get(player).GUID)}
	s.tapped.Emit(rules.SetTapped{Entity: e, On: true})
	s.recipients.Emit(rules.LootRecipientSet{Entity: e, Player: player})
}

// controller returns the unit that is responsible for another's acts: its owner while that exists, or itself.
//
// Source: Unit::GetCharmerOrOwnerPlayerOrPlayerItself, AzerothCore.
func (s *LootRecipients) controller(e ecs.Entity) ecs.Entity {
	if s.spawnInfos.Has(e) {
		if owner := s.spawnInfos.Get(e).Owner; s.entities.Exists(owner) {
			return owner
		}
	}
	return e
}

// clear ends that right of a player that a creature drops from its threat list, or of any: it died, left the map,
// or the creature evades. The next player that damages the creature gets it. The right to a corpse is kept.
//
// Source: Creature::SetLootRecipient(nullptr), as CreatureAI::_EnterEvadeMode calls it, AzerothCore, where a player that
// leaves without that keeps the right; here a kill would then be worth nothing to any.
func (s *LootRecipients) clear(e, by ecs.Entity) {
	if !s.Alive(e) || !s.taps.Has(e) {
		return
	}
	player := s.taps.Get(e).Player
	if player == (ecs.Entity{}) || by != (ecs.Entity{}) && by != player {
		return
	}
	*s.taps.Get(e) = components.Tapped{}
	s.tapped.Emit(rules.SetTapped{Entity: e})
	s.recipients.Emit(rules.LootRecipientSet{Entity: e, Player: player})
}
