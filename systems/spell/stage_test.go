package spell

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// The GUIDs of the units of a stage.
const (
	mageGUID   = 1
	friendGUID = 2
	beastGUID  = 3
)

// A stage is a world with the systems of this package in the order of a tick, and no others: what they ask of others is
// kept for the test to look at. A player and another one stand at one place, and a creature ten yards in front of them.
type stage struct {
	*ecs.World
	t     *testing.T
	tick  sched.Tick // the next one
	defs  defs.World
	place defs.Map
	count metric.Table
	space space.Space
	log   *change.Log
	plan  *sched.Plan
	slab  *ecs.Slab[components.Auras]
	lists *ecs.Slab[components.ThreatList]

	keep      []func()
	asked     map[reflect.Type]any // of other systems, in the last tick
	packets   []packet             // of the last tick
	refused   []frame.Refusal      // likewise
	happened  []change.Happening
	flushed   []uint32     // sessions
	newcomers []ecs.Entity // not in space yet
	everyone  []ecs.Entity // in space

	mage, friend, beast ecs.Entity
	player, creature    *ecs.Archetype

	objects   ecs.Accessor[components.Object]
	units     ecs.Accessor[components.Unit]
	vitals    ecs.Accessor[components.Vitals]
	states    ecs.Accessor[components.VitalsState]
	figures   ecs.Accessor[components.Stats]
	stats     ecs.Accessor[components.CombatStats]
	stances   ecs.Accessor[components.Stance]
	sessions  ecs.Accessor[components.Session]
	positions ecs.Accessor[components.Position]
	cells     ecs.Accessor[components.HomeCell]
	attacks   ecs.Accessor[components.Attack]
	swings    ecs.Accessor[components.SwingTimers]
	threats   ecs.Accessor[components.ThreatState]
	auras     ecs.Accessor[components.UnitAuras]
	casting   ecs.Accessor[components.Casting]
	repeats   ecs.Accessor[components.AutoRepeat]
	limits    ecs.Accessor[components.CastLimits]
	motions   ecs.Accessor[components.Motion]
	walks     ecs.Accessor[components.Walk]
	cheats    ecs.Accessor[components.Cheats]
	books     ecs.Accessor[components.Spellbook]
	actions   ecs.Accessor[components.Actions]
	cooldowns ecs.Accessor[components.Cooldowns]
	bags      ecs.Accessor[components.Inventory]
	records   ecs.Accessor[components.Record]
	unsaved   ecs.Accessor[components.Unsaved]
}

// A packet is one that the systems have sent: about an entity to all that see it, or to one player.
type packet struct {
	op    uint16
	about ecs.Entity // zero: to one player
	body  []byte
}

