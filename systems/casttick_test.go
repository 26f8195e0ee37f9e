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
