package smartai

import (
	"encoding/hex"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A stage is a world with a player and creatures, what happens to them, and what effects on their looks come to.
type stage struct {
	*ecs.World
	plan   *sched.Plan
	log    *change.Log
	tick   sched.Tick
	senses ScriptSenses

	player, beast *ecs.Archetype
	objects       ecs.Accessor[components.Object]
	vitals        ecs.Accessor[components.Vitals]
	scripted      ecs.Accessor[components.Scripted]
	spawnInfos    ecs.Accessor[components.SpawnInfo]
	attacks       ecs.Accessor[components.Attack]
	positions     ecs.Accessor[components.Position]
	castings      ecs.Accessor[components.Casting]
}

func newStage(d *defs.World) *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6}}
	ecs.Share(w, d)
	ecs.Share(w, new(space.Space))
	ecs.Share(w, &defs.Map{ID: 33, Spawns: []defs.Spawn{{Entry: 50}, {Entry: 50, Script: 2}}})
	ecs.Share(w, new(metric.Table))
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	ecs.Bind(w, &s.senses)
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(ScriptEvents)), sched.Bind(w, sched.Act, new(ScriptLooks)))
	s.objects, s.vitals = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Vitals](w)
	s.scripted, s.spawnInfos = ecs.NewAccessor[components.Scripted](w), ecs.NewAccessor[components.SpawnInfo](w)
	s.attacks, s.positions = ecs.NewAccessor[components.Attack](w), ecs.NewAccessor[components.Position](w)
	s.castings = ecs.NewAccessor[components.Casting](w)
	both := slices.Concat(components.CombatParts(), ecs.Of[components.Position]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of[components.Session]())...)
	s.beast = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both, ecs.Of2[components.SpawnInfo, components.Scripted]())...)
	return s
}

func (s *stage) addPlayer() ecs.Entity {
	e := s.player.Spawn()
	s.objects.Get(e).GUID, s.vitals.Get(e).Health = 2, 100
	return e
}

// addBeast spawns a creature of the entry 50 whose script has begun.
func (s *stage) addBeast(guid uint64) ecs.Entity {
	e := s.beast.Spawn()
	*s.objects.Get(e) = components.Object{GUID: guid, Entry: 50}
	s.vitals.Get(e).Health, s.scripted.Get(e).Block = 100, 1
	return e
}

func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

func events[T any](s *stage) []T { return slices.Clone(ecs.QueueOf[T](s.World).All()) }

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// scripts is a world with two scripts, of which creatures of the entry 50 have the first.
func scripts() *defs.World {
	return &defs.World{
		Creatures: []defs.Creature{{Entry: 50, Script: 1}, {Entry: 51}}, Scripts: make([]defs.Script, 2),
		Spells: []defs.Spell{{ID: 7, School: defs.SchoolFire}},
	}
}