// newStage returns a stage with some spells, which the player knows.
func newStage(t *testing.T, spells ...defs.Spell) *stage {
	w := ecs.NewWorld(64)
	s := &stage{World: w, t: t, tick: sched.Tick{N: 1000, NowMs: 100_000, Quantum: 50e6, Seed: 1}, asked: make(map[reflect.Type]any)}
	s.defs.Spells = slices.SortedFunc(slices.Values(spells), func(a, b defs.Spell) int { return int(a.ID) - int(b.ID) })
	ecs.Share(w, &s.defs)
	ecs.Share(w, &s.place)
	ecs.Share(w, &s.count)
	ecs.Share(w, &s.space)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.slab, s.lists = ecs.Shared[ecs.Slab[components.Auras]](w), ecs.Shared[ecs.Slab[components.ThreatList]](w)
	var systems []sched.System
	for _, system := range []any{
		new(Spellbooks), new(Lessons), new(Cooldowns), new(CastInterrupts), new(Casts), new(AutoShots), new(CastRequests),
		new(CasterChecks), new(TargetChecks), new(CastCosts), new(CastStarts), new(SpellLocks), new(SpellTargets),
		new(SpellRolls), new(Missiles), new(SpellHits), new(DamageEffects), new(HealEffects), new(ThreatEffects),
		new(DispelEffects), new(MoveEffects), new(CallEffects), new(AuraEffects),
	} {
		systems = append(systems, sched.Bind(w, sched.Act, system))
	}
	s.plan = sched.NewPlan(w.EndStage, systems...)
	keep[rules.Damage](s)
	keep[rules.Heal](s)
	keep[rules.PowerChange](s)
	keep[rules.ApplyAura](s)
	keep[rules.RemoveAuras](s)
	keep[rules.AuraBroken](s)
	keep[rules.Engage](s)
	keep[rules.ThreatChange](s)
	keep[rules.SpellHit](s)
	keep[rules.SetChannel](s)
	keep[rules.SwingChanged](s)
	keep[rules.Summon](s)
	keep[rules.Resurrect](s)
	keep[rules.LearnSpell](s)
	keep[rules.CastResult](s)
	keep[goods.UseItem](s)
	keep[move.KnockBack](s)
	keep[move.Teleport](s)
	keep[move.Run](s)
	s.bind()
	both := slices.Concat(components.CombatParts(), ecs.Of4[components.Position, components.HomeCell, components.Dirty, components.Walk]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both,
		ecs.Of4[components.Session, components.Motion, components.Cheats, components.Spellbook](),
		ecs.Of4[components.Actions, components.Cooldowns, components.Inventory, components.Record](),
		ecs.Of[components.Unsaved]())...)
	s.creature = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...)
	s.mage, s.friend = s.addPlayer(mageGUID, 0, 0), s.addPlayer(friendGUID, 0, 0)
	s.beast = s.addBeast(beastGUID, 10, 0)
	for i := range s.defs.Spells {
		s.books.Get(s.mage).Learn(s.defs.Spells[i].ID)
	}
	return s
}

func (s *stage) bind() {
	w := s.World
	s.objects, s.units, s.vitals = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	s.states, s.figures = ecs.NewAccessor[components.VitalsState](w), ecs.NewAccessor[components.Stats](w)
	s.stats, s.stances = ecs.NewAccessor[components.CombatStats](w), ecs.NewAccessor[components.Stance](w)
	s.sessions, s.positions = ecs.NewAccessor[components.Session](w), ecs.NewAccessor[components.Position](w)
	s.cells, s.attacks = ecs.NewAccessor[components.HomeCell](w), ecs.NewAccessor[components.Attack](w)
	s.swings, s.threats = ecs.NewAccessor[components.SwingTimers](w), ecs.NewAccessor[components.ThreatState](w)
	s.auras, s.casting = ecs.NewAccessor[components.UnitAuras](w), ecs.NewAccessor[components.Casting](w)
	s.repeats, s.limits = ecs.NewAccessor[components.AutoRepeat](w), ecs.NewAccessor[components.CastLimits](w)
	s.motions, s.walks = ecs.NewAccessor[components.Motion](w), ecs.NewAccessor[components.Walk](w)
	s.cheats, s.books = ecs.NewAccessor[components.Cheats](w), ecs.NewAccessor[components.Spellbook](w)
	s.actions, s.cooldowns = ecs.NewAccessor[components.Actions](w), ecs.NewAccessor[components.Cooldowns](w)
	s.bags, s.records = ecs.NewAccessor[components.Inventory](w), ecs.NewAccessor[components.Record](w)
	s.unsaved = ecs.NewAccessor[components.Unsaved](w)
	s.space.Order.Locate = func(e ecs.Entity) (x, y float32) {
		if !s.Exists(e) {
			return math.MaxFloat32, math.MaxFloat32
		}
		p := s.positions.Get(e)
		return p.X, p.Y
	}
}

// addPlayer adds a player of level 10 whose session has the number of its GUID, with 1,000 health and mana.
func (s *stage) addPlayer(guid uint64, x, y float32) ecs.Entity {
	e := s.player.Spawn()
	s.sessions.Get(e).ID = uint32(guid)
	s.figures.Get(e).BaseMana = 200
	return s.add(e, guid, x, y, defs.FactionFriendly)
}

