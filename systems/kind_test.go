package systems

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"muster/components/defs"
	"muster/ecs"
	"muster/internal/golden"
	"muster/systems/aura"
	"muster/systems/rules"
)

// tried is the spell that is tried on a stage, and answer is one that it triggers.
const (
	tried  = 400
	answer = 401
)

// An auraCase is an aura that is on a unit for a second, and what is done by it and to it meanwhile.
type auraCase struct {
	kind         defs.AuraKind
	amount, misc int32
	pulseMs      uint32
	do           func(s *stage, bearer, other ecs.Entity)
}

// attacks is what most units with the aura do: cast a damage spell and attack.
func attacks(s *stage, bearer, other ecs.Entity) {
	s.cast(bearer, other, flame)
	s.cast(bearer, other, jab)
}

// isAttacked is what others do to them.
func isAttacked(s *stage, bearer, other ecs.Entity) {
	s.cast(other, bearer, flame)
	s.cast(other, bearer, jab)
}

// healsItself is what they do for themselves.
func healsItself(s *stage, bearer, _ ecs.Entity) {
	s.hurt(ecs.Entity{}, bearer, 0, 0, 40)
	s.cast(bearer, bearer, balm)
}

// isHit is a hit on them.
func isHit(s *stage, bearer, other ecs.Entity) {
	s.hurt(other, bearer, 0, defs.SchoolPhysical, 7)
	s.tick()
}

// isHitThenAttacks is what a unit that was hit does.
func isHitThenAttacks(s *stage, bearer, other ecs.Entity) {
	isHit(s, bearer, other)
	s.ticks(8) // a creature thinks that often
	attacks(s, bearer, other)
}

// castsSlowly begins a spell that takes its time.
func castsSlowly(s *stage, bearer, other ecs.Entity) { s.cast(bearer, other, mumble) }

// Each kind of aura that is executed has a line here, which is tried on a player and on a creature.
var auraCases = []auraCase{
	{kind: defs.AuraPeriodicDamage, amount: 4, pulseMs: 300},
	{kind: defs.AuraConfuse, do: isHitThenAttacks},
	{kind: defs.AuraFear, do: isHitThenAttacks},
	{kind: defs.AuraPeriodicHeal, amount: 6, pulseMs: 300, do: func(s *stage, bearer, _ ecs.Entity) {
		s.hurt(ecs.Entity{}, bearer, 0, 0, 40)
		s.tick()
	}},
	{kind: defs.AuraAttackSpeed, amount: 100},
	{kind: defs.AuraThreat, amount: 50, do: attacks},
	{kind: defs.AuraStun, do: attacks},
	{kind: defs.AuraDamageDone, amount: 5, misc: int32(defs.SchoolFire), do: attacks},
	{kind: defs.AuraDamageShield, amount: 3, do: isHit},
	{kind: defs.AuraResistance, amount: 100, misc: int32(defs.SchoolAll), do: isAttacked},
	{kind: defs.AuraPeriodicTrigger, pulseMs: 400},
	{kind: defs.AuraPeriodicEnergize, amount: 5, pulseMs: 300, do: func(s *stage, bearer, _ ecs.Entity) {
		ask(s.world, rules.PowerChange{To: bearer, Delta: -40, Kind: rules.NoReport})
		s.tick()
	}},
	{kind: defs.AuraPacify, do: attacks},
	{kind: defs.AuraRoot, do: attacks},
	{kind: defs.AuraSilence, do: attacks},
	{kind: defs.AuraStat, amount: 10, misc: -1},
	{kind: defs.AuraSpeedUp, amount: 40},
	{kind: defs.AuraSlow, amount: -40},
	{kind: defs.AuraHealth, amount: 20},
	{kind: defs.AuraPower, amount: 20},
	{kind: defs.AuraSchoolImmunity, misc: int32(defs.SchoolFire), do: isAttacked},
	{kind: defs.AuraParry, amount: 7},
	{kind: defs.AuraDodge, amount: 7},
	{kind: defs.AuraBlock, amount: 7},
	{kind: defs.AuraCrit, amount: 7},
	{kind: defs.AuraPeriodicLeech, amount: 4, pulseMs: 300, do: func(s *stage, _, other ecs.Entity) {
		s.hurt(ecs.Entity{}, other, 0, 0, 40)
		s.tick()
	}},
	{kind: defs.AuraHit, amount: 7},
	{kind: defs.AuraSpellHit, amount: 7},
	{kind: defs.AuraSpellCrit, amount: 7},
	{kind: defs.AuraPacifySilence, do: attacks},
	{kind: defs.AuraCastSpeed, amount: 100, do: castsSlowly},
	{kind: defs.AuraAbsorb, amount: 12, misc: int32(defs.SchoolFire | defs.SchoolPhysical), do: isAttacked},
	{kind: defs.AuraDamagePercent, amount: -100, misc: int32(defs.SchoolAll), do: attacks},
	{kind: defs.AuraStatPercent, amount: 50, misc: -1},
	{kind: defs.AuraRegen, amount: 50},
	{kind: defs.AuraPowerRegen, amount: 50},
	{kind: defs.AuraDamageTakenPercent, amount: -100, misc: int32(defs.SchoolAll), do: isAttacked},
	{kind: defs.AuraPeriodicDamagePercent, amount: 3, pulseMs: 300},
	{kind: defs.AuraAttackPower, amount: 28},
	{kind: defs.AuraResistancePercent, amount: 50, misc: int32(defs.SchoolAll)},
	{kind: defs.AuraHealed, amount: -100, do: healsItself},
	{kind: defs.AuraRangedAttackPower, amount: 28},
	{kind: defs.AuraHealthPercent, amount: 50},
	{kind: defs.AuraHealingDone, amount: 5, do: healsItself},
	{kind: defs.AuraHealingPercent, amount: -100, do: healsItself},
	{kind: defs.AuraTotalStatPercent, amount: 50, misc: -1},
	{kind: defs.AuraMeleeHaste, amount: 100},
	{kind: defs.AuraRangedHaste, amount: 100},
}

