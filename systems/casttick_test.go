package systems

import (
	"testing"

	"muster/components/defs"
	"muster/systems/rules"
)

// A unit that begins a cast with a cast time, or a channel, begins nothing else in the same tick, and does not pay for
// it.
func TestOneCastAtATime(t *testing.T) {
	const quick = tried + 1
	hurts := defs.Effect{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 10}
	for name, c := range map[string]struct {
		castMs     uint32
		flags      defs.SpellFlag
		lost, paid uint32
	}{
		"at once":    {0, 0, 20, 7},
		"cast time":  {3000, 0, 0, 0},
		"channelled": {0, defs.SpellChannelled, 10, 0},
	} {
		slow, second := lasting(defs.SpellHarmful|c.flags, hurts), lasting(defs.SpellHarmful, hurts)
		slow.CastMs, second.ID, second.Cost = c.castMs, quick, 7
		s := newStage(t, slow, second)
		health, power := s.vitals.Get(s.foe).Health, s.vitals.Get(s.actor).Power[0]
		for _, id := range []uint32{tried, quick} {
			ask(s.world, rules.Cast{By: s.actor, Target: s.foe, Spell: id})
		}
		s.tick()
		lost, paid := health-s.vitals.Get(s.foe).Health, power-s.vitals.Get(s.actor).Power[0]
		if lost != c.lost || paid != c.paid {
			t.Errorf("%s, and then another: they take %d and cost %d, want %d and %d", name, lost, paid, c.lost, c.paid)
		}
	}
}

// A player whose cast ends in a tick begins no other one in the same tick: clients would be told of the second before the end of the first. After a tick
// that was late what the client asks for and the end of what it casts are often in one tick.
//
// Source: Spell::CheckCast with SPELL_FAILED_SPELL_IN_PROGRESS, AzerothCore, whose packets are read before units are updated.
func TestNextCastWaitsForTheEndOfTheLast(t *testing.T) {
	s := newStage(t)
	begun, health := []uint32(nil), s.vitals.Get(s.foe).Health
	for range 200 { // the key is pressed in every tick
		s.cast(s.actor, s.foe, mumble)
		c := &s.castings.Get(s.actor).Cast
		switch hit := s.vitals.Get(s.foe).Health < health; {
		case hit && c.Spell != 0:
			t.Fatalf("a cast that ends is followed by another in the same tick, %d ms after the first began", c.StartMs-begun[0])
		case hit:
			health = s.vitals.Get(s.foe).Health
		case c.Spell != 0 && (len(begun) == 0 || begun[len(begun)-1] != c.StartMs):
			begun = append(begun, c.StartMs)
		}
	}
	if len(begun) < 3 {
		t.Errorf("casts have begun at %v", begun)
	}
}
