package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// secret is the number of Secret, beyond those of the others.
const secret = 200

// spells are what every player of a scenario knows from the beginning, but for Secret, which can be taught. They
// hit always and never hard, so that a transcript says what a rule comes to.
func spells() []defs.Spell {
	const sure = defs.SpellAlwaysHits | defs.SpellNeverCrits
	const harm, help = defs.SpellHarmful | sure, defs.SpellNeverCrits
	const cast = defs.SpellStill | defs.SpellPushedBack | defs.SpellInterruptible
	one := func(e defs.Effect) [defs.MaxEffects]defs.Effect { return [defs.MaxEffects]defs.Effect{e} }
	hit := func(amount int32) defs.Effect {
		return defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: amount}
	}
	lasts := func(kind defs.AuraKind, to defs.Target, amount, misc int32) defs.Effect {
		return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: to, Amount: amount, Misc: misc}
	}
	pulses := func(e defs.Effect, ms uint32) defs.Effect { e.PulseMs = ms; return e }
	within := func(e defs.Effect, to defs.Target, yards float32) defs.Effect {
		e.Target, e.Radius = to, yards
		return e
	}
	chain := hit(8)
	chain.Chain, chain.ChainFactor = 3, 0.5
	all := []defs.Spell{
		{Name: "Bolt", School: defs.SchoolFire, Flags: harm, MaxRange: 30, CooldownMs: 3000, GlobalMs: 1500, Effects: one(hit(10))},
		{Name: "Mend", School: defs.SchoolHoly, Flags: help | cast, MaxRange: 40, CastMs: 1000, GlobalMs: 500,
			Effects: one(defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetFriend, Amount: 20})},
		{Name: "Rot", School: defs.SchoolShadow, Dispel: defs.DispelDisease, Flags: harm, MaxRange: 30, DurationMs: 300,
			Effects: one(pulses(lasts(defs.AuraPeriodicDamage, defs.TargetEnemy, 4, 0), 100))},
		{Name: "Ward", School: defs.SchoolHoly, Dispel: defs.DispelMagic, Flags: help, DurationMs: 10_000,
			Effects: one(lasts(defs.AuraAbsorb, defs.TargetFriend, 15, int32(defs.SchoolAll)))},
		{Name: "Daze", School: defs.SchoolNature, Flags: harm, MaxRange: 30, DurationMs: 500, Effects: one(lasts(defs.AuraStun, defs.TargetEnemy, 0, 0))},
		{Name: "Drain", School: defs.SchoolShadow, Flags: harm | cast | defs.SpellChannelled, MaxRange: 30, DurationMs: 300,
			Effects: one(pulses(lasts(defs.AuraPeriodicLeech, defs.TargetEnemy, 3, 0), 100))},
		{Name: "Hail", School: defs.SchoolFrost, Flags: harm | cast | defs.SpellChannelled, MaxRange: 30, DurationMs: 200,
			Effects: one(pulses(within(hit(2), defs.TargetPlaceEnemies, 8), 100))},
		{Name: "Arrow", School: defs.SchoolNature, Flags: harm, MaxRange: 30, MissileSpeed: 50, Effects: one(hit(5))},
		{Name: "Kick", School: defs.SchoolPhysical, Flags: harm, DurationMs: 2000,
			Effects: one(defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetEnemy})},
		{Name: "Cleanse", School: defs.SchoolHoly, Flags: help, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetFriend, Amount: 1, Misc: defs.DispelMagic})},
		{Name: "Fork", School: defs.SchoolNature, Flags: harm, MaxRange: 30, Effects: one(chain)},
		{Name: "Nova", School: defs.SchoolFrost, Flags: harm, Effects: one(within(hit(3), defs.TargetAreaEnemies, 10))},
		{Name: "Breath", School: defs.SchoolFire, Flags: harm, Effects: one(within(hit(4), defs.TargetConeEnemies, 10))},
		{Name: "Cleave", School: defs.SchoolPhysical, Flags: harm | defs.SpellNextSwing | defs.SpellMelee, Power: 1, Cost: 10,
			Effects: one(defs.Effect{Kind: defs.EffectWeaponDamage, Target: defs.TargetEnemy, Amount: 7})},
		{Name: "Shoot", School: defs.SchoolPhysical, Flags: harm | defs.SpellAutoRepeat | defs.SpellRanged, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectWeaponDamage, Target: defs.TargetEnemy})},
		{Name: "Might", School: defs.SchoolArcane, Dispel: defs.DispelMagic, Flags: help, DurationMs: 1000, Stacks: 2,
			Effects: one(lasts(defs.AuraHealth, defs.TargetFriend, 10, 0))},
		{Name: "Thorns", School: defs.SchoolNature, Flags: help, DurationMs: 60_000, Charges: 2, Spent: defs.SpentStruck,
			Effects: one(lasts(defs.AuraDamageShield, defs.TargetFriend, 3, 0))},
		{Name: "Terror", School: defs.SchoolShadow, Flags: harm, Breaks: defs.BreakDamage, MaxRange: 30, DurationMs: 60_000,
			Effects: one(lasts(defs.AuraFear, defs.TargetEnemy, 0, 0))},
		{Name: "Snare", School: defs.SchoolFrost, Flags: harm, MaxRange: 30, DurationMs: 500,
			Effects: [3]defs.Effect{lasts(defs.AuraSlow, defs.TargetEnemy, -50, 0), lasts(defs.AuraRoot, defs.TargetEnemy, 0, 0)}},
		{Name: "Dash", School: defs.SchoolPhysical, Flags: help, DurationMs: 400, CooldownMs: 1000, Effects: one(lasts(defs.AuraSpeedUp, defs.TargetCaster, 40, 0))},
		{Name: "Hush", School: defs.SchoolArcane, Flags: sure, MaxRange: 30, DurationMs: 1000,
			Effects: one(lasts(defs.AuraSilence, defs.TargetAny, 0, 0))},
		{Name: "Raise", School: defs.SchoolHoly, Flags: help | defs.SpellOnDead, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetFriend, Amount: 50})},
		{Name: "Shout", School: defs.SchoolPhysical, Flags: harm, Effects: one(defs.Effect{Kind: defs.EffectThreat, Target: defs.TargetEnemy, Amount: 100})},
		{Name: "Taunt", School: defs.SchoolPhysical, Flags: harm, MaxRange: 30, Effects: one(defs.Effect{Kind: defs.EffectAttackMe, Target: defs.TargetEnemy})},
		{Name: "Charge", School: defs.SchoolPhysical, Flags: harm, MinRange: 8, MaxRange: 25, Effects: one(defs.Effect{Kind: defs.EffectCharge, Target: defs.TargetEnemy})},
		{Name: "Gust", School: defs.SchoolNature, Flags: sure, MaxRange: 30, Effects: one(defs.Effect{Kind: defs.EffectKnockBack, Target: defs.TargetAny, Amount: 50, Misc: 100})},
		{Name: "Call", School: defs.SchoolNature, Flags: help, DurationMs: 1000, Effects: one(defs.Effect{Kind: defs.EffectSummon, Target: defs.TargetCaster, Amount: 1, Misc: 101})},
		{Name: "Teach", School: defs.SchoolArcane, Flags: help, Effects: one(defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetCaster, Trigger: secret})},
		{Name: "Vigour", School: defs.SchoolPhysical, Flags: help | defs.SpellPassive, Effects: one(lasts(defs.AuraHealth, defs.TargetCaster, 5, 0))},
		{Name: "Fury", School: defs.SchoolPhysical, Flags: help, Effects: one(defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetCaster, Amount: 100, Misc: 1})},
		{Name: "Renew", School: defs.SchoolHoly, Flags: help, DurationMs: 200, Effects: one(pulses(lasts(defs.AuraPeriodicHeal, defs.TargetFriend, 5, 0), 100))},
		{Name: "Slam", School: defs.SchoolPhysical, Flags: harm | defs.SpellMelee, Power: 1, Cost: 150,
			Effects: [3]defs.Effect{
				{Kind: defs.EffectWeaponDamage, Target: defs.TargetEnemy, Amount: 4}, {Kind: defs.EffectWeaponPercent, Target: defs.TargetEnemy, Amount: 200},
				{Kind: defs.EffectTriggerSpell, Target: defs.TargetEnemy, Trigger: 5},
			}},
		{Name: "Hide", School: defs.SchoolPhysical, Flags: help | defs.SpellWaitsForAura, Breaks: defs.BreakCast | defs.BreakMove, CooldownMs: 1000, DurationMs: 500,
			Effects: one(lasts(defs.AuraDodge, defs.TargetCaster, 5, 0))},
		{Name: "Panic", School: defs.SchoolShadow, Flags: sure, MaxRange: 30, DurationMs: 2000,
			Effects: one(lasts(defs.AuraFear, defs.TargetAny, 0, 0))},
		{Name: "Recall", School: defs.SchoolArcane, Flags: help, Effects: one(defs.Effect{Kind: defs.EffectTeleport, Target: defs.TargetHome})},
		{Name: "Stifle", School: defs.SchoolPhysical, Flags: sure, MaxRange: 30, DurationMs: 500,
			Effects: one(defs.Effect{Kind: defs.EffectInterrupt, Target: defs.TargetAny})},
		{Name: "Salve", School: defs.SchoolNature, Flags: help, Category: 9, CategoryMs: 300,
			Effects: one(defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 1})},
		{Name: "Tonic", School: defs.SchoolNature, Flags: help, Category: 9, CategoryMs: 300,
			Effects: one(defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 2})},
		{Name: "Blight", School: defs.SchoolShadow, Dispel: defs.DispelMagic, Flags: sure, MaxRange: 30, DurationMs: 400,
			Effects: one(pulses(lasts(defs.AuraPeriodicDamage, defs.TargetAny, 35, 0), 200))},
		{Name: "Vigil", School: defs.SchoolHoly, Flags: help | defs.SpellChannelled, MaxRange: 30, DurationMs: 3000,
			Effects: one(pulses(lasts(defs.AuraPeriodicHeal, defs.TargetAny, 1, 0), 1000))},
		{Name: "Echo", School: defs.SchoolArcane, Flags: help,
			Effects: one(defs.Effect{Kind: defs.EffectTriggerSpell, Target: defs.TargetCaster, Trigger: 41})},
		{Name: "Purge", School: defs.SchoolHoly, Flags: sure, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectDispel, Target: defs.TargetAny, Amount: 1, Misc: defs.DispelMagic})},
		{Name: "Doze", School: defs.SchoolNature, Flags: sure, MaxRange: 30, DurationMs: 300, Effects: one(lasts(defs.AuraStun, defs.TargetAny, 0, 0))},
		{Name: "Aegis", School: defs.SchoolHoly, Flags: help, DurationMs: 4000,
			Effects: one(lasts(defs.AuraSchoolImmunity, defs.TargetAny, 0, int32(defs.SchoolPhysical)))},
		{Name: "Veil", School: defs.SchoolHoly, Flags: help, MaxRange: 30, DurationMs: 4000,
			Effects: one(lasts(defs.AuraSchoolImmunity, defs.TargetAny, 0, int32(defs.SchoolMagic)))},
		{Name: "Calm", School: defs.SchoolHoly, Flags: help, DurationMs: 60_000,
			Effects: one(lasts(defs.AuraThreat, defs.TargetCaster, -50, int32(defs.SchoolAll)))},
		{Name: "Balm", School: defs.SchoolHoly, Flags: help | defs.SpellNoThreat, DurationMs: 200,
			Effects: one(pulses(lasts(defs.AuraPeriodicHeal, defs.TargetFriend, 4, 0), 100))},
		{Name: "Wall", School: defs.SchoolPhysical, Flags: help, MaxRange: 30, DurationMs: 60_000,
			Effects: one(lasts(defs.AuraBlock, defs.TargetAny, 90, 0))},
		{Name: "Strike", School: defs.SchoolPhysical, Flags: defs.SpellHarmful | defs.SpellMelee,
			Effects: one(defs.Effect{Kind: defs.EffectWeaponPercent, Target: defs.TargetEnemy, Amount: 50})},
		{Name: "Rally", School: defs.SchoolNature, Flags: help, DurationMs: 60_000,
			Effects: one(defs.Effect{Kind: defs.EffectSummon, Target: defs.TargetCaster, Amount: 1, Misc: 101})},
		{Name: "Rouse", School: defs.SchoolHoly, Flags: help | defs.SpellOnDead, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectResurrect, Target: defs.TargetAny, Amount: 50})},
		{Name: "Lecture", School: defs.SchoolArcane, Flags: help, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectLearn, Target: defs.TargetAny, Trigger: secret})},
		{Name: "Jeer", School: defs.SchoolPhysical, Flags: sure, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectThreat, Target: defs.TargetAny, Amount: 100})},
		{Name: "Spark", School: defs.SchoolArcane, Flags: help, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectEnergize, Target: defs.TargetAny, Amount: 10})},
		{Name: "Drag", School: defs.SchoolPhysical, Flags: sure, MaxRange: 30,
			Effects: one(defs.Effect{Kind: defs.EffectPull, Target: defs.TargetAny})},
		{Name: "Tutor", School: defs.SchoolArcane, Flags: help, MaxRange: 30,
			Effects: [3]defs.Effect{{Kind: defs.EffectLearn, Target: defs.TargetAny, Trigger: secret}, {Kind: defs.EffectHeal, Target: defs.TargetAny, Amount: 1}}},
		{Name: "Zeal", School: defs.SchoolPhysical, Flags: help, DurationMs: 60_000, Charges: 2, Spent: defs.SpentStrike,
			Effects: one(lasts(defs.AuraMeleeHaste, defs.TargetCaster, 100, 0))},
		{Name: "Grip", School: defs.SchoolFrost, Flags: harm, Breaks: defs.BreakDamage, MaxRange: 30, DurationMs: 5000,
			Effects: [3]defs.Effect{hit(3), lasts(defs.AuraRoot, defs.TargetEnemy, 0, 0), pulses(lasts(defs.AuraPeriodicDamage, defs.TargetEnemy, 1, 0), 500)}},
	}
	for i := range all {
		all[i].ID, all[i].Class, all[i].Level = uint32(i+1), 1, 1
	}
	return append(all, defs.Spell{ID: secret, Name: "Secret", School: defs.SchoolArcane, Flags: help,
		Effects: one(defs.Effect{Kind: defs.EffectHealPercent, Target: defs.TargetCaster, Amount: 10})})
}

