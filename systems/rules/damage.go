package rules

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// A Damage is damage about to be dealt, after the attacker's modifiers, armour, resistance and block. Absorption
// comes last, in ResolveDamage.
type Damage struct {
	By, To   ecs.Entity // By may be zero: a fall
	Spell    uint32     // 0: a melee hit or environmental damage
	School   uint32     // mask
	Amount   uint32
	Periodic bool
	Quiet    bool // causes no threat and no combat: a fall, a game master
}

// DamageResult is the result of a Damage.
type DamageResult struct {
	Dealt    uint32 // after absorption, overkill included
	Absorbed uint32
	Overkill uint32
	Killed   bool
	Immune   bool // the unit is immune to all of its schools
}

// A DamageDealt is a Damage that was dealt or absorbed, in the queue of all of this tick.
type DamageDealt struct {
	Damage
	DamageResult
}

// A Death is a unit whose health has reached 0 in this tick, once for each. System death handles it.
type Death struct {
	Entity ecs.Entity
	By     ecs.Entity // zero: the world
	Spell  uint32
}

// DealDamage deals damage: the only way in which a unit loses health. Dead, evading and despawned units take none.
// The caller sends the packets that explain it, as events of To; one that must come before the consequences of the
// damage is sent between ResolveDamage and ApplyDamage, the two halves of DealDamage.
func (b *Book) DealDamage(t sched.Tick, h *Damage) DamageResult {
	out := b.ResolveDamage(t, h)
	b.ApplyDamage(t, h, &out)
	return out
}

// ResolveDamage computes the result of a Damage and lets auras absorb their part of it. ApplyDamage must follow,
// except for an immune unit that is not to be put into combat either.
//
// Source: Unit::IsImmunedToDamageOrSchool, which stands before all else in CalculateMeleeDamage, DealMeleeDamage and
// AuraEffect::PeriodicTick, AzerothCore.
func (b *Book) ResolveDamage(t sched.Tick, h *Damage) (out DamageResult) {
	if !b.Alive(h.To) || b.combats.Get(h.To).Evading != 0 {
		return out
	}
	if b.Immune(h.To, h.School) {
		out.Immune = true
		return out
	}
	health := b.vitals.Get(h.To).Health
	out.Absorbed = min(b.absorb(t, h.To, h.School, h.Amount), h.Amount)
	out.Dealt = h.Amount - out.Absorbed
	if b.combats.Get(h.To).States&components.StateGod != 0 {
		out.Dealt = min(out.Dealt, health-1)
	}
	if out.Dealt >= health {
		out.Overkill, out.Killed = out.Dealt-health, true
	}
	return out
}

// ApplyDamage applies what was resolved. Damage of 0, as of a miss, is a hostile act and no more.
func (b *Book) ApplyDamage(t sched.Tick, h *Damage, out *DamageResult) {
	if !b.Alive(h.To) || b.combats.Get(h.To).Evading != 0 {
		return
	}
	combat, result := b.combats.Get(h.To), out.Dealt > 0 || out.Absorbed > 0
	if !h.Quiet && b.entities.Alive(h.By) && h.By != h.To {
		b.Engage(t, h.By, h.To)
		if result {
			b.AddThreat(t, h.To, h.By, float32(out.Dealt))
			b.setLootRecipient(t, h.By, h.To)
		}
	}
	if !result {
		return
	}
	combat.LastHitMs = t.NowMs
	*b.damageDealt.Next() = DamageDealt{*h, *out}
	switch {
	case out.Killed:
		b.kill(t, h.To, h.By, h.Spell)
	case out.Dealt > 0:
		b.loseHealth(h, out.Dealt)
	}
}

// loseHealth takes health from a unit that survives the damage.
func (b *Book) loseHealth(h *Damage, damage uint32) {
	b.vitals.Get(h.To).Health -= damage
	b.dirty.Mark(h.To, components.DirtyVitals)
	if h.By != (ecs.Entity{}) && h.By != h.To {
		b.rageFromDamageTaken(h.To, damage)
	}
	b.stand(h.To)
	b.ScheduleRegen(h.To)
}

