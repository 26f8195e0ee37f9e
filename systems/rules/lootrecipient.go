package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// A LootRecipientSet says that a living creature is a player's to loot from now on, or is so no longer: its CombatState.LootRecipient says which.
// System claims, at the end of the same tick, tells the player what only that one sees of it.
type LootRecipientSet struct{ Entity, Player ecs.Entity }

// setLootRecipient gives the right to a creature's body to who hurt it first, or whom that one serves, if that is a player whom it
// hates: it hates whoever is served by now. Everybody sees that it is taken.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (b *Book) setLootRecipient(t sched.Tick, by, e ecs.Entity) {
	bout := b.combats.Get(e)
	if bout.LootRecipient != 0 || bout.Threat == 0 {
		return
	}
	author := b.controller(by)
	if !b.Player(author) {
		return
	}
	at := find(b.threats.Get().At(bout.Threat), author)
	if at < 0 && author != by {
		b.Engage(t, author, e)
		at = find(b.threats.Get().At(bout.Threat), author)
	}
	if at < 0 {
		return
	}
	bout.LootRecipient = uint32(b.objects.Get(author).GUID)
	b.stances.Get(e).DynamicFlags |= components.DynamicTapped
	b.dirty.Mark(e, components.DirtyStance)
	*b.lootRecipients.Next() = LootRecipientSet{e, author}
}

// controller is who answers for what a unit does: who summoned it, as long as they are there, or itself.
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

// clearLootRecipient takes that right from a player whom a creature no longer hates: it has died, gone away or left, or the creature
// runs home. The next player who hurts the creature gets it. To a body the right is kept.
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

// isLootRecipient reports whether a creature is a unit's to loot.
func (b *Book) isLootRecipient(by, e ecs.Entity) bool {
	tap := b.combats.Get(e).LootRecipient
	return tap != 0 && b.Player(by) && tap == uint32(b.objects.Get(by).GUID)
}
