package spellsupport

import (
	"bytes"
	"io"
	"testing"

	"muster/components/defs"
)

// A kind without support is found.
func TestUnknownKindsAreFound(t *testing.T) {
	for _, e := range []defs.Effect{{Kind: 200}, {Kind: defs.EffectApplyAura, Aura: 300}, {Kind: defs.EffectApplyAura, Aura: 65535}} {
		if err := Print(io.Discard, []defs.Spell{{ID: 1, Effects: [3]defs.Effect{e}}}); err == nil {
			t.Errorf("nothing is said against effect %d with aura %d", e.Kind, e.Aura)
		}
	}
}

// An effect of a kind that is executed, but not like this, is refused with a reason.
func TestRefusalsArePrinted(t *testing.T) {
	aura := func(kind defs.AuraKind, misc int32) defs.Effect {
		return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: defs.TargetCaster, Misc: misc}
	}
	for _, c := range []struct {
		effect defs.Effect
		want   string
	}{
		{defs.Effect{Kind: defs.EffectHeal, Target: 99}, "it has no target"},
		{defs.Effect{Kind: defs.EffectHeal}, "it has no target"},
		{defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetCaster}, "it teleports elsewhere than home"},
		{defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, PulseMs: 100}, "nothing pulses but auras and channels"},
		{defs.Effect{Kind: defs.EffectTriggerSpell, Target: defs.TargetCaster}, "it names no spell"},
		{defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetCaster}, "a caster is not knocked back by itself and does not charge itself"},
		{defs.Effect{Kind: defs.EffectAttackMe, Target: defs.TargetFriend}, "friends have no threat"},
		{defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend}, "it resurrects only a dead unit that it is aimed at"},
		{defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetCaster, Misc: 7}, "there is no such power"},
		{defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend}, "it names no dispel type"},
		{defs.Effect{Kind: defs.EffectSummon, Target: defs.TargetCaster}, "it names no creature"},
		{aura(defs.AuraPeriodicHeal, 0), "it does not say how often"}, {aura(defs.AuraPower, 3), "only mana grows"},
		{aura(defs.AuraDamagePercent, 4), "all schools have one factor"}, {aura(defs.AuraAbsorb, 0), "no school is meant"},
	} {
		var out bytes.Buffer
		_ = Print(&out, []defs.Spell{{ID: 7, Name: "Odd", Effects: [3]defs.Effect{1: c.effect}}})
		if want := "7 Odd, effect 2, refused: " + c.want + "\n"; !bytes.HasSuffix(out.Bytes(), []byte(want)) {
			t.Errorf("%+v: printed\n%s, which does not end with %q", c.effect, &out, want)
		}
	}
	for spent, want := range map[defs.Spent]bool{0: true, defs.SpentHurt: false} {
		var out bytes.Buffer
		_ = Print(&out, []defs.Spell{{ID: 7, Charges: 3, Spent: spent, Effects: [3]defs.Effect{aura(defs.AuraDodge, 0)}}})
		if is := bytes.Contains(out.Bytes(), []byte("effect 1, refused: nothing takes its charges\n")); is != want {
			t.Errorf("charges that %d takes are refused: %v", spent, is)
		}
	}
}
