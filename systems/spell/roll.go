package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// SpellRolls rolls which of its targets a cast hits and which of these critically, and broadcasts its execution with
// both. System missiles takes what the cast does to each.
type SpellRolls struct {
	rules.Reach
	fighters   rules.Fighters
	immunities rules.Immunities

	entities     ecs.Entities
	defs         ecs.Res[defs.World]
	out          change.Out
	selected     ecs.Requests[selected]
	launches     ecs.Emit[launched]
	outcomes     ecs.Emit[outcome]
	sessions     ecs.Read[components.Session]
	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	threatStates ecs.Read[components.ThreatState]
	combatStats  ecs.ReadRef[components.CombatStats]

	done   msg.SpellGo // kept here, since a packet takes its message by reference
	struck bool        // the unit that the cast is aimed at is hit
}

// A launched is a cast that is executed, and one of its targets.
type launched struct {
	cast   castEvent
	target castTarget
	pulse  bool // of a channel
}

// An outcome is what the targets of a cast mean for its caster.
type outcome struct {
	by     ecs.Entity
	spell  uint32
	struck bool // the unit that it is aimed at is hit
	hits   bool // any unit is hit
}

// React rolls for targets in the order in which they were selected: those of one cast follow each other.
func (s *SpellRolls) React(t sched.Tick) {
	all := s.selected.Take()
	for i := range all {
		if a := &all[i]; s.entities.Exists(a.cast.by) {
			s.take(t, a)
		}
	}
}

// take rolls for one target of a cast, and ends the cast's list after its last one.
func (s *SpellRolls) take(t sched.Tick, a *selected) {
	c, m := a.cast.in(s.defs.Get()), &a.target
	if a.first {
		s.done.Hits, s.done.Misses, s.struck = s.done.Hits[:0], s.done.Misses[:0], false
	}
	if s.entities.Exists(m.entity) {
		s.roll(t, &c, m)
		if guid := s.objects.Get(m.entity).GUID; m.miss != msg.MissNone {
			s.done.Misses = append(s.done.Misses, msg.SpellMiss{Target: guid, Reason: m.miss})
		} else {
			s.done.Hits, s.struck = append(s.done.Hits, guid), s.struck || m.entity == c.target
		}
		s.launches.Emit(launched{a.cast, *m, a.pulse})
	}
	if a.last && !a.pulse {
		s.sendGo(t, &c, a)
		if c.spell.Has(defs.SpellWaitsForAura|defs.SpellChannelled) && !c.triggered {
			s.outcomes.Emit(outcome{c.by, c.spell.ID, s.struck, len(s.done.Hits) > 0})
		}
	}
}

// sendGo broadcasts the execution of a cast, and its targets.
//
// Source: Spell::SendSpellGo, AzerothCore.
func (s *SpellRolls) sendGo(t sched.Tick, c *cast, a *selected) {
	m := &s.done
	guid := s.objects.Get(c.by).GUID
	*m = msg.SpellGo{
		Source: guid, Caster: guid, Count: c.count, Spell: c.spell.ID, Flags: msg.CastDone, TimeMs: t.NowMs,
		Hits: m.Hits, Misses: m.Misses, Targets: wireTargets(c, s.targetGUID(c)),
	}
	if c.triggered {
		m.Flags |= msg.CastPending
	}
	if s.sessions.Has(c.by) {
		m.Flags |= msg.CastPower
		m.Power = a.power
	}
	s.out.Broadcast(c.by, msg.OpSpellGo, m)
	done := change.Happening{Kind: change.HappenedSpell, Subject: guid, ID: c.spell.ID}
	if len(m.Hits) > 0 {
		done.Other = m.Hits[0]
	}
	s.out.Happen(done)
	s.out.FlushNow(c.by)
}

// targetGUID returns the GUID of the unit at which a cast is aimed, 0 if there is none.
func (s *SpellRolls) targetGUID(c *cast) uint64 {
	if !s.entities.Exists(c.target) {
		return 0
	}
	return s.objects.Get(c.target).GUID
}

