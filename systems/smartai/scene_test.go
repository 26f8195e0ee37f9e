package smartai

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// A scene is a world with the systems of this package in the order of a tick, and no others: what they ask of others is kept for the
// test to look at. On a map 33 there are, with their entries and how far they stand to the north, the creature "beast" (50, 0 yards)
// with the script, another one, "twin" (51, 8), a player, "anna" (5), and a game object, "door" (60, 12).
type scene struct {
	*ecs.World
	t     *testing.T
	tick  sched.Tick // the next one
	defs  defs.World
	place defs.Map
	count metric.Table
	space space.Space
	log   *change.Log
	plan  *sched.Plan

	threats *ecs.Slab[components.ThreatList]
	slab    *ecs.Slab[components.Auras]
	states  *ecs.Slab[components.ScriptState]

	beast, twin, anna, door ecs.Entity
	names                   map[ecs.Entity]string
	kept                    []func() // of the last tick, into said
	said                    []string

	player, creature, thing *ecs.Archetype

	objects   ecs.Accessor[components.Object]
	units     ecs.Accessor[components.Unit]
	vitals    ecs.Accessor[components.Vitals]
	positions ecs.Accessor[components.Position]
	cells     ecs.Accessor[components.HomeCell]
	attacks   ecs.Accessor[components.Attack]
	hates     ecs.Accessor[components.ThreatState]
	auras     ecs.Accessor[components.UnitAuras]
	castings  ecs.Accessor[components.Casting]
	infos     ecs.Accessor[components.SpawnInfo]
	scripted  ecs.Accessor[components.Scripted]
	ways      ecs.Accessor[components.ScriptWay]
	sessions  ecs.Accessor[components.Session]
	observers ecs.Accessor[components.Observer]
	ends      ecs.Accessor[components.ObjectState]
}

