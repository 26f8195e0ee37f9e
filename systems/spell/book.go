package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Passive is a passive spell that a player has learned, or enters with.
type Passive struct {
	Entity ecs.Entity
	Spell  uint32
}

// Spellbooks keeps spell books and action bars: it adds spells and removes them, and sets buttons.
type Spellbooks struct {
	book

	entities ecs.Entities
	joined   ecs.Events[change.Joined]
	levels   ecs.EventReader[rules.LevelChanged]
	learns   ecs.Requests[rules.LearnSpell]
	buttons  ecs.Events[change.Sent[msg.SetActionButton]]
	passives ecs.Emit[Passive]

	units ecs.Read[components.Unit]

	badButton sched.Counter `name:"spell.bad_button"` // buttons that do not exist

	removed msg.RemovedSpell // kept here, since a packet takes its message by reference
}

// A book adds spells to spell books, as a part of the systems that do.
type book struct {
	defs         ecs.Res[defs.World]
	out          change.Out
	unsaved      change.Unsaved
	auraRemovals ecs.Emit[rules.RemoveAuras]

	spells  ecs.Write[components.Spellbook]
	actions ecs.Write[components.Actions]

	unknown  sched.Counter `name:"spell.unknown"`   // spells that do not exist
	bookFull sched.Counter `name:"spell.book_full"` // spells that were not learnt for lack of room

	learned  msg.LearnedSpell // these are kept here, since a packet takes its message by reference
	replaced msg.SupercededSpell
}

// OnEvents implements sched.Handler.
func (s *Spellbooks) OnEvents(sched.Tick) {
	for _, it := range s.joined.All() {
		e := it.Entity
		s.begin(e)
	}
	for _, l := range s.levels.Next() {
		if s.entities.Exists(l.Entity) {
			s.teachLevels(l.Entity, l.From, l.To)
		}
	}
	for _, l := range s.learns.Take() {
		switch {
		case !s.entities.Exists(l.Entity) || !s.spells.Has(l.Entity):
		case l.Forget:
			s.forget(l.Entity, l.Spell)
		default:
			s.teachSpell(l.Entity, l.Spell)
		}
	}
	for _, sent := range s.buttons.All() {
		s.setButton(sent.By, &sent.Msg)
	}
}

// begin has the passive spells of a player applied.
//
// Source: Player::_LoadSpells and Player::IsNeedCastPassiveSpellAtLearn, AzerothCore.
func (s *Spellbooks) begin(e ecs.Entity) {
	book := s.spells.Get(e)
	for _, id := range book.Spells[:book.Count] {
		if sp := s.defs.Get().Spell(id); sp != nil && sp.Has(defs.SpellPassive) {
			s.passives.Emit(Passive{e, sp.ID})
		}
	}
}

// teachLevels teaches a player what its class learns from one level to another.
func (s *Spellbooks) teachLevels(e ecs.Entity, from, to uint32) {
	class := s.units.Get(e).Bytes0[components.ByteClass]
	for i := range s.defs.Get().Spells {
		sp := &s.defs.Get().Spells[i]
		if sp.Class == class && uint32(sp.Level) > from && uint32(sp.Level) <= to && sp.Level != 0 {
			s.teachSpell(e, sp.ID)
		}
	}
}

// teachSpell teaches a player a spell, and has it applied if it is passive.
func (s *Spellbooks) teachSpell(e ecs.Entity, id uint32) {
	if sp := s.learn(e, id); sp != nil && sp.Has(defs.SpellPassive) {
		s.passives.Emit(Passive{e, sp.ID})
	}
}

// learn puts a spell into a player's spell book, in place of its lower rank, and sends it to the client. It returns the spell,
// or nil if it was not learned.
//
// Source: Player::learnSpell, AzerothCore.
func (s *book) learn(e ecs.Entity, id uint32) *defs.Spell {
	sp, book := s.defs.Get().Spell(id), s.spells.Get(e)
	switch {
	case sp == nil:
		s.unknown.Count()
		return nil
	case book.Knows(id):
		return nil
	}
	replaced := sp.Replaces != 0 && book.Forget(sp.Replaces)
	if !book.Learn(id) {
		s.bookFull.Count()
		return nil
	}
	s.unsaved.Mark(e, life.Spells)
	if replaced {
		s.replaceButtons(e, sp.Replaces, id)
		p := &s.replaced
		p.Old, p.New = sp.Replaces, id
		s.out.SendNow(e, msg.OpSupercededSpell, p)
	} else {
		p := &s.learned
		p.Spell = id
		s.out.SendNow(e, msg.OpLearnedSpell, p)
	}
	if replaced && sp.Has(defs.SpellPassive) {
		s.auraRemovals.Emit(rules.RemoveAuras{From: e, By: e, Spell: sp.Replaces})
	}
	return sp
}

// replaceButtons replaces a lower rank on the action bar by the new one.
func (s *book) replaceButtons(e ecs.Entity, old, id uint32) {
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
func (s *Spellbooks) forget(e ecs.Entity, id uint32) {
	if !s.spells.Get(e).Forget(id) {
		return
	}
	s.unsaved.Mark(e, life.Spells)
	s.auraRemovals.Emit(rules.RemoveAuras{From: e, By: e, Spell: id})
	p := &s.removed
	p.Spell = id
	s.out.SendNow(e, msg.OpRemovedSpell, p)
}

// setButton stores an action bar button that a client sets.
//
// Source: WorldSession::HandleSetActionButtonOpcode, AzerothCore.
func (s *Spellbooks) setButton(e ecs.Entity, m *msg.SetActionButton) {
	if m.Button >= life.MaxActions {
		s.out.Refuse(e, msg.OpSetActionButton, &s.badButton)
		return
	}
	s.actions.Get(e)[m.Button] = m.Action
	s.unsaved.Mark(e, life.Actions)
}
