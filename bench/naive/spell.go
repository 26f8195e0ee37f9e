package naive

import (
	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/systems/rules"
)

// A wish is a spell that a unit is to cast.
type wish struct {
	target *Unit
	spell  uint32
	count  uint8
	asked  bool // by a client, which hears why it cannot
}

// A Spell is one in the hands of its caster.
type Spell struct {
	info       *defs.Spell
	by, target *Unit
	count      uint8
	asked      bool
	endMs      uint32
	targets    []spellTarget
}

// A spellTarget is a unit that a spell hits.
type spellTarget struct {
	unit    *Unit
	effects uint32
	miss    msg.MissReason
	crit    bool
}

// updateSpells ends the cast whose time has come, and begins what is wished for.
//
// Source: Spell::update, AzerothCore.
func (u *Unit) updateSpells() {
	if s := u.casting; s != nil && int32(u.now()-s.endMs) >= 0 {
		u.casting = nil
		if why := s.check(false); why != msg.CastResult(255) {
			s.tellFailure(why)
		} else {
			s.cast()
		}
	}
	for _, w := range u.wishes {
		u.prepare(w)
	}
	u.wishes = u.wishes[:0]
}

// prepare begins a spell.
//
// Source: Spell::prepare, AzerothCore.
func (u *Unit) prepare(w wish) {
	s := &Spell{info: u.world.defs.Spell(w.spell), by: u, target: w.target, count: w.count, asked: w.asked}
	if p := u.self.player(); s.info == nil || p != nil && !p.spells[w.spell] {
		u.refuseSpell(w, msg.CastNotKnown)
		return
	}
	if why := s.check(true); why != msg.CastResult(255) {
		u.refuseSpell(w, why)
		return
	}
	if s.info.GlobalMs > 0 {
		u.globalMs = u.now() + s.info.GlobalMs
	}
	s.tellStart()
	if s.info.CastMs > 0 {
		s.endMs = u.now() + s.info.CastMs
		u.casting = s
		return
	}
	s.cast()
}

func (u *Unit) refuseSpell(w wish, why msg.CastResult) {
	if p := u.self.player(); p != nil && w.asked && !u.world.Quiet {
		p.send(msg.OpCastFailed, msg.Append(nil, wire.V12340, &msg.CastFailed{Count: w.count, Spell: w.spell, Result: why}))
	}
}

// check says what speaks against a cast, 255 if nothing does.
//
// Source: Spell::CheckCast, AzerothCore.
func (s *Spell) check(strict bool) msg.CastResult {
	u := s.by
	switch {
	case !u.alive():
		return msg.CastCasterDead
	case strict && s.info.GlobalMs > 0 && u.globalMs != 0 && int32(u.globalMs-u.now()) > 0:
		return msg.CastNotReady
	case strict && u.casting != nil:
		return msg.CastInProgress
	}
	if s.aimed() {
		switch {
		case s.target == nil:
			return msg.CastBadTargets
		case !s.target.alive():
			return msg.CastTargetsDead
		case !u.hostile(s.target):
			return msg.CastBadTargets
		}
		give, yards := float32(6.25), far(u, s.target)
		if strict {
			give = 1.25
		}
		reach := u.reach() + s.target.reach()
		if s.info.MaxRange > 0 && yards > s.info.MaxRange+reach+give {
			return msg.CastOutOfRange
		}
		if most := max(5, reach+4.0/3); s.info.MaxRange == 0 && (yards > most+give || strict && yards > most) {
			return msg.CastOutOfRange
		}
		if u.self.player() != nil && !u.inFront(s.target) {
			return msg.CastUnitNotInFront
		}
	}
	if s.cost() > u.values[fieldPower+int(s.info.Power)] {
		return msg.CastNoPower
	}
	return msg.CastResult(255)
}

// aimed reports whether a spell is aimed at an enemy.
func (s *Spell) aimed() bool {
	for i := range s.info.Effects {
		if s.info.Effects[i].Kind != defs.EffectNone && s.info.Effects[i].Target == defs.TargetEnemy {
			return true
		}
	}
	return false
}

func (s *Spell) cost() uint32 {
	if s.by.self.player() == nil && s.by.values[fieldMaxPower+int(s.info.Power)] == 0 {
		return 0
	}
	return s.info.Cost
}

// cast takes the cost of a spell, sends its targets, and applies its effects.
//
// Source: Spell::_cast, AzerothCore.
func (s *Spell) cast() {
	u := s.by
	if cost := s.cost(); cost > 0 {
		u.energize(int(s.info.Power), -int32(cost))
		if s.info.Power == components.PowerMana {
			u.spentMs = u.now()
		}
	}
	for i := range s.info.Effects {
		switch e := &s.info.Effects[i]; {
		case e.Kind == defs.EffectNone:
		case e.Target == defs.TargetCaster:
			s.meet(u, i)
		case s.target != nil:
			s.meet(s.target, i)
		}
	}
	for i := range s.targets {
		s.roll(&s.targets[i])
	}
	s.tellGo()
	for i := range s.targets {
		s.hit(&s.targets[i])
	}
}

// meet notes that an effect hits a unit.
func (s *Spell) meet(u *Unit, effect int) {
	for i := range s.targets {
		if s.targets[i].unit == u {
			s.targets[i].effects |= 1 << effect
			return
		}
	}
	s.targets = append(s.targets, spellTarget{unit: u, effects: 1 << effect})
}

