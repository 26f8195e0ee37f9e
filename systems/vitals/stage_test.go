package vitals

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A stage is a world of units whose health and power change, and no other system.
type stage struct {
	*ecs.World
	run    []sched.System
	log    *change.Log
	tick   sched.Tick
	slab   *ecs.Slab[components.Auras]
	defs   *defs.World
	kind   *ecs.Archetype
	dealt  *ecs.Reader[rules.DamageDealt]
	healed *ecs.Reader[rules.Healed]
	deaths *ecs.Reader[rules.Death]

	objects      ecs.Accessor[components.Object]
	units        ecs.Accessor[components.Unit]
	vitals       ecs.Accessor[components.Vitals]
	stats        ecs.Accessor[components.CombatStats]
	stances      ecs.Accessor[components.Stance]
	threatStates ecs.Accessor[components.ThreatState]
	unitAuras    ecs.Accessor[components.UnitAuras]
	cheats       ecs.Accessor[components.Cheats]
	vitalsStates ecs.Accessor[components.VitalsState]
	dirty        ecs.Accessor[components.Dirty]
}

func newStage() *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, defs: new(defs.World), tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6}}
	ecs.Share(w, s.defs)
	ecs.Share(w, new(metric.Table))
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.slab = ecs.Shared[ecs.Slab[components.Auras]](w)
	for _, system := range []any{new(Regeneration), new(Mitigation), new(Vitals), new(CombatLog), new(HitGains)} {
		s.run = append(s.run, sched.Bind(w, sched.Act, system))
	}
	s.dealt, s.healed = ecs.QueueOf[rules.DamageDealt](w).Reader(), ecs.QueueOf[rules.Healed](w).Reader()
	s.deaths = ecs.QueueOf[rules.Death](w).Reader()
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.stats = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.CombatStats](w)
	s.stances = ecs.NewAccessor[components.Stance](w)
	s.threatStates = ecs.NewAccessor[components.ThreatState](w)
	s.unitAuras = ecs.NewAccessor[components.UnitAuras](w)
	s.vitalsStates = ecs.NewAccessor[components.VitalsState](w)
	s.dirty = ecs.NewAccessor[components.Dirty](w)
	s.cheats = ecs.NewAccessor[components.Cheats](w)
	s.kind = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(),
		components.CombatParts(), ecs.Of3[components.Position, components.Dirty, components.Cheats]())...)
	return s
}

// add spawns a unit with 100 health.
func (s *stage) add(guid uint64) ecs.Entity {
	e := s.kind.Spawn()
	s.objects.Get(e).GUID, s.units.Get(e).Level = guid, 1
	*s.vitals.Get(e) = components.Vitals{Health: 100, MaxHealth: 100}
	*s.stats.Get(e) = components.CombatStats{SwingMs: [3]uint32{2000}}
	return e
}

// wear puts an aura on a unit, of a spell with one effect.
func (s *stage) wear(e ecs.Entity, kind defs.AuraKind, misc, amount int32) *components.Auras {
	spell := uint32(len(s.defs.Spells)) + 1
	s.defs.Spells = append(s.defs.Spells, defs.Spell{ID: spell, Level: 1, Effects: [defs.MaxEffects]defs.Effect{
		{Kind: defs.EffectApplyAura, Aura: kind, Misc: misc}}})
	if s.unitAuras.Get(e).Block == 0 {
		s.unitAuras.Get(e).Block = s.slab.Alloc()
	}
	auras := s.slab.At(s.unitAuras.Get(e).Block)
	auras.List[auras.Count] = components.Aura{Spell: spell, Effects: 1, Stacks: 1, Amount: [3]int32{amount}}
	auras.Count++
	auras.Sum, _ = rules.SumOf(s.defs, auras)
	return auras
}

func (s *stage) evade(e ecs.Entity)                   { s.threatStates.Get(e).Evading = 1 }
func (s *stage) ghost(e ecs.Entity) bool              { return s.vitalsStates.Get(e).Ghost != 0 }
func (s *stage) lastHitMs(e ecs.Entity) uint32        { return s.vitalsStates.Get(e).LastHitMs }
func (s *stage) spendMana(e ecs.Entity, nowMs uint32) { s.vitalsStates.Get(e).ManaSpentMs = nowMs }
func (s *stage) manaSpentMs(e ecs.Entity) uint32      { return s.vitalsStates.Get(e).ManaSpentMs }

// A packet is what was broadcast about a unit.
type packet struct {
	op   uint16
	body []byte
}

// ask has the systems take events, and lists what they broadcast.
func ask[T any](s *stage, all ...T) (sent []packet) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
	for range sched.MaxRounds {
		for _, system := range s.run {
			if system.React != nil && system.Waiting() {
				system.React(s.tick)
			}
		}
	}
	for b := slices.Clone(s.log.Builder.Bytes); len(b) > 0; {
		op, payload, header, _ := wire.ServerHeader(b)
		sent = append(sent, packet{op, b[header : header+payload]})
		b = b[header+payload:]
	}
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	return sent
}

// read decodes the only packet of a kind.
func read(t *testing.T, sent []packet, op uint16, m msg.Message) {
	t.Helper()
	if len(sent) != 1 || sent[0].op != op {
		t.Fatalf("sent %+v, want one packet %#x", sent, op)
	}
	if err := msg.Decode(wire.V12340, sent[0].body, m); err != nil {
		t.Fatal(err)
	}
}
