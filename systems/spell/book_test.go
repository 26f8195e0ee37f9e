package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// passive returns a spell of which a player has an aura by knowing it.
func passive(id uint32, e ...defs.Effect) defs.Spell {
	sp := one(id, defs.SpellPassive, defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetCaster, Amount: 3})
	copy(sp.Effects[1:], e)
	return sp
}

// What a player is sent that learns a spell or forgets one, what it knows then, and what is saved.
//
// Source: Player::learnSpell, Player::SendLearnPacket and Player::removeSpell, AzerothCore; docs/protocol.md 4.7 for LEARNED_SPELL,
// REMOVED_SPELL and SUPERCEDED (the old one first).
func TestLearn(t *testing.T) {
	spells := []defs.Spell{bolt(5), with(bolt(6), func(sp *defs.Spell) { sp.Replaces = 5 }), passive(7),
		with(passive(8), func(sp *defs.Spell) { sp.Replaces = 7 }), bolt(9)}
	for _, c := range []struct {
		name     string
		knows    []uint32
		learns   uint32
		forget   bool
		op       uint16
		body     []byte
		has      []uint32
		removed  uint32 // auras of
		applied  uint32 // likewise
		counted  string
		replaced bool // on the action bar
	}{
		{"a spell", nil, 5, false, 0x12B, append(u32(5), 0, 0), []uint32{5}, 0, 0, "", false},
		{"one that it knows", []uint32{5}, 5, false, 0, nil, []uint32{5}, 0, 0, "", false},
		{"one that there is not", nil, 99, false, 0, nil, nil, 0, 0, "spell.unknown", false},
		{"a higher rank", []uint32{5, 9}, 6, false, 0x12C, append(u32(5), u32(6)...), []uint32{6, 9}, 0, 0, "", true},
		{"a higher rank of one that it does not know", []uint32{9}, 6, false, 0x12B, append(u32(6), 0, 0), []uint32{6, 9}, 0, 0, "", false},
		{"a passive one", nil, 7, false, 0x12B, append(u32(7), 0, 0), []uint32{7}, 0, 7, "", false},
		{"a higher rank of a passive one", []uint32{7}, 8, false, 0x12C, append(u32(7), u32(8)...), []uint32{8}, 7, 8, "", false},
		{"to forget", []uint32{5, 9}, 5, true, 0x203, u32(5), []uint32{9}, 5, 0, "", false},
		{"to forget what it does not know", []uint32{9}, 5, true, 0, nil, []uint32{9}, 0, 0, "", false},
	} {
		for _, paid := range []bool{false, true} { // of a trainer, by system lessons
			if paid && c.forget {
				continue
			}
			s := newStage(t, spells...)
			book := s.books.Get(s.mage)
			*book = components.Spellbook{}
			for _, id := range c.knows {
				book.Learn(id)
			}
			s.actions.Get(s.mage)[3], s.actions.Get(s.mage)[8], s.actions.Get(s.mage)[9] = 5, 5, 5|1<<24
			gone := s.addPlayer(9, 0, 0)
			s.remove(gone)
			if paid {
				give(s, rules.TeachSpell{Entity: gone, Spell: c.learns}, rules.TeachSpell{Entity: s.beast, Spell: c.learns},
					rules.TeachSpell{Entity: s.mage, Spell: c.learns})
			} else {
				give(s, rules.LearnSpell{Entity: gone, Spell: c.learns, Forget: c.forget}, rules.LearnSpell{Entity: s.beast, Spell: c.learns, Forget: c.forget},
					rules.LearnSpell{Entity: s.mage, Spell: c.learns, Forget: c.forget})
			}
			s.run()
			same(s, c.name, book.Spells[:book.Count], c.has...)
			if c.op == 0 {
				same(s, c.name, s.ops())
			} else {
				same(s, c.name, s.ops(), c.op)
				s.wantPacket(c.name, c.op, ecs.Entity{}, c.body)
				same(s, c.name, s.flushed, 1)
			}
			var lists life.Set
			if c.op != 0 {
				lists = life.Spells
			}
			bar := *s.actions.Get(s.mage)
			if c.replaced {
				lists |= life.Actions
				same(s, c.name, []uint32{bar[3], bar[8], bar[9]}, 6, 6, 5|1<<24)
			} else {
				same(s, c.name, []uint32{bar[3], bar[8], bar[9]}, 5, 5, 5|1<<24)
			}
			if got := s.unsaved.Get(s.mage).Lists; got != lists {
				t.Errorf("%s: %b is saved, want %b", c.name, got, lists)
			}
			var gone1 []rules.RemoveAuras
			if c.removed != 0 {
				gone1 = append(gone1, rules.RemoveAuras{From: s.mage, By: s.mage, Spell: c.removed})
			}
			same(s, c.name, asked[rules.RemoveAuras](s), gone1...)
			if paid {
				same(s, "not yet", asked[rules.ApplyAura](s))
				s.run()
			}
			var on []rules.ApplyAura
			if c.applied != 0 {
				on = append(on, rules.ApplyAura{By: s.mage, To: s.mage, Spell: c.applied, Effects: 1, Level: 10, Amount: [3]int32{3}})
			}
			same(s, c.name, asked[rules.ApplyAura](s), on...)
			s.run()
			same(s, "once", asked[rules.ApplyAura](s))
			if c.counted != "" {
				s.wantCount(c.counted, 1)
			}
		}
	}
}

