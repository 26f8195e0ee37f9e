package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/rules"
)

// launch does what a cast does to those whom it meets: at once, or when its missile has come to them.
func (s *system) launch(t sched.Tick, c *cast) {
	for i := range s.gather.met {
		m := &s.gather.met[i]
		if m.miss == msg.MissNone && c.spell.MissileSpeed > 0 && m.entity != c.by {
			s.throw(t, c, m)
			continue
		}
		s.strike(t, c, m, atOnce)
	}
}

// The effects of a channel: those that happen at once, and those of each of its pulses.
const (
	atOnce = iota
	atPulse
)

// strike has the effects of a cast happen to somebody whom it meets, in their order.
//
// Source: Spell::DoAllEffectOnTarget, AzerothCore.
func (s *system) strike(t sched.Tick, c *cast, m *met, when int) {
	if !s.world.Alive(m.entity) || !s.world.Alive(c.by) {
		return
	}
	if hostile := c.spell.Has(defs.SpellHarmful) && m.entity != c.by; hostile && !c.spell.Has(defs.SpellNoThreat) {
		s.book.Engage(t, c.by, m.entity)
	}
	if m.miss != msg.MissNone {
		s.tellMiss(c, m)
		return
	}
	if !c.spell.Has(defs.SpellOnDead) && !s.book.Alive(m.entity) {
		return
	}
	apply := rules.Apply{By: c.by, To: m.entity, Spell: c.spell.ID, Level: uint8(min(c.level, 255))}
	for i := range c.spell.Effects {
		e := &c.spell.Effects[i]
		if m.effects&(1<<i) == 0 || c.spell.Has(defs.SpellChannelled) && (when == atPulse) != pulsing(e) {
			continue
		}
		if e.Kind == defs.EffectApplyAura {
			apply.Effects |= 1 << i
			apply.Amount[i] = s.auraAmount(t, c, i, m)
			continue
		}
		if do := effects[e.Kind].do; do != nil {
			do(s, t, c, m, i)
		} else {
			s.refusedEffect.Count()
		}
	}
	if apply.Effects != 0 {
		*s.applies.Next() = apply
	}
}

// pulsing reports whether an effect of a channelled spell happens at each pulse.
func pulsing(e *defs.Effect) bool { return e.PulseMs > 0 && e.Kind != defs.EffectApplyAura }

// auraAmount is what an effect of an aura comes to: of those that hurt and heal by and by with what the caster
// adds to them, the damage it has done and not that which is taken, which is looked at with each pulse.
//
// Source: AuraEffect::CalculateAmount, AzerothCore.
func (s *system) auraAmount(t sched.Tick, c *cast, i int, m *met) int32 {
	e := &c.spell.Effects[i]
	v, mine := s.value(t, c, i, m.entity), s.book.Prowess(c.by)
	switch e.Aura {
	case defs.AuraPeriodicDamage, defs.AuraPeriodicLeech:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
		v = float32(v * factor(mine.DamageDone))
	case defs.AuraPeriodicHeal:
		v += float32(e.Coefficient * mine.Healing)
		v = float32(v * factor(mine.HealingDone))
	case defs.AuraAbsorb, defs.AuraDamageShield:
		v += float32(e.Coefficient * mine.SpellPower[school(c.spell.School)])
	}
	return int32(v)
}

// An effect is how system spell does what defs.EffectKind says: do, or the reason why it does not. Of auras it
// knows only that they are to be applied.
type effect struct {
	name    string
	do      func(s *system, t sched.Tick, c *cast, m *met, i int)
	refused string
}

