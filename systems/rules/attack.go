package rules

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
)

// maxSwingMs bounds the time between two swings: a timer further in the future than this has expired long ago.
const maxSwingMs = 60_000

// Due reports whether a weapon whose next swing is at a time may swing now.
func Due(nextMs, nowMs uint32) bool { return nextMs-nowMs-1 >= maxSwingMs }

// Attack starts a unit's attack on another: how is components.SwingMelee or SwingRanged. It goes on until it is
// stopped, either of them dies or the unit attacks another victim. It reports whether the attack is allowed.
// Attacking the same victim again changes nothing and costs next to nothing.
//
// Source: Unit::Attack, AzerothCore.
func (b *Book) Attack(t sched.Tick, e, victim ecs.Entity, how uint8) bool {
	combat := b.combats.Get(e)
	switch {
	case !b.Alive(e) || !b.Attackable(e, victim):
		return false
	case combat.Victim == victim && combat.Swinging == how:
		return true
	case combat.Victim != victim && combat.Swinging != 0:
		b.sendAttackStop(e, combat.Victim)
	}
	if combat.Victim != victim || combat.Swinging == 0 {
		b.sendAttackStart(e, victim)
	}
	changed := combat.Victim != victim
	combat.Victim, combat.Swinging, combat.Error = victim, how, 0
	b.stand(e)
	if !b.Player(e) {
		b.SetTarget(e, b.objects.Get(victim).GUID)
		if changed {
			b.sendNewVictim(e, victim)
		}
	}
	b.ScheduleSwing(t, e, 0)
	return true
}

// Stop ends a unit's attack. The swing timers of its weapons are kept.
//
// Source: Unit::AttackStop, AzerothCore.
func (b *Book) Stop(e ecs.Entity) {
	combat := b.combats.Get(e)
	if combat.Swinging != 0 {
		b.sendAttackStop(e, combat.Victim)
	}
	if combat.Victim != (ecs.Entity{}) && !b.Player(e) {
		b.SetTarget(e, 0)
	}
	combat.Victim, combat.Swinging, combat.Error = ecs.Entity{}, 0, 0
}

// StopCombat ends a unit's attack without a request of its own. The client of a player that was attacking is sent
// SMSG_ATTACKSWING_CANCEL_ATTACK.
//
// Source: Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func (b *Book) StopCombat(e ecs.Entity) {
	if b.Player(e) && (b.InCombat(e) || b.combats.Get(e).Swinging != 0) {
		b.out.Send(e, msg.OpCancelCombat, &b.packets.cancel)
	}
	b.Stop(e)
}

// A SwingReplaced is a melee swing that a spell replaces (components.Casting.NextSwing): the weapon is ready and the
// victim in reach. System spell, which comes after combat in the same tick, casts it.
type SwingReplaced struct{ Entity, Victim ecs.Entity }

// ReplaceSwing emits a SwingReplaced.
func (b *Book) ReplaceSwing(e, victim ecs.Entity) { *b.swingReplaced.Next() = SwingReplaced{e, victim} }

// SetTarget sets the target that a unit shows to observers. The target need not exist.
func (b *Book) SetTarget(e ecs.Entity, guid uint64) {
	if target := b.targets.Get(e); target.GUID != guid {
		target.GUID = guid
		b.dirty.Mark(e, components.DirtyTarget)
	}
}

