package combat

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// The damage of a hit of 100 points for each outcome, and the fields of its packet.
//
// Source: Unit::CalculateMeleeDamage, Unit.cpp, AzerothCore (a critical hit is
// worth twice as much; a glancing one loses a tenth for each level that the victim is higher, three tenths at most;
// a crushing one is worth half as much again; a block takes its value away, and all of it makes the victim state
// "blocks"); the bits: docs/protocol.md 4.7, hitinfo bits and victim state.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name            string
		outcome         rules.Outcome
		above           uint32 // levels of the victim above the attacker's
		value           float32
		damage, blocked uint32
		info, state     uint32
	}{
		{"a hit", rules.Hit, 0, 0, 100, 0, 0x2, 1},
		{"a miss", rules.Miss, 0, 0, 0, 0, 0x10, 0},
		{"a dodge", rules.Dodge, 0, 0, 0, 0, 0, 2},
		{"a parry", rules.Parry, 0, 0, 0, 0, 0, 3},
		{"a critical hit", rules.Crit, 0, 0, 200, 0, 0x202, 1},
		{"glancing, one level", rules.Glancing, 1, 0, 90, 0, 0x10002, 1},
		{"glancing, two levels", rules.Glancing, 2, 0, 80, 0, 0x10002, 1},
		{"glancing, three levels", rules.Glancing, 3, 0, 70, 0, 0x10002, 1},
		{"glancing, five levels", rules.Glancing, 5, 0, 70, 0, 0x10002, 1},
		{"crushing", rules.Crushing, 0, 0, 150, 0, 0x20002, 1},
		{"blocked in part", rules.Block, 0, 35, 65, 35, 0x2002, 1},
		{"blocked to a point", rules.Block, 0, 99, 1, 99, 0x2002, 1},
		{"blocked", rules.Block, 0, 100, 0, 100, 0x2002, 5},
		{"blocked by more", rules.Block, 0, 400, 0, 100, 0x2002, 5},
	} {
		r := newRing()
		r.stats.Get(r.by).MinDamage, r.stats.Get(r.by).MaxDamage = [3]float32{100}, [3]float32{100}
		r.units.Get(r.foe).Level = r.units.Get(r.by).Level + c.above
		r.stats.Get(r.foe).BlockValue = c.value
		dice := sched.Tick{Seed: 1}.Dice("test", 1)
		d := rules.Damage{By: r.by, To: r.foe}
		r.hits.rollDamage(&d, components.MainHand, c.outcome, &dice)
		if d.Amount != c.damage || d.Blocked != c.blocked || uint32(d.Melee.Info) != c.info || uint32(d.Melee.State) != c.state {
			t.Errorf("%s: damage %d, blocked %d, hit info %#x, victim state %d; want %d, %d, %#x, %d", c.name, d.Amount, d.Blocked,
				uint32(d.Melee.Info), d.Melee.State, c.damage, c.blocked, c.info, c.state)
		}
	}
}

// The packet of a hit that a shield stops in part, and the victim's loss of health.
//
// Source: Unit::CalculateMeleeDamage, AzerothCore.
func TestBlockOnTheWire(t *testing.T) {
	r := newRing()
	r.stats.Get(r.by).Miss = 100 // never misses
	*r.stats.Get(r.foe) = components.CombatStats{SwingMs: [3]uint32{2000}, DamageDone: 1, DamageTaken: 1, ThreatDone: 1, Block: 100, BlockValue: 4}
	swings := r.fight(t, 2, nil)
	want := msg.AttackerState{HitInfo: 0x2002, Attacker: 1, Victim: 2, Damage: 6, Count: 1,
		Subs: [2]msg.SubDamage{{School: defs.SchoolPhysical, Damage: 6}}, VictimState: 1, Blocked: 4}
	if len(swings) != 1 || swings[0].state != want {
		t.Errorf("%+v, want %+v", swings, want)
	}
	if health := r.vitals.Get(r.foe).Health; health != 1e6-6 {
		t.Errorf("it has %d health left", health)
	}
}
