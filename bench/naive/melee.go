package naive

import (
	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// How blows are tried again, as muster does it.
const retryMs = 100

// arm sets what a unit strikes with.
//
// Source: Unit::CalculateMinMaxDamage, AzerothCore.
func (u *Unit) arm(least, most float32, swingMs uint32, power float32) {
	more := float32(power/14) * (float32(swingMs) / 1000)
	u.minDamage = max(least+more, 0)
	u.maxDamage = max(most+more, u.minDamage)
	u.swingMs = swingMs
	for _, field := range [...]int{fieldAttackTime, fieldAttackTime + 1, fieldRangedTime} {
		u.set(field, swingMs)
	}
}

// attack has a unit attack another whenever it can.
//
// Source: Unit::Attack, AzerothCore.
func (u *Unit) attack(victim *Unit) bool {
	switch {
	case !u.alive() || !u.hostile(victim):
		return false
	case u.victim == victim && u.swinging:
		return true
	case u.swinging:
		u.tellStop()
	}
	changed := u.victim != victim
	u.victim, u.swinging, u.refusal = victim, true, 0
	if !u.world.Quiet {
		u.world.broadcast(u, msg.OpAttackStart, &msg.AttackStart{Attacker: u.guid, Victim: victim.guid})
	}
	if u.self.player() == nil {
		u.setGUID(fieldTarget, victim.guid)
		if changed && len(u.threats) > 0 && !u.world.Quiet {
			u.tellHated(msg.OpHighestThreatUpdate, &msg.HighestThreatUpdate{Unit: u.guid, Victim: victim.guid, Threats: u.listThreats()})
		}
	}
	u.await(0)
	return true
}

// stopAttack ends a unit's attack.
func (u *Unit) stopAttack() {
	if u.swinging {
		u.tellStop()
	}
	if u.victim != nil && u.self.player() == nil {
		u.setGUID(fieldTarget, 0)
	}
	u.victim, u.swinging, u.refusal = nil, false, 0
}

func (u *Unit) tellStop() {
	if u.world.Quiet {
		return
	}
	m := msg.AttackStopped{Attacker: u.guid, Victim: u.victim.guid}
	if !u.victim.alive() {
		m.VictimDead = 1
	}
	u.world.broadcast(u, msg.OpAttackStopped, &m)
}

// await has a unit try to strike after a while, or earlier if it would have done so.
func (u *Unit) await(ms uint32) {
	at := u.world.tick.N
	if ms > 0 {
		at = u.world.tick.After(ticks(ms))
	}
	if u.look == 0 || at < u.look {
		u.look = at
	}
}

// updateMelee strikes, if it is time and the victim is there.
//
// Source: Player::Update and UnitAI::DoMeleeAttackIfReady, AzerothCore.
func (u *Unit) updateMelee() {
	if u.look == 0 || u.world.tick.N < u.look {
		return
	}
	u.look = 0
	switch {
	case !u.swinging:
		return
	case !u.hostile(u.victim):
		u.refuse(msg.OpAttackSwingDeadTarget)
		u.stopAttack()
		return
	case u.casting != nil:
		u.await(retryMs)
		return
	case far(u, u.victim) > max(u.reach()+u.victim.reach()+4.0/3, 5):
		u.refuse(msg.OpAttackSwingNotInRange)
		u.await(retryMs)
		return
	case u.self.player() != nil && !u.inFront(u.victim):
		u.refuse(msg.OpAttackSwingBadFacing)
		u.await(retryMs)
		return
	}
	u.refusal = 0
	if now := u.now(); int32(now-u.nextMs) >= 0 {
		u.nextMs = now + u.swingMs
		victim := u.victim
		u.strike(victim)
		if u.victim != victim || !u.swinging {
			return
		}
	}
	u.await(u.nextMs - u.now())
}

func (u *Unit) refuse(why uint16) {
	if p := u.self.player(); p != nil && u.refusal != why {
		p.send(why, nil)
	}
	u.refusal = why
}

func (u *Unit) reach() float32 { return u.float(fieldCombatReach) }

// strike is one blow.
//
// Source: Unit::AttackerStateUpdate, AzerothCore.
func (u *Unit) strike(victim *Unit) {
	u.engage(victim)
	m := msg.AttackerState{
		Attacker: u.guid, Victim: victim.guid, Count: 1, Subs: [2]msg.SubDamage{{School: defs.SchoolPhysical}},
	}
	dice := u.world.tick.Dice("combat.strike", u.guid<<2)
	clash := u.clash(victim)
	table := clash.Table()
	outcome := table.Roll(dice.Intn(rules.Rolls))
	amount := uint32(0)
	switch outcome {
	case rules.Miss:
		m.HitInfo |= msg.HitMiss
	case rules.Dodge:
		m.VictimState = msg.VictimDodge
	case rules.Parry:
		m.VictimState = msg.VictimParry
	default:
		damage := rules.ReduceByArmor(dice.Between(u.minDamage, u.maxDamage), victim.armor, u.level())
		m.HitInfo |= msg.HitAffectsVictim
		m.VictimState = msg.VictimHit
		switch outcome {
		case rules.Glancing:
			m.HitInfo |= msg.HitGlancing
			damage -= float32(damage * float32(min(victim.level()-u.level(), 3)) / 10)
		case rules.Crit:
			m.HitInfo |= msg.HitCritical
			damage *= 2
		case rules.Crushing:
			m.HitInfo |= msg.HitCrushing
			damage += damage / 2
		}
		if amount = uint32(damage + 0.5); u.maxDamage > 0 {
			amount = max(amount, 1)
		}
		if outcome == rules.Block {
			m.HitInfo |= msg.HitBlock
			m.Blocked = min(uint32(victim.blockValue), amount)
			if amount -= m.Blocked; amount == 0 {
				m.VictimState = msg.VictimBlocks
			}
		}
	}
	h := damage{by: u, school: defs.SchoolPhysical, amount: amount}
	done := victim.resolveDamage(h)
	if !u.world.Quiet {
		m.Damage, m.Overkill = done.damage, done.overkill
		m.Subs[0].Damage, m.Subs[0].Absorbed = done.damage, done.absorbed
		u.world.broadcast(victim, msg.OpAttackerState, &m)
	}
	victim.applyDamage(h, done)
	if outcome == rules.Parry {
		victim.hasten()
	}
	if outcome >= rules.Block && u.values[fieldMaxPower+components.PowerRage] > 0 {
		u.energize(components.PowerRage, rageDealt(done.damage, u.level(), u.swingMs, outcome == rules.Crit))
	}
}

// clash is what the outcome of a blow depends on.
func (u *Unit) clash(victim *Unit) rules.AttackChances {
	return rules.AttackChances{
		Level: int(u.level()), VictimLevel: int(victim.level()),
		Player: u.self.player() != nil, VictimPlayer: victim.self.player() != nil,
		Crit: u.crit, Dodge: victim.dodge, Parry: victim.parry, Block: victim.block, Behind: u.behind(victim),
	}
}

// behind reports whether a unit is behind another. Creatures turn to the units that they attack.
func (u *Unit) behind(victim *Unit) bool {
	if victim.self.player() == nil && victim.victim == u {
		return false
	}
	return !victim.inFront(u)
}

// hasten lets a unit that has parried strike earlier.
//
// Source: Unit::AttackerStateUpdate's parry haste, AzerothCore.
func (u *Unit) hasten() {
	left, least := int32(u.nextMs-u.now()), int32(u.swingMs/5)
	if !u.swinging || left <= least {
		return
	}
	left = max(left-int32(u.swingMs*2/5), least)
	u.nextMs = u.now() + uint32(left)
	u.await(uint32(left))
}

// rageDealt and rageTaken are the rage, in tenths, for damage.
//
// Source: Unit::RewardRage, AzerothCore (below level 70).
func rageDealt(damage, level, swingMs uint32, crit bool) int32 {
	factor := 3.5
	if crit {
		factor *= 2
	}
	return int32(min((float64(float64(damage)/rageWorth(level)*7.5)+float64(float64(swingMs)/1000*factor))/2*10, fullRage))
}

func rageTaken(damage, level uint32) int32 {
	return int32(min(float64(damage)/rageWorth(level)*2.5*10, fullRage))
}

func rageWorth(level uint32) float64 {
	l := float64(level)
	return float64(0.0091107836*l*l) + float64(3.225598133*l) + 4.2652911
}
