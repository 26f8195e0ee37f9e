package systems

import (
	"bytes"
	"fmt"
	"testing"

	"muster/components/defs"
	"muster/ecs"
	"muster/internal/golden"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/rules"
	"muster/systems/spell"
)

// A feat is a spell with its caster and target, and what is done before and after it.
type feat struct {
	name    string
	effects []defs.Effect
	at      func(s *stage) ecs.Entity
	ms      uint32 // how long it lasts
	before  func(s *stage, by, at ecs.Entity)
	after   func(s *stage, by, at ecs.Entity)
	turned  bool // the creature casts it at the player, too
}

func atFoe(s *stage) ecs.Entity    { return s.foe }
func atFriend(s *stage) ecs.Entity { return s.friend }
func atSelf(s *stage) ecs.Entity   { return s.actor }

// wounded has both of them hurt.
func wounded(s *stage, by, at ecs.Entity) {
	for _, e := range []ecs.Entity{by, at} {
		s.hurt(ecs.Entity{}, e, 0, 0, 60)
		ask(s.world, rules.PowerChange{To: e, Delta: -80, Kind: rules.NoReport})
	}
	s.tick()
}

// slain has the target dead, and takes what it is offered.
func slain(s *stage, _, at ecs.Entity) {
	s.kill(at)
	s.tick()
}

func accepts(s *stage, _, _ ecs.Entity) {
	s.world.Inbox().Add(frame.Item{Session: 2, Op: msg.OpResurrectResponse, Body: msg.Append(nil, wire.V12340, &msg.ResurrectResponse{GUID: 1, Accept: 1})})
}

func lies(spells ...uint32) func(s *stage, by, at ecs.Entity) {
	return func(s *stage, by, at ecs.Entity) {
		for _, spell := range spells {
			ask(s.world, rules.ApplyAura{By: by, To: at, Spell: spell, Effects: 1, Level: 1})
		}
	}
}

func does(kind defs.EffectKind, amount, misc int32) []defs.Effect {
	return []defs.Effect{{Kind: kind, Target: defs.TargetAny, Amount: amount, Misc: misc, Trigger: answer}}
}

// Each kind of effect that is executed has a line here.
var feats = []feat{
	{name: "school damage", effects: does(defs.EffectSchoolDamage, 12, 0), at: atFoe, turned: true},
	{name: "teleport home", effects: []defs.Effect{{Kind: defs.EffectTeleport, Target: defs.TargetHome}}, at: atSelf},
	{name: "apply aura", effects: []defs.Effect{effectOf(defs.AuraDodge, defs.TargetAny, 5)}, at: atFriend, ms: 600},
	{name: "health leech", effects: does(defs.EffectHealthLeech, 12, 0), at: atFoe, before: wounded, turned: true},
	{name: "heal", effects: does(defs.EffectHeal, 12, 0), at: atFriend, before: wounded},
	{name: "resurrect", effects: does(defs.EffectResurrect, 40, 0), at: atFriend, before: slain, after: accepts},
	{name: "summon", effects: []defs.Effect{{Kind: defs.EffectSummon, Target: defs.TargetCaster, Amount: 2, Misc: 7}}, at: atSelf, ms: 600, turned: true},
	{name: "energize", effects: does(defs.EffectEnergize, 12, 0), at: atFriend, before: wounded},
	{name: "weapon percent", effects: does(defs.EffectWeaponPercent, 150, 0), at: atFoe},
	{name: "learn", effects: does(defs.EffectLearn, 0, 0), at: atFriend},
	{name: "dispel of what is bad, from a friend", effects: does(defs.EffectDispel, 1, defs.DispelMagic), at: atFriend, before: lies(bane, boon)},
	{name: "dispel of what is good, from a foe", effects: does(defs.EffectDispel, 1, defs.DispelMagic), at: atFoe, before: lies(bane, boon)},
	{name: "weapon damage", effects: does(defs.EffectWeaponDamage, 12, 0), at: atFoe},
	{name: "threat", effects: does(defs.EffectThreat, 12, 0), at: atFoe},
	{name: "trigger spell", effects: does(defs.EffectTriggerSpell, 0, 0), at: atFoe, before: wounded, turned: true},
	{name: "heal by the caster's health", effects: does(defs.EffectHealMax, 0, 0), at: atFriend, before: func(s *stage, _, at ecs.Entity) {
		s.hurt(ecs.Entity{}, at, 0, 0, 219)
	}},
	{name: "interrupt", effects: does(defs.EffectInterrupt, 0, 0), at: atFoe, ms: 600, before: func(s *stage, by, at ecs.Entity) { s.cast(at, by, mumble) },
		after: func(s *stage, by, at ecs.Entity) { ask(s.world, rules.Cast{By: at, Target: by, Spell: mumble}) }, turned: true},
	{name: "charge", effects: does(defs.EffectCharge, 0, 0), at: atFoe, turned: true},
	{name: "knock back", effects: does(defs.EffectKnockBack, 50, 100), at: atFoe, turned: true},
	{name: "resurrect with so much", effects: does(defs.EffectResurrectNew, 40, 30), at: atFriend, before: slain, after: accepts},
	{name: "attack me", effects: does(defs.EffectAttackMe, 0, 0), at: atFoe, before: func(s *stage, _, at ecs.Entity) {
		s.hurt(s.friend, at, 0, defs.SchoolPhysical, 20)
		s.tick()
	}},
	{name: "normalized weapon damage", effects: does(defs.EffectNormalizedWeapon, 12, 0), at: atFoe},
	{name: "heal percent", effects: does(defs.EffectHealPercent, 10, 0), at: atFriend, before: wounded},
	{name: "energize percent", effects: does(defs.EffectEnergizePercent, 10, 0), at: atFriend, before: wounded},
}