// spellNamed is the number of a spell; one that is a number is that.
func (p *play) spellNamed(name string) (uint32, error) {
	i := slices.IndexFunc(p.defs.Spells, func(s defs.Spell) bool { return s.Name == name })
	if i >= 0 {
		return p.defs.Spells[i].ID, nil
	}
	n, err := strconv.ParseUint(name, 10, 32)
	return uint32(n), err
}

func (p *play) spellName(id uint32) string {
	if s := p.defs.Spell(id); s != nil {
		return s.Name
	}
	return fmt.Sprintf("spell %d", id)
}

// castOf reads "Bolt at Wolf" and "Hail to 3,4".
func (p *play) castOf(m *msg.CastSpell, words []string) (err error) {
	if len(words) == 0 {
		return errors.New("which spell?")
	}
	if m.Spell, err = p.spellNamed(words[0]); err != nil {
		return err
	}
	p.casts++
	m.Count = p.casts
	if at := after(words, "at"); at != "" {
		m.Targets.Mask |= msg.TargetUnit
		if m.Targets.Unit = p.guid(at); m.Targets.Unit == 0 && at != "none" {
			return fmt.Errorf("no unit %s", at)
		} else if at == "none" {
			m.Targets.Unit = 999
		}
	}
	if to := after(words, "to"); to != "" {
		spot, err := point(to)
		if err != nil {
			return err
		}
		m.Targets.Mask |= msg.TargetDest
		m.Targets.Dst.Position = wire.Vec3{X: spot.x, Y: spot.y, Z: spot.z}
	}
	return nil
}

