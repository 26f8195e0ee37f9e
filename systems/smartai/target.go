package smartai

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// maxTargets is how many targets an act has at most, our own choice. The nearest are kept.
const maxTargets = 32

// ScriptTargets finds what acts happen to, and notes which targets scripts store.
//
// Source: SmartScript::GetTargets, AzerothCore.
type ScriptTargets struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	states   ecs.ResMut[ecs.Slab[components.ScriptState]]
	acts     ecs.Requests[aimed]
	effects  ecs.Emit[effect]

	objects    ecs.Read[components.Object]
	positions  ecs.Read[components.Position]
	homeCells  ecs.Read[components.HomeCell]
	spawnInfos ecs.Read[components.SpawnInfo]
	scripted   ecs.Read[components.Scripted]

	none sched.Counter `name:"smartai.no_target"` // acts whose target is not there
	many sched.Counter `name:"smartai.targets"`   // acts with more targets than maxTargets

	found []candidate `image:"-"`
	self  ecs.Entity
	visit func(ecs.Entity) // see, bound once
	takes func(ecs.Entity) bool
}

// A candidate is a unit that may be a target.
type candidate struct {
	entity ecs.Entity
	guid   uint64
	yards  float32
}

// Init implements ecs.Initializer.
func (s *ScriptTargets) Init() { s.visit = s.see }

// React implements sched.Reactor.
func (s *ScriptTargets) React(t sched.Tick) {
	acts := s.acts.Take()
	for i := range acts {
		if s.entities.Alive(acts[i].entity) && s.scripted.Get(acts[i].entity).Block != 0 {
			s.resolve(t, &acts[i])
		}
	}
}

// resolve emits an effect for each target of an act.
func (s *ScriptTargets) resolve(t sched.Tick, a *aimed) {
	row := a.at.in(s.defs.Get())
	if row.Target == defs.ScriptNone || row.Target == defs.ScriptPosition {
		s.effects.Emit(effect{act: a.act})
		return
	}
	s.found, s.self = s.found[:0], a.entity
	s.find(a, row)
	if len(s.found) > maxTargets {
		s.many.Count()
		s.found = s.found[:maxTargets]
	}
	if row.Action == defs.ScriptStoreTargets {
		s.store(a, row)
		return
	}
	if len(s.found) == 0 {
		s.none.Count()
	}
	n := len(s.found)
	if limit := int(row.Do[3]); row.Action == defs.ScriptCast && limit > 0 && limit < n {
		dice := t.Dice("smartai.limit", s.objects.Get(a.entity).GUID^uint64(a.at.row)<<32)
		for i := range limit {
			k := i + dice.Intn(n-i)
			s.found[i], s.found[k] = s.found[k], s.found[i]
		}
		n = limit
	}
	for i, it := range s.found[:n] {
		s.effects.Emit(effect{act: a.act, target: it.entity, number: uint32(i)})
	}
}

// store notes the targets of an act for its script.
func (s *ScriptTargets) store(a *aimed, row *defs.ScriptRow) {
	st := s.states.Get().At(s.scripted.Get(a.entity).Block)
	at := &st.Stored[0]
	for i := range st.Stored {
		if n := st.Stored[i].Number; n == row.Do[0]+1 {
			at = &st.Stored[i]
			break
		} else if n == 0 && at.Number != 0 {
			at = &st.Stored[i]
		}
	}
	*at = components.ScriptTargets{Number: row.Do[0] + 1}
	for _, it := range s.found[:min(len(s.found), components.MaxScriptTargets)] {
		at.Units[at.Count] = it.entity
		at.Count++
	}
}

