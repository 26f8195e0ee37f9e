package aura

import (
	"testing"

	"muster/components"
	"muster/components/defs"
)

// Which auras an end takes.
//
// Source: Unit::RemoveAurasWithInterruptFlags, Unit::RemoveAllAurasOnDeath and WorldSession::HandleCancelAuraOpcode, AzerothCore.
func TestTakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		end   auraEnd
		aura  components.Aura
		spell defs.Spell
		want  bool
	}{
		{"what breaks it", auraEnd{breaks: defs.BreakMove | defs.BreakCast}, components.Aura{}, defs.Spell{ID: 1, Breaks: defs.BreakMove}, true},
		{"what does not", auraEnd{breaks: defs.BreakCast}, components.Aura{}, defs.Spell{ID: 1, Breaks: defs.BreakMove}, false},
		{"its own spell", auraEnd{breaks: defs.BreakDamage, except: 1}, components.Aura{}, defs.Spell{ID: 1, Breaks: defs.BreakDamage}, false},
		{"death of a creature", auraEnd{cause: creatureDied}, components.Aura{}, defs.Spell{ID: 1, Flags: defs.SpellPassive | defs.SpellOutlivesDeath}, true},
		{"death of a player", auraEnd{cause: playerDied}, components.Aura{}, defs.Spell{ID: 1}, true},
		{"what outlives it", auraEnd{cause: playerDied}, components.Aura{}, defs.Spell{ID: 1, Flags: defs.SpellOutlivesDeath}, false},
		{"a passive spell", auraEnd{cause: playerDied}, components.Aura{}, defs.Spell{ID: 1, Flags: defs.SpellPassive}, false},
		{"cancelled", auraEnd{cancels: 1}, components.Aura{Spell: 1}, defs.Spell{ID: 1}, true},
		{"another one", auraEnd{cancels: 1}, components.Aura{Spell: 2}, defs.Spell{ID: 2}, false},
		{"a harmful one", auraEnd{cancels: 1}, components.Aura{Spell: 1}, defs.Spell{ID: 1, Flags: defs.SpellHarmful}, false},
		{"a passive one", auraEnd{cancels: 1}, components.Aura{Spell: 1}, defs.Spell{ID: 1, Flags: defs.SpellPassive}, false},
		{"one that cannot be", auraEnd{cancels: 1}, components.Aura{Spell: 1}, defs.Spell{ID: 1, Flags: defs.SpellCannotCancel}, false},
		{"a shield with nothing left", auraEnd{absorbed: true}, components.Aura{Effects: 1}, absorbing(), true},
		{"one with something left", auraEnd{absorbed: true}, components.Aura{Effects: 1, Amount: [3]int32{1}}, absorbing(), false},
		{"one of two that has something left", auraEnd{absorbed: true}, components.Aura{Effects: 3, Amount: [3]int32{0, 2}}, absorbing(), false},
		{"of which the second was not applied", auraEnd{absorbed: true}, components.Aura{Effects: 1, Amount: [3]int32{0, 2}}, absorbing(), true},
		{"no shield", auraEnd{absorbed: true}, components.Aura{Effects: 4}, absorbing(), false},
		{"a shield, when nothing was absorbed", auraEnd{}, components.Aura{Effects: 1}, absorbing(), false},
	} {
		if got := c.end.takes(&c.aura, &c.spell); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// absorbing is a spell with two shields and something else.
func absorbing() defs.Spell {
	shield := defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraAbsorb, Misc: int32(defs.SchoolAll)}
	return defs.Spell{ID: 1, Effects: [3]defs.Effect{shield, shield, {Kind: defs.EffectApplyAura, Aura: defs.AuraDodge}}}
}

// The aura of a timer is found by its number.
func TestFind(t *testing.T) {
	auras := &components.Auras{Count: 2}
	auras.List[0].Timer, auras.List[1].Timer, auras.List[2].Timer = 5, 7, 9
	for number, want := range map[uint32]int{5: 0, 7: 1, 9: -1, 0: -1} {
		if got := find(auras, number); got != want {
			t.Errorf("timer %d is of aura %d, want %d", number, got, want)
		}
	}
	if find(nil, 5) != -1 {
		t.Error("a unit without auras has one")
	}
}

// The parameters of an effect that are not executed.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		spell defs.Spell
		e     defs.Effect
		want  string
	}{
		{defs.Spell{}, defs.Effect{Aura: defs.AuraDodge}, ""},
		{defs.Spell{Charges: 1}, defs.Effect{Aura: defs.AuraDodge}, "nothing takes its charges"},
		{defs.Spell{Charges: 1, Spent: defs.SpentHurt}, defs.Effect{Aura: defs.AuraDodge}, ""},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraPeriodicHeal}, "it does not say how often"},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraPeriodicHeal, PulseMs: 1}, ""},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraPower, Misc: components.PowerRage}, "only mana grows"},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraPowerRegen, Misc: components.PowerMana}, ""},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraDamagePercent, Misc: 4}, "all schools have one factor"},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraDamageTakenPercent, Misc: 0x7F}, ""},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraAbsorb, Misc: 0x80}, "no school is meant"},
		{defs.Spell{}, defs.Effect{Aura: defs.AuraAbsorb, Misc: 4}, ""},
	} {
		c.spell.Effects[0] = c.e
		if got := Refusal(&c.spell, 0); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}