// describeSpell says what a packet about a spell tells. It is false for another packet.
func (p *play) describeSpell(m msg.Message) (detail string, loud bool) {
	switch m := m.(type) {
	case *msg.SpellStart:
		return fmt.Sprintf("%s %s%s in %dms", p.names[m.Caster], p.spellName(m.Spell), p.aimedAt(&m.Targets), m.CastMs), true
	case *msg.SpellGo:
		return p.describeGo(m), true
	case *msg.CastFailed:
		return fmt.Sprintf("%s because %d", p.spellName(m.Spell), m.Result), true
	case *msg.SpellFailure:
		return fmt.Sprintf("%s %s because %d", p.names[m.Caster], p.spellName(m.Spell), m.Result), true
	case *msg.SpellFailedOther:
		return fmt.Sprintf("%s %s", p.names[m.Caster], p.spellName(m.Spell)), true
	case *msg.SpellDelayed:
		return fmt.Sprintf("%s by %dms", p.names[m.Caster], m.DelayMs), true
	case *msg.ChannelStart:
		return fmt.Sprintf("%s %s for %dms", p.names[m.Caster], p.spellName(m.Spell), m.DurationMs), true
	case *msg.ChannelUpdate:
		return fmt.Sprintf("%s %dms left", p.names[m.Caster], m.LeftMs), true
	case *msg.SpellCooldown:
		return fmt.Sprintf("%d spells", len(m.Spells)), true
	case *msg.CooldownEvent:
		return p.spellName(m.Spell), true
	case *msg.LearnedSpell:
		return p.spellName(m.Spell), true
	case *msg.RemovedSpell:
		return p.spellName(m.Spell), true
	case *msg.ResurrectRequest:
		return "from " + p.names[m.Caster], true
	case *msg.ClientControlUpdate:
		return fmt.Sprintf("%s %v", p.names[m.Unit], m.Allowed), true
	case *msg.AuraUpdate:
		return p.describeAuras(m), true
	}
	return p.describeSpellLog(m)
}

