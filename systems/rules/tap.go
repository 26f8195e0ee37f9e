package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// A Tapped says that a living creature is a player's to loot from now on, or is so no longer: its Bout.Tap says which.
// System claims, at the end of the same tick, tells the player what only that one sees of it.
type Tapped struct{ Entity, Player ecs.Entity }

// tap gives the right to a creature's body to who hurt it first, or whom that one serves, if that is a player whom it
// hates: it hates whoever is served by now. Everybody sees that it is taken.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (b *Book) tap(t sched.Tick, by, e ecs.Entity) {
	bout := b.bouts.Get(e)
	if bout.Tap != 0 || bout.Threat == 0 {
		return
	}
	author := b.author(by)
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
	bout.Tap = uint32(b.objects.Get(author).GUID)
	b.stances.Get(e).DynamicFlags |= components.DynamicTapped
	b.dirty.Mark(e, components.TouchedStance)
	*b.tapped.Next() = Tapped{e, author}
}

// author is who answers for what a unit does: who summoned it, as long as they are there, or itself.
//
// Source: Unit::GetCharmerOrOwnerPlayerOrPlayerItself, AzerothCore.
func (b *Book) author(e ecs.Entity) ecs.Entity {
	if b.posts.Has(e) {
		if owner := b.posts.Get(e).Owner; b.entities.Alive(owner) {
			return owner
		}
	}
	return e
}

// untap takes that right from a player whom a creature no longer hates: it has died, gone away or left, or the creature
// runs home. The next player who hurts the creature gets it. To a body the right is kept.
//
// Source: Creature::SetLootRecipient(nullptr), as CreatureAI::_EnterEvadeMode calls it, AzerothCore, where who leaves
// without that keeps the right; here a kill would then be worth nothing to anybody.
func (b *Book) untap(e, by ecs.Entity) {
	if !b.entities.Alive(e) || b.vitals.Get(e).Health == 0 {
		return
	}
	if !b.taps(by, e) {
		return
	}
	b.bouts.Get(e).Tap = 0
	b.stances.Get(e).DynamicFlags &^= components.DynamicTapped
	b.dirty.Mark(e, components.TouchedStance)
	*b.tapped.Next() = Tapped{e, by}
}

// taps reports whether a creature is a unit's to loot.
func (b *Book) taps(by, e ecs.Entity) bool {
	tap := b.bouts.Get(e).Tap
	return tap != 0 && b.Player(by) && tap == uint32(b.objects.Get(by).GUID)
}