// addBeast adds a creature of level 10 that is hostile to players, with 1,000 health and mana.
func (s *stage) addBeast(guid uint64, x, y float32) ecs.Entity {
	return s.add(s.creature.Spawn(), guid, x, y, defs.FactionHostile)
}

func (s *stage) add(e ecs.Entity, guid uint64, x, y float32, faction uint32) ecs.Entity {
	s.objects.Get(e).GUID = guid
	*s.units.Get(e) = components.Unit{Level: 10, Faction: faction, CombatReach: 1.5}
	v := s.vitals.Get(e)
	v.Health, v.MaxHealth, v.Power[0], v.MaxPower[0] = 1000, 1000, 1000, 1000
	*s.stats.Get(e) = components.CombatStats{
		MinDamage: [3]float32{20, 0, 40}, MaxDamage: [3]float32{20, 0, 40}, SwingMs: [3]uint32{2000, 0, 1800},
		DamageDone: 1, DamageTaken: 1, Healed: 1, HealingDone: 1, ThreatDone: 1, CastSpeed: 1,
	}
	*s.positions.Get(e) = components.Position{X: x, Y: y}
	s.cells.Get(e).Cell = grid.At(x, y, 0)
	s.space.Add(guid, e)
	s.newcomers = append(s.newcomers, e)
	return e
}

// put moves a unit.
func (s *stage) put(e ecs.Entity, x, y, z float32) {
	p := s.positions.Get(e)
	p.X, p.Y, p.Z = x, y, z
	s.cells.Get(e).Cell = grid.At(x, y, 0)
	s.newcomers = append(s.newcomers, e)
}

// remove takes a unit out of the world.
func (s *stage) remove(e ecs.Entity) {
	s.Despawn(e)
	s.EndStage()
}

// kill has a unit be dead.
func (s *stage) kill(e ecs.Entity) { s.vitals.Get(e).Health = 0 }

// keep has what systems ask of others be kept after each tick.
func keep[T any](s *stage) {
	q := ecs.QueueOf[T](s.World)
	s.keep = append(s.keep, func() { s.asked[reflect.TypeFor[T]()] = slices.Clone(q.All()) })
}

// asked lists what the systems have asked of others in the last tick.
func asked[T any](s *stage) []T {
	all, _ := s.asked[reflect.TypeFor[T]()].([]T)
	return all
}