// Kill ends a living unit without damage. It reports whether the unit was alive.
func (b *Book) Kill(t sched.Tick, e, by ecs.Entity) bool {
	if !b.Alive(e) {
		return false
	}
	b.kill(t, e, by, 0)
	return true
}

func (b *Book) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	v, combat := b.vitals.Get(e), b.combats.Get(e)
	v.Health = 0
	combat.LastHitMs = t.NowMs
	b.dirty.Mark(e, components.DirtyVitals)
	*b.deaths.Next() = Death{Entity: e, By: by, Spell: spell}
	b.leaveAllCombat(t, e)
}

// leaveAllCombat takes a unit out of all combat: attacks on it stop, and it is removed from all threat lists and has
// none.
func (b *Book) leaveAllCombat(t sched.Tick, e ecs.Entity) {
	b.StopCombat(e)
	for _, h := range b.ThreatList(e) {
		b.stopIf(h.Entity, e)
	}
	b.ThreatenedBy(e, func(creature ecs.Entity, _ float32) { b.stopIf(creature, e) })
	b.ClearThreat(e)
	b.clearThreatOn(t, e)
	b.endCombat(e)
}

// stopIf ends a unit's attack if it is on a certain victim.
func (b *Book) stopIf(e, victim ecs.Entity) {
	if b.entities.Alive(e) && b.combats.Get(e).Victim == victim {
		b.Stop(e)
	}
}

// LeaveWorld takes a unit that is about to leave the world out of all combat: it can neither be damaged nor put on a
// threat list. It is called before a living unit is despawned.
func (b *Book) LeaveWorld(t sched.Tick, e ecs.Entity) {
	if combat := b.combats.Get(e); combat.Gone == 0 {
		b.leaveAllCombat(t, e)
		combat.Gone = 1
		if !b.Player(e) { // a player's auras are saved with its character first
			b.auras.Get().Free(combat.Auras)
			combat.Auras = 0
		}
	}
}

// Heal gives a living unit health and returns how much it gained and how much was overhealing.
func (b *Book) Heal(e ecs.Entity, amount uint32) (healed, over uint32) {
	if !b.Alive(e) {
		return 0, amount
	}
	v := b.vitals.Get(e)
	healed = min(amount, v.MaxHealth-min(v.Health, v.MaxHealth))
	if healed > 0 {
		v.Health += healed
		b.dirty.Mark(e, components.DirtyVitals)
	}
	return healed, amount - healed
}

// Revive gives a dead unit some health, at least 1 and at most its maximum. It reports whether the unit was dead. The
// caller does what else resurrection takes.
func (b *Book) Revive(e ecs.Entity, health uint32) bool {
	v := b.vitals.Get(e)
	if v.Health > 0 {
		return false
	}
	v.Health = min(max(health, 1), max(v.MaxHealth, 1))
	b.ScheduleRegen(e)
	b.dirty.Mark(e, components.DirtyVitals)
	return true
}

// Energize changes a unit's power within 0 and its maximum, and returns the change.
func (b *Book) Energize(e ecs.Entity, power int, delta int32) int32 {
	v := b.vitals.Get(e)
	have := int64(v.Power[power])
	to := min(max(have+int64(delta), 0), int64(v.MaxPower[power]))
	if to != have {
		v.Power[power] = uint32(to)
		b.ScheduleRegen(e)
		b.dirty.Mark(e, components.DirtyVitals)
	}
	return int32(to - have)
}

// Spend pays a cost and reports whether the unit could. Spending mana interrupts its recovery.
//
// Source: Spell::TakePower and Player::RegenerateAll, AzerothCore (five seconds).
func (b *Book) Spend(t sched.Tick, e ecs.Entity, power int, cost uint32) bool {
	v := b.vitals.Get(e)
	if v.Power[power] < cost {
		return false
	}
	if cost > 0 {
		b.Energize(e, power, -int32(min(cost, math.MaxInt32)))
		if power == components.PowerMana {
			b.combats.Get(e).ManaSpentMs = t.NowMs
		}
	}
	return true
}