// What happens to a creature triggers its script, with what the event has besides; what happens to others, and to those whose script
// has not begun, triggers nothing.
//
// Source: SMART_EVENT, SmartScriptMgr.h, AzerothCore (4 aggro, 5 kill, 8 spell hit, 31 spell hit target,
// 32 damaged, 33 damaged target, 62 gossip select, 64 gossip hello, 82 summoned unit dies).
func TestTriggers(t *testing.T) {
	for _, c := range []struct {
		name string
		does func(s *stage, e, foe ecs.Entity)
		want func(e, foe ecs.Entity) []trigger
	}{
		{"an attack", func(s *stage, e, foe ecs.Entity) {
			emit(s, rules.Engaged{Entity: e, By: foe}, rules.Engaged{Entity: foe, By: e})
		}, func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 4}} }},
		{"damage to it", func(s *stage, e, foe ecs.Entity) {
			emit(s, rules.DamageDealt{Damage: rules.Damage{By: foe, To: e}, DamageResult: rules.DamageResult{Dealt: 9}})
		}, func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 32, a: 9}} }},
		{"damage by it", func(s *stage, e, foe ecs.Entity) {
			emit(s, rules.DamageDealt{Damage: rules.Damage{By: e, To: foe}, DamageResult: rules.DamageResult{Dealt: 9}})
		}, func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 33, a: 9}} }},
		{"a miss", func(s *stage, e, foe ecs.Entity) {
			emit(s, rules.DamageDealt{Damage: rules.Damage{By: foe, To: e}})
		}, func(ecs.Entity, ecs.Entity) []trigger { return nil }},
		{"a spell on it", func(s *stage, e, foe ecs.Entity) { emit(s, rules.SpellHit{By: foe, To: e, Spell: 7}) },
			func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 8, a: 7, b: 4}} }},
		{"a spell of its", func(s *stage, e, foe ecs.Entity) { emit(s, rules.SpellHit{By: e, To: foe, Spell: 7}) },
			func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 31, a: 7, b: 4}} }},
		{"a hello", func(s *stage, e, foe ecs.Entity) { emit(s, rules.Gossip{By: foe, Creature: e, Menu: 3, Option: 4}) },
			func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 64}} }},
		{"an option", func(s *stage, e, foe ecs.Entity) {
			emit(s, rules.Gossip{By: foe, Creature: e, Menu: 3, Option: 4, Selected: true})
		}, func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 62, a: 3, b: 4}} }},
		{"the end of a fight", func(s *stage, e, _ ecs.Entity) { emit(s, rules.Evade{Entity: e, On: true}) },
			func(e, _ ecs.Entity) []trigger { return []trigger{{entity: e, kind: evades}} }},
		{"its return", func(s *stage, e, _ ecs.Entity) { emit(s, rules.Evade{Entity: e}) },
			func(e, _ ecs.Entity) []trigger { return []trigger{{entity: e, kind: comesHome}} }},
		{"its death", func(s *stage, e, foe ecs.Entity) { emit(s, rules.Death{Entity: e, By: foe}) },
			func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, kind: dies}} }},
		{"the death of a player by it", func(s *stage, e, foe ecs.Entity) { emit(s, rules.Death{Entity: foe, By: e}) },
			func(e, foe ecs.Entity) []trigger { return []trigger{{entity: e, by: foe, event: 5, a: 1}} }},
		{"the death of what it has summoned, by it", func(s *stage, e, _ ecs.Entity) {
			other := s.addBeast(6)
			s.scripted.Get(other).Block, s.spawnInfos.Get(other).Summoner = 0, e
			emit(s, rules.Death{Entity: other, By: e})
		}, nil},
		{"before its script", func(s *stage, e, foe ecs.Entity) {
			s.scripted.Get(e).Block = 0
			emit(s, rules.Engaged{Entity: e, By: foe})
		}, func(ecs.Entity, ecs.Entity) []trigger { return nil }},
		{"of the gone", func(s *stage, e, foe ecs.Entity) {
			s.Despawn(e)
			s.EndStage()
			emit(s, rules.Engaged{Entity: e, By: foe})
			emit(s, rules.Death{Entity: e, By: foe})
			emit(s, change.Woken{Entity: e})
		}, func(ecs.Entity, ecs.Entity) []trigger { return nil }},
	} {
		s := newStage(scripts())
		e, foe := s.addBeast(5), s.addPlayer()
		c.does(s, e, foe)
		s.plan.Run(s.tick)
		got := events[trigger](s)
		if c.want == nil {
			if len(got) != 2 || got[0].entity != e || got[0].event != 5 || got[0].a != 0 || got[0].b != 50 || got[1].event != 82 || got[1].a != 50 || got[1].entity != e {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		same(t, c.name, got, c.want(e, foe))
	}
}

// A creature that is new has the script of its spawn point, else of its template; one that has slept goes on. Its summoner is told,
// and it attacks what it was summoned to attack.
func TestWakes(t *testing.T) {
	for _, c := range []struct {
		name    string
		entry   uint32
		point   uint32
		block   uint32
		slept   uint32
		want    []trigger
		without bool // scripts in the world
	}{
		{"of its template", 50, 0, 0, 0, []trigger{{kind: begins, a: 0, b: 33}}, false},
		{"of its template, at a point without one", 50, 1, 0, 0, []trigger{{kind: begins, a: 0, b: 33}}, false},
		{"of its spawn point", 50, 2, 0, 0, []trigger{{kind: begins, a: 1, b: 33}}, false},
		{"none", 51, 0, 0, 0, nil, false},
		{"after a sleep", 50, 0, 1, 700, []trigger{{kind: wakes, a: 700}}, false},
		{"awake, with a script", 50, 0, 1, 0, []trigger{{kind: wakes}}, false},
		{"after a sleep without a script", 51, 0, 0, 700, nil, false},
		{"in a world without scripts", 50, 0, 0, 0, nil, true},
	} {
		d := scripts()
		if c.without {
			d.Scripts = nil
		}
		s := newStage(d)
		e := s.addBeast(5)
		s.objects.Get(e).Entry, s.spawnInfos.Get(e).Point, s.scripted.Get(e).Block = c.entry, c.point, c.block
		emit(s, change.Woken{Entity: e, SleptMs: c.slept})
		s.plan.Run(s.tick)
		for i := range c.want {
			c.want[i].entity = e
		}
		same(t, c.name, events[trigger](s), c.want)
	}
	s := newStage(scripts())
	owner, e, prey := s.addBeast(4), s.addBeast(5), s.addPlayer()
	s.scripted.Get(e).Block, s.spawnInfos.Get(e).Summoner, s.spawnInfos.Get(e).Prey = 0, owner, prey
	emit(s, change.Woken{Entity: e})
	s.plan.Run(s.tick)
	same(t, "summoned", events[trigger](s), []trigger{{entity: e, by: owner, kind: begins, b: 33}, {entity: owner, by: e, event: 17, a: 50}})
	same(t, "orders", events[rules.AIOrder](s), []rules.AIOrder{{Entity: e, Kind: rules.OrderAttack, Foe: prey}})
}

// Whether the condition of a row holds, of a creature with 35 % of its health and half of its mana that attacks a player with 60 %, ten
// yards away, which casts spell 7.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		event      defs.ScriptEvent
		when       [6]uint32
		want, idle bool // with the victim and without one
	}{
		{defs.ScriptHealth, [6]uint32{35, 35}, true, true}, {defs.ScriptHealth, [6]uint32{36, 100}, false, false}, {defs.ScriptHealth, [6]uint32{0, 34}, false, false},
		{defs.ScriptMana, [6]uint32{50, 60}, true, true}, {defs.ScriptMana, [6]uint32{40, 49}, false, false},
		{defs.ScriptTargetHealth, [6]uint32{60, 60}, true, false}, {defs.ScriptTargetHealth, [6]uint32{0, 59}, false, false},
		{defs.ScriptRange, [6]uint32{10, 10}, true, false}, {defs.ScriptRange, [6]uint32{0, 9}, false, false}, {defs.ScriptRange, [6]uint32{11, 40}, false, false},
		{defs.ScriptVictimCasting, [6]uint32{}, true, false}, {defs.ScriptVictimCasting, [6]uint32{0, 0, 7}, true, false},
		{defs.ScriptVictimCasting, [6]uint32{0, 0, 8}, false, false}, {defs.ScriptTargetMana, [6]uint32{0, 30}, true, false},
		{defs.ScriptTargetMana, [6]uint32{31, 100}, false, false},
	} {
		s := newStage(scripts())
		e, foe := s.addBeast(5), s.addPlayer()
		*s.vitals.Get(e) = components.Vitals{Health: 70, MaxHealth: 200, Power: [7]uint32{50}, MaxPower: [7]uint32{100}}
		*s.vitals.Get(foe) = components.Vitals{Health: 60, MaxHealth: 100, Power: [7]uint32{30}, MaxPower: [7]uint32{100}}
		*s.positions.Get(e), *s.positions.Get(foe) = components.Position{X: 1, Y: 1, Z: 1}, components.Position{X: 7, Y: 1, Z: 9}
		s.castings.Get(foe).Cast.Spell = 7
		row := &defs.ScriptRow{Event: c.event, When: c.when}
		if by, ok := s.senses.holds(e, row); ok != c.idle || by != (ecs.Entity{}) {
			t.Errorf("event %d, %v, without a victim: %v", c.event, c.when, ok)
		}
		s.attacks.Get(e).Victim = foe
		if by, ok := s.senses.holds(e, row); ok != c.want || by != foe {
			t.Errorf("event %d, %v: %v by %v", c.event, c.when, ok, by)
		}
		if s.castings.Get(foe).Cast.Spell = 0; c.event == defs.ScriptVictimCasting {
			if _, ok := s.senses.holds(e, row); ok {
				t.Errorf("%v: it does not cast", c.when)
			}
		}
		s.Despawn(foe)
		s.EndStage()
		if _, ok := s.senses.holds(e, row); ok != c.idle {
			t.Errorf("event %d, %v, with a victim that is gone: %v", c.event, c.when, ok)
		}
	}
	if percent(1, 0, &defs.ScriptRow{When: [6]uint32{0, 100}}) {
		t.Error("a part of nothing")
	}
}