// roll rolls whether a cast misses a target, and whether it is critical.
//
// Source: Unit::SpellHitResult, AzerothCore.
func (s *SpellRolls) roll(t sched.Tick, c *cast, m *castTarget) {
	dice := t.Dice("spell.roll", s.objects.Get(c.by).GUID^s.objects.Get(m.entity).GUID<<20^uint64(c.spell.ID)<<40)
	if c.spell.Has(defs.SpellHarmful) && m.entity != c.by {
		m.miss, m.blocked = s.miss(&dice, c, m.entity)
		s.spare(c, m)
	}
	switch {
	case c.spell.Has(defs.SpellNeverCrits):
	case kindOf(c.spell) == byMagic:
		m.crit = 100*dice.Float32() < s.combatStats.Get(c.by).Crit[byMagic]
	default:
		chances := s.attackChances(c, m.entity)
		m.crit = chances.Critical(dice.Intn(rules.Rolls))
	}
}

// spare leaves out the effects of a cast that a target is immune to.
//
// Source: Unit::IsImmunedToSpellEffect, AzerothCore.
func (s *SpellRolls) spare(c *cast, m *castTarget) {
	for i := range c.spell.Effects {
		if m.effects&(1<<i) != 0 && s.immunities.ImmuneToEffect(m.entity, &c.spell.Effects[i]) {
			m.effects &^= 1 << i
		}
	}
}

// The indices of components.CombatStats.Crit.
const (
	byMelee = iota
	byShot
	byMagic
)

func kindOf(sp *defs.Spell) int {
	switch {
	case sp.Has(defs.SpellMelee | defs.SpellNextSwing):
		return byMelee
	case sp.Has(defs.SpellRanged):
		return byShot
	}
	return byMagic
}

// miss rolls why a harmful cast misses a unit, MissNone if it does not, and whether the unit blocks.
func (s *SpellRolls) miss(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	switch {
	case s.threatStates.Get(to).Evading != 0:
		return msg.MissEvade, false
	case s.immunities.ImmuneTo(to, c.spell):
		return msg.MissImmune, false
	case c.spell.Has(defs.SpellAlwaysHits):
		return msg.MissNone, false
	}
	if kindOf(c.spell) == byMagic {
		return s.missMagic(dice, c, to), false
	}
	return s.missWeapon(dice, c, to)
}

// hitPercent returns the chance that a spell hits a unit so many levels above its caster, before hit rating.
//
// Source: Unit::MagicSpellHitResult, AzerothCore.
func hitPercent(levels int, player bool) float32 {
	beyond := 11
	if player {
		beyond = 7
	}
	if levels < 3 {
		return float32(96 - levels)
	}
	return float32(94 - (levels-2)*beyond)
}

// missMagic rolls the hit of a spell, and the resistance to one that is resisted as a whole.
func (s *SpellRolls) missMagic(dice *sched.Dice, c *cast, to ecs.Entity) msg.MissReason {
	percent := hitPercent(int(s.units.Get(to).Level)-int(c.level), s.sessions.Has(to)) + s.immunities.SpellHit(c.by)
	if 100*dice.Float32() >= min(max(percent, 1), 100) {
		return msg.MissMiss
	}
	if c.spell.Has(defs.SpellBinary) && dice.Float32() < rules.Resistance(s.combatStats.Get(to), c.spell.School, c.level) {
		return msg.MissResist
	}
	return msg.MissNone
}

// missWeapon rolls the outcome of a melee or ranged ability on its attack table.
//
// Source: Unit::MeleeSpellHitResult, AzerothCore.
func (s *SpellRolls) missWeapon(dice *sched.Dice, c *cast, to ecs.Entity) (why msg.MissReason, blocked bool) {
	chances := s.attackChances(c, to)
	table := chances.Table()
	switch table.Roll(dice.Intn(rules.Rolls)) {
	case rules.Miss:
		return msg.MissMiss, false
	case rules.Dodge:
		return msg.MissDodge, false
	case rules.Parry:
		return msg.MissParry, false
	case rules.Block:
		return msg.MissNone, true
	}
	return msg.MissNone, false
}

// attackChances returns the chances of the weapon that a spell uses.
func (s *SpellRolls) attackChances(c *cast, to ecs.Entity) rules.AttackChances {
	attacker, defender := s.fighters.Of(c.by), s.fighters.Of(to)
	chances := rules.ChancesOf(&attacker, &defender, hand(c.spell), s.InFront(to, c.by))
	chances.Special = true
	return chances
}

// hand returns the weapon slot that a spell uses.
func hand(sp *defs.Spell) int {
	if sp.Has(defs.SpellRanged) {
		return components.RangedHand
	}
	return components.MainHand
}

// school returns the index of the first school of a mask.
func school(set uint32) int {
	for i := range 7 {
		if set&(1<<i) != 0 {
			return i
		}
	}
	return 0
}
