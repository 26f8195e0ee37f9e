package spell

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// Why a client's cast is refused before anything else is looked at, and what it is told: 63 is a spell that is not known, 12
// are bad targets.
//
// Source: WorldSession::HandleCastSpellOpcode and SpellCastResult, AzerothCore; docs/protocol.md 4.7 for CAST_FAILED.
func TestRefusedRequests(t *testing.T) {
	unit := func(guid uint64) msg.Targets { return msg.Targets{Mask: msg.TargetUnit, Unit: guid} }
	at := func(x, y, z float32, transport uint64) msg.Targets {
		return msg.Targets{Mask: msg.TargetDest, Dst: msg.TargetSpot{Transport: transport, Position: wire.Vec3{X: x, Y: y, Z: z}}}
	}
	const gate, dead = 50, 51
	for _, c := range []struct {
		name    string
		spell   uint32
		targets msg.Targets
		why     byte // 0: none
		count   string
	}{
		{"of a known spell", 5, unit(beastGUID), 0, ""},
		{"of no spell", 99, unit(beastGUID), 63, "spell.unknown"},
		{"of an unknown spell", 6, unit(beastGUID), 63, "spell.not_known"},
		{"of a passive spell", 7, unit(beastGUID), 63, "spell.not_known"},
		{"at no unit", 5, unit(99), 12, "spell.bad_target"},
		{"at a game object", 5, unit(gate), 12, "spell.bad_target"},
		{"at one that is gone", 5, unit(dead), 12, "spell.bad_target"},
		{"at a corpse of a friend that is not there", 5, msg.Targets{Mask: msg.TargetAllyCorpse, Unit: 99}, 12, "spell.bad_target"},
		{"at a corpse of an enemy that is not there", 5, msg.Targets{Mask: msg.TargetEnemyCorpse, Unit: 99}, 12, "spell.bad_target"},
		{"at no unit, of a spell for friends", 8, unit(99), 12, "spell.bad_target"},
		{"of a spell for friends, at a game object", 8, msg.Targets{Mask: 0x800, Unit: gate}, 0, ""},
		{"at itself without a target", 8, msg.Targets{}, 0, ""},
		{"at itself with a target of 0", 8, unit(0), 0, ""},
		{"at a place", 9, at(1, 2, 3, 0), 0, ""},
		{"at a place as high as there are", 10, at(1, 2, 100_000, 0), 0, ""},
		{"at a place off the map", 9, at(17067, 2, 3, 0), 12, "spell.bad_place"},
		{"at a place off the map to the north", 9, at(2, -17067, 3, 0), 12, "spell.bad_place"},
		{"at a place too high", 9, at(1, 2, 100_001, 0), 12, "spell.bad_place"},
		{"at a place too deep", 9, at(1, 2, -100_001, 0), 12, "spell.bad_place"},
		{"on a ship", 9, at(1, 2, 3, 4), 12, "spell.bad_place"},
		{"at a unit whose client says where the ship is", 5, msg.Targets{Mask: msg.TargetUnit, Unit: beastGUID, Dst: msg.TargetSpot{Transport: 4}}, 0, ""},
	} {
		s := newStage(t, bolt(5), bolt(6), with(bolt(7), func(sp *defs.Spell) { sp.Flags |= defs.SpellPassive }), mend(8),
			one(9, 0, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 1}),
			with(one(10, 0, defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetPlaceEnemies, Radius: 1}), func(sp *defs.Spell) { sp.MaxRange = 1e6 }))
		s.books.Get(s.mage).Forget(6)
		s.space.Add(gate, ecs.NewArchetype(s.World, components.GameObjectParts()...).Spawn())
		gone := s.addBeast(dead, 1, 1)
		s.run()
		s.remove(gone)
		send(s, s.mage, msg.CastSpell{Count: 4, Spell: c.spell, Targets: c.targets})
		s.run()
		if c.why == 0 {
			if got := s.bodies(msg.OpSpellGo); len(got) != 1 {
				t.Errorf("a cast %s: %+v", c.name, s.packets)
			}
			s.wantCount("spell.refused", 0)
			continue
		}
		same(s, c.name, s.ops(), uint16(0x130))
		s.wantPacket(c.name, 0x130, ecs.Entity{}, []byte{4}, u32(c.spell), []byte{c.why})
		same(s, c.name, s.flushed, 1)
		same(s, c.name, s.happened, change.Happening{Kind: change.HappenedCastFailed, Subject: 1, ID: c.spell, Amount: uint32(c.why)})
		s.wantCount(c.count, 1)
		s.wantCount("spell.refused", 1)
	}
}

// What other systems ask for needs not be known, and no client is told why it is refused, but the owner of an item that is
// to cast it.
func TestRequestsOfSystems(t *testing.T) {
	for _, c := range []struct {
		name   string
		cast   rules.Cast
		knows  bool
		why    msg.CastResult
		packet bool
	}{
		{"a spell that the player does not know", rules.Cast{Spell: 5}, false, castOK, false},
		{"one that it does not know, asked for by its client", rules.Cast{Spell: 5, Asked: true}, false, msg.CastNotKnown, true},
		{"one that it knows, asked for by its client", rules.Cast{Spell: 5, Asked: true}, true, castOK, false},
		{"a passive one", rules.Cast{Spell: 6}, false, castOK, false},
		{"no spell", rules.Cast{Spell: 9}, false, msg.CastNotKnown, false},
		{"no spell of an item", rules.Cast{Spell: 9, Item: 3}, false, msg.CastNotKnown, true},
	} {
		s := newStage(t, bolt(5), with(bolt(6), func(sp *defs.Spell) { sp.Flags |= defs.SpellPassive }))
		if !c.knows {
			*s.books.Get(s.mage) = components.Spellbook{}
		}
		c.cast.By, c.cast.Target, c.cast.Ticket = s.mage, s.beast, 3
		give(s, c.cast)
		s.run()
		want := rules.CastResult{Ticket: 3, Begun: c.why == castOK}
		if !want.Begun {
			want.Why = c.why
		}
		same(s, c.name, asked[rules.CastResult](s), want)
		if failed := len(s.bodies(msg.OpCastFailed)) == 1; failed != c.packet {
			t.Errorf("%s: the client is told %v", c.name, failed)
		}
	}
	s := newStage(t, bolt(5))
	give(s, rules.Cast{By: s.addBeast(9, 0, 0), Target: s.mage, Spell: 5, Ticket: 1}, rules.Cast{By: s.beast, Target: s.mage, Spell: 5})
	s.remove(s.space.Find(9))
	s.run()
	same(s, "only the results that are asked for", asked[rules.CastResult](s))
	if got := s.bodies(msg.OpSpellGo); len(got) != 1 {
		t.Errorf("casts: % x", got)
	}
}

// What a spell is aimed at that was given no target.
func TestOwnTarget(t *testing.T) {
	s := newStage(t, bolt(5), mend(6))
	s.cast(s.mage, ecs.Entity{}, 6)
	same(s, "heals", asked[rules.Heal](s), rules.Heal{By: s.mage, To: s.mage, Caster: 1, Spell: 6, Amount: 10})
	if why := s.why(s.mage, ecs.Entity{}, 5); why != msg.CastBadTargets {
		t.Errorf("a harmful spell without a target: %d", why)
	}
	s.cast(s.mage, s.friend, 6)
	same(s, "heals", asked[rules.Heal](s), rules.Heal{By: s.mage, To: s.friend, Caster: 1, Spell: 6, Amount: 10})
}