// A player that leaves before the passive spell that it has paid for is applied.
func TestLessonOfGone(t *testing.T) {
	s := newStage(t, passive(7))
	*s.books.Get(s.mage) = components.Spellbook{}
	give(s, rules.TeachSpell{Entity: s.mage, Spell: 7})
	s.run()
	s.remove(s.mage)
	s.run()
	same(s, "applied", asked[rules.ApplyAura](s))
}

// There is room for 256 spells in a book.
func TestFullBook(t *testing.T) {
	for _, paid := range []bool{false, true} {
		s := newStage(t, passive(5), with(passive(2000), func(sp *defs.Spell) { sp.Replaces = 1000 }))
		book := s.books.Get(s.mage)
		*book = components.Spellbook{}
		for i := range uint32(life.MaxSpells) {
			book.Learn(1000 + i)
		}
		for _, id := range []uint32{5, 2000} {
			if paid {
				give(s, rules.TeachSpell{Entity: s.mage, Spell: id})
			} else {
				give(s, rules.LearnSpell{Entity: s.mage, Spell: id})
			}
		}
		s.run()
		if book.Knows(5) || !book.Knows(2000) {
			t.Error("it learns another, or no higher rank")
		}
		s.wantCount("spell.book_full", 1)
		same(s, "sent", s.ops(), uint16(0x12C))
		if !paid {
			same(s, "applied", asked[rules.ApplyAura](s), rules.ApplyAura{By: s.mage, To: s.mage, Spell: 2000, Effects: 1, Level: 10, Amount: [3]int32{3}})
		}
	}
}

// What a class learns with levels.
func TestLearnedWithLevel(t *testing.T) {
	at := func(id uint32, class, level uint8) defs.Spell {
		return with(bolt(id), func(sp *defs.Spell) { sp.Class, sp.Level = class, level })
	}
	for _, c := range []struct {
		from, to uint32
		has      []uint32
	}{{1, 2, nil}, {1, 3, []uint32{11}}, {2, 3, []uint32{11}}, {3, 4, []uint32{12}}, {1, 5, []uint32{11, 12, 13}}, {0, 1, nil}, {4, 3, nil}} {
		s := newStage(t, at(10, 8, 0), at(11, 8, 3), at(12, 8, 4), at(13, 8, 5), at(14, 7, 3), at(15, 0, 3))
		book := s.books.Get(s.mage)
		*book = components.Spellbook{}
		s.units.Get(s.mage).Bytes0[components.ByteClass] = 8
		gone := s.addPlayer(9, 0, 0)
		s.remove(gone)
		give(s, rules.LevelChanged{Entity: gone, From: c.from, To: c.to}, rules.LevelChanged{Entity: s.mage, From: c.from, To: c.to})
		s.run()
		same(s, "learned", book.Spells[:book.Count], c.has...)
	}
}

// A player that enters has the passive spells of its book applied, of each the effects that are auras, whatever state it is in.
//
// Source: Player::_LoadSpells and Player::IsNeedCastPassiveSpellAtLearn, AzerothCore.
func TestPassivesOfNewcomer(t *testing.T) {
	aura := defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraStat, Target: defs.TargetCaster, Amount: 5, PerLevel: 2}
	s := newStage(t, bolt(5), passive(6, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetCaster, Amount: 50}, aura), passive(7))
	s.books.Get(s.mage).Forget(7)
	s.books.Get(s.mage).Learn(99) // which does not exist
	s.kill(s.mage)
	give(s, change.Joined{Entity: s.mage})
	s.run()
	// 5, and 2 for each of the nine levels above the first
	same(s, "applied", asked[rules.ApplyAura](s), rules.ApplyAura{By: s.mage, To: s.mage, Spell: 6, Effects: 5, Level: 10, Amount: [3]int32{3, 0, 23}})
	same(s, "sent", s.ops())
}

// A client sets a button of its action bar; there are 144.
//
// Source: WorldSession::HandleSetActionButtonOpcode and MAX_ACTION_BUTTONS, AzerothCore.
func TestSetButton(t *testing.T) {
	s := newStage(t)
	send(s, s.mage, msg.SetActionButton{Button: 143, Action: 77})
	s.run()
	if s.actions.Get(s.mage)[143] != 77 || s.unsaved.Get(s.mage).Lists != life.Actions {
		t.Errorf("%+v, saved %b", *s.actions.Get(s.mage), s.unsaved.Get(s.mage).Lists)
	}
	s.wantCount("spell.bad_button", 0)
	s.unsaved.Get(s.mage).Lists = 0
	send(s, s.mage, msg.SetActionButton{Button: 144, Action: 77})
	s.run()
	s.wantCount("spell.bad_button", 1)
	if len(s.refused) != 1 || s.refused[0].Op != 0x128 || s.refused[0].Reason != "spell.bad_button" || s.unsaved.Get(s.mage).Lists != 0 {
		t.Errorf("refused %+v", s.refused)
	}
}
