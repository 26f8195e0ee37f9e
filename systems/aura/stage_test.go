package aura

import (
	"encoding/hex"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
	"muster/systems/vitals"
)

// A stage is a world of units with auras: vitals and the systems of this package, in the order of a tick of 50 ms. What other
// systems do with the events of these, a test reads in seen.
type stage struct {
	*ecs.World
	applied *AppliedAuras
	fears   *FearRuns
	plan    *sched.Plan
	log     *change.Log
	tick    sched.Tick // the next one
	count   metric.Table
	defs    *defs.World
	place   *defs.Map
	slab    *ecs.Slab[components.Auras]
	dealt   *ecs.Reader[rules.DamageDealt]
	healed  *ecs.Reader[rules.Healed]

	player, beast *ecs.Archetype
	objects       ecs.Accessor[components.Object]
	units         ecs.Accessor[components.Unit]
	vitals        ecs.Accessor[components.Vitals]
	vitalsStates  ecs.Accessor[components.VitalsState]
	stats         ecs.Accessor[components.CombatStats]
	unitAuras     ecs.Accessor[components.UnitAuras]
	positions     ecs.Accessor[components.Position]
	motions       ecs.Accessor[components.Motion]
	speeds        ecs.Accessor[components.Speeds]
	sessions      ecs.Accessor[components.Session]
	logouts       ecs.Accessor[components.Logout]
	unsaved       ecs.Accessor[components.Unsaved]
}

// A seen is what a tick has sent to clients and asked of other systems.
type seen struct {
	packets    []packet
	dealt      []rules.DamageDealt
	healed     []rules.Healed
	casts      []rules.Cast
	releases   []rules.ReleaseCooldown
	interrupts []rules.InterruptCast
	stats      []rules.StatsDirty
	flags      []rules.SetUnitFlags
	roots      []move.Root
	runs       []move.Run
}

// A packet is one that was broadcast about a unit, or sent to a player.
type packet struct {
	op    uint16
	about ecs.Entity // zero: it was sent
	body  string     // in hexadecimal
}

func newStage(spells ...defs.Spell) *stage {
	w := ecs.NewWorld(16)
	s := &stage{
		World: w, defs: &defs.World{Spells: spells}, place: &defs.Map{Half: 1000}, tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6, Seed: 1},
	}
	ecs.Share(w, s.defs)
	ecs.Share(w, s.place)
	ecs.Share(w, &s.count)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.slab = ecs.Shared[ecs.Slab[components.Auras]](w)
	s.applied, s.fears = new(AppliedAuras), new(FearRuns)
	var run []sched.System
	for _, system := range []any{
		new(vitals.Mitigation), new(vitals.Vitals), new(vitals.CombatLog), new(vitals.HitGains),
		new(AuraBreaks), s.applied, new(AuraPulses), new(AuraPackets), new(AuraStates), s.fears,
	} {
		run = append(run, sched.Bind(w, sched.Act, system))
	}
	s.plan = sched.NewPlan(w.EndStage, run...)
	s.dealt, s.healed = ecs.QueueOf[rules.DamageDealt](w).Reader(), ecs.QueueOf[rules.Healed](w).Reader()
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.vitalsStates = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.VitalsState](w)
	s.stats, s.unitAuras = ecs.NewAccessor[components.CombatStats](w), ecs.NewAccessor[components.UnitAuras](w)
	s.positions, s.motions = ecs.NewAccessor[components.Position](w), ecs.NewAccessor[components.Motion](w)
	s.speeds, s.sessions = ecs.NewAccessor[components.Speeds](w), ecs.NewAccessor[components.Session](w)
	s.logouts, s.unsaved = ecs.NewAccessor[components.Logout](w), ecs.NewAccessor[components.Unsaved](w)
	both := slices.Concat(components.CombatParts(), ecs.Of4[components.Position, components.Dirty, components.Speeds, components.Motion]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both,
		ecs.Of3[components.Session, components.Logout, components.Unsaved]())...)
	s.beast = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...)
	return s
}

// addPlayer spawns a player of level 10 with 1000 health.
func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.player.Spawn()
	s.sessions.Get(e).ID = uint32(guid)
	return s.add(e, guid)
}

// addBeast spawns a creature of level 10 with 1000 health.
func (s *stage) addBeast(guid uint64) ecs.Entity { return s.add(s.beast.Spawn(), guid) }