// effects is indexed by defs.EffectKind. Kinds without a name are refused as unknown.
var effects = [256]effect{
	defs.EffectSchoolDamage:     {name: "school damage", do: (*system).schoolDamage},
	defs.EffectTeleport:         {name: "teleport home", do: (*system).teleport},
	defs.EffectApplyAura:        {name: "apply aura", do: func(*system, sched.Tick, *cast, *met, int) {}},
	defs.EffectHealthLeech:      {name: "health leech", do: (*system).leech},
	defs.EffectHeal:             {name: "heal", do: (*system).heal},
	defs.EffectResurrect:        {name: "resurrect", do: (*system).resurrect},
	defs.EffectSummon:           {name: "summon", do: (*system).summon},
	defs.EffectEnergize:         {name: "energize", do: (*system).energize},
	defs.EffectWeaponPercent:    {name: "weapon percent", do: (*system).weaponDamage},
	defs.EffectLearn:            {name: "learn", do: (*system).teach},
	defs.EffectDispel:           {name: "dispel", do: (*system).dispel},
	defs.EffectWeaponDamage:     {name: "weapon damage", do: (*system).weaponDamage},
	defs.EffectThreat:           {name: "threat", do: (*system).threaten},
	defs.EffectTriggerSpell:     {name: "trigger spell", do: (*system).trigger},
	defs.EffectHealMax:          {name: "heal by the caster's health", do: (*system).heal},
	defs.EffectInterrupt:        {name: "interrupt", do: (*system).hinder},
	defs.EffectPull:             {name: "pull", refused: "creatures cannot be dragged"},
	defs.EffectScript:           {name: "script", refused: "there are no scripts for spells"},
	defs.EffectCharge:           {name: "charge", do: (*system).charge},
	defs.EffectKnockBack:        {name: "knock back", do: (*system).knockBack},
	defs.EffectResurrectNew:     {name: "resurrect with so much", do: (*system).resurrect},
	defs.EffectAttackMe:         {name: "attack me", do: (*system).taunt},
	defs.EffectNormalizedWeapon: {name: "normalized weapon damage", do: (*system).weaponDamage},
	defs.EffectHealPercent:      {name: "heal percent", do: (*system).heal},
	defs.EffectEnergizePercent:  {name: "energize percent", do: (*system).energize},
}

// harm does damage and tells of it.
func (s *system) harm(t sched.Tick, c *cast, m *met, amount, resist uint32) rules.Harmed {
	h := rules.Harm{
		By: c.by, To: m.entity, Spell: c.spell.ID, School: c.spell.School, Amount: amount,
		Quiet: c.spell.Has(defs.SpellNoThreat), Threat: s.book.Prowess(c.by).ThreatDone,
	}
	out := s.book.Weigh(t, &h)
	s.tellDamage(c, m, &out, resist)
	s.book.Inflict(t, &h, &out)
	s.hurry(c.by)
	return out
}

// Source: Spell::EffectSchoolDMG, AzerothCore.
func (s *system) schoolDamage(t sched.Tick, c *cast, m *met, i int) {
	amount, resist := s.damage(t, c, i, m, s.value(t, c, i, m.entity))
	s.harm(t, c, m, amount, resist)
}

// Source: Spell::EffectHealthLeech, AzerothCore.
func (s *system) leech(t sched.Tick, c *cast, m *met, i int) {
	amount, resist := s.damage(t, c, i, m, s.value(t, c, i, m.entity))
	out := s.harm(t, c, m, amount, resist)
	s.mend(t, c, c.by, out.Damage-out.Overkill, false)
}

// weaponDamage does the damage of a weapon, once for all effects of the spell that speak of it: what they add,
// and then their percents.
//
// Source: Spell::EffectWeaponDmg, AzerothCore.
func (s *system) weaponDamage(t sched.Tick, c *cast, m *met, i int) {
	v, percent := s.weapon(t, c, m), float32(1)
	for k := range c.spell.Effects {
		switch c.spell.Effects[k].Kind {
		case defs.EffectWeaponDamage, defs.EffectNormalizedWeapon:
			v += s.value(t, c, k, m.entity)
		case defs.EffectWeaponPercent:
			percent *= s.value(t, c, k, m.entity) / 100
		default:
			continue
		}
		if k < i {
			return
		}
	}
	amount, resist := s.damage(t, c, i, m, float32(v*percent))
	s.harm(t, c, m, amount, resist)
}

