package loot

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// fill generates the loot of a body for its loot recipient. A body without one has no loot.
//
// Source: Unit::Kill and Loot::FillLoot, AzerothCore.
func (s *Drops) fill(t sched.Tick, e ecs.Entity) {
	s.clear(e)
	template := s.defs.Get().Creature(s.objects.Get(e).Entry)
	owner := uint64(s.taps.Get(e).LootRecipient)
	if template == nil || s.vitals.Get(e).Health > 0 || owner == 0 || template.LootID == 0 && template.MaxMoney == 0 {
		return
	}
	block, ok := s.put(t, e, owner, template.LootID, template.MinMoney, template.MaxMoney)
	if !ok {
		s.looted.Emit(rules.Looted{Entity: e})
		return
	}
	if player := s.space.Get().Find(owner); s.entities.Exists(player) {
		s.link(player, block)
		s.filled.Emit(Filled{Player: player, Body: e})
	}
}

// stock generates the loot of a chest, which is for all.
//
// Source: Player::SendLoot and Loot::FillLoot, AzerothCore.
func (s *Drops) stock(t sched.Tick, e ecs.Entity) {
	s.clear(e)
	if template := s.defs.Get().GameObject(s.objects.Get(e).Entry); template != nil {
		s.put(t, e, 0, template.LootID, template.MinMoney, template.MaxMoney)
	}
}

// put generates loot for an owner, 0 for all; ok is false if there is none.
func (s *Drops) put(t sched.Tick, e ecs.Entity, owner uint64, table, least, most uint32) (block uint32, ok bool) {
	dice := t.Dice("loot", s.objects.Get(e).GUID)
	block = s.bodies.Get().Alloc()
	l := s.bodies.Get().At(block)
	l.Owner, l.Body, l.GUID = owner, e, s.objects.Get(e).GUID
	if most > 0 {
		l.Copper = least + uint32(dice.Uint64()%(uint64(most-min(least, most))+1))
	}
	if table := s.defs.Get().Loot(table); table != nil {
		s.thrown = 0
		s.roll(&dice, l, table, 0, 0)
	}
	if l.Empty() {
		s.bodies.Get().Free(block)
		return 0, false
	}
	bodies := s.bodies.Get()
	bodies.Money.Made += uint64(l.Copper)
	for i := range l.Items[:l.Count] {
		bodies.Items.Made += uint64(l.Items[i].Count)
	}
	s.corpseLoot.Get(e).Loot = block
	l.At = uint32(len(bodies.Lying))
	bodies.Lying = append(bodies.Lying, block)
	return block, true
}

// roll rolls a table: each entry outside of groups by itself, and each group once, or if only is not 0 that group. Tables deeper
// than MaxLootDepth, more than MaxLootTables of them, and items without room are left out, and counted.
//
// Source: LootTemplate::Process and LootGroup::Roll, AzerothCore.
func (s *Drops) roll(dice *sched.Dice, l *components.Loot, table *defs.Loot, only uint8, depth int) {
	s.thrown++
	switch {
	case s.thrown > defs.MaxLootTables:
		s.tooMany.Count()
		return
	case depth > defs.MaxLootDepth:
		s.tooDeep.Count()
		return
	}
	var groups uint32
	for i := range table.Entries {
		e := &table.Entries[i]
		switch {
		case only != 0 && e.Group != only:
		case e.Group > 0:
			groups |= 1 << min(e.Group, 31)
		case e.Quest:
		case percent(dice) < e.Chance:
			s.drop(dice, l, e, depth)
		}
	}
	for group := uint8(1); group <= defs.MaxLootGroups; group++ {
		if groups>>group&1 != 0 {
			if e := pick(dice, table, group); e != nil && !e.Quest {
				s.drop(dice, l, e, depth)
			}
		}
	}
}

// pick rolls a group: entries with a chance first, and the others share evenly what is left. Items of quests have their share,
// though none is found.
func pick(dice *sched.Dice, table *defs.Loot, group uint8) *defs.LootEntry {
	at := percent(dice)
	var even int
	for i := range table.Entries {
		switch e := &table.Entries[i]; {
		case e.Group != group:
		case e.Chance == 0:
			even++
		case at < e.Chance:
			return e
		default:
			at -= e.Chance
		}
	}
	if even == 0 {
		return nil
	}
	even = dice.Intn(even)
	for i := range table.Entries {
		if e := &table.Entries[i]; e.Group == group && e.Chance == 0 {
			if even == 0 {
				return e
			}
			even--
		}
	}
	return nil
}

// drop adds the item, or the table, of an entry.
func (s *Drops) drop(dice *sched.Dice, l *components.Loot, e *defs.LootEntry, depth int) {
	n := uint32(e.Min)
	if e.Max > e.Min {
		n += uint32(dice.Intn(int(e.Max-e.Min) + 1))
	}
	if e.Reference != 0 {
		if table := s.defs.Get().Loot(e.Reference); table != nil {
			for range n {
				if l.Count == components.MaxLoot || s.thrown > defs.MaxLootTables {
					s.tooMany.Count()
					return
				}
				s.roll(dice, l, table, e.Only, depth+1)
			}
		}
		return
	}
	template := s.defs.Get().Item(e.Item)
	if template == nil {
		return
	}
	for n > 0 {
		if l.Count == components.MaxLoot {
			s.tooMany.Count()
			return
		}
		stack := min(n, uint32(max(template.Stack, 1)))
		l.Items[l.Count] = components.LootItem{Entry: e.Item, Display: template.Display, Conditions: e.Conditions, Count: uint16(stack)}
		l.Count++
		n -= stack
	}
}

// percent is in [0, 100).
func percent(dice *sched.Dice) float32 { return dice.Float32() * 100 }
