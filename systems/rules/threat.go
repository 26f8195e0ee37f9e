package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// An Engaged is a creature that has entered combat: it was attacked, or assists another. System ai takes it in the
// same tick.
type Engaged struct{ Entity, By ecs.Entity }

// AddRawThreat changes a unit's threat on a creature's list by an amount without its modifiers. Players and the dead
// have no threat list, and the dead are on none.
func (b *Book) AddRawThreat(t sched.Tick, e, target ecs.Entity, amount float32) {
	if e == target || b.Player(e) || !b.Alive(e) || !b.Alive(target) || b.combats.Get(e).Evading != 0 {
		return
	}
	combat := b.combats.Get(e)
	if combat.Threat == 0 {
		combat.Threat = b.threats.Get().Take()
		b.threats.Get().At(combat.Threat).Owner = e
		*b.engaged.Next() = Engaged{Entity: e, By: target}
	}
	list := b.threats.Get().At(combat.Threat)
	at := find(list, target)
	if at < 0 {
		if at = b.addEntry(combat.Threat, target, amount); at < 0 {
			b.threatFull.Count()
			return
		}
		b.enterCombat(t, e)
		b.enterCombat(t, target)
	}
	h := &list.List[at]
	h.Amount = max(h.Amount+amount, 0)
	b.markThreatDirty(t, combat.Threat)
}

// AddThreat adds the threat of an act: damage, healing, or a spell's threat effect. The threat modifiers of the
// unit's auras apply.
//
// Source: ThreatCalcHelper::calcThreat and Unit::ApplyTotalThreatModifier, AzerothCore.
func (b *Book) AddThreat(t sched.Tick, e, by ecs.Entity, amount float32) {
	b.AddRawThreat(t, e, by, float32(amount*b.CombatStats(by).ThreatDone))
}

// addEntry adds a unit to a list, with no threat. In a full list it replaces the entry with the least threat, if that is
// less than amount; the creature's loot recipient keeps its entry. It returns the index, -1 if there is no room.
func (b *Book) addEntry(block uint32, target ecs.Entity, amount float32) int {
	list := b.threats.Get().At(block)
	if list.Count == components.MaxThreats {
		least := -1
		for i := range list.List {
			if h := &list.List[i]; !b.isLootRecipient(h.Entity, list.Owner) && (least < 0 || h.Amount < list.List[least].Amount) {
				least = i
			}
		}
		if list.List[least].Amount >= amount {
			return -1
		}
		b.threatFull.Count()
		b.dropEntry(block, least)
	}
	at := int(list.Count)
	list.Count++
	combat := b.combats.Get(target)
	list.List[at] = components.ThreatEntry{Entity: target, Next: combat.ThreatenedBy}
	if combat.ThreatenedBy != 0 {
		b.entry(combat.ThreatenedBy).Prev = number(block, at)
	}
	combat.ThreatenedBy = number(block, at)
	combat.ThreatenedByCount++
	return at
}

// dropEntry removes an entry from a list. The last one takes its place.
func (b *Book) dropEntry(block uint32, at int) {
	list := b.threats.Get().At(block)
	h := &list.List[at]
	if b.entities.Alive(h.Entity) {
		b.clearLootRecipient(list.Owner, h.Entity)
	}
	if h.Next != 0 {
		b.entry(h.Next).Prev = h.Prev
	}
	if h.Prev != 0 {
		b.entry(h.Prev).Next = h.Next
	}
	if b.entities.Alive(h.Entity) {
		combat := b.combats.Get(h.Entity)
		combat.ThreatenedByCount--
		if h.Prev == 0 {
			combat.ThreatenedBy = h.Next
		}
	}
	list.Count--
	if last := int(list.Count); at != last {
		*h = list.List[last]
		if h.Next != 0 {
			b.entry(h.Next).Prev = number(block, at)
		}
		if h.Prev != 0 {
			b.entry(h.Prev).Next = number(block, at)
		} else if b.entities.Alive(h.Entity) {
			b.combats.Get(h.Entity).ThreatenedBy = number(block, at)
		}
	}
	list.List[list.Count] = components.ThreatEntry{}
}

// find returns the index of a unit in a list, -1 if it is not in it.
func find(list *components.ThreatList, target ecs.Entity) int {
	for i := range list.List[:list.Count] {
		if list.List[i].Entity == target {
			return i
		}
	}
	return -1
}

// number returns the number of an entry among those of all lists, and entry the entry of a number.
func number(block uint32, at int) uint32 { return (block-1)*components.MaxThreats + uint32(at) + 1 }

func (b *Book) entry(n uint32) *components.ThreatEntry {
	return &b.threats.Get().At((n-1)/components.MaxThreats + 1).List[(n-1)%components.MaxThreats]
}

// RemoveThreat removes a unit from a creature's threat list.
func (b *Book) RemoveThreat(t sched.Tick, e, target ecs.Entity) {
	block := b.combats.Get(e).Threat
	if block == 0 {
		return
	}
	if at := find(b.threats.Get().At(block), target); at >= 0 {
		b.removeThreatEntry(t, block, at)
	}
}