// Source: Spell::EffectHeal, EffectHealMaxHealth and EffectHealPct, AzerothCore.
func (s *system) heal(t sched.Tick, c *cast, m *met, i int) {
	v := s.value(t, c, i, m.entity)
	switch c.spell.Effects[i].Kind {
	case defs.EffectHealMax:
		v = float32(s.vitals.Get(c.by).MaxHealth)
	case defs.EffectHealPercent:
		v = float32(v / 100 * float32(s.vitals.Get(m.entity).MaxHealth))
	}
	s.mend(t, c, m.entity, s.healing(c, i, m, v), m.crit)
}

// mend heals and tells of it.
func (s *system) mend(t sched.Tick, c *cast, to ecs.Entity, amount uint32, crit bool) {
	healed, over := s.book.Mend(to, amount)
	p := &s.said.heal
	*p = msg.SpellHealLog{
		Target: s.objects.Get(to).GUID, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID, Heal: amount, Overheal: over,
		Critical: crit,
	}
	s.event(to, msg.OpSpellHealLog, p)
	if !c.spell.Has(defs.SpellNoThreat) {
		s.book.Healed(t, c.by, to, healed)
	}
}

// Source: Spell::EffectEnergize and EffectEnergizePct, AzerothCore.
func (s *system) energize(t sched.Tick, c *cast, m *met, i int) {
	e := &c.spell.Effects[i]
	power := int(uint32(e.Misc) % 7)
	v := s.value(t, c, i, m.entity)
	if e.Kind == defs.EffectEnergizePercent {
		v = float32(v / 100 * float32(s.vitals.Get(m.entity).MaxPower[power]))
	}
	s.book.Energize(m.entity, power, int32(v))
	p := &s.said.energize
	*p = msg.SpellEnergizeLog{
		Target: s.objects.Get(m.entity).GUID, Caster: s.objects.Get(c.by).GUID, Spell: c.spell.ID,
		Power: uint32(power), Amount: uint32(max(v, 0)),
	}
	s.event(m.entity, msg.OpSpellEnergizeLog, p)
}

// dispel takes harmful auras of a kind off friends, and helpful ones off enemies.
//
// Source: Spell::EffectDispel, AzerothCore.
func (s *system) dispel(t sched.Tick, c *cast, m *met, i int) {
	e := &c.spell.Effects[i]
	*s.strips.Next() = rules.Strip{
		From: m.entity, Dispel: uint8(e.Misc), Most: uint8(min(max(s.value(t, c, i, m.entity), 1), 255)),
		Bad: c.by == m.entity || !s.book.Hostile(c.by, m.entity),
	}
}

// hinder ends what somebody casts, and locks the school for the spell's duration.
func (s *system) hinder(t sched.Tick, c *cast, m *met, _ int) {
	s.halt(t, rules.Halt{Entity: m.entity, Schools: defs.SchoolAll, LockMs: c.spell.DurationMs})
}

// Source: Spell::EffectThreat, AzerothCore.
func (s *system) threaten(t sched.Tick, c *cast, m *met, i int) {
	s.book.Threaten(t, m.entity, c.by, s.value(t, c, i, m.entity))
}

// taunt has a creature hate the caster as much as it takes to be attacked.
//
// Source: Spell::EffectTaunt, AzerothCore, which makes the caster equal to the most hated; here it is put so far
// above that the creature turns to it from wherever it stands.
func (s *system) taunt(t sched.Tick, c *cast, m *met, _ int) {
	var most, mine float32
	for _, h := range s.book.Hates(m.entity) {
		if h.Entity == c.by {
			mine = h.Amount
		}
		most = max(most, h.Amount)
	}
	s.book.Threaten(t, m.entity, c.by, max(float32(most*tauntFactor)-mine+1, 0))
}

const tauntFactor = 1.3

// trigger casts another spell at somebody. Spells that trigger each other come to an end.
//
// Source: Spell::EffectTriggerSpell, AzerothCore, which trusts its data.
func (s *system) trigger(_ sched.Tick, c *cast, m *met, i int) {
	if c.depth == maxTriggered {
		s.tooDeep.Count()
		return
	}
	*s.casts.Next() = rules.Cast{
		By: c.by, Target: m.entity, To: c.to, Placed: c.placed, Spell: c.spell.Effects[i].Trigger, Depth: c.depth + 1,
		Triggered: true,
	}
}