// The effect of an aura of each kind, its amount, and that it is undone when the aura ends: on a player and on a
// creature. A new kind needs a line here.
func TestEachKindOfAura(t *testing.T) {
	var out bytes.Buffer
	tried := make(map[defs.AuraKind]bool)
	for i := range auraCases {
		try := &auraCases[i]
		tried[try.kind] = true
		name, _, _ := aura.Support(try.kind)
		fmt.Fprintf(&out, "%d %s, amount %d, misc %d\n", try.kind, name, try.amount, try.misc)
		player, creature := try.run(t, &out, true), try.run(t, &out, false)
		if !player && !creature {
			t.Errorf("%s does nothing to anybody", name)
		}
	}
	for kind := range math.MaxUint16 + 1 {
		if name, refused, known := aura.Support(defs.AuraKind(kind)); known && refused == "" && !tried[defs.AuraKind(kind)] {
			t.Errorf("%s is executed, and not tested here", name)
		}
	}
	golden.Compare(t, "testdata/auras.golden", out.Bytes())
}

// run writes what an aura does to a unit, and reports whether it does anything. Afterwards nothing may differ but
// health, power and the like.
func (try *auraCase) run(t *testing.T, out *bytes.Buffer, player bool) (anything bool) {
	s := newStage(t, defs.Spell{ID: tried, School: defs.SchoolShadow, DurationMs: 1000, Effects: [defs.MaxEffects]defs.Effect{
		{Kind: defs.EffectApplyAura, Aura: try.kind, Misc: try.misc, PulseMs: try.pulseMs, Target: defs.TargetAny, Trigger: answer},
	}}, defs.Spell{ID: answer, School: defs.SchoolShadow, Flags: defs.SpellAlwaysHits | defs.SpellNeverCrits, MaxRange: 40,
		Effects: [defs.MaxEffects]defs.Effect{{Kind: defs.EffectHealthLeech, Target: defs.TargetAny, Amount: 2}}})
	who, bearer, other := "player", s.actor, s.foe
	if !player {
		who, bearer, other = "creature", s.foe, s.actor
	}
	say := func(when string, be, ot, before, beforeOther *portrait) {
		if is := be.since(before); is != "" {
			anything = true
			fmt.Fprintf(out, "\t%s, %s: %s\n", who, when, is)
		}
		if is := ot.since(beforeOther); is != "" {
			anything = true
			fmt.Fprintf(out, "\t%s, %s, the other: %s\n", who, when, is)
		}
	}
	before, beforeOther := s.portray(bearer), s.portray(other)
	ask(s.world, rules.ApplyAura{By: other, To: bearer, Spell: tried, Effects: 1, Amount: [3]int32{try.amount}, Level: 1})
	s.ticks(2)
	on, onOther := s.portray(bearer), s.portray(other)
	on.drop("Aura[400]")
	say("bearing it", &on, &onOther, &before, &beforeOther)
	if try.do != nil {
		try.do(s, bearer, other)
		after, afterOther := s.portray(bearer), s.portray(other)
		after.drop("Aura[400]")
		say("then", &after, &afterOther, &on, &onOther)
	}
	s.ticks(22)
	over, overOther := s.portray(bearer), s.portray(other)
	say("at the end", &over, &overOther, &before, &beforeOther)
	for _, p := range []*portrait{&over, &overOther, &before, &beforeOther} {
		p.drop("Health", "Power[0]", "At", "Hates[1]", "Casts", "CastMs")
	}
	if is := over.since(&before) + overOther.since(&beforeOther); is != "" {
		t.Errorf("%d on a %s leaves behind %s", try.kind, who, is)
	}
	return anything
}

