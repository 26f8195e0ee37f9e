package systems

import (
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// What lasts on a character does in the tick in which it comes in what it does in any other: it absorbs, wards off and
// stuns.
func TestAurasCountOnArrival(t *testing.T) {
	const bubble, lasting = 200, 60_000
	arrive := func(aura life.Aura, do func(in *frame.Inbox)) (health uint32, left life.Aura, says map[uint16][]byte) {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 3, Path: -1}}
		d.Spells = append(d.Spells, defs.Spell{ID: bubble, School: defs.SchoolHoly, DurationMs: lasting, Effects: [defs.MaxEffects]defs.Effect{
			{Kind: defs.EffectApplyAura, Aura: defs.AuraSchoolImmunity, Target: defs.TargetCaster, Misc: defs.SchoolAll}}})
		for i := range d.Spells {
			d.Spells[i].Flags |= defs.SpellAlwaysHits | defs.SpellNeverCrits
		}
		w, port := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1}), frame.NewExchange()
		enter(w, 8, 20, 0)
		step(w, port, 1)
		c := frame.Character{
			GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1, Told: life.All,
			Life: life.Life{Begun: true, Health: 30, Spells: []uint32{spark, might}, Auras: []life.Aura{aura}},
		}
		w.Inbox().Add(frame.Item{Session: 0, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c)})
		do(w.Inbox())
		ask(w, rules.Cast{By: w.Find(components.CreatureGUID(7, respawn.FirstCounter)), Spell: ring})
		step(w, port, 2)
		e, combats, vitals := w.Find(1), newUnitStates(w.ecs), ecs.NewAccessor[components.Vitals](w.ecs)
		if block := combats.auras.Get(e).Block; block != 0 {
			a := ecs.Shared[ecs.Slab[components.Auras]](w.ecs).At(block).List[0]
			left = life.Aura{Spell: a.Spell, Amount: a.Amount}
		}
		return vitals.Get(e).Health, left, shown(t, port, &frame.Cursor{GUID: 1})
	}
	nothing := func(*frame.Inbox) {}
	bare, _, _ := arrive(life.Aura{Spell: might, MaxMs: 700, LeftMs: 700}, nothing)
	hurt := 30 - bare
	if hurt < 3 || hurt > 6 {
		t.Fatalf("the ring hurts by %d", hurt)
	}
	health, left, _ := arrive(life.Aura{Spell: shield, MaxMs: 2000, LeftMs: 2000, Amount: [3]int32{10}}, nothing)
	if health != 30 || left.Amount[0] != 10-int32(hurt) {
		t.Errorf("behind a shield, health %d, and %d of it left; want 30 and %d", health, left.Amount[0], 10-hurt)
	}
	if health, _, _ = arrive(life.Aura{Spell: bubble, MaxMs: lasting, LeftMs: lasting}, nothing); health != 30 {
		t.Errorf("immune, health %d", health)
	}
	_, left, says := arrive(life.Aura{Spell: daze, MaxMs: 400, LeftMs: 400}, func(in *frame.Inbox) {
		in.Add(frame.Item{Session: 0, Op: msg.OpCastSpell, Body: msg.Append(nil, wire.V12340, &msg.CastSpell{Spell: might})})
	})
	failed := msg.CastFailed{}
	decode(t, says[msg.OpCastFailed], &failed)
	if left.Spell != daze || failed.Spell != might || failed.Result != msg.CastStunned {
		t.Errorf("stunned: %+v, with %+v", failed, left)
	}
}