// newScene returns a scene whose beast has a script, and the timed action list 900, if it has rows.
func newScene(t *testing.T, rows []defs.ScriptRow, list ...defs.ScriptRow) *scene {
	w := ecs.NewWorld(64)
	s := &scene{World: w, t: t, tick: sched.Tick{N: 100, NowMs: 5000, Quantum: 50e6, Seed: 1}, names: make(map[ecs.Entity]string)}
	s.place = defs.Map{ID: 33, Half: 1000, Spawns: []defs.Spawn{{Entry: 50, X: 3, Y: 4, Z: 5, O: 1}, {Entry: 51}}, Objects: []defs.ObjectSpawn{{Entry: 60}}}
	s.defs = defs.World{
		Creatures: []defs.Creature{{Entry: 50, Name: "Beast", DisplayID: 500}, {Entry: 51, Name: "Twin", DisplayID: 510}}, GameObjects: []defs.GameObject{{Entry: 60}},
		Scripts: []defs.Script{{Rows: rows}, {}}, Spells: []defs.Spell{{ID: 7, School: defs.SchoolFire, Effects: [defs.MaxEffects]defs.Effect{
			{Kind: defs.EffectSchoolDamage}, {Kind: defs.EffectApplyAura, Amount: 4},
		}}}, GameEvents: []defs.GameEvent{{ID: 12}, {ID: 13}},
		Texts: defs.Texts{
			{Entry: 50, Group: 0, Lines: []defs.TextLine{{Text: "One", Type: 12, Chance: 100, TimeMs: 200, Emote: 6}}},
			{Entry: 50, Group: 1, Lines: []defs.TextLine{{Text: "Psst", Type: 15}}}, {Entry: 51, Group: 0, Lines: []defs.TextLine{{Text: "Two", Type: 14}}},
		},
		ScriptPaths: []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: 1}}}, {ID: 71, Patrols: true, Nodes: []defs.Node{{X: 1}}}},
	}
	if len(list) > 0 {
		s.defs.ScriptLists = []defs.ScriptList{{ID: 900, Rows: list}}
	}
	ecs.Share(w, &s.defs)
	ecs.Share(w, &s.place)
	ecs.Share(w, &s.count)
	ecs.Share(w, &s.space)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.threats, s.slab = ecs.Shared[ecs.Slab[components.ThreatList]](w), ecs.Shared[ecs.Slab[components.Auras]](w)
	s.states = ecs.Shared[ecs.Slab[components.ScriptState]](w)
	var systems []sched.System
	for _, system := range []any{
		new(ScriptEvents), new(ScriptNotices), new(Scripts), new(ScriptSenses), new(ScriptFoes), new(ScriptTargets), new(Talks), new(Speeches),
		new(ScriptLooks), new(ScriptShapes), new(ScriptCasts), new(ScriptFights), new(ScriptPowers), new(ScriptSteps), new(ScriptSummons),
		new(ScriptObjects), new(ScriptStates), new(ScriptMoves), new(ScriptGossips),
	} {
		systems = append(systems, sched.Bind(w, sched.Think, system))
	}
	s.plan = sched.NewPlan(w.EndStage, systems...)
	s.plan.FollowEvents(w.Emitted)
	hear[rules.AIOrder](s)
	hear[rules.SetPost](s)
	hear[rules.WayOrder](s)
	hear[rules.Cast](s)
	hear[rules.InterruptCast](s)
	hear[rules.RemoveAuras](s)
	hear[rules.ApplyAura](s)
	hear[rules.ThreatChange](s)
	hear[rules.LeaveCombat](s)
	hear[rules.Kill](s)
	hear[rules.SetVitals](s)
	hear[rules.PowerChange](s)
	hear[rules.StopAttack](s)
	hear[rules.Summon](s)
	hear[rules.DespawnCreature](s)
	hear[rules.DespawnObject](s)
	hear[rules.SummonObject](s)
	hear[rules.SwitchObject](s)
	hear[rules.ChangeUnit](s)
	hear[rules.SetUnitFlags](s)
	hear[rules.SetStand](s)
	hear[rules.SetEmoteState](s)
	hear[rules.SetFaction](s)
	hear[rules.ShowGossip](s)
	hear[rules.ConditionQuery](s)
	hear[move.Turn](s)
	hear[move.Teleport](s)
	hear[move.SetSpeed](s)
	s.bind()
	both := slices.Concat(components.CombatParts(), ecs.Of4[components.Position, components.HomeCell, components.Dirty, components.Name]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of2[components.Session, components.Observer]())...)
	s.creature = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both,
		ecs.Of3[components.SpawnInfo, components.Scripted, components.ScriptWay]())...)
	s.thing = ecs.NewArchetype(w, slices.Concat(components.GameObjectParts(),
		ecs.Of4[components.ObjectState, components.Position, components.HomeCell, components.Scripted]())...)
	s.anna = s.add("anna", s.player.Spawn(), 2, 0, 5, defs.FactionFriendly)
	s.sessions.Get(s.anna).ID, s.observers.Get(s.anna).Layers = 2, 1
	s.beast = s.add("beast", s.creature.Spawn(), components.CreatureGUID(50, rules.FirstCreature), 50, 0, defs.FactionHostile)
	s.twin = s.add("twin", s.creature.Spawn(), components.CreatureGUID(51, rules.FirstCreature+1), 51, 8, defs.FactionHostile)
	s.infos.Get(s.beast).Point, s.infos.Get(s.beast).At = 1, components.Position{X: 3, Y: 4, Z: 5, O: 1}
	s.door = s.add("door", s.thing.Spawn(), components.GameObjectGUID(60, rules.FirstObject), 60, 12, 0)
	s.ends.Get(s.door).Point, s.objects.Get(s.door).Type = 1, components.MaskOfGameObject
	s.space.BeginVisibility()
	s.space.AddView(grid.ViewFrom(grid.At(0, 0, grid.Living)))
	for _, e := range []ecs.Entity{s.anna, s.beast, s.twin, s.door} {
		s.space.Put(e, s.cells.Get(e).Cell)
	}
	s.space.Sort()
	s.defs.Creatures[0].Script = 1
	return s
}

func (s *scene) bind() {
	w := s.World
	s.objects, s.units, s.vitals = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	s.positions, s.cells = ecs.NewAccessor[components.Position](w), ecs.NewAccessor[components.HomeCell](w)
	s.attacks, s.hates, s.auras = ecs.NewAccessor[components.Attack](w), ecs.NewAccessor[components.ThreatState](w), ecs.NewAccessor[components.UnitAuras](w)
	s.castings, s.infos = ecs.NewAccessor[components.Casting](w), ecs.NewAccessor[components.SpawnInfo](w)
	s.scripted, s.ways = ecs.NewAccessor[components.Scripted](w), ecs.NewAccessor[components.ScriptWay](w)
	s.sessions, s.observers = ecs.NewAccessor[components.Session](w), ecs.NewAccessor[components.Observer](w)
	s.ends = ecs.NewAccessor[components.ObjectState](w)
	s.space.Order.Locate = func(e ecs.Entity) (x, y float32) {
		if !s.Exists(e) {
			return math.MaxFloat32, math.MaxFloat32
		}
		p := s.positions.Get(e)
		return p.X, p.Y
	}
}

