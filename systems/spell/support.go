package spell

import (
	"muster/components"
	"muster/components/defs"
)

// Support says what becomes of an effect: its name, and why it is refused, "" if it is executed. It is false for a
// kind that nobody has thought of.
func Support(k defs.EffectKind) (name, refused string, known bool) {
	e := &effects[k]
	return e.name, e.refused, e.name != ""
}

// Refusal says why one of a spell's effects does nothing although its kind is executed, "" if it does something: it is
// aimed at nobody, or asks for something else than is done. What an aura does is for system aura to say.
func Refusal(sp *defs.Spell, i int) string {
	e := &sp.Effects[i]
	switch {
	case e.Kind == defs.EffectNone || effects[e.Kind].do == nil:
		return ""
	case !e.Target.Known():
		return "nobody is meant"
	case e.Kind == defs.EffectTeleport && e.Target != defs.TargetHome:
		return "nobody is brought elsewhere than home"
	case e.Kind == defs.EffectApplyAura && sp.Has(defs.SpellChannelled) && e.Target != defs.TargetCaster && (!e.Target.Aimed() || e.Chain > 1):
		return "the auras of a channel are on its target and its caster alone"
	case pulsing(e) && !sp.Has(defs.SpellChannelled):
		return "nothing pulses but auras and channels"
	case (e.Kind == defs.EffectLearn || e.Kind == defs.EffectTriggerSpell) && e.Trigger == 0:
		return "no spell is meant"
	}
	return misled(sp, e)
}

// misled says why an effect does nothing to those whom it meets, whoever they are, "" if it may do something.
func misled(sp *defs.Spell, e *defs.Effect) string {
	switch e.Kind {
	case defs.EffectCharge, defs.EffectKnockBack:
		if e.Target == defs.TargetCaster || e.Target == defs.TargetHome {
			return "nobody is thrown by itself, or runs to itself"
		}
	case defs.EffectThreat, defs.EffectAttackMe:
		if e.Target.Friendly() {
			return "friends do not hate"
		}
	case defs.EffectResurrect, defs.EffectResurrectNew:
		if !sp.Has(defs.SpellOnDead) || !e.Target.Aimed() {
			return "only the dead at whom it is aimed come back"
		}
	case defs.EffectEnergize, defs.EffectEnergizePercent:
		if e.Misc < 0 || e.Misc > components.PowerRunic {
			return "there is no such power"
		}
	case defs.EffectDispel:
		if e.Misc <= 0 {
			return "nothing is meant"
		}
	case defs.EffectSummon:
		if e.Misc <= 0 {
			return "no creature is meant"
		}
	}
	return ""
}