// drop leaves something out of a portrait.
func (p *portrait) drop(names ...string) {
	for _, name := range names {
		delete(p.values, name)
	}
	kept := p.names[:0]
	for _, name := range p.names {
		if _, ok := p.values[name]; ok {
			kept = append(kept, name)
		}
	}
	p.names = kept
}

// odd are auras of kinds that are executed, which ask for something that is not.
var odd = []auraCase{
	{kind: defs.AuraPeriodicDamage, amount: 5}, {kind: defs.AuraPeriodicHeal, amount: 5}, {kind: defs.AuraPeriodicTrigger},
	{kind: defs.AuraPeriodicEnergize, amount: 5}, {kind: defs.AuraPeriodicLeech, amount: 5}, {kind: defs.AuraPeriodicDamagePercent, amount: 5},
	{kind: defs.AuraPower, amount: 5, misc: 1}, {kind: defs.AuraPowerRegen, amount: 5, misc: 1},
	{kind: defs.AuraDamagePercent, amount: 5, misc: int32(defs.SchoolFire)}, {kind: defs.AuraDamageTakenPercent, amount: 5, misc: int32(defs.SchoolFire)},
	{kind: defs.AuraResistance, amount: 5}, {kind: defs.AuraResistancePercent, amount: 5}, {kind: defs.AuraDamageDone, amount: 5},
	{kind: defs.AuraAbsorb, amount: 5}, {kind: defs.AuraSchoolImmunity},
}

// What is refused does nothing, neither what it says nor anything else: kinds that are never executed, and others that
// ask for something that is not.
func TestRefusedAurasDoNothing(t *testing.T) {
	refused := odd
	for kind := range math.MaxUint16 + 1 {
		if _, why, _ := aura.Support(defs.AuraKind(kind)); why != "" {
			refused = append(refused, auraCase{kind: defs.AuraKind(kind), amount: 5, misc: 1})
		}
	}
	if len(refused) < len(odd)+5 {
		t.Errorf("%d kinds are refused", len(refused)-len(odd))
	}
	for i := range refused {
		try := &refused[i]
		sp := defs.Spell{Effects: [defs.MaxEffects]defs.Effect{{Aura: try.kind, Misc: try.misc}}}
		if _, why, _ := aura.Support(try.kind); why == "" && aura.Refusal(&sp, 0) == "" {
			t.Errorf("%d with %d is not refused", try.kind, try.misc)
		}
		var out bytes.Buffer
		if player, creature := try.run(t, &out, true), try.run(t, &out, false); player || creature {
			t.Errorf("%d with %d is refused, and does this:\n%s", try.kind, try.misc, &out)
		}
	}
}
