package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
)

// A cast is a spell in execution.
type cast struct {
	castEvent
	spell *defs.Spell
}

// A castEvent is a cast in events and timers, which have no pointers.
type castEvent struct {
	by, target ecs.Entity // target may be zero
	to         components.Vec
	id         uint32 // of the spell
	level      uint32 // of the caster
	item       uint32 // counter of the caster's item that casts it and is used up; 0 none
	count      uint8
	depth      uint8 // length of the chain of spells that triggered it
	placed     bool
	triggered  bool
}

// in returns the cast of an event.
func (c *castEvent) in(d *defs.World) cast { return cast{*c, d.Spell(c.id)} }

// A hit is one effect of a cast on one of its targets.
type hit struct {
	cast cast
	hitEvent
}

// A hitEvent is a hit in events. System spellhits emits it for the system that executes effects of its kind in the
// same tick.
type hitEvent struct {
	event          castEvent
	target         castTarget
	effect         int    // index into the spell's effects
	byGUID, toGUID uint64 // of caster and target
}

// The hits for each of the systems that execute effects.
type (
	damageHit hitEvent
	healHit   hitEvent
	threatHit hitEvent
	dispelHit hitEvent
	moveHit   hitEvent
	callHit   hitEvent
	// An auraHit has all effects of a cast that are auras of its target, a bit each.
	auraHit struct {
		hitEvent
		effects uint32
	}
)

// A lookup finds what hits are about, as a part of the systems that execute them.
type lookup struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
}

// hit returns the hit of an event, and whether its caster and its target still exist.
func (l *lookup) hit(h hitEvent) (hit, bool) {
	if !l.entities.Exists(h.event.by) || !l.entities.Exists(h.target.entity) {
		return hit{}, false
	}
	return hit{h.event.in(l.defs.Get()), h}, true
}

// at returns the effect of a hit.
func (h *hit) at() *defs.Effect { return &h.cast.spell.Effects[h.effect] }

// dice returns the dice of a hit for some purpose.
func (h *hit) dice(t sched.Tick, purpose string, salt uint64) sched.Dice {
	return t.Dice(purpose, h.byGUID^h.toGUID<<20^uint64(h.cast.id)<<40^salt)
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