func (p *play) aimedAt(t *msg.Targets) string {
	switch {
	case t.Mask&msg.TargetUnit != 0:
		return " at " + p.names[t.Unit]
	case t.Mask&msg.TargetDest != 0:
		return " to " + place(t.Dst.Position.X, t.Dst.Position.Y, t.Dst.Position.Z)
	}
	return ""
}

func (p *play) describeGo(m *msg.SpellGo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s%s", p.names[m.Caster], p.spellName(m.Spell), p.aimedAt(&m.Targets))
	for _, hit := range m.Hits {
		fmt.Fprintf(&b, ", hits %s", p.names[hit])
	}
	for _, miss := range m.Misses {
		fmt.Fprintf(&b, ", misses %s because %d", p.names[miss.Target], miss.Reason)
	}
	return b.String()
}

func (p *play) describeAuras(m *msg.AuraUpdate) string {
	var b strings.Builder
	b.WriteString(p.names[m.Unit])
	for _, r := range m.Records {
		if r.Spell == 0 {
			fmt.Fprintf(&b, ", %d is free", r.Slot)
			continue
		}
		fmt.Fprintf(&b, ", %d %s flags %#x", r.Slot, p.spellName(r.Spell), uint8(r.Flags))
		if r.Stacks != 1 {
			fmt.Fprintf(&b, " x%d", r.Stacks)
		}
		if r.Flags&msg.AuraHasTime != 0 {
			fmt.Fprintf(&b, " %d of %dms", r.LeftMs, r.MaxMs)
		}
	}
	return b.String()
}

