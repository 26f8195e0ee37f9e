package threat

import (
	"time"

	"muster/components"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// add changes a unit's threat on a creature's list by an amount. Players have no threat list, and the dead are on none.
func (s *ThreatLists) add(t sched.Tick, e, target ecs.Entity, amount float32) {
	if e == target || s.sessions.Has(e) || !s.entities.Exists(e) || !s.fights(e) || !s.Alive(target) || !s.fights(target) {
		return
	}
	state := s.threatStates.Get(e)
	if state.List == 0 {
		state.List = s.lists.Get().Alloc()
		s.lists.Get().At(state.List).Owner = e
		s.engaged.Emit(rules.Engaged{Entity: e, By: target})
	}
	list := s.lists.Get().At(state.List)
	at := find(list, target)
	if at < 0 {
		if at = s.addEntry(state.List, target, amount); at < 0 {
			s.full.Count()
			return
		}
		s.enterCombat(e, target)
	}
	h := &list.List[at]
	h.Amount = max(h.Amount+amount, 0)
	s.markChanged(t, state.List)
}

// fights reports whether a unit that exists can be in combat: it does not evade, is not leaving and is no ghost.
func (s *ThreatLists) fights(e ecs.Entity) bool {
	state := s.threatStates.Get(e)
	return state.Evading == 0 && state.Left == 0 && s.Present(e)
}

// addEntry adds a unit to a list, with no threat. In a full list it replaces the entry with the least threat, if that is
// less than amount; the creature's loot recipient keeps its entry. It returns the index, -1 if there is no room.
func (s *ThreatLists) addEntry(block uint32, target ecs.Entity, amount float32) int {
	list := s.lists.Get().At(block)
	if list.Count == components.MaxThreats {
		least, recipient := -1, s.tapped.Get(list.Owner).Player
		for i := range list.List {
			if h := &list.List[i]; h.Entity != recipient && (least < 0 || h.Amount < list.List[least].Amount) {
				least = i
			}
		}
		if list.List[least].Amount >= amount {
			return -1
		}
		s.full.Count()
		s.dropEntry(block, least, listReplaced)
	}
	at := int(list.Count)
	list.Count++
	state := s.threatStates.Get(target)
	list.List[at] = components.ThreatEntry{Entity: target, Next: state.ThreatenedBy}
	if state.ThreatenedBy != 0 {
		s.entry(state.ThreatenedBy).Prev = number(block, at)
	}
	state.ThreatenedBy = number(block, at)
	state.ThreatenedByCount++
	return at
}

// dropEntry removes an entry from a list, for a reason. The last one takes its place.
func (s *ThreatLists) dropEntry(block uint32, at int, why listKind) {
	list := s.lists.Get().At(block)
	h := &list.List[at]
	s.changes.Emit(listChange{why, list.Owner, h.Entity})
	if h.Next != 0 {
		s.entry(h.Next).Prev = h.Prev
	}
	if h.Prev != 0 {
		s.entry(h.Prev).Next = h.Next
	}
	if s.entities.Exists(h.Entity) {
		state := s.threatStates.Get(h.Entity)
		state.ThreatenedByCount--
		if h.Prev == 0 {
			state.ThreatenedBy = h.Next
		}
	}
	list.Count--
	if last := int(list.Count); at != last {
		*h = list.List[last]
		if h.Next != 0 {
			s.entry(h.Next).Prev = number(block, at)
		}
		if h.Prev != 0 {
			s.entry(h.Prev).Next = number(block, at)
		} else if s.entities.Exists(h.Entity) {
			s.threatStates.Get(h.Entity).ThreatenedBy = number(block, at)
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

func (s *ThreatLists) entry(n uint32) *components.ThreatEntry {
	return &s.lists.Get().At((n-1)/components.MaxThreats + 1).List[(n-1)%components.MaxThreats]
}

// removeEntry removes an entry from a list, and ends a list that is then empty.
func (s *ThreatLists) removeEntry(t sched.Tick, block uint32, at int) {
	list := s.lists.Get().At(block)
	s.dropEntry(block, at, listRemoved)
	if list.Count == 0 {
		s.end(list.Owner)
		return
	}
	s.markChanged(t, block)
}

// clear empties a creature's threat list: its combat is over.
func (s *ThreatLists) clear(e ecs.Entity) {
	block := s.threatStates.Get(e).List
	if block == 0 {
		return
	}
	list := s.lists.Get().At(block)
	for list.Count > 0 {
		s.dropEntry(block, int(list.Count)-1, listCleared)
	}
	s.end(e)
}

// end frees the empty list of a creature.
func (s *ThreatLists) end(e ecs.Entity) {
	state := s.threatStates.Get(e)
	s.lists.Get().Free(state.List)
	s.changes.Emit(listChange{kind: listEnded, creature: e})
	state.List = 0
	if state.ThreatenedByCount == 0 {
		s.combats.Emit(combatChange{entity: e, kind: ends})
	}
}

// listOf returns the list with the entry of a number.
func (s *ThreatLists) listOf(n uint32) *components.ThreatList {
	return s.lists.Get().At((n-1)/components.MaxThreats + 1)
}

// threatEvery is the interval at which a creature's threat list is sent to the players on it.
//
// Source: THREAT_UPDATE_INTERVAL, ThreatMgr.h, AzerothCore.
const threatEvery = 2 * time.Second

// markChanged notes that a list has changed.
func (s *ThreatLists) markChanged(t sched.Tick, block uint32) {
	if list := s.lists.Get().At(block); list.Dirty == 0 {
		list.Dirty = 1
		s.updates.Add(t.After(threatEvery), block)
	}
}
