package rules

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// Engage puts two units into combat with each other. A creature begins to hate, with nothing yet.
func (b *Book) Engage(t sched.Tick, by, to ecs.Entity) {
	if by == to {
		return
	}
	b.fight(t, by)
	b.fight(t, to)
	b.Threaten(to, by, 0)
	b.Threaten(by, to, 0)
}

// combatMs is how long a player stays in combat after the last hostile act when nobody hates it.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
const combatMs = 5000

// fight notes that a unit has done or suffered a hostile act.
func (b *Book) fight(t sched.Tick, e ecs.Entity) {
	bout, unit := b.bouts.Get(e), b.units.Get(e)
	bout.UntilMs = t.NowMs + combatMs
	if unit.Flags&components.UnitInCombat == 0 {
		unit.Flags |= components.UnitInCombat
		b.log.Touch(e, components.TouchedUnit)
	}
}

// A Roused is a creature that has begun to hate: somebody attacked it, or stood up for whom it attacks. What it
// does about that is system ai's business, in the same tick.
type Roused struct{ Entity, By ecs.Entity }

// Threaten has a creature hate somebody more. Players and the dead hate nobody.
func (b *Book) Threaten(e, whom ecs.Entity, amount float32) {
	if b.Player(e) || !b.Alive(e) || !b.Alive(whom) {
		return
	}
	bout := b.bouts.Get(e)
	if bout.Threat == 0 {
		bout.Threat = b.threats.Take()
		*b.roused.Next() = Roused{Entity: e, By: whom}
	}
	list := b.threats.At(bout.Threat)
	least := -1
	for i := range list.List[:list.Count] {
		h := &list.List[i]
		if h.Entity == whom {
			h.Amount = max(h.Amount+amount, 0)
			return
		}
		if least < 0 || h.Amount < list.List[least].Amount {
			least = i
		}
	}
	entry := components.Hatred{Entity: whom, Amount: max(amount, 0)}
	switch {
	case list.Count < components.MaxThreats:
		list.List[list.Count] = entry
		list.Count++
	case list.List[least].Amount < entry.Amount:
		b.unhate(list.List[least].Entity)
		list.List[least] = entry
		b.threatFull.Count()
	default:
		b.threatFull.Count()
		return
	}
	b.bouts.Get(whom).Hated++
}

func (b *Book) unhate(e ecs.Entity) {
	if b.world.Alive(e) {
		b.bouts.Get(e).Hated--
	}
}

// Pardon has a creature hate somebody no more.
func (b *Book) Pardon(e, whom ecs.Entity) {
	bout := b.bouts.Get(e)
	if bout.Threat == 0 {
		return
	}
	list := b.threats.At(bout.Threat)
	for i := range list.List[:list.Count] {
		if list.List[i].Entity == whom {
			b.unhate(whom)
			list.Count--
			copy(list.List[i:], list.List[i+1:list.Count+1])
			list.List[list.Count] = components.Hatred{}
			break
		}
	}
	if list.Count == 0 {
		b.threats.Free(bout.Threat)
		bout.Threat = 0
	}
}

// Forgive has a creature hate nobody any more.
func (b *Book) Forgive(e ecs.Entity) {
	bout := b.bouts.Get(e)
	if bout.Threat == 0 {
		return
	}
	list := b.threats.At(bout.Threat)
	for _, h := range list.List[:list.Count] {
		b.unhate(h.Entity)
	}
	b.threats.Free(bout.Threat)
	bout.Threat = 0
}

// Hates is a creature's threat list, nil if it is at peace. The slice is good until the next call of a Book.
func (b *Book) Hates(e ecs.Entity) []components.Hatred {
	if block := b.bouts.Get(e).Threat; block != 0 {
		list := b.threats.At(block)
		return list.List[:list.Count]
	}
	return nil
}
