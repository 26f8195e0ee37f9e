package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// An Engaged is a creature that has begun to hate: somebody attacked it, or stood up for whom it attacks. What it
// does about that is system ai's business, in the same tick.
type Engaged struct{ Entity, By ecs.Entity }

// AddRawThreat has a creature hate somebody more, or less. Players and the dead hate nobody, and nobody hates the
// dead.
func (b *Book) AddRawThreat(t sched.Tick, e, whom ecs.Entity, amount float32) {
	if e == whom || b.Player(e) || !b.Alive(e) || !b.Alive(whom) || b.combats.Get(e).Evading != 0 {
		return
	}
	bout := b.combats.Get(e)
	if bout.Threat == 0 {
		bout.Threat = b.threats.Get().Take()
		b.threats.Get().At(bout.Threat).Owner = e
		*b.engaged.Next() = Engaged{Entity: e, By: whom}
	}
	list := b.threats.Get().At(bout.Threat)
	at := find(list, whom)
	if at < 0 {
		if at = b.begin(bout.Threat, whom, amount); at < 0 {
			b.threatFull.Count()
			return
		}
		b.enterCombat(t, e)
		b.enterCombat(t, whom)
	}
	h := &list.List[at]
	h.Amount = max(h.Amount+amount, 0)
	b.markThreatDirty(t, bout.Threat)
}

// AddThreat has a creature hate somebody for what it has done: damage, healing, or what a spell makes of it. What is on
// whoever did it makes more of that, or less.
//
// Source: ThreatCalcHelper::calcThreat and Unit::ApplyTotalThreatModifier, AzerothCore.
func (b *Book) AddThreat(t sched.Tick, e, by ecs.Entity, amount float32) {
	b.AddRawThreat(t, e, by, float32(amount*b.CombatStats(by).ThreatDone))
}

// begin adds somebody to a list, with nothing. If there is no room, it takes that of who is hated least, if that is
// less than it is going to be hated; who has tapped the creature keeps its own. It returns the index, -1 if there is no
// room.
func (b *Book) begin(block uint32, whom ecs.Entity, amount float32) int {
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
		b.drop(block, least)
	}
	at := int(list.Count)
	list.Count++
	bout := b.combats.Get(whom)
	list.List[at] = components.ThreatEntry{Entity: whom, Next: bout.ThreatenedBy}
	if bout.ThreatenedBy != 0 {
		b.entry(bout.ThreatenedBy).Prev = number(block, at)
	}
	bout.ThreatenedBy = number(block, at)
	bout.ThreatenedByCount++
	return at
}