// give appends events for the next tick.
func give[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

// run runs a tick.
func (s *stage) run() {
	if len(s.newcomers) > 0 {
		for _, e := range s.newcomers {
			if s.Exists(e) && !slices.Contains(s.everyone, e) {
				s.everyone = append(s.everyone, e)
			}
		}
		s.newcomers = s.newcomers[:0]
		for _, e := range s.everyone {
			if s.Exists(e) {
				s.space.Put(e, s.cells.Get(e).Cell)
			}
		}
		s.space.Sort()
	}
	s.plan.Run(s.tick)
	for _, keep := range s.keep {
		keep()
	}
	s.packets = s.packets[:0]
	b := s.log.Builder.Bytes
	for at := 0; at < len(b); {
		op, payload, header, _ := wire.ServerHeader(b[at:])
		p := packet{op: op, body: slices.Clone(b[at+header : at+header+payload])}
		for _, all := range s.log.Broadcasts {
			if int(all.Span.Off) <= at && at < int(all.Span.Off+all.Span.Len) {
				p.about = all.Entity
			}
		}
		s.packets = append(s.packets, p)
		at += header + payload
	}
	var f frame.Frame
	s.log.Builder.Build(&f, s.tick.N)
	s.happened, s.flushed, s.refused = slices.Clone(f.Happenings), slices.Clone(f.Now), slices.Clone(f.Refusals)
	for i := range s.happened {
		s.happened[i].Said = frame.Span{}
	}
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
}

// runFor runs the ticks of a time.
func (s *stage) runFor(ms uint32) {
	for until := s.tick.NowMs + ms; s.tick.NowMs < until; {
		s.run()
	}
}

// cast has a unit cast a spell in a tick, as another system may ask for it.
func (s *stage) cast(by, at ecs.Entity, spell uint32) {
	give(s, rules.Cast{By: by, Target: at, Spell: spell, Asked: s.sessions.Has(by)})
	s.run()
}

// why casts a spell, and returns why it has not begun, castOK if it has.
func (s *stage) why(by, at ecs.Entity, spell uint32) msg.CastResult {
	give(s, rules.Cast{By: by, Target: at, Spell: spell, Ticket: 7})
	s.run()
	got := asked[rules.CastResult](s)
	if len(got) != 1 || got[0].Ticket != 7 {
		s.t.Fatalf("the results of a cast are %+v", got)
	}
	if got[0].Begun {
		return castOK
	}
	return got[0].Why
}

// send is what the client of a player sends.
func send[M any](s *stage, by ecs.Entity, m M) { give(s, change.Sent[M]{By: by, Msg: m}) }

// ops lists the opcodes of the packets of the last tick.
func (s *stage) ops() (all []uint16) {
	for _, p := range s.packets {
		all = append(all, p.op)
	}
	return all
}

// bodies lists the bodies of the packets of a kind.
func (s *stage) bodies(op uint16) (all [][]byte) {
	for _, p := range s.packets {
		if p.op == op {
			all = append(all, p.body)
		}
	}
	return all
}

// wantPacket fails unless there is one packet of a kind, about a unit or for one player, with a body.
func (s *stage) wantPacket(name string, op uint16, about ecs.Entity, body ...[]byte) {
	s.t.Helper()
	want := bytes.Join(body, nil)
	for _, p := range s.packets {
		if p.op == op && p.about == about && bytes.Equal(p.body, want) {
			return
		}
	}
	s.t.Errorf("%s: no packet %#x about %v with % x among %+v", name, op, about, want, s.packets)
}

// wantCount fails unless a counter has a value.
func (s *stage) wantCount(name string, n uint64) {
	s.t.Helper()
	if got := s.count.Value(name); got != n {
		s.t.Errorf("%s is %d, want %d", name, got, n)
	}
}

// same fails unless two lists are equal.
func same[T comparable](s *stage, what string, got []T, want ...T) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// u32 and the others are numbers as they are on the wire. Source: docs/protocol.md 4.7, the rows of spells.
func u32(v uint32) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)} }
func u64(v uint64) []byte { return append(u32(uint32(v)), u32(uint32(v>>32))...) }
func pguid(v byte) []byte { return []byte{1, v} } // of one byte: its mask, and it

// wear puts an aura on a unit, of a spell of the stage.
func (s *stage) wear(e ecs.Entity, spell uint32, by uint64, effects uint32) {
	if s.auras.Get(e).Block == 0 {
		s.auras.Get(e).Block = s.slab.Alloc()
	}
	auras := s.slab.At(s.auras.Get(e).Block)
	auras.List[auras.Count] = components.Aura{Spell: spell, Effects: effects, Stacks: 1, CasterGUID: by, Amount: [3]int32{1, 1, 1}}
	auras.Count++
	auras.Sum, _ = rules.SumOf(&s.defs, auras)
}

// one returns a spell with one effect that neither misses nor hits critically, of a range of 30 yards.
func one(id uint32, flags defs.SpellFlag, e defs.Effect) defs.Spell {
	return defs.Spell{ID: id, School: defs.SchoolFire, Flags: flags | defs.SpellAlwaysHits | defs.SpellNeverCrits, MaxRange: 30, Level: 1,
		Effects: [defs.MaxEffects]defs.Effect{e}}
}

// bolt returns a spell of ten points of fire damage at once.
func bolt(id uint32) defs.Spell {
	return one(id, defs.SpellHarmful, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 10})
}

// mend returns a spell that heals a friend by ten points at once.
func mend(id uint32) defs.Spell {
	return one(id, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend, Amount: 10})
}

// with returns a spell with some changes.
func with(sp defs.Spell, change func(sp *defs.Spell)) defs.Spell {
	change(&sp)
	return sp
}
