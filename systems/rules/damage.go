package rules

import (
	"math"

	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// A Damage is damage about to be done, after all that the attacker has to do with it, and after armour,
// resistance and block: what absorbs it comes last, here.
type Damage struct {
	By, To   ecs.Entity // By may be zero: a fall
	Spell    uint32     // 0: a blow, or the world's own
	School   uint32     // mask
	Amount   uint32
	Periodic bool
	Quiet    bool // makes no threat and no combat: a fall, a game master
}

// DamageResult is what a Damage came to.
type DamageResult struct {
	Dealt    uint32 // after absorption, overkill included
	Absorbed uint32
	Overkill uint32
	Killed   bool
	Immune   bool // nothing of its school does anything to the unit
}

// A DamageDealt is a Damage that was done or absorbed, in the queue of all of this tick.
type DamageDealt struct {
	Damage
	DamageResult
}

// A Death is a unit whose health has come to nothing in this tick, once for each. What follows from it is
// system death's business.
type Death struct {
	Entity ecs.Entity
	By     ecs.Entity // zero: the world
	Spell  uint32
}

// DealDamage does damage: the one way in which a unit loses health. Whoever is dead, evading or gone takes none.
// Packets that explain it are the caller's, who files them under To as events; one that must come before what
// follows from the damage lies between Weigh and Inflict, the two halves of Deal.
func (b *Book) DealDamage(t sched.Tick, h *Damage) DamageResult {
	out := b.ResolveDamage(t, h)
	b.ApplyDamage(t, h, &out)
	return out
}

// ResolveDamage says what a Damage comes to, and has auras absorb their part of it. Inflict must follow, unless who is immune is
// spared even the hostile act.
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

// ApplyDamage does what was weighed. Harm that came to nothing, as a miss does, is a hostile act and no more.
func (b *Book) ApplyDamage(t sched.Tick, h *Damage, out *DamageResult) {
	if !b.Alive(h.To) || b.combats.Get(h.To).Evading != 0 {
		return
	}
	bout, harmed := b.combats.Get(h.To), out.Dealt > 0 || out.Absorbed > 0
	if !h.Quiet && b.entities.Alive(h.By) && h.By != h.To {
		b.Engage(t, h.By, h.To)
		if harmed {
			b.AddThreat(t, h.To, h.By, float32(out.Dealt))
			b.setLootRecipient(t, h.By, h.To)
		}
	}
	if !harmed {
		return
	}
	bout.LastHitMs = t.NowMs
	*b.damageDealt.Next() = DamageDealt{*h, *out}
	switch {
	case out.Killed:
		b.kill(t, h.To, h.By, h.Spell)
	case out.Dealt > 0:
		b.lose(h, out.Dealt)
	}
}

// lose takes health from a unit that survives it.
func (b *Book) lose(h *Damage, damage uint32) {
	b.vitals.Get(h.To).Health -= damage
	b.dirty.Mark(h.To, components.DirtyVitals)
	if h.By != (ecs.Entity{}) && h.By != h.To {
		b.rageFromDamageTaken(h.To, damage)
	}
	b.stand(h.To)
	b.ScheduleRegen(h.To)
}

// Kill ends a living unit without damage. It reports whether there was anything to end.
func (b *Book) Kill(t sched.Tick, e, by ecs.Entity) bool {
	if !b.Alive(e) {
		return false
	}
	b.kill(t, e, by, 0)
	return true
}

func (b *Book) kill(t sched.Tick, e, by ecs.Entity, spell uint32) {
	v, bout := b.vitals.Get(e), b.combats.Get(e)
	v.Health = 0
	bout.LastHitMs = t.NowMs
	b.dirty.Mark(e, components.DirtyVitals)
	*b.deaths.Next() = Death{Entity: e, By: by, Spell: spell}
	b.leaveAllCombat(t, e)
}

// leaveAllCombat takes a unit out of all fights: who attacks it stops, nobody hates it and it hates nobody.
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

// LeaveWorld takes a unit that is about to leave the world out of all fights, for good: nobody can harm it or hate it
// any more. Whoever despawns a unit that is alive says so before.
func (b *Book) LeaveWorld(t sched.Tick, e ecs.Entity) {
	if bout := b.combats.Get(e); bout.Gone == 0 {
		b.leaveAllCombat(t, e)
		bout.Gone = 1
		if !b.Player(e) { // a player's are told in its character first
			b.auras.Get().Free(bout.Auras)
			bout.Auras = 0
		}
	}
}

// Heal gives a living unit health and reports how much it took and how much was too much.
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

// Revive gives a dead unit life with some health, at least 1 and at most all. It reports whether it was dead.
// What else it takes to stand up again is the caller's.
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

// Energize changes a unit's power within 0 and its maximum, and says by how much.
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

// Spend pays a cost. Who has less pays nothing, and it reports that. Paying with mana puts off its recovery.
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
