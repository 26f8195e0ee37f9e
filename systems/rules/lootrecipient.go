package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// A LootRecipientSet is a living creature that has become a player's to loot, or is so no longer: its
// CombatState.LootRecipient says which. System claims, at the end of the same tick, sends the player the values that
// only the loot recipient sees.
type LootRecipientSet struct{ Entity, Player ecs.Entity }

// setLootRecipient makes the first attacker, or its owner, a creature's loot recipient, if that is a player on its
// threat list: an owner is put on it here. All observers see that the creature is tapped.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (b *Book) setLootRecipient(t sched.Tick, by, e ecs.Entity) {
	combat := b.combats.Get(e)
	if combat.LootRecipient != 0 || combat.Threat == 0 {
		return
	}
	player := b.controller(by)
	if !b.Player(player) {
		return
	}
	at := find(b.threats.Get().At(combat.Threat), player)
	if at < 0 && player != by {
		b.Engage(t, player, e)
		at = find(b.threats.Get().At(combat.Threat), player)
	}
	if at < 0 {
		return
	}
	combat.LootRecipient = uint32(b.objects.Get(player).GUID)
	b.stances.Get(e).DynamicFlags |= components.DynamicTapped
	b.dirty.Mark(e, components.DirtyStance)
	*b.lootRecipients.Next() = LootRecipientSet{e, player}
}

// controller returns the unit that is responsible for another's acts: its owner while that exists, or itself.
//
// Source: Unit::GetCharmerOrOwnerPlayerOrPlayerItself, AzerothCore.
func (b *Book) controller(e ecs.Entity) ecs.Entity {
	if b.spawnInfos.Has(e) {
		if owner := b.spawnInfos.Get(e).Owner; b.entities.Alive(owner) {
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
func (b *Book) clearLootRecipient(e, by ecs.Entity) {
	if !b.entities.Alive(e) || b.vitals.Get(e).Health == 0 {
		return
	}
	if !b.isLootRecipient(by, e) {
		return
	}
	b.combats.Get(e).LootRecipient = 0
	b.stances.Get(e).DynamicFlags &^= components.DynamicTapped
	b.dirty.Mark(e, components.DirtyStance)
	*b.lootRecipients.Next() = LootRecipientSet{e, by}
}

// isLootRecipient reports whether a unit may loot a creature.
func (b *Book) isLootRecipient(by, e ecs.Entity) bool {
	recipient := b.combats.Get(e).LootRecipient
	return recipient != 0 && b.Player(by) && recipient == uint32(b.objects.Get(by).GUID)
}
