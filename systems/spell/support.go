package spell

import (
	"muster/components"
	"muster/components/defs"
)

// Support returns the name of a kind of effect, and why it is refused, "" if it is executed. It is false for an
// unknown kind.
func Support(k defs.EffectKind) (name, refused string, known bool) {
	e := &effects[k]
	return e.name, e.refused, e.name != ""
}

// Refusal returns why one of a spell's effects does nothing although its kind is executed, "" if it does something:
// it has no known target, or its parameters are not supported. Kinds of auras are checked by system appliedauras.
func Refusal(sp *defs.Spell, i int) string {
	e := &sp.Effects[i]
	switch {
	case e.Kind == defs.EffectNone || effects[e.Kind].do == nil:
		return ""
	case !e.Target.Known():
		return "it has no target"
	case e.Kind == defs.EffectTeleport && e.Target != defs.TargetHome:
		return "it teleports elsewhere than home"
	case e.Kind == defs.EffectApplyAura && sp.Has(defs.SpellChannelled) && e.Target != defs.TargetCaster && (!e.Target.Aimed() || e.Chain > 1):
		return "the auras of a channel are on its target and its caster alone"
	case pulsing(e) && !sp.Has(defs.SpellChannelled):
		return "nothing pulses but auras and channels"
	case (e.Kind == defs.EffectLearn || e.Kind == defs.EffectTriggerSpell) && e.Trigger == 0:
		return "it names no spell"
	}
	return uselessEffect(sp, e)
}

// uselessEffect returns why an effect does nothing to any of its targets, "" if it may do something.
func uselessEffect(sp *defs.Spell, e *defs.Effect) string {
	switch e.Kind {
	case defs.EffectCharge, defs.EffectKnockBack:
		if e.Target == defs.TargetCaster || e.Target == defs.TargetHome {
			return "a caster is not knocked back by itself and does not charge itself"
		}
	case defs.EffectThreat, defs.EffectAttackMe:
		if e.Target.Friendly() {
			return "friends have no threat"
		}
	case defs.EffectResurrect, defs.EffectResurrectNew:
		if !sp.Has(defs.SpellOnDead) || !e.Target.Aimed() {
			return "it resurrects only a dead unit that it is aimed at"
		}
	case defs.EffectEnergize, defs.EffectEnergizePercent:
		if e.Misc < 0 || e.Misc > components.PowerRunic {
			return "there is no such power"
		}
	case defs.EffectDispel:
		if e.Misc <= 0 {
			return "it names no dispel type"
		}
	case defs.EffectSummon:
		if e.Misc <= 0 {
			return "it names no creature"
		}
	}
	return ""
}
