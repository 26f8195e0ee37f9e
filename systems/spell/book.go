package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// learn adds spells to spell books and removes them, and applies the passive spells of players that log in.
func (s *System) learn(t sched.Tick) {
	for _, it := range s.joined.All() {
		e := it.Entity
		if s.entities.Alive(e) {
			s.passives(t, e)
		}
	}
	for _, l := range s.levels.Next() {
		if s.entities.Alive(l.Entity) {
			s.teachLevels(t, l.Entity, l.From, l.To)
		}
	}
	for _, l := range s.learns.Take() {
		switch {
		case !s.entities.Alive(l.Entity) || !s.spells.Has(l.Entity):
		case l.Forget:
			s.forget(l.Entity, l.Spell)
		default:
			s.teachSpell(t, l.Entity, l.Spell)
		}
	}
}

// passives applies the passive spells of a player.
//
// Source: Player::_LoadSpells and Player::IsNeedCastPassiveSpellAtLearn, AzerothCore.
func (s *System) passives(t sched.Tick, e ecs.Entity) {
	book := s.spells.Get(e)
	for _, id := range book.Spells[:book.Count] {
		if sp := s.spell(id); sp != nil && sp.Has(defs.SpellPassive) {
			s.applyPassive(t, e, sp)
		}
	}
}

// applyPassive applies the auras of a passive spell to its owner, alive or not.
func (s *System) applyPassive(t sched.Tick, e ecs.Entity, sp *defs.Spell) {
	c := cast{by: e, target: e, spell: sp, level: s.units.Get(e).Level, triggered: true}
	m := castTarget{entity: e}
	apply := rules.ApplyAura{By: e, To: e, Spell: sp.ID, Level: uint8(min(c.level, 255))}
	for i := range sp.Effects {
		if sp.Effects[i].Kind == defs.EffectApplyAura {
			apply.Effects |= 1 << i
			apply.Amount[i] = s.auraAmount(t, &c, i, &m)
		}
	}
	s.auraApplies.Emit(apply)
}

// teachLevels teaches a player what its class learns from one level to another.
func (s *System) teachLevels(t sched.Tick, e ecs.Entity, from, to uint32) {
	class := s.units.Get(e).Bytes0[components.ByteClass]
	for i := range s.defs.Get().Spells {
		sp := &s.defs.Get().Spells[i]
		if sp.Class == class && uint32(sp.Level) > from && uint32(sp.Level) <= to && sp.Level != 0 {
			s.teachSpell(t, e, sp.ID)
		}
	}
}

// teachSpell puts a spell into a player's spell book, in place of its lower rank, and sends it to the client.
//
// Source: Player::learnSpell, AzerothCore.
func (s *System) teachSpell(t sched.Tick, e ecs.Entity, id uint32) {
	sp, book := s.defs.Get().Spell(id), s.spells.Get(e)
	switch {
	case sp == nil:
		s.unknown.Count()
		return
	case book.Knows(id):
		return
	}
	replaced := sp.Replaces != 0 && book.Forget(sp.Replaces)
	if !book.Learn(id) {
		s.bookFull.Count()
		return
	}
	s.unsaved.Mark(e, life.Spells)
	if replaced {
		s.replaceButtons(e, sp.Replaces, id)
		p := &s.said.replaced
		p.Old, p.New = sp.Replaces, id
		s.out.SendNow(e, msg.OpSupercededSpell, p)
	} else {
		p := &s.said.learned
		p.Spell = id
		s.out.SendNow(e, msg.OpLearnedSpell, p)
	}
	if sp.Has(defs.SpellPassive) {
		if replaced {
			s.auraRemovals.Emit(rules.RemoveAuras{From: e, By: e, Spell: sp.Replaces})
		}
		s.applyPassive(t, e, sp)
	}
}

// replaceButtons replaces a lower rank on the action bar by the new one.
func (s *System) replaceButtons(e ecs.Entity, old, id uint32) {
	actions := s.actions.Get(e)
	for i, packed := range actions {
		if packed == old { // a spell has nothing in its top byte. Source: ACTION_BUTTON_SPELL, Player.h, AzerothCore
			actions[i] = id
			s.unsaved.Mark(e, life.Actions)
		}
	}
}

// forget removes a spell from a player's spell book, and the auras that the player has of it.
//
// Source: Player::removeSpell, AzerothCore.
func (s *System) forget(e ecs.Entity, id uint32) {
	if !s.spells.Get(e).Forget(id) {
		return
	}
	s.unsaved.Mark(e, life.Spells)
	s.auraRemovals.Emit(rules.RemoveAuras{From: e, By: e, Spell: id})
	p := &s.said.removed
	p.Spell = id
	s.out.SendNow(e, msg.OpRemovedSpell, p)
}
