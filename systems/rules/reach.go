package rules

import (
	"math"

	"muster/components"
	"muster/ecs"
)

// Reach answers where units are relative to each other, as a part of the systems that ask.
type Reach struct {
	entities  ecs.Entities
	positions ecs.Read[components.Position]
	units     ecs.Read[components.Unit]
	attacks   ecs.Read[components.Attack]
	sessions  ecs.Read[components.Session]
}

// Melee reach, yards.
//
// Source: Unit::GetMeleeRange, AzerothCore (the reaches of both and 4/3; NOMINAL_MELEE_RANGE, ObjectDefines.h).
const (
	meleeSlack   = 4.0 / 3
	nominalMelee = 5.0
)

// Shots reach from the one distance to the other, yards, to which the combat reaches of both units are added.
//
// Source: Auto Shot of build 12340, SpellRange.dbc (5 to 35).
const (
	nearestShot  = 5
	farthestShot = 35
)

// InReach reports whether another unit is within a unit's melee reach.
func (r *Reach) InReach(e, victim ecs.Entity) bool {
	reach := max(r.units.Get(e).CombatReach+r.units.Get(victim).CombatReach+meleeSlack, nominalMelee)
	return r.squared(e, victim) <= float32(reach*reach)
}

// InShot reports whether another unit is within the range of a unit's shots.
func (r *Reach) InShot(e, victim ecs.Entity) bool {
	reach := r.units.Get(e).CombatReach + r.units.Get(victim).CombatReach
	far := farthestShot + reach
	d := r.squared(e, victim)
	return d <= float32(far*far) && d >= nearestShot*nearestShot
}

// squared is the square of the distance between two units.
func (r *Reach) squared(e, other ecs.Entity) float32 {
	p, q := r.positions.Get(e), r.positions.Get(other)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	return float32(dx*dx) + float32(dy*dy) + float32(dz*dz)
}

// InFront reports whether another unit is in the half circle before a unit: it can parry, block and shoot it.
func (r *Reach) InFront(e, other ecs.Entity) bool {
	along, _ := r.ahead(e, r.attacks.Get(e).Victim, other)
	return along >= 0
}

// InArc reports whether another unit is within an arc, radians, around a unit's facing. A creature faces its
// movement's target point if it has one, and else its victim.
//
// Source: Position::HasInArc, and Spell::prepare, which has creatures turn to their target, AzerothCore.
func (r *Reach) InArc(e, mark, other ecs.Entity, arc float64) bool {
	if mark == e || !r.entities.Exists(mark) {
		mark = r.attacks.Get(e).Victim
	}
	along, far := r.ahead(e, mark, other)
	return along >= float32(float64(far)*math.Cos(arc/2))
}

// Faces reports whether another unit is within a third of a circle before a unit: it can hit it in melee.
//
// Source: Player::Update, AzerothCore (120 degrees).
func (r *Reach) Faces(e, other ecs.Entity) bool {
	along, far := r.ahead(e, r.attacks.Get(e).Victim, other)
	return 2*along >= far
}

// ahead returns the horizontal distance to another unit and its component along the direction in which a unit faces.
// A creature turns towards its target point by itself.
func (r *Reach) ahead(e, mark, other ecs.Entity) (along, far float32) {
	p, q := r.positions.Get(e), r.positions.Get(other)
	dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
	sin, cos := math.Sincos(float64(p.O))
	if mark != (ecs.Entity{}) && !r.sessions.Has(e) && r.entities.Exists(mark) {
		v := r.positions.Get(mark)
		x, y := float64(v.X-p.X), float64(v.Y-p.Y)
		if length := math.Hypot(x, y); length > 0 {
			sin, cos = y/length, x/length
		}
	}
	return float32(float64(dx*cos) + float64(dy*sin)), float32(math.Hypot(dx, dy))
}
