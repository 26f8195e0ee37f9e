package spell

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// What keeps a living player from beginning a spell, in the order in which it is told, and how long the cast and the global
// cooldown are at half the cast time.
//
// Source: Spell::CheckCasterAuras, Spell::CheckCast, Unit::ModSpellCastTime and Spell::TriggerGlobalCooldown (haste changes global
// cooldowns from 1,000 to 1,500 ms, of no melee or ranged spells, and to 1,000 ms at least), AzerothCore.
func TestCasterChecks(t *testing.T) {
	type unit struct {
		states uint16
		flags  uint32
		stand  uint8
		moves  components.Motion
		cheats uint16
		bow    bool
		dead   bool
	}
	fire := defs.Spell{School: defs.SchoolFire, CastMs: 3000, GlobalMs: 1500}
	with := func(change func(sp *defs.Spell)) defs.Spell {
		sp := fire
		change(&sp)
		return sp
	}
	hit := with(func(sp *defs.Spell) {
		sp.School, sp.Flags, sp.CastMs = defs.SchoolPhysical, defs.SpellHarmful|defs.SpellMelee, 0
	})
	shot := with(func(sp *defs.Spell) { sp.School, sp.Flags = defs.SchoolPhysical, defs.SpellRanged })
	still := with(func(sp *defs.Spell) { sp.Flags = defs.SpellStill })
	peaceful := with(func(sp *defs.Spell) { sp.Flags = defs.SpellOutOfCombat })
	free := with(func(sp *defs.Spell) { sp.Flags = defs.SpellWhileStunned })
	for _, c := range []struct {
		name      string
		spell     defs.Spell
		unit      unit
		triggered bool
		step      step
		why       msg.CastResult
		ms        uint32
		global    uint32
	}{
		{"nothing", fire, unit{}, false, atBegin, castOK, 1500, 1000},
		{"dead", fire, unit{dead: true}, false, atBegin, msg.CastCasterDead, 1500, 1000},
		{"dead, triggered", fire, unit{dead: true}, true, atBegin, msg.CastCasterDead, 0, 0},
		{"stunned", fire, unit{states: components.StateStunned | components.StateFeared}, false, atBegin, msg.CastStunned, 1500, 1000},
		{"afraid", fire, unit{states: components.StateFeared | components.StateConfused}, false, atBegin, msg.CastFleeing, 1500, 1000},
		{"confused", fire, unit{states: components.StateConfused | components.StateSilenced}, false, atBegin, msg.CastConfused, 1500, 1000},
		{"stunned, by a spell for that", free, unit{states: components.StateStunned}, false, atBegin, castOK, 1500, 1000},
		{"silenced", fire, unit{states: components.StateSilenced}, false, atBegin, msg.CastSilenced, 1500, 1000},
		{"silenced, by a hit", hit, unit{states: components.StateSilenced}, false, atBegin, castOK, 0, 1500},
		{"pacified", fire, unit{states: components.StatePacified}, false, atBegin, castOK, 1500, 1000},
		{"pacified, by a harmful spell", with(func(sp *defs.Spell) { sp.Flags = defs.SpellHarmful }), unit{states: components.StatePacified}, false, atBegin, castOK, 1500, 1000},
		{"pacified, by a hit", hit, unit{states: components.StatePacified}, false, atBegin, msg.CastPacified, 0, 1500},
		{"pacified, by a shot that does no harm", shot, unit{states: components.StatePacified, bow: true}, false, atBegin, castOK, 1500, 1500},
		{"in combat", fire, unit{flags: components.UnitInCombat}, false, atBegin, castOK, 1500, 1000},
		{"in combat, by a spell of peace", peaceful, unit{flags: components.UnitInCombat}, false, atBegin, msg.CastAffectingCombat, 1500, 1000},
		{"at peace", peaceful, unit{}, false, atBegin, castOK, 1500, 1000},
		{"sitting", fire, unit{stand: components.Sitting}, false, atBegin, msg.CastNotStanding, 1500, 1000},
		{"moving", fire, unit{moves: components.Motion{Flags: components.MoveForward}}, false, atBegin, castOK, 1500, 1000},
		{"moving, by a spell that needs it to stand still", still, unit{moves: components.Motion{Flags: components.MoveForward}}, false, atBegin, msg.CastMoving, 1500, 1000},
		{"without a bow", shot, unit{}, false, atBegin, msg.CastEquippedItem, 1500, 1500},
		{"with a bow", shot, unit{bow: true}, false, atBegin, castOK, 1500, 1500},
		{"silenced, triggered", fire, unit{states: components.StateSilenced}, true, atBegin, castOK, 0, 0},
		{"silenced, in a channel", fire, unit{states: components.StateSilenced}, false, atPulse, castOK, 1500, 1000},
		{"with a cheat for cast times", fire, unit{cheats: components.CheatInstantCast}, false, atBegin, castOK, 0, 1000},
		{"with a cheat for cooldowns", fire, unit{cheats: components.CheatNoCooldown}, false, atBegin, castOK, 1500, 0},
		{"a short global cooldown", with(func(sp *defs.Spell) { sp.GlobalMs = 500 }), unit{}, false, atBegin, castOK, 1500, 500},
		{"a long one", with(func(sp *defs.Spell) { sp.GlobalMs = 3000 }), unit{}, false, atBegin, castOK, 1500, 3000},
		{"the shortest that haste changes", with(func(sp *defs.Spell) { sp.GlobalMs = 1000 }), unit{}, false, atBegin, castOK, 1500, 1000},
	} {
		w := ecs.NewWorld(8)
		c.spell.ID = 1
		ecs.Share(w, &defs.World{Spells: []defs.Spell{c.spell}})
		ecs.Share(w, new(metric.Table))
		rules.Share(w)
		system := sched.Bind(w, sched.Act, new(CasterChecks))
		checked := ecs.QueueOf[casterChecked](w).Reader()
		e := ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), components.CombatParts(),
			ecs.Of4[components.Cheats, components.Session, components.Walk, components.Motion]())...).Spawn()
		units, stances, stats := ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Stance](w), ecs.NewAccessor[components.CombatStats](w)
		vitals, auras := ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.UnitAuras](w)
		cheats, motions := ecs.NewAccessor[components.Cheats](w), ecs.NewAccessor[components.Motion](w)
		units.Get(e).Level, units.Get(e).Flags = 12, c.unit.flags
		stances.Get(e).Bytes1[components.ByteStand] = c.unit.stand
		stats.Get(e).CastSpeed = 0.5
		if vitals.Get(e).Health = 100; c.unit.dead {
			vitals.Get(e).Health = 0
		}
		if c.unit.bow {
			stats.Get(e).MaxDamage[components.RangedHand] = 5
		}
		auras.Get(e).States = c.unit.states
		cheats.Get(e).Set = c.unit.cheats
		*motions.Get(e) = c.unit.moves
		*ecs.QueueOf[attempt](w).Next() = newAttempt(c.step, castEvent{by: e, id: 1, triggered: c.triggered})
		system.React(sched.Tick{N: 1, NowMs: 50})
		got := checked.Next()
		if len(got) != 1 || got[0].why != c.why || got[0].castMs != c.ms || got[0].globalMs != c.global || got[0].cast.level != 12 || !got[0].player {
			t.Errorf("%s: %+v; want %d, %d ms, %d ms", c.name, got, c.why, c.ms, c.global)
		}
	}
}

