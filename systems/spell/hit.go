package spell

import (
	"muster/components/defs"
	"muster/sched"
)

// A hit is one effect of a cast on one of its targets. System spell emits it for the system that executes effects of
// its kind in the same tick.
type hit struct {
	cast           cast
	target         castTarget
	effect         int    // index into the spell's effects
	byGUID, toGUID uint64 // of caster and target
}

// The hits for each of the systems that execute effects.
type (
	damageHit hit
	healHit   hit
	threatHit hit
	moveHit   hit
	callHit   hit
	// An auraHit has all effects of a cast that are auras of its target, a bit each.
	auraHit struct {
		hit
		effects uint32
	}
)

// hit returns the hit of an effect.
func (s *System) hit(c *cast, m *castTarget, i int) hit {
	return hit{*c, *m, i, s.objects.Get(c.by).GUID, s.objects.Get(m.entity).GUID}
}

// at returns the effect of a hit.
func (h *hit) at() *defs.Effect { return &h.cast.spell.Effects[h.effect] }

// dice returns the dice of a hit for some purpose.
func (h *hit) dice(t sched.Tick, purpose string, salt uint64) sched.Dice {
	return t.Dice(purpose, h.byGUID^h.toGUID<<20^uint64(h.cast.spell.ID)<<40^salt)
}

// value returns the amount of the effect from its caster, before modifiers.
func (h *hit) value(t sched.Tick) float32 { return h.valueOf(t, h.effect) }

// valueOf is value of any effect of the spell.
//
// Source: SpellEffectInfo::CalcValue, AzerothCore.
func (h *hit) valueOf(t sched.Tick, i int) float32 {
	c, e := &h.cast, &h.cast.spell.Effects[i]
	v := float32(e.Amount) + float32(e.PerLevel*float32(c.spell.Grown(c.level)))
	if e.Dice > 0 {
		dice := h.dice(t, "spell.value", uint64(i))
		v += float32(dice.Intn(int(e.Dice) + 1))
	}
	return v
}