// removeThreatEntry removes an entry from a list, and ends a list that is then empty.
func (b *Book) removeThreatEntry(t sched.Tick, block uint32, at int) {
	list := b.threats.Get().At(block)
	b.sendRemoved(list.Owner, list.List[at].Entity)
	b.dropEntry(block, at)
	if list.Count == 0 {
		b.end(list.Owner)
		return
	}
	b.markThreatDirty(t, block)
}

// ClearThreat empties a creature's threat list: its combat is over.
func (b *Book) ClearThreat(e ecs.Entity) {
	block := b.combats.Get(e).Threat
	if block == 0 {
		return
	}
	list := b.threats.Get().At(block)
	b.sendCleared(e, list)
	for list.Count > 0 {
		b.dropEntry(block, int(list.Count)-1)
	}
	b.end(e)
}

// end frees the empty list of a creature.
func (b *Book) end(e ecs.Entity) {
	combat := b.combats.Get(e)
	b.threats.Get().Free(combat.Threat)
	combat.Threat = 0
	if combat.ThreatenedByCount == 0 {
		b.endCombat(e)
	}
}

// clearThreatOn removes a unit from all threat lists.
func (b *Book) clearThreatOn(t sched.Tick, e ecs.Entity) {
	for combat := b.combats.Get(e); combat.ThreatenedBy != 0; {
		n := combat.ThreatenedBy - 1
		b.removeThreatEntry(t, n/components.MaxThreats+1, int(n%components.MaxThreats))
	}
}

// ThreatList returns a creature's threat list, nil out of combat. The slice is valid until the next call of a Book.
func (b *Book) ThreatList(e ecs.Entity) []components.ThreatEntry {
	if block := b.combats.Get(e).Threat; block != 0 {
		list := b.threats.Get().At(block)
		return list.List[:list.Count]
	}
	return nil
}

// ThreatenedBy visits the creatures that have a unit on their threat lists. The visit must not change which these
// are.
func (b *Book) ThreatenedBy(e ecs.Entity, visit func(creature ecs.Entity, amount float32)) {
	for n := b.combats.Get(e).ThreatenedBy; n != 0; {
		h := b.entry(n)
		visit(b.threats.Get().At((n-1)/components.MaxThreats+1).Owner, h.Amount)
		n = h.Next
	}
}

// Healed gives a healer threat on all lists that the healed unit is on: half a point for each point of health,
// divided evenly among them.
//
// Source: ThreatMgr::AddThreat and HostileRefMgr::threatAssist, AzerothCore; 0.5 per health is what
// Unit::DealHeal's callers give.
func (b *Book) Healed(t sched.Tick, by, to ecs.Entity, health uint32) {
	combat := b.combats.Get(to)
	if combat.ThreatenedByCount == 0 || health == 0 || !b.entities.Alive(by) {
		return
	}
	each := float32(0.5*float32(health)) / float32(combat.ThreatenedByCount)
	for n := combat.ThreatenedBy; n != 0; {
		next := b.entry(n).Next // a new entry of another list stands before all of those of this one
		b.AddThreat(t, b.threats.Get().At((n-1)/components.MaxThreats+1).Owner, by, each)
		n = next
	}
}

// How much more threat than the victim's makes a creature change its victim: within its melee reach, and beyond.
//
// Source: ThreatContainer::SelectNextVictim, AzerothCore (110 % in melee range, 130 % beyond it).
const (
	overtakeNear = 1.1
	overtakeFar  = 1.3
)

// Choose returns the unit that a creature is to attack: its victim, unless another has enough more threat. It is zero
// if there is none. Units that it cannot attack now are not chosen.
func (b *Book) Choose(e ecs.Entity) ecs.Entity {
	victim := b.combats.Get(e).Victim
	var best ecs.Entity
	most, have, still := float32(-1), float32(0), false
	for _, h := range b.ThreatList(e) {
		switch {
		case !b.Attackable(e, h.Entity):
		case h.Entity == victim:
			have, still = h.Amount, true
		case h.Amount > most:
			best, most = h.Entity, h.Amount
		}
	}
	if !still || most > float32(overtakeFar*have) || most > float32(overtakeNear*have) && b.InReach(e, best) {
		if best != (ecs.Entity{}) {
			return best
		}
	}
	if still {
		return victim
	}
	return ecs.Entity{}
}

// Assist has a creature help another: it engages the other's target. It reports whether it has; one that is in combat
// already or cannot attack the target does not.
func (b *Book) Assist(t sched.Tick, e, friend ecs.Entity) bool {
	foe := b.Choose(friend)
	if !b.Alive(e) || b.combats.Get(e).Threat != 0 || b.combats.Get(e).Evading != 0 || !b.Attackable(e, foe) {
		return false
	}
	b.Engage(t, foe, e)
	return true
}