// Source: Spell::EffectSummonType, AzerothCore.
func (s *system) summon(t sched.Tick, c *cast, m *met, i int) {
	at := *s.positions.Get(c.by)
	if c.placed {
		at.X, at.Y, at.Z = c.to.X, c.to.Y, c.to.Z
	}
	n := min(max(int(s.value(t, c, i, m.entity)), 1), maxSummons)
	for range n {
		*s.summons.Next() = rules.Summon{
			By: c.by, Entry: uint32(c.spell.Effects[i].Misc), At: at, ForMs: c.spell.DurationMs,
		}
	}
}

// maxSummons is how many one effect summons at most, our own choice.
const maxSummons = 8

// teleport brings a player to the place to which it is bound.
//
// Source: Spell::EffectTeleportUnits with TARGET_DEST_HOME, AzerothCore.
func (s *system) teleport(_ sched.Tick, _ *cast, m *met, _ int) {
	if s.records.Has(m.entity) {
		*s.jumps.Next() = move.Teleport{Entity: m.entity, To: s.records.Get(m.entity).Bind}
	}
}

// chargeSpeed is how fast a charge runs, yards per second.
//
// Source: SPEED_CHARGE, MotionMaster.h, AzerothCore.
const chargeSpeed = 42

// charge has the caster run to its target, whatever its client wants meanwhile.
//
// Source: Spell::EffectCharge, AzerothCore.
func (s *system) charge(_ sched.Tick, c *cast, m *met, _ int) {
	from, to := s.positions.Get(c.by), s.positions.Get(m.entity)
	yards := far(from.Vec(), to.Vec())
	contact := s.units.Get(c.by).CombatReach + s.units.Get(m.entity).CombatReach
	if m.entity == c.by || yards <= contact {
		return
	}
	part := 1 - contact/yards
	at := components.Vec{X: from.X + float32((to.X-from.X)*part), Y: from.Y + float32((to.Y-from.Y)*part)}
	at.Z = s.place.Height(at.X, at.Y)
	*s.runs.Next() = move.Run{Entity: c.by, To: at, Speed: chargeSpeed}
}

// Source: Spell::EffectKnockBack, AzerothCore.
func (s *system) knockBack(t sched.Tick, c *cast, m *met, i int) {
	from, to := s.positions.Get(c.by), s.positions.Get(m.entity)
	angle, _ := components.Facing(float32(math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))))
	*s.throws.Next() = move.KnockBack{
		Entity: m.entity, Angle: angle, Speed: float32(c.spell.Effects[i].Misc) / 10,
		Up: s.value(t, c, i, m.entity) / 10,
	}
}

// resurrect offers a dead player another life, here: with so many percent of its health and mana, or with so much.
//
// Source: Spell::EffectResurrect and EffectResurrectNew, AzerothCore.
func (s *system) resurrect(t sched.Tick, c *cast, m *met, i int) {
	if !s.book.Player(m.entity) {
		return
	}
	v, amount := s.vitals.Get(m.entity), s.value(t, c, i, m.entity)
	offer := rules.Resurrect{
		Entity: m.entity, By: c.by, Health: uint32(max(amount, 1)), Mana: uint32(max(c.spell.Effects[i].Misc, 0)),
		At: *s.positions.Get(c.by),
	}
	if c.spell.Effects[i].Kind == defs.EffectResurrect {
		offer.Health = uint32(max(float32(amount/100*float32(v.MaxHealth)), 1))
		offer.Mana = uint32(max(float32(amount/100*float32(v.MaxPower[components.PowerMana])), 0))
	}
	*s.offers.Next() = offer
}

func (s *system) teach(_ sched.Tick, c *cast, m *met, i int) {
	if s.book.Player(m.entity) {
		*s.learns.Next() = rules.Learn{Entity: m.entity, Spell: c.spell.Effects[i].Trigger}
	}
}