// find lists the targets of a row.
func (s *ScriptTargets) find(a *aimed, row *defs.ScriptRow) {
	e, of := a.entity, row.Of
	anyEntry := func(other ecs.Entity) bool {
		return !s.Player(other) && (of[0] == 0 || s.objects.Get(other).Entry == of[0])
	}
	switch row.Target {
	case defs.ScriptSelf:
		s.add(e)
	case defs.ScriptInvoker:
		s.add(a.by)
	case defs.ScriptSummoner:
		info := s.spawnInfos.Get(e)
		if s.add(info.Summoner); len(s.found) == 0 {
			s.add(info.Owner)
		}
	case defs.ScriptStored:
		st := s.states.Get().At(s.scripted.Get(e).Block)
		for i := range st.Stored {
			if at := &st.Stored[i]; at.Number == of[0]+1 {
				for _, unit := range at.Units[:at.Count] {
					s.add(unit)
				}
			}
		}
	case defs.ScriptVictim,
		defs.ScriptHostileSecond, defs.ScriptHostileLast, defs.ScriptHostileRandom, defs.ScriptHostileNotTop, defs.ScriptThreatList, defs.ScriptFarthest:
		for _, foe := range a.foes[:a.count] {
			s.add(foe)
		}
	case defs.ScriptCreatureGUID:
		s.ofPoint(of)
	case defs.ScriptCreatureRange:
		s.around(float32(of[2]), float32(of[1]), func(other ecs.Entity) bool { return anyEntry(other) && s.lives(other, of[3]) })
	case defs.ScriptCreatureDistance:
		s.around(float32(of[1]), 0, func(other ecs.Entity) bool { return anyEntry(other) && s.lives(other, of[2]) })
	case defs.ScriptClosestCreature:
		s.around(reach(of[1]), 0, func(other ecs.Entity) bool { return anyEntry(other) && s.Alive(other) == (of[2] == 0) })
		s.first()
	case defs.ScriptPlayerRange:
		s.around(float32(of[1]), float32(of[0]), func(other ecs.Entity) bool { return s.Player(other) && s.Alive(other) })
	case defs.ScriptPlayerDistance:
		s.around(float32(of[0]), 0, func(other ecs.Entity) bool { return s.Player(other) && s.Alive(other) })
	case defs.ScriptClosestPlayer:
		s.around(reach(of[0]), 0, func(other ecs.Entity) bool { return s.Player(other) && s.Alive(other) })
		s.first()
	case defs.ScriptClosestEnemy:
		s.around(reach(of[0]), 0, func(other ecs.Entity) bool { return (of[1] == 0 || s.Player(other)) && s.Attackable(e, other) })
		s.first()
	case defs.ScriptClosestFriend:
		s.around(reach(of[0]), 0, func(other ecs.Entity) bool {
			return (of[1] == 0 || s.Player(other)) && s.Alive(other) && !s.Hostile(e, other)
		})
		s.first()
	}
}

// reach is how far a unit is looked for, yards; 0 in a row is 100.
func reach(yards uint32) float32 {
	if yards == 0 {
		return 100
	}
	return float32(yards)
}

// maxSearch is the farthest that units are looked for, yards, our own choice: beyond that no observer of the creature sees them.
const maxSearch = 250

// lives reports whether a unit is as a row wants it: 0 any, 1 alive, 2 dead.
func (s *ScriptTargets) lives(e ecs.Entity, want uint32) bool {
	return want == 0 || s.Alive(e) == (want == 1)
}

// add adds a unit, if it is there.
func (s *ScriptTargets) add(e ecs.Entity) {
	if e != (ecs.Entity{}) && s.entities.Alive(e) && s.Unit(e) {
		s.found = append(s.found, candidate{entity: e})
	}
}

// ofPoint adds the creature of a spawn point of this map.
func (s *ScriptTargets) ofPoint(of [4]uint32) {
	m := s.place.Get()
	if of[1] != m.ID || of[0] == 0 || int(of[0]) > len(m.Spawns) {
		return
	}
	s.add(s.space.Get().Find(components.CreatureGUID(m.Spawns[of[0]-1].Entry, rules.FirstCreature+of[0]-1)))
}

// around adds the units at a distance of the creature that are taken, the nearest first.
func (s *ScriptTargets) around(most, least float32, takes func(ecs.Entity) bool) {
	p := s.positions.Get(s.self)
	s.takes = takes
	s.space.Get().Order.Within(p.X, p.Y, min(most, maxSearch), s.homeCells.Get(s.self).Cell.Layer(), s.visit)
	s.takes = nil
	s.found = slices.DeleteFunc(s.found, func(c candidate) bool { return c.yards < least || c.yards > most })
	slices.SortFunc(s.found, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.yards, b.yards), cmp.Compare(a.guid, b.guid)) })
}

func (s *ScriptTargets) see(e ecs.Entity) {
	if e != s.self && s.entities.Alive(e) && s.Unit(e) && s.Present(e) && s.takes(e) {
		s.found = append(s.found, candidate{e, s.objects.Get(e).GUID, yards(s.positions.Get(s.self).Vec(), s.positions.Get(e).Vec())})
	}
}

// first keeps the first target alone.
func (s *ScriptTargets) first() { s.found = s.found[:min(len(s.found), 1)] }