// drop takes an entry out of a list. The last one takes its place.
func (b *Book) drop(block uint32, at int) {
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
		bout := b.combats.Get(h.Entity)
		bout.ThreatenedByCount--
		if h.Prev == 0 {
			bout.ThreatenedBy = h.Next
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

// find is where somebody is in a list, -1 nowhere.
func find(list *components.ThreatList, whom ecs.Entity) int {
	for i := range list.List[:list.Count] {
		if list.List[i].Entity == whom {
			return i
		}
	}
	return -1
}

// number names an entry across all lists, and entry is the one of a number.
func number(block uint32, at int) uint32 { return (block-1)*components.MaxThreats + uint32(at) + 1 }

func (b *Book) entry(n uint32) *components.ThreatEntry {
	return &b.threats.Get().At((n-1)/components.MaxThreats + 1).List[(n-1)%components.MaxThreats]
}

// RemoveThreat has a creature hate somebody no more.
func (b *Book) RemoveThreat(t sched.Tick, e, whom ecs.Entity) {
	block := b.combats.Get(e).Threat
	if block == 0 {
		return
	}
	if at := find(b.threats.Get().At(block), whom); at >= 0 {
		b.removeThreatEntry(t, block, at)
	}
}

// removeThreatEntry takes an entry out of a list, and ends a list that is empty.
func (b *Book) removeThreatEntry(t sched.Tick, block uint32, at int) {
	list := b.threats.Get().At(block)
	b.tellRemoved(list.Owner, list.List[at].Entity)
	b.drop(block, at)
	if list.Count == 0 {
		b.end(list.Owner)
		return
	}
	b.markThreatDirty(t, block)
}

// ClearThreat has a creature hate nobody any more: its combat is over.
func (b *Book) ClearThreat(e ecs.Entity) {
	block := b.combats.Get(e).Threat
	if block == 0 {
		return
	}
	list := b.threats.Get().At(block)
	b.tellCleared(e, list)
	for list.Count > 0 {
		b.drop(block, int(list.Count)-1)
	}
	b.end(e)
}

// end gives back the empty list of a creature.
func (b *Book) end(e ecs.Entity) {
	bout := b.combats.Get(e)
	b.threats.Get().Free(bout.Threat)
	bout.Threat = 0
	if bout.ThreatenedByCount == 0 {
		b.endCombat(e)
	}
}

// clearThreatOn has everybody hate a unit no more.
func (b *Book) clearThreatOn(t sched.Tick, e ecs.Entity) {
	for bout := b.combats.Get(e); bout.ThreatenedBy != 0; {
		n := bout.ThreatenedBy - 1
		b.removeThreatEntry(t, n/components.MaxThreats+1, int(n%components.MaxThreats))
	}
}

// ThreatList is a creature's threat list, nil if it is at peace. The slice is good until the next call of a Book.
func (b *Book) ThreatList(e ecs.Entity) []components.ThreatEntry {
	if block := b.combats.Get(e).Threat; block != 0 {
		list := b.threats.Get().At(block)
		return list.List[:list.Count]
	}
	return nil
}

// ThreatenedBy visits the creatures that hate a unit. The visit must not change who they are.
func (b *Book) ThreatenedBy(e ecs.Entity, visit func(creature ecs.Entity, amount float32)) {
	for n := b.combats.Get(e).ThreatenedBy; n != 0; {
		h := b.entry(n)
		visit(b.threats.Get().At((n-1)/components.MaxThreats+1).Owner, h.Amount)
		n = h.Next
	}
}

// Healed has those who hate a unit hate its healer too: half a point for each point of health, shared out evenly
// among them.
//
// Source: ThreatMgr::AddThreat and HostileRefMgr::threatAssist, AzerothCore; 0.5 per health is what
// Unit::DealHeal's callers give.
func (b *Book) Healed(t sched.Tick, by, to ecs.Entity, health uint32) {
	bout := b.combats.Get(to)
	if bout.ThreatenedByCount == 0 || health == 0 || !b.entities.Alive(by) {
		return
	}
	each := float32(0.5*float32(health)) / float32(bout.ThreatenedByCount)
	for n := bout.ThreatenedBy; n != 0; {
		next := b.entry(n).Next // a new entry of another list stands before all of those of this one
		b.AddThreat(t, b.threats.Get().At((n-1)/components.MaxThreats+1).Owner, by, each)
		n = next
	}
}

// What it takes to draw a creature away from its victim: so much more hatred than the victim's, in reach of its
// blows and beyond.
//
// Source: ThreatContainer::SelectNextVictim, AzerothCore (110 % in melee range, 130 % beyond it).
const (
	overtakeNear = 1.1
	overtakeFar  = 1.3
)

// Choose is whom a creature is to attack: the victim that it has, unless it hates somebody else enough more. Zero
// is nobody. Whom it cannot attack (now) it does not choose.
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

// Assist has a creature stand up for another: it hates whom that one attacks, or else hates most. It reports whether
// it does now; one that fights already, or has nothing against them, does not.
func (b *Book) Assist(t sched.Tick, e, friend ecs.Entity) bool {
	foe := b.Choose(friend)
	if !b.Alive(e) || b.combats.Get(e).Threat != 0 || b.combats.Get(e).Evading != 0 || !b.Attackable(e, foe) {
		return false
	}
	b.Engage(t, foe, e)
	return true
}
