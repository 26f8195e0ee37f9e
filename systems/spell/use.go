package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// checkUse returns why a spell would have no effect on the unit that it is aimed at, castOK if any of its effects can
// have one.
//
// Source: Spell::CheckCast and SpellInfo::CheckTarget (SPELL_ATTR3_ONLY_ON_PLAYER), AzerothCore, and Spell::CheckCast of
// CMaNGOS for what dispels nothing, which refuse some of these, and otherwise what the effects themselves let pass without
// a word: EffectResurrect and EffectLearnSpell of a target that is no player, EffectTaunt of one without a threat list, EffectEnergize
// of one that does not use that power.
func (s *TargetChecks) checkUse(c *cast) msg.CastResult {
	why := castOK
	for i := range c.spell.Effects {
		e := &c.spell.Effects[i]
		if e.Kind == defs.EffectNone {
			continue
		}
		r := s.uselessOnTarget(c, i)
		if r == castOK {
			return castOK
		}
		if why == castOK {
			why = r
		}
	}
	return why
}

// uselessOnTarget returns why an effect has no effect on the spell's target, castOK if it may, or has other targets.
func (s *TargetChecks) uselessOnTarget(c *cast, i int) msg.CastResult {
	e := &c.spell.Effects[i]
	switch {
	case effects[e.Kind].do == nil || Refusal(c.spell, i) != "":
		return msg.CastUnavailable
	case !e.Target.Aimed():
		return castOK
	}
	player := s.Player(c.target)
	switch e.Kind {
	case defs.EffectResurrect, defs.EffectResurrectNew, defs.EffectLearn:
		if !player {
			return msg.CastTargetNotPlayer
		}
	case defs.EffectThreat, defs.EffectAttackMe:
		if player {
			return msg.CastBadTargets
		}
	case defs.EffectCharge, defs.EffectKnockBack:
		if c.target == c.by {
			return msg.CastBadTargets
		}
	case defs.EffectDispel:
		if removal := dispelOf(&s.Units, c, c.target, i); !s.auras.HasFor(&removal) {
			return msg.CastNothingToDispel
		}
	case defs.EffectEnergize, defs.EffectEnergizePercent:
		if s.vitals.Get(c.target).MaxPower[uint32(e.Misc)%7] == 0 {
			return msg.CastBadTargets
		}
	}
	return castOK
}