func (s *stage) add(e ecs.Entity, guid uint64) ecs.Entity {
	s.objects.Get(e).GUID, s.units.Get(e).Level = guid, 10
	*s.vitals.Get(e) = components.Vitals{Health: 1000, MaxHealth: 1000, MaxPower: [7]uint32{500, 0, 500, 500, 500, 500, 500}}
	*s.stats.Get(e) = components.CombatStats{SwingMs: [3]uint32{2000}, DamageDone: 1, DamageTaken: 1, Healed: 1, ThreatDone: 1}
	s.speeds.Get(e)[components.SpeedRun] = 7
	return e
}

// emit appends events of which systems take each in the next tick.
func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

// applyAura applies an aura with all effects of a spell in the next tick.
func (s *stage) applyAura(by, to ecs.Entity, spell uint32, amounts ...int32) {
	a := rules.ApplyAura{By: by, To: to, Spell: spell, Level: 10}
	copy(a.Amount[:], amounts)
	for i, e := range s.defs.Spell(spell).Effects {
		if e.Kind != 0 {
			a.Effects |= 1 << i
		}
	}
	emit(s, a)
}

// run runs a tick.
func (s *stage) run() (got seen) {
	s.plan.Run(s.tick)
	spans := s.log.Broadcasts
	all := s.log.Builder.Bytes
	for at := 0; at < len(all); {
		op, payload, header, _ := wire.ServerHeader(all[at:])
		p := packet{op: op, body: hex.EncodeToString(all[at+header : at+header+payload])}
		for _, b := range spans {
			if int(b.Span.Off) == at {
				p.about = b.Entity
			}
		}
		got.packets = append(got.packets, p)
		at += header + payload
	}
	got.dealt, got.healed = slices.Clone(s.dealt.Next()), slices.Clone(s.healed.Next())
	got.casts = events[rules.Cast](s)
	got.releases, got.interrupts = events[rules.ReleaseCooldown](s), events[rules.InterruptCast](s)
	got.stats, got.flags = events[rules.StatsDirty](s), events[rules.SetUnitFlags](s)
	got.roots, got.runs = events[move.Root](s), events[move.Run](s)
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
	return got
}

// events are those of a type that no system of the stage has taken.
func events[T any](s *stage) []T { return slices.Clone(ecs.QueueOf[T](s.World).All()) }

// runFor runs ticks for a time, and returns what the last of them did.
func (s *stage) runFor(ms uint32) (got seen) {
	for until := s.tick.NowMs + ms; s.tick.NowMs < until; {
		got = s.run()
	}
	return got
}

// list is the auras on a unit, in their order.
func (s *stage) list(e ecs.Entity) []components.Aura {
	block := s.unitAuras.Get(e).Block
	if block == 0 {
		return nil
	}
	auras := s.slab.At(block)
	return auras.List[:auras.Count]
}

// spells lists the spells of the auras on a unit.
func (s *stage) spells(e ecs.Entity) (ids []uint32) {
	for _, a := range s.list(e) {
		ids = append(ids, a.Spell)
	}
	return ids
}

// slots are the bodies of SMSG_AURA_UPDATE about a unit.
//
// Source: docs/protocol.md 4.7 (0x496).
func (g *seen) slots(e ecs.Entity) (bodies []string) {
	for _, p := range g.packets {
		if p.op == 0x496 && p.about == e {
			bodies = append(bodies, p.body)
		}
	}
	return bodies
}

// decode decodes the only packet of a kind about a unit, or sent to a player.
func (g *seen) decode(t *testing.T, about ecs.Entity, op uint16, m msg.Message) {
	t.Helper()
	var bodies []string
	for _, p := range g.packets {
		if p.op == op && p.about == about {
			bodies = append(bodies, p.body)
		}
	}
	if len(bodies) != 1 {
		t.Fatalf("%d packets %#x in %+v, want one", len(bodies), op, g.packets)
	}
	b, _ := hex.DecodeString(bodies[0])
	if err := msg.Decode(wire.V12340, b, m); err != nil {
		t.Fatal(err)
	}
}

// effect is one that puts an aura of a kind on its target.
func effect(kind defs.AuraKind) defs.Effect {
	return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind}
}

// of is the effects of a spell.
func of(all ...defs.Effect) (effects [defs.MaxEffects]defs.Effect) {
	copy(effects[:], all)
	return effects
}

// every is an effect that pulses.
func every(ms uint32, kind defs.AuraKind) defs.Effect {
	e := effect(kind)
	e.PulseMs = ms
	return e
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}
