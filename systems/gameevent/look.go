package gameevent

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// EventLooks has creatures show what they show during game events only: services, another model, and what they hold.
//
// Source: GameEventMgr::UpdateEventNPCFlags and GameEventMgr::ChangeEquipOrModel, AzerothCore.
type EventLooks struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	events   ecs.Res[rules.GameEvents]
	space    ecs.Res[space.Space]
	changes  ecs.Events[rules.GameEventChanged]
	woken    ecs.Events[change.Woken]
	shows    ecs.Emit[rules.ChangeUnit]

	spawnInfos ecs.Read[components.SpawnInfo]

	known []defs.EventLook // that creatures show, when their events are on
}

// Init implements ecs.Initializer.
func (s *EventLooks) Init() { s.known = s.place.Get().EventLooks }

// OnEvents implements sched.Handler.
func (s *EventLooks) OnEvents(sched.Tick) {
	if len(s.known) > 0 {
		for _, it := range s.woken.All() {
			if it.SleptMs == 0 && s.entities.Exists(it.Entity) && s.spawnInfos.Has(it.Entity) {
				if point := s.spawnInfos.Get(it.Entity).Point; point != 0 && len(looksOf(s.known, point-1)) > 0 {
					s.show(it.Entity, point-1, nil)
				}
			}
		}
	}
	for _, it := range s.changes.All() {
		if it.Replaced {
			s.replace()
			return // with all that are on now
		}
		for i := range s.known {
			if look := &s.known[i]; look.Event == it.Event {
				s.show(s.creature(look.Point), look.Point, nil)
			}
		}
	}
}

// replace has creatures show what the events show that are there now, and nothing of those that were.
func (s *EventLooks) replace() {
	was := s.known
	s.known = s.place.Get().EventLooks
	for _, looks := range [][]defs.EventLook{was, s.known} {
		for i := range looks {
			s.show(s.creature(looks[i].Point), looks[i].Point, looksOf(was, looks[i].Point))
		}
	}
}

// creature is the creature of a point, zero or gone if it has none.
func (s *EventLooks) creature(point uint32) ecs.Entity {
	return s.space.Get().Find(components.CreatureGUID(s.place.Get().Spawns[point].Entry, rules.FirstCreature+point))
}

// looksOf is what the creature of a point shows.
func looksOf(all []defs.EventLook, point uint32) []defs.EventLook {
	compare := func(it defs.EventLook, point uint32) int { return cmp.Compare(it.Point, point) }
	first, _ := slices.BinarySearchFunc(all, point, compare)
	end := first
	for end < len(all) && all[end].Point == point {
		end++
	}
	return all[first:end]
}

// show has a creature show what the events that are on have it show, the last of several, and nothing of the others.
func (s *EventLooks) show(e ecs.Entity, point uint32, before []defs.EventLook) {
	if !s.entities.Exists(e) {
		return
	}
	spawn := &s.place.Get().Spawns[point]
	template := s.defs.Get().Creature(spawn.Entry)
	own := template.Look
	if spawn.Look != 0 {
		own = s.place.Get().Looks[spawn.Look-1]
	}
	flags, display, items, known := template.NPCFlags, uint32(0), own.Items, uint32(0)
	for i := range before {
		known |= before[i].NPCFlags
	}
	for _, it := range looksOf(s.known, point) {
		known |= it.NPCFlags
		if !s.events.Get().On(it.Event) {
			continue
		}
		flags |= it.NPCFlags
		display = cmp.Or(it.Display, display)
		if it.Armed {
			items = it.Items
		}
	}
	s.shows.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitNPCFlags, Set: flags, Clear: known})
	s.shows.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitModel, Set: display})
	for i, item := range items {
		s.shows.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitItem1 + rules.UnitPart(i), Set: item})
	}
}
