package naive

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// An Aura is one spell of one caster on a unit.
type Aura struct {
	info    *defs.Spell
	caster  *Unit
	slot    uint8
	level   uint8
	endMs   uint32
	nextMs  [defs.MaxEffects]uint32 // of pulses
	amount  [defs.MaxEffects]int32
	effects uint32
}

// addAura puts an aura on a unit, or begins the one that is there anew.
//
// Source: Unit::_TryStackingOrRefreshingExistingAura, AzerothCore.
func (u *Unit) addAura(s *Spell, effects uint32, amount [defs.MaxEffects]int32) {
	for _, a := range u.auras {
		if a.info == s.info && a.caster == s.by {
			a.amount, a.effects, a.level = amount, a.effects|effects, uint8(s.by.level())
			a.endMs = u.now() + a.info.DurationMs
			u.sendAura(a)
			u.self.figures()
			return
		}
	}
	a := &Aura{
		info: s.info, caster: s.by, level: uint8(s.by.level()), endMs: u.now() + s.info.DurationMs, amount: amount, effects: effects,
	}
	at := 0
	for at < len(u.auras) && u.auras[at].slot == a.slot {
		at++
		a.slot++
	}
	for i := range a.nextMs {
		a.nextMs[i] = u.now() + s.info.Effects[i].PulseMs
	}
	u.auras = append(u.auras, nil)
	copy(u.auras[at+1:], u.auras[at:])
	u.auras[at] = a
	u.sendAura(a)
	u.self.figures()
}

// removeAura takes an aura off.
func (u *Unit) removeAura(at int) {
	a := u.auras[at]
	u.auras = append(u.auras[:at], u.auras[at+1:]...)
	if !u.world.Quiet {
		u.world.broadcast(u, msg.OpAuraUpdate, &msg.AuraUpdate{Unit: u.guid, Records: []msg.AuraRecord{{Slot: a.slot}}})
	}
	u.self.figures()
}

// updateAuras has every aura do what is due, and takes off those whose time is up.
//
// Source: Unit::_UpdateSpells and Aura::UpdateOwner, AzerothCore.
func (u *Unit) updateAuras() {
	now := u.now()
	for i := 0; i < len(u.auras); i++ {
		a := u.auras[i]
		for k := range a.info.Effects {
			e := &a.info.Effects[k]
			if a.effects&(1<<k) == 0 || e.PulseMs == 0 || int32(now-a.nextMs[k]) < 0 {
				continue
			}
			a.nextMs[k] += e.PulseMs
			if a.pulse(u, k); !u.alive() {
				return
			}
		}
		if a.info.DurationMs > 0 && int32(now-a.endMs) >= 0 {
			u.removeAura(i)
			i--
		}
	}
}

// pulse does once what an aura does again and again.
//
// Source: AuraEffect::PeriodicTick, AzerothCore.
func (a *Aura) pulse(u *Unit, k int) {
	amount := uint32(max(a.amount[k], 0))
	switch a.info.Effects[k].Aura {
	case defs.AuraPeriodicDamage:
		h := damage{by: a.caster, school: a.info.School, amount: amount}
		done := u.resolveDamage(h)
		a.tellPulse(u, msg.PeriodicTick{
			Type: msg.PeriodicDamage, Amount: done.damage, Over: done.overkill, School: a.info.School, Absorbed: done.absorbed,
		})
		u.applyDamage(h, done)
	case defs.AuraPeriodicHeal:
		healed := u.heal(amount)
		a.tellPulse(u, msg.PeriodicTick{Type: msg.PeriodicHeal, Amount: amount, Over: amount - healed})
		if healed == 0 || len(u.threatenedBy) == 0 {
			return
		}
		each := float32(0.5*float32(healed)) / float32(len(u.threatenedBy))
		for owner := range u.threatenedBy {
			owner.threaten(a.caster, each)
		}
	}
}

func (a *Aura) tellPulse(u *Unit, tick msg.PeriodicTick) {
	if !u.world.Quiet {
		u.world.broadcast(u, msg.OpPeriodicAuraLog, &msg.PeriodicAuraLog{
			Target: u.guid, Caster: a.caster.guid, Spell: a.info.ID, Ticks: []msg.PeriodicTick{tick},
		})
	}
}

// sendAura sends an aura to all players near.
//
// Source: AuraApplication::BuildUpdatePacket, AzerothCore.
func (u *Unit) sendAura(a *Aura) {
	if u.world.Quiet {
		return
	}
	r := msg.AuraRecord{
		Slot: a.slot, Spell: a.info.ID, Flags: msg.AuraFlags(a.effects), Level: a.level, Stacks: 1, Caster: a.caster.guid,
	}
	if a.caster == u {
		r.Flags |= msg.AuraOwn
		r.Caster = 0
	}
	if a.info.Has(defs.SpellHarmful) {
		r.Flags |= msg.AuraNegative
	} else {
		r.Flags |= msg.AuraPositive
	}
	if a.info.DurationMs > 0 {
		r.Flags |= msg.AuraHasTime
		r.MaxMs, r.LeftMs = a.info.DurationMs, a.endMs-u.now()
	}
	u.world.broadcast(u, msg.OpAuraUpdate, &msg.AuraUpdate{Unit: u.guid, Records: []msg.AuraRecord{r}})
}

// auraSum adds up the amounts of one kind of auras.
//
// Source: Unit::GetTotalAuraModifier, AzerothCore.
func (u *Unit) auraSum(kind defs.AuraKind) (sum int32) {
	for _, a := range u.auras {
		for k := range a.info.Effects {
			if a.effects&(1<<k) != 0 && a.info.Effects[k].Aura == kind {
				sum += a.amount[k]
			}
		}
	}
	return sum
}

// absorb lets auras take damage upon themselves.
//
// Source: Unit::CalcAbsorbResist, AzerothCore.
func (u *Unit) absorb(school, amount uint32) (absorbed uint32) {
	for _, a := range u.auras {
		for k := range a.info.Effects {
			e := &a.info.Effects[k]
			if a.effects&(1<<k) != 0 && e.Aura == defs.AuraAbsorb && uint32(e.Misc)&school != 0 {
				part := min(uint32(max(a.amount[k], 0)), amount-absorbed)
				a.amount[k] -= int32(part)
				absorbed += part
			}
		}
	}
	return absorbed
}