// What effects on the looks of a unit ask for; nothing of what is gone, and no emote of the dead.
//
// Source: SMART_ACTION in SmartScriptMgr.h, AzerothCore; SMSG_EMOTE, docs/protocol.md 4.7 (0x103: u32 emote, u64 GUID).
func TestLooks(t *testing.T) {
	d := scripts()
	d.Scripts[0].Rows = []defs.ScriptRow{
		{Action: defs.ScriptEmote, Do: [6]uint32{12}}, {Action: defs.ScriptRandomEmote, Do: [6]uint32{13, 13}}, {Action: defs.ScriptRandomEmote},
		{Action: defs.ScriptSetEmoteState, Do: [6]uint32{14}}, {Action: defs.ScriptSetUnitFlags, Do: [6]uint32{15}},
		{Action: defs.ScriptRemoveUnitFlags, Do: [6]uint32{16}}, {Action: defs.ScriptSetBytes1, Do: [6]uint32{3}}, {Action: defs.ScriptRemoveBytes1, Do: [6]uint32{3}},
		{Action: defs.ScriptSetFaction, Do: [6]uint32{17}},
	}
	for _, dead := range []bool{false, true} {
		s := newStage(d)
		e := s.addBeast(5)
		if dead {
			s.vitals.Get(e).Health = 0
		}
		for i := range d.Scripts[0].Rows {
			emit(s, effect{act: act{at: rowAt{script: 1, row: uint32(i)}}, target: e}, effect{act: act{at: rowAt{script: 1, row: uint32(i)}}})
		}
		s.plan.Run(s.tick)
		var sent []string
		for b := s.log.Builder.Bytes; len(b) > 0; {
			_, payload, header, _ := wire.ServerHeader(b)
			sent = append(sent, hex.EncodeToString(b[header:header+payload]))
			b = b[header+payload:]
		}
		want := []string{"0c000000" + "0500000000000000", "0d000000" + "0500000000000000"}
		if dead {
			want = nil
		}
		same(t, "emotes", sent, want)
		same(t, "states", events[rules.SetEmoteState](s), []rules.SetEmoteState{{Entity: e, Emote: 14}})
		same(t, "flags", events[rules.SetUnitFlags](s), []rules.SetUnitFlags{{Entity: e, Set: 15}, {Entity: e, Clear: 16}})
		same(t, "postures", events[rules.SetStand](s), []rules.SetStand{{Entity: e, State: 3}, {Entity: e}})
		same(t, "factions", events[rules.SetFaction](s), []rules.SetFaction{{Entity: e, Faction: 17}})
	}
}

// A row for a respawn may be for one map only.
//
// Source: SMART_EVENT_RESPAWN, SmartScript::ProcessEvent, AzerothCore.
func TestRespawnOnAMap(t *testing.T) {
	for _, c := range []struct {
		when [6]uint32
		want bool
	}{{[6]uint32{0, 33}, true}, {[6]uint32{0, 34}, true}, {[6]uint32{1, 33}, true}, {[6]uint32{1, 34}, false}} {
		row := &defs.ScriptRow{Event: defs.ScriptRespawn, When: c.when}
		if got := new(Scripts).meant(nil, row, 33, 0); got != c.want {
			t.Errorf("on map 33, of %v: %t, want %t", c.when, got, c.want)
		}
	}
}
