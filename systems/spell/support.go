package spell

import "muster/components/defs"

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
	return ""
}