// add gives an entity a name and a place to the north, and a unit 60 of 100 health and 30 of 100 mana.
func (s *scene) add(name string, e ecs.Entity, guid uint64, entry uint32, x float32, faction uint32) ecs.Entity {
	*s.objects.Get(e) = components.Object{GUID: guid, Entry: entry}
	*s.positions.Get(e) = components.Position{X: x}
	s.cells.Get(e).Cell = grid.At(x, 0, grid.Living)
	s.space.Add(guid, e)
	s.names[e] = name
	if s.vitals.Has(e) {
		*s.units.Get(e) = components.Unit{Level: 9, Faction: faction}
		*s.vitals.Get(e) = components.Vitals{Health: 60, MaxHealth: 100, Power: [7]uint32{30}, MaxPower: [7]uint32{100}}
	}
	return e
}

// begin has the beast be new, and its script begin.
func (s *scene) begin() []string {
	give(s, change.Woken{Entity: s.beast})
	return s.run()
}

// hate puts a unit on the threat list of a creature, which is in combat then.
func (s *scene) hate(of, e ecs.Entity, amount float32) {
	state := s.hates.Get(of)
	if state.List == 0 {
		state.List = s.threats.Alloc()
	}
	list := s.threats.At(state.List)
	list.Owner = of
	list.List[list.Count] = components.ThreatEntry{Entity: e, Amount: amount}
	list.Count++
}

// wear puts stacks of the aura of a spell on a unit.
func (s *scene) wear(e ecs.Entity, spell uint32, stacks uint8) {
	state := s.auras.Get(e)
	if state.Block == 0 {
		state.Block = s.slab.Alloc()
	}
	list := s.slab.At(state.Block)
	list.List[list.Count] = components.Aura{Spell: spell, Stacks: stacks}
	list.Count++
}

// hear has what systems ask of others be noted after each tick.
func hear[T any](s *scene) {
	q := ecs.QueueOf[T](s.World)
	s.kept = append(s.kept, func() {
		for i := range q.All() {
			s.said = append(s.said, s.describe(reflect.ValueOf(&q.All()[i]).Elem()))
		}
	})
}

// describe is a value by its type and those of its fields that are not zero, entities by their names.
func (s *scene) describe(v reflect.Value) string {
	words := []string{v.Type().Name()}
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() || !v.Type().Field(i).IsExported() {
			continue
		}
		word := fmt.Sprintf("%v", f)
		if e, ok := f.Interface().(ecs.Entity); ok {
			word = s.names[e]
		} else if f.Kind() == reflect.Float32 {
			word = fmt.Sprintf("%.4g", f.Float())
		}
		words = append(words, v.Type().Field(i).Name+" "+word)
	}
	return strings.Join(words, ", ")
}

// give appends events for the next tick.
func give[T any](s *scene, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

// run runs a tick, and returns what has been asked of other systems in it, and what clients are sent.
func (s *scene) run() []string {
	s.said = nil
	s.plan.Run(s.tick)
	for _, keep := range s.kept {
		keep()
	}
	b := s.log.Builder.Bytes
	for at := 0; at < len(b); {
		op, payload, header, _ := wire.ServerHeader(b[at:])
		about := "one"
		for _, all := range s.log.Broadcasts {
			if int(all.Span.Off) <= at && at < int(all.Span.Off+all.Span.Len) {
				about = "all around " + s.names[all.Entity]
			}
		}
		s.said = append(s.said, fmt.Sprintf("%#x to %s % x", op, about, b[at+header:at+header+payload]))
		at += header + payload
	}
	var f frame.Frame
	s.log.Builder.Build(&f, s.tick.N)
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
	return s.said
}

// want fails unless what was said is what a case wants, line by line.
func want(t *testing.T, name string, got []string, lines ...string) {
	t.Helper()
	if !slices.Equal(got, lines) {
		t.Errorf("%s:\n\t%s\nwant\n\t%s", name, strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
	}
}