// A spell without a target is cast on its caster if the first effect that is aimed at a unit is for friends.
func TestFriendly(t *testing.T) {
	effect := func(to defs.Target) defs.Effect { return defs.Effect{Kind: defs.EffectHeal, Target: to} }
	for _, c := range []struct {
		flags   defs.SpellFlag
		effects [defs.MaxEffects]defs.Effect
		want    bool
	}{
		{0, [3]defs.Effect{effect(defs.TargetFriend)}, true},
		{0, [3]defs.Effect{effect(defs.TargetAny)}, true},
		{0, [3]defs.Effect{effect(defs.TargetEnemy)}, false},
		{0, [3]defs.Effect{effect(defs.TargetAreaFriends), effect(defs.TargetChainFriends)}, true},
		{0, [3]defs.Effect{effect(defs.TargetEnemy), effect(defs.TargetFriend)}, false},
		{0, [3]defs.Effect{effect(defs.TargetCaster)}, false},
		{0, [3]defs.Effect{{Target: defs.TargetFriend}}, false}, // of no kind
		{defs.SpellHarmful, [3]defs.Effect{effect(defs.TargetAny)}, false},
	} {
		if got := friendly(&defs.Spell{Flags: c.flags, Effects: c.effects}); got != c.want {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
}

// Why an effect does nothing, of a spell with one.
func TestRefusal(t *testing.T) {
	const channelled, onDead = defs.SpellChannelled, defs.SpellOnDead
	for _, c := range []struct {
		flags defs.SpellFlag
		e     defs.Effect
		want  string
	}{
		{0, defs.Effect{}, ""},
		{0, defs.Effect{Kind: defs.EffectPull}, ""}, // which is refused as a kind
		{0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend}, ""},
		{0, defs.Effect{Kind: defs.EffectHeal, Target: 99}, "it has no target"},
		{0, defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetHome}, ""},
		{0, defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetCaster}, "it teleports elsewhere than home"},
		{channelled, defs.Effect{Kind: defs.EffectApplyAura, Target: defs.TargetAreaEnemies}, "the auras of a channel are on its target and its caster alone"},
		{channelled, defs.Effect{Kind: defs.EffectApplyAura, Target: defs.TargetEnemy, Chain: 2}, "the auras of a channel are on its target and its caster alone"},
		{channelled, defs.Effect{Kind: defs.EffectApplyAura, Target: defs.TargetEnemy, Chain: 1}, ""},
		{channelled, defs.Effect{Kind: defs.EffectApplyAura, Target: defs.TargetCaster}, ""},
		{0, defs.Effect{Kind: defs.EffectApplyAura, Target: defs.TargetAreaEnemies, PulseMs: 5}, ""},
		{0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend, PulseMs: 5}, "nothing pulses but auras and channels"},
		{channelled, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend, PulseMs: 5}, ""},
		{0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetCaster}, "it names no spell"},
		{0, defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetCaster, Trigger: 7}, ""},
		{0, defs.Effect{Kind: defs.EffectTriggerSpell, Target: defs.TargetCaster}, "it names no spell"},
		{0, defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetEnemy}, ""},
		{0, defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetCaster}, "a caster is not knocked back by itself and does not charge itself"},
		{0, defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetHome}, "a caster is not knocked back by itself and does not charge itself"},
		{0, defs.Effect{Kind: defs.EffectThreat, Target: defs.TargetEnemy}, ""},
		{0, defs.Effect{Kind: defs.EffectThreat, Target: defs.TargetFriend}, "friends have no threat"},
		{onDead, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}, ""},
		{0, defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}, "it resurrects only a dead unit that it is aimed at"},
		{onDead, defs.Effect{Kind: defs.EffectResurrectNew, Target: defs.TargetAreaFriends}, "it resurrects only a dead unit that it is aimed at"},
		{0, defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetCaster, Misc: 6}, ""},
		{0, defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetCaster, Misc: 7}, "there is no such power"},
		{0, defs.Effect{Kind: defs.EffectEnergizePercent, Target: defs.TargetCaster, Misc: -1}, "there is no such power"},
		{0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend, Misc: 1}, ""},
		{0, defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend}, "it names no dispel type"},
		{0, defs.Effect{Kind: defs.EffectSummon, Target: defs.TargetCaster, Misc: 1}, ""},
		{0, defs.Effect{Kind: defs.EffectSummon, Target: defs.TargetCaster}, "it names no creature"},
	} {
		if got := Refusal(&defs.Spell{Flags: c.flags, Effects: [3]defs.Effect{c.e}}, 0); got != c.want {
			t.Errorf("flags %#x, %+v: %q, want %q", c.flags, c.e, got, c.want)
		}
	}
}
