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

	found  []candidate `snapshot:"-"`
	self   ecs.Entity
	at     components.Vec   `snapshot:"-"` // of self
	single bool             `snapshot:"-"` // the nearest alone is found
	row    defs.ScriptRow   `snapshot:"-"` // whose targets are looked for
	visit  func(ecs.Entity) // see, bound once
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
		if s.entities.Exists(acts[i].entity) && s.goesOn(&acts[i].act) {
			s.resolve(t, &acts[i])
		}
	}
}

// goesOn reports whether an act is still to happen: that of a script ends with it.
func (s *ScriptTargets) goesOn(a *act) bool {
	return a.at.node != 0 || s.Player(a.entity) || s.scripted.Has(a.entity) && s.scripted.Get(a.entity).Block != 0
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
	switch row.Action {
	case defs.ScriptStoreTargets:
		s.store(a, row)
		return
	case defs.ScriptSendStored:
		s.hand(a, row)
		return
	case defs.ScriptCrossCast:
		s.cross(a, row)
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

// listOf is the list of stored targets of a number, or one in its place.
func listOf(st *components.ScriptState, number uint32) *components.ScriptTargets {
	at := &st.Stored[0]
	for i := range st.Stored {
		if n := st.Stored[i].Number; n == number+1 {
			return &st.Stored[i]
		} else if n == 0 && at.Number != 0 {
			at = &st.Stored[i]
		}
	}
	return at
}

// store notes the targets of an act for its script.
func (s *ScriptTargets) store(a *aimed, row *defs.ScriptRow) {
	at := listOf(s.states.Get().At(s.scripted.Get(a.entity).Block), row.Do[0])
	*at = components.ScriptTargets{Number: row.Do[0] + 1}
	for _, it := range s.found[:min(len(s.found), components.MaxScriptTargets)] {
		at.Units[at.Count] = it.entity
		at.Count++
	}
}

// hand gives the scripts of the targets of an act the targets that its own has stored.
//
// Source: SMART_ACTION_SEND_TARGET_TO_TARGET, SmartScript.cpp, AzerothCore.
func (s *ScriptTargets) hand(a *aimed, row *defs.ScriptRow) {
	own := s.states.Get().At(s.scripted.Get(a.entity).Block)
	for i := range own.Stored {
		if own.Stored[i].Number != row.Do[0]+1 {
			continue
		}
		for _, it := range s.found {
			if s.scripted.Has(it.entity) && s.scripted.Get(it.entity).Block != 0 {
				*listOf(s.states.Get().At(s.scripted.Get(it.entity).Block), row.Do[0]) = own.Stored[i]
			}
		}
	}
}

// cross has the units of another kind of target cast at those of an act: an effect for each pair, by the one that casts.
//
// Source: SMART_ACTION_CROSS_CAST, SmartScript.cpp, AzerothCore.
func (s *ScriptTargets) cross(a *aimed, row *defs.ScriptRow) {
	at := s.found
	s.found = s.found[len(s.found):]
	by := defs.ScriptRow{Target: defs.ScriptTarget(row.Do[2]), Of: [4]uint32{row.Do[3], row.Do[4], row.Do[5]}}
	s.find(a, &by)
	n := uint32(0)
	for _, caster := range s.found {
		for _, it := range at {
			if n == maxTargets {
				s.many.Count()
				break
			}
			cast := a.act
			cast.by = caster.entity
			s.effects.Emit(effect{act: cast, target: it.entity, number: n})
			n++
		}
	}
	s.found = at[:0]
}

// find lists the targets of a row.
func (s *ScriptTargets) find(a *aimed, row *defs.ScriptRow) {
	e, of := a.entity, &row.Of
	s.row = *row
	switch row.Target {
	case defs.ScriptSelf:
		s.add(e)
	case defs.ScriptInvoker:
		s.add(a.by)
	case defs.ScriptInvokerParty:
		if s.entities.Exists(a.by) && s.Player(a.by) {
			s.add(a.by) // there are no parties
		}
	case defs.ScriptSummoner:
		if !s.spawnInfos.Has(e) {
			return
		}
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
		s.ofPoint(*of)
	case defs.ScriptObjectGUID:
		s.ofObject(*of)
	case defs.ScriptSummonedCreatures:
		s.around(maxSearch, 0)
	case defs.ScriptCreatureRange, defs.ScriptObjectRange:
		s.around(float32(of[2]), float32(of[1]))
	case defs.ScriptCreatureDistance, defs.ScriptObjectDistance:
		s.around(float32(of[1]), 0)
	case defs.ScriptPlayerRange:
		s.around(float32(of[1]), float32(of[0]))
	case defs.ScriptPlayerDistance:
		s.around(float32(of[0]), 0)
	case defs.ScriptClosestCreature, defs.ScriptClosestObject:
		s.closest(reach(of[1]))
	case defs.ScriptClosestPlayer, defs.ScriptClosestEnemy, defs.ScriptClosestFriend:
		s.closest(reach(of[0]))
	}
}

// takes reports whether what is around the creature is a target of the row that is looked for.
func (s *ScriptTargets) takes(other ecs.Entity) bool {
	of := &s.row.Of
	switch s.row.Target {
	case defs.ScriptObjectRange, defs.ScriptObjectDistance, defs.ScriptClosestObject:
		return s.thing(other) && s.ofEntry(other)
	}
	if !s.Unit(other) || !s.Present(other) {
		return false
	}
	switch s.row.Target {
	case defs.ScriptCreatureRange:
		return s.ofEntry(other) && s.lives(other, of[3])
	case defs.ScriptCreatureDistance:
		return s.ofEntry(other) && s.lives(other, of[2])
	case defs.ScriptClosestCreature:
		return s.ofEntry(other) && s.Alive(other) == (of[2] == 0)
	case defs.ScriptSummonedCreatures:
		return s.ofEntry(other) && s.spawnInfos.Has(other) && s.spawnInfos.Get(other).Summoner == s.self
	case defs.ScriptClosestEnemy:
		return (of[1] == 0 || s.Player(other)) && s.Unit(s.self) && s.Attackable(s.self, other)
	case defs.ScriptClosestFriend:
		return (of[1] == 0 || s.Player(other)) && s.Alive(other) && s.Unit(s.self) && !s.Hostile(s.self, other)
	}
	return s.Player(other) && s.Alive(other)
}

// thing reports whether an entity is a game object.
func (s *ScriptTargets) thing(e ecs.Entity) bool {
	return s.objects.Get(e).Type == components.MaskOfGameObject
}

// ofEntry reports whether something is no player, and of the entry of the row, if it has one.
func (s *ScriptTargets) ofEntry(other ecs.Entity) bool {
	return !s.Player(other) && (s.row.Of[0] == 0 || s.objects.Get(other).Entry == s.row.Of[0])
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

// add adds a unit or a game object, if it is there.
func (s *ScriptTargets) add(e ecs.Entity) {
	if e != (ecs.Entity{}) && s.entities.Exists(e) && (s.Unit(e) || s.thing(e)) {
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

// ofObject adds the game object of a spawn point of this map.
func (s *ScriptTargets) ofObject(of [4]uint32) {
	m := s.place.Get()
	if of[1] != m.ID || of[0] == 0 || int(of[0]) > len(m.Objects) {
		return
	}
	s.add(s.space.Get().Find(components.GameObjectGUID(m.Objects[of[0]-1].Entry, rules.FirstObject+of[0]-1)))
}

// around adds what is at a distance of the creature and taken, the nearest first.
func (s *ScriptTargets) around(most, least float32) {
	s.single = false
	s.look(most)
	s.found = slices.DeleteFunc(s.found, func(c candidate) bool { return c.yards < least || c.yards > most })
	slices.SortFunc(s.found, nearer)
}

// closest adds the nearest of what is at most at a distance of the creature and taken.
func (s *ScriptTargets) closest(most float32) {
	s.single = true
	s.look(most)
	s.found = slices.DeleteFunc(s.found, func(c candidate) bool { return c.yards > most })
}

// nearer compares what was found by distance.
func nearer(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.yards, b.yards), cmp.Compare(a.guid, b.guid))
}

func (s *ScriptTargets) look(most float32) {
	p := s.positions.Get(s.self)
	s.at = p.Vec()
	s.space.Get().Order.Within(p.X, p.Y, min(most, maxSearch), s.homeCells.Get(s.self).Cell.Layer(), s.visit)
}

func (s *ScriptTargets) see(e ecs.Entity) {
	if e == s.self && !s.Player(e) || !s.entities.Exists(e) {
		return
	}
	c := candidate{entity: e, yards: yards(s.at, s.positions.Get(e).Vec())}
	if s.single && len(s.found) > 0 && c.yards > s.found[0].yards || !s.takes(e) {
		return
	}
	c.guid = s.objects.Get(e).GUID
	switch {
	case !s.single || len(s.found) == 0:
		s.found = append(s.found, c)
	case nearer(c, s.found[0]) < 0:
		s.found[0] = c
	}
}