// The effect of each kind, its target and its amount. A new kind needs a line here.
func TestEachKindOfEffect(t *testing.T) {
	var out bytes.Buffer
	done := make(map[defs.EffectKind]bool)
	for i := range feats {
		f := &feats[i]
		done[f.effects[0].Kind] = true
		fmt.Fprintf(&out, "%d %s, amount %d, misc %d\n", f.effects[0].Kind, f.name, f.effects[0].Amount, f.effects[0].Misc)
		f.run(t, &out, false)
		if f.turned {
			f.run(t, &out, true)
		}
	}
	for kind := range 256 {
		if name, refused, known := spell.Support(defs.EffectKind(kind)); known && refused == "" && !done[defs.EffectKind(kind)] {
			t.Errorf("%s is executed, and not tested here", name)
		}
	}
	golden.Compare(t, "testdata/effects.golden", out.Bytes())
}

func (f *feat) run(t *testing.T, out *bytes.Buffer, turned bool) {
	sp := defs.Spell{ID: tried, School: defs.SchoolFire, Flags: defs.SpellAlwaysHits | defs.SpellNeverCrits, MaxRange: 40, DurationMs: f.ms}
	switch k := f.effects[0].Kind; k {
	case defs.EffectResurrect, defs.EffectResurrectNew:
		sp.Flags |= defs.SpellOnDead
	case defs.EffectDispel, defs.EffectHeal, defs.EffectHealMax, defs.EffectHealPercent:
	default:
		sp.Flags |= defs.SpellNoThreat
	}
	copy(sp.Effects[:], f.effects)
	leech := sp
	leech.ID, leech.Effects = answer, [defs.MaxEffects]defs.Effect{{Kind: defs.EffectHealthLeech, Target: defs.TargetAny, Amount: 2}}
	s := newStage(t, sp, leech)
	by, at := s.actor, f.at(s)
	if turned {
		if by = s.foe; at == s.foe {
			at = s.actor
		}
	}
	if f.before != nil {
		f.before(s, by, at)
		s.tick()
	}
	names, all := []string{"player", "friend", "creature"}, []ecs.Entity{s.actor, s.friend, s.foe}
	look := func() (all2 []portrait, living int) {
		for _, e := range all {
			all2 = append(all2, s.portray(e))
		}
		return all2, len(s.everybody())
	}
	who := names[0]
	if turned {
		who = names[2]
	}
	before, crowd := look()
	changed := false
	say := func(when string) {
		now, n := look()
		for i := range now {
			if is := now[i].since(&before[i]); is != "" {
				changed = true
				fmt.Fprintf(out, "\tby the %s, %s, the %s: %s\n", who, when, names[i], is)
			}
		}
		if n != crowd {
			changed = true
			fmt.Fprintf(out, "\tby the %s, %s: %d creatures\n", who, when, n)
		}
	}
	s.cast(by, at, tried)
	s.tick()
	say("then")
	if f.after != nil {
		f.after(s, by, at)
	}
	s.ticks(14)
	say("in the end")
	if !changed {
		t.Errorf("%s does nothing to anybody", f.name)
	}
}

// everybody is all creatures.
func (s *stage) everybody() (all []ecs.Entity) {
	for q := s.all.Iter(); q.Next(); {
		if e := q.Entity(); s.vitals.Get(e).Health > 0 {
			all = append(all, e)
		}
	}
	return all
}
