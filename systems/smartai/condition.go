package smartai

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
)

// A condition looks up whether an event in combat happens, as a part of system scripts.
type condition struct {
	units     ecs.Entities
	defs      ecs.Res[defs.World]
	vitals    ecs.View[components.Vitals]
	attacks   ecs.Read[components.Attack]
	positions ecs.Read[components.Position]
	castings  ecs.View[components.Casting]
}

// holds reports whether what an event needs is so, and by which unit it happens, if by one.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func (c *condition) holds(nowMs uint32, e ecs.Entity, row *defs.ScriptRow) (by ecs.Entity, ok bool) {
	victim := c.attacks.Get(e).Victim
	switch row.Event {
	case defs.ScriptHealth:
		v := c.vitals.Get(e)
		return victim, percent(v.Health, v.MaxHealth, row)
	case defs.ScriptMana:
		v := c.vitals.Get(e)
		return victim, percent(v.Power[components.PowerMana], v.MaxPower[components.PowerMana], row)
	case defs.ScriptTargetHealth:
		v := c.victim(victim)
		return victim, v != nil && percent(v.Health, v.MaxHealth, row)
	case defs.ScriptRange:
		if c.victim(victim) == nil {
			return victim, false
		}
		far := yards(c.positions.Get(e).Vec(), c.positions.Get(victim).Vec())
		return victim, far >= float32(row.When[0]) && far <= float32(row.When[1])
	case defs.ScriptVictimCasting:
		if c.victim(victim) == nil {
			return victim, false
		}
		spell := c.castings.Get(victim).Cast.Spell
		return victim, spell != 0 && (row.When[2] == 0 || row.When[2] == spell)
	}
	return by, true
}

// victim has the health of the unit that a creature attacks, nil if there is none.
func (c *condition) victim(e ecs.Entity) *components.Vitals {
	if e == (ecs.Entity{}) || !c.units.Alive(e) {
		return nil
	}
	return c.vitals.Get(e)
}

// percent reports whether a value is between the first two parameters of a row, in percent of another one.
func percent(v, of uint32, row *defs.ScriptRow) bool {
	if of == 0 {
		return false
	}
	p := uint64(v) * 100 / uint64(of)
	return p >= uint64(row.When[0]) && p <= uint64(row.When[1])
}

// yards is the distance between two points.
func yards(a, b components.Vec) float32 {
	flat := math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))
	return float32(math.Hypot(flat, float64(a.Z-b.Z)))
}