// stand makes a sitting unit stand up, if it can.
func (b *Book) stand(e ecs.Entity) {
	stance := b.stances.Get(e)
	if b.units.Get(e).Flags&components.UnitStunned != 0 {
		return
	}
	switch stance.Bytes1[components.ByteStand] {
	case components.Standing, components.LyingDead, components.Submerged:
		return
	}
	stance.Bytes1[components.ByteStand] = components.Standing
	b.dirty.Mark(e, components.DirtyStance)
	if b.Player(e) {
		b.packets.stand = msg.StandStateUpdate{State: components.Standing}
		b.out.Send(e, msg.OpStandStateUpdate, &b.packets.stand)
	}
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
func (b *Book) InReach(e, victim ecs.Entity) bool {
	reach := max(b.units.Get(e).CombatReach+b.units.Get(victim).CombatReach+meleeSlack, nominalMelee)
	return b.squared(e, victim) <= float32(reach*reach)
}

// InShot reports whether another unit is within the range of a unit's shots.
func (b *Book) InShot(e, victim ecs.Entity) bool {
	reach := b.units.Get(e).CombatReach + b.units.Get(victim).CombatReach
	far := farthestShot + reach
	d := b.squared(e, victim)
	return d <= float32(far*far) && d >= nearestShot*nearestShot
}

// squared is the square of the distance between two units.
func (b *Book) squared(e, other ecs.Entity) float32 {
	p, q := b.positions.Get(e), b.positions.Get(other)
	dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
	return float32(dx*dx) + float32(dy*dy) + float32(dz*dz)
}

// InFront reports whether another unit is in the half circle before a unit: it can parry, block and shoot it.
func (b *Book) InFront(e, other ecs.Entity) bool {
	along, _ := b.ahead(e, b.combats.Get(e).Victim, other)
	return along >= 0
}

// InArc reports whether another unit is within an arc, radians, around a unit's facing. A creature faces its
// movement's target point if it has one, and else its victim.
//
// Source: Position::HasInArc, and Spell::prepare, which has creatures turn to their target, AzerothCore.
func (b *Book) InArc(e, mark, other ecs.Entity, arc float64) bool {
	if mark == e || !b.entities.Alive(mark) {
		mark = b.combats.Get(e).Victim
	}
	along, far := b.ahead(e, mark, other)
	return along >= float32(float64(far)*math.Cos(arc/2))
}

// Faces reports whether another unit is within a third of a circle before a unit: it can hit it in melee.
//
// Source: Player::Update, AzerothCore (120 degrees).
func (b *Book) Faces(e, other ecs.Entity) bool {
	along, far := b.ahead(e, b.combats.Get(e).Victim, other)
	return 2*along >= far
}

// ahead returns the horizontal distance to another unit and its component along the direction in which a unit faces.
// A creature turns towards its target point by itself.
func (b *Book) ahead(e, mark, other ecs.Entity) (along, far float32) {
	p, q := b.positions.Get(e), b.positions.Get(other)
	dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
	sin, cos := math.Sincos(float64(p.O))
	if mark != (ecs.Entity{}) && !b.Player(e) && b.entities.Alive(mark) {
		v := b.positions.Get(mark)
		x, y := float64(v.X-p.X), float64(v.Y-p.Y)
		if length := math.Hypot(x, y); length > 0 {
			sin, cos = y/length, x/length
		}
	}
	return float32(float64(dx*cos) + float64(dy*sin)), float32(math.Hypot(dx, dy))
}

// packets are the messages that a Book sends, kept so that sending them does not allocate.
type packets struct {
	start   msg.AttackStart
	stop    msg.AttackStopped
	cancel  msg.Empty
	stand   msg.StandStateUpdate
	update  msg.ThreatUpdate
	highest msg.HighestThreatUpdate
	remove  msg.ThreatRemove
	clear   msg.ThreatClear
	list    []msg.Threat
}

func (b *Book) sendAttackStart(e, victim ecs.Entity) {
	b.packets.start = msg.AttackStart{Attacker: b.objects.Get(e).GUID, Victim: b.objects.Get(victim).GUID}
	b.out.Broadcast(e, msg.OpAttackStart, &b.packets.start)
}

func (b *Book) sendAttackStop(e, victim ecs.Entity) {
	b.packets.stop = msg.AttackStopped{Attacker: b.objects.Get(e).GUID}
	if b.entities.Alive(victim) {
		b.packets.stop.Victim = b.objects.Get(victim).GUID
		if b.vitals.Get(victim).Health == 0 {
			b.packets.stop.VictimDead = 1
		}
	}
	b.out.Broadcast(e, msg.OpAttackStopped, &b.packets.stop)
}