func (p *play) describeSpellLog(m msg.Message) (detail string, loud bool) {
	parts := func(of ...uint32) (text string) {
		for i, name := range []string{"too much", "absorbed", "resisted", "blocked"} {
			if i < len(of) && of[i] > 0 {
				text += fmt.Sprintf(", %d %s", of[i], name)
			}
		}
		return text
	}
	switch m := m.(type) {
	case *msg.SpellDamageLog:
		return fmt.Sprintf("%s %s %s for %d", p.names[m.Attacker], p.spellName(m.Spell), p.names[m.Target], m.Damage) +
			parts(m.Overkill, m.Absorbed, m.Resisted, m.Blocked), true
	case *msg.SpellHealLog:
		return fmt.Sprintf("%s %s %s for %d", p.names[m.Caster], p.spellName(m.Spell), p.names[m.Target], m.Heal) + parts(m.Overheal), true
	case *msg.SpellEnergizeLog:
		return fmt.Sprintf("%s %s %s power %d by %d", p.names[m.Caster], p.spellName(m.Spell), p.names[m.Target], m.Power, m.Amount), true
	case *msg.SpellLogMiss:
		return fmt.Sprintf("%s %s", p.names[m.Caster], p.spellName(m.Spell)), true
	case *msg.PowerUpdate:
		return fmt.Sprintf("%s power %d is %d", p.names[m.Unit], m.Power, m.Value), true
	case *msg.SpellOrDamageImmune:
		return fmt.Sprintf("%s %s %s", p.names[m.Caster], p.spellName(m.Spell), p.names[m.Target]), true
	case *msg.PeriodicAuraLog:
		k := m.Ticks[0]
		return fmt.Sprintf("%s %s %s by %d", p.names[m.Caster], p.spellName(m.Spell), p.names[m.Target], k.Amount) + parts(k.Over, k.Absorbed), true
	}
	return "", false
}
