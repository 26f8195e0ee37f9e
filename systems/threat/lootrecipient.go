package threat

import (
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// setLootRecipient makes the first attacker, or its owner, a creature's loot recipient, if that is a player on its
// threat list: an owner is put on it here. All observers see that the creature is tapped.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (s *System) setLootRecipient(t sched.Tick, by, e ecs.Entity) {
	state := s.threatStates.Get(e)
	if state.LootRecipient != 0 || state.List == 0 {
		return
	}
	player := s.controller(by)
	if !s.sessions.Has(player) {
		return
	}
	at := find(s.lists.Get().At(state.List), player)
	if at < 0 && player != by && s.Alive(player) {
		s.fight(t, player, e)
		at = find(s.lists.Get().At(state.List), player)
	}
	if at >= 0 {
		s.tap(e, player)
	}
}

// tap makes a player a creature's loot recipient.
func (s *System) tap(e, player ecs.Entity) {
	s.threatStates.Get(e).LootRecipient = uint32(s.objects.Get(player).GUID)
	s.tapped.Emit(rules.SetTapped{Entity: e, On: true})
	s.lootRecipients.Emit(rules.LootRecipientSet{Entity: e, Player: player})
}

// controller returns the unit that is responsible for another's acts: its owner while that exists, or itself.
//
// Source: Unit::GetCharmerOrOwnerPlayerOrPlayerItself, AzerothCore.
func (s *System) controller(e ecs.Entity) ecs.Entity {
	if s.spawnInfos.Has(e) {
		if owner := s.spawnInfos.Get(e).Owner; s.entities.Alive(owner) {
			return owner
		}
	}
	return e
}

// clearLootRecipient ends that right of a player that a creature drops from its threat list: it died, left the map,
// or the creature evades. The next player that damages the creature gets it. The right to a corpse is kept.
//
// Source: Creature::SetLootRecipient(nullptr), as CreatureAI::_EnterEvadeMode calls it, AzerothCore, where who leaves
// without that keeps the right; here a kill would then be worth nothing to anybody.
func (s *System) clearLootRecipient(e, by ecs.Entity) {
	if !s.entities.Alive(e) || !s.Alive(e) {
		return
	}
	if !s.isLootRecipient(by, e) {
		return
	}
	s.threatStates.Get(e).LootRecipient = 0
	s.tapped.Emit(rules.SetTapped{Entity: e})
	s.lootRecipients.Emit(rules.LootRecipientSet{Entity: e, Player: by})
}

// isLootRecipient reports whether a unit may loot a creature.
func (s *System) isLootRecipient(by, e ecs.Entity) bool {
	recipient := s.threatStates.Get(e).LootRecipient
	return recipient != 0 && s.sessions.Has(by) && recipient == uint32(s.objects.Get(by).GUID)
}