// roll decides whether it misses a unit, and whether it is critical.
//
// Source: Unit::SpellHitResult, AzerothCore.
func (s *Spell) roll(t *spellTarget) {
	dice := s.by.world.tick.Dice("spell.roll", s.by.guid^t.unit.guid<<20^uint64(s.info.ID)<<40)
	blow := s.info.Has(defs.SpellMelee)
	harmful := s.info.Has(defs.SpellHarmful) && t.unit != s.by
	if !blow {
		if harmful && 100*dice.Float32() >= hitPercent(int(t.unit.level())-int(s.by.level()), t.unit.self.player() != nil) {
			t.miss = msg.MissMiss
		}
		return // no unit here is critical with magic
	}
	clash := s.by.clash(t.unit)
	clash.Special = true
	if harmful {
		table := clash.Table()
		switch table.Roll(dice.Intn(rules.Rolls)) {
		case rules.Miss:
			t.miss = msg.MissMiss
		case rules.Dodge:
			t.miss = msg.MissDodge
		case rules.Parry:
			t.miss = msg.MissParry
		}
	}
	t.crit = clash.Critical(dice.Intn(rules.Rolls))
}

// hitPercent is how often a spell hits a unit so many levels above its caster.
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

// hit applies the effects of a spell to a unit.
//
// Source: Spell::DoAllEffectOnTarget, AzerothCore.
func (s *Spell) hit(t *spellTarget) {
	if s.info.Has(defs.SpellHarmful) && t.unit != s.by {
		s.by.engage(t.unit)
	}
	if t.miss != msg.MissNone {
		if !s.by.world.Quiet {
			s.by.world.broadcast(t.unit, msg.OpSpellLogMiss, &msg.SpellLogMiss{
				Spell: s.info.ID, Caster: s.by.guid, Misses: []msg.LogMiss{{Target: t.unit.guid, Reason: t.miss}},
			})
		}
		return
	}
	var effects uint32
	var amounts [defs.MaxEffects]int32
	for i := range s.info.Effects {
		if e := &s.info.Effects[i]; t.effects&(1<<i) == 0 || !t.unit.alive() {
			continue
		} else if e.Kind == defs.EffectSchoolDamage {
			s.damage(t, i)
		} else if e.Kind == defs.EffectApplyAura {
			effects |= 1 << i
			amounts[i] = int32(s.value(t, i))
		}
	}
	if effects != 0 && t.unit.alive() {
		t.unit.addAura(s, effects, amounts)
	}
}

// value is what an effect comes to.
func (s *Spell) value(t *spellTarget, i int) float32 {
	e := &s.info.Effects[i]
	v := float32(e.Amount) + float32(e.PerLevel*float32(s.info.Grown(s.by.level())))
	if e.Dice > 0 {
		dice := s.by.world.tick.Dice("spell.value", s.by.guid^t.unit.guid<<20^uint64(s.info.ID)<<40^uint64(i))
		v += float32(dice.Intn(int(e.Dice) + 1))
	}
	return v
}

// damage does the damage of an effect. No unit here resists magic or has spell power.
func (s *Spell) damage(t *spellTarget, i int) {
	v := s.value(t, i)
	if t.crit {
		v *= 1.5
	}
	h := damage{by: s.by, school: s.info.School, amount: uint32(max(v, 0))}
	done := t.unit.resolveDamage(h)
	if !s.by.world.Quiet {
		m := msg.SpellDamageLog{
			Target: t.unit.guid, Attacker: s.by.guid, Spell: s.info.ID, Damage: done.damage, Overkill: done.overkill,
			School: uint8(s.info.School), Absorbed: done.absorbed, Physical: s.info.School == defs.SchoolPhysical,
		}
		if t.crit {
			m.HitInfo = msg.SpellHitCritical
		}
		s.by.world.broadcast(t.unit, msg.OpSpellDamageLog, &m)
	}
	t.unit.applyDamage(h, done)
}

func (s *Spell) where() (to msg.Targets) {
	if s.aimed() {
		to.Mask, to.Unit = msg.TargetUnit, s.target.guid
	}
	return to
}

func (s *Spell) tellStart() {
	if s.by.world.Quiet {
		return
	}
	m := msg.SpellStart{
		Source: s.by.guid, Caster: s.by.guid, Count: s.count, Spell: s.info.ID, Flags: msg.CastBegun,
		CastMs: s.info.CastMs, Targets: s.where(),
	}
	if s.by.self.player() != nil {
		m.Flags |= msg.CastPower
		m.Power = s.by.values[fieldPower+int(s.info.Power)]
	}
	s.by.world.broadcast(s.by, msg.OpSpellStart, &m)
}

func (s *Spell) tellGo() {
	if s.by.world.Quiet {
		return
	}
	m := msg.SpellGo{
		Source: s.by.guid, Caster: s.by.guid, Count: s.count, Spell: s.info.ID, Flags: msg.CastDone,
		TimeMs: s.by.now(), Targets: s.where(),
	}
	for i := range s.targets {
		if t := &s.targets[i]; t.miss == msg.MissNone {
			m.Hits = append(m.Hits, t.unit.guid)
		} else {
			m.Misses = append(m.Misses, msg.SpellMiss{Target: t.unit.guid, Reason: t.miss})
		}
	}
	if s.by.self.player() != nil {
		m.Flags |= msg.CastPower
		m.Power = s.by.values[fieldPower+int(s.info.Power)]
	}
	s.by.world.broadcast(s.by, msg.OpSpellGo, &m)
}

func (s *Spell) tellFailure(why msg.CastResult) {
	s.by.refuseSpell(wish{spell: s.info.ID, count: s.count, asked: s.asked}, why)
	if s.by.world.Quiet {
		return
	}
	m := msg.SpellFailure{Caster: s.by.guid, Count: s.count, Spell: s.info.ID, Result: why}
	s.by.world.broadcast(s.by, msg.OpSpellFailure, &m)
	other := msg.SpellFailedOther(m)
	s.by.world.broadcast(s.by, msg.OpSpellFailedOther, &other)
}
