package combat

import (
	"fmt"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// An attack that another system starts swings in the tick after it, one that a client asks for at once; then each weapon swings by
// its own time, and the timer is set for then.
func TestSwingTimes(t *testing.T) {
	s := newStage()
	e, foe := s.addBeast(2), s.addPlayer(5)
	s.attack(e, foe)
	same(t, "swings", s.runUntil(6200), []uint32{100, 2100, 4100, 6100})
	if r := *s.ready.Get(e); r != (components.SwingTimers{NextMs: [3]uint32{8100, 6300}, Tick: 162}) {
		t.Errorf("%+v", r)
	}
	emit(s, rules.StopAttack{Entity: e})
	same(t, "swings after a stop", s.runUntil(9000), nil)
	if tick := s.ready.Get(e).Tick; tick != 0 {
		t.Errorf("it looks again in tick %d", tick)
	}
	s.attack(e, foe) // at 9050 ms
	same(t, "swings after a start", s.runUntil(9500), []uint32{9100})
	emit(s, rules.StopAttack{Entity: e})
	s.run()
	s.attack(e, foe)
	same(t, "swings after a stop and a start", s.runUntil(11200), []uint32{11100})

	s = newStage()
	e = s.addPlayer(2)
	s.addBeast(5)
	emit(s, change.Sent[msg.AttackSwing]{By: e, Msg: msg.AttackSwing{GUID: 5}})
	same(t, "swings of a player", s.runUntil(4100), []uint32{50, 2050, 4050})
}

// Two weapons swing at least 200 ms apart: the one that would swing sooner after the other waits until then.
//
// Source: Player::Update, AzerothCore (ATTACK_DISPLAY_DELAY).
func TestHandsApart(t *testing.T) {
	for _, c := range []struct {
		swingMs   [3]uint32
		until     uint32
		main, off []uint32
	}{
		{[3]uint32{2000, 1500}, 8200, []uint32{100, 2100, 4100, 6100, 8100}, []uint32{300, 1800, 3300, 4800, 6300, 7800}},
		{[3]uint32{1000, 900}, 3400, []uint32{100, 1100, 2100, 3100}, []uint32{300, 1300, 2300, 3300}}, // 1200 would be 100 ms after 1100
		{[3]uint32{0, 1500}, 3200, nil, []uint32{100, 1600, 3100}},
		{[3]uint32{0, 0, 1500}, 3200, nil, nil},
	} {
		s := newStage()
		e, foe := s.addBeast(2), s.addPlayer(5)
		s.stats.Get(e).SwingMs = c.swingMs
		s.attack(e, foe)
		var hands [2][]uint32
		for s.tick.NowMs <= c.until {
			got := s.run()
			for _, d := range got.damages {
				hand := 0
				if d.Weapon.Info&0x4 != 0 {
					hand = 1
				}
				if d.Weapon.SwingMs != c.swingMs[hand] {
					t.Errorf("%+v", d.Weapon)
				}
				hands[hand] = append(hands[hand], got.ms)
			}
		}
		same(t, fmt.Sprint(c.swingMs, " main hand"), hands[0], c.main)
		same(t, fmt.Sprint(c.swingMs, " off hand"), hands[1], c.off)
	}
}

// After a stun both hands are ready: the main hand is first.
func TestMainHandFirst(t *testing.T) {
	s := newStage()
	e, foe := s.addBeast(2), s.addPlayer(5)
	s.stats.Get(e).SwingMs = [3]uint32{2000, 2000}
	s.unitAuras.Get(e).States = components.StateStunned
	s.attack(e, foe)
	same(t, "swings of the stunned", s.runUntil(5000), nil)
	s.unitAuras.Get(e).States = 0
	same(t, "swings", s.runUntil(5500), []uint32{5100, 5300})
}

// A unit that cannot attack looks again after 100 ms: stunned or pacified by what is not an aura, such as a logout.
//
// Source: Player::Update and Unit::AttackerStateUpdate, AzerothCore (100 ms).
func TestBusyFlags(t *testing.T) {
	for flags, busy := range map[uint32]bool{
		0: false, components.UnitStunned: true, components.UnitPacified: true, components.UnitSilenced: false,
		components.UnitInCombat: false, components.UnitStunned | components.UnitInCombat: true,
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.units.Get(e).Flags = flags
		s.attack(e, foe)
		var want []uint32
		if !busy {
			want = []uint32{100}
		}
		same(t, fmt.Sprintf("flags %#x", flags), s.runUntil(500), want)
		if s.units.Get(e).Flags = 0; busy {
			same(t, fmt.Sprintf("after flags %#x", flags), s.runUntil(700), []uint32{600})
		}
	}
}

// What a player is sent of an attack that is not possible from where it stands: the reason, once until it is another, again after
// a swing, and again for another attack. Creatures are sent nothing, and turn by themselves.
//
// Source: Player::Update (m_swingErrorMsg), AzerothCore; docs/protocol.md 4.7 (0x145 not in range, 0x146 bad facing).
func TestRefusals(t *testing.T) {
	for _, player := range []bool{true, false} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		if !player {
			e, foe = s.addBeast(3), s.addPlayer(6)
		}
		at := func(x float32) func() { return func() { s.positions.Get(foe).X = x } }
		steps := map[uint32]func(){
			0: at(20), 350: at(3), 450: at(20), 2450: at(-3), 2550: at(3), 2650: at(20), // the last swing is at 2600
			3050: func() { emit(s, rules.StopAttack{Entity: e}) }, 3150: func() { s.attack(e, foe) },
			3250: func() { emit(s, rules.StopAttack{Entity: e}) }, 3350: func() { s.attack(e, foe) }, 4550: at(5.01), 4650: at(5),
		}
		steps[0]()
		s.attack(e, foe)
		type event struct {
			ms uint32
			op uint16 // 0 a swing
		}
		var got []event
		for s.tick.NowMs <= 4750 {
			if step := steps[s.tick.NowMs]; step != nil {
				step()
			}
			r := s.run()
			for _, p := range r.packets {
				if p.op != 0x143 && p.op != 0x144 {
					if got = append(got, event{r.ms, p.op}); p.body != "" || p.about != (ecs.Entity{}) {
						t.Errorf("%+v", p)
					}
				}
			}
			for range r.damages {
				got = append(got, event{r.ms, 0})
			}
		}
		want := []event{{100, 0x145}, {400, 0}, {2400, 0x145}, {2500, 0x146}, {2600, 0}, {3200, 0x145}, {3400, 0x145}, {4700, 0}}
		if !player {
			want = []event{{400, 0}, {2500, 0}, {4700, 0}}
		}
		same(t, fmt.Sprint("player ", player), got, want)
	}
}

// An attack ends when the victim is dead or may not be attacked any more, which the player is sent, or when the attacker is dead.
//
// Source: docs/protocol.md 4.7 (0x148 dead target, 0x149 cannot attack, 0x144).
func TestAttackEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		does func(s *stage, e, foe ecs.Entity)
		want []packet
	}{
		{"the victim is dead", func(s *stage, _, foe ecs.Entity) { s.vitals.Get(foe).Health = 0 }, []packet{{op: 0x148}, {op: 0x144, body: stopsDead}}},
		{"it is gone", func(s *stage, _, foe ecs.Entity) { s.Despawn(foe); s.EndStage() }, []packet{{op: 0x148}, {op: 0x144, body: stopsGone}}},
		{"it is a friend", func(s *stage, _, foe ecs.Entity) { s.units.Get(foe).Faction = defs.FactionFriendly }, []packet{{op: 0x149}, {op: 0x144, body: stops}}},
		{"the attacker is dead", func(s *stage, e, _ ecs.Entity) { s.vitals.Get(e).Health = 0 }, []packet{{op: 0x144, body: stops}}},
		{"it is far away", func(s *stage, _, foe ecs.Entity) { s.positions.Get(foe).X = 100 }, []packet{{op: 0x145}}},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.attack(e, foe)
		s.runUntil(100)
		c.does(s, e, foe)
		var got []packet
		for s.tick.NowMs <= 4500 {
			r := s.run()
			got = append(got, r.packets...)
			if len(r.damages) != 0 {
				t.Errorf("%s: %+v", c.name, r.damages)
			}
		}
		for i := range c.want {
			if c.want[i].op == 0x144 {
				c.want[i].about = e
			}
		}
		same(t, c.name, got, c.want)
		if ended := s.attacks.Get(e).Swinging == 0; ended != (c.want[len(c.want)-1].op == 0x144) {
			t.Errorf("%s: the attack has ended %v", c.name, ended)
		}
	}
	s := newStage()
	e, foe := s.addBeast(2), s.addPlayer(5)
	s.attack(e, foe)
	s.runUntil(100)
	s.vitals.Get(foe).Health = 0
	for s.tick.NowMs <= 2500 {
		if r := s.run(); len(r.packets) > 0 && r.packets[0].op != 0x144 {
			t.Errorf("a creature: %+v", r.packets)
		}
	}
}

// A shot needs 5 to 35 yards and the reaches of both, and the victim before the unit; a ranged weapon has its own time.
//
// Source: Auto Shot of build 12340, SpellRange.dbc (5 to 35); docs/protocol.md 4.7.
func TestShots(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y float32
		op   uint16
	}{
		{"near", 4.9, 0, 0x145}, {"near enough", 5, 0, 0}, {"far", 38, 0, 0}, {"too far", 38.1, 0, 0x145},
		{"behind it", -20, 0, 0x146}, {"aside", 0.1, 20, 0}, {"a bit behind", -0.1, 20, 0x146},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.stats.Get(e).SwingMs = [3]uint32{2000, 1500, 2500}
		s.positions.Get(foe).X, s.positions.Get(foe).Y = c.x, c.y
		s.shoot(e, foe)
		var ops []uint16
		var shots []uint32
		for s.tick.NowMs <= 2700 {
			r := s.run()
			for _, p := range r.packets {
				if p.op != 0x143 {
					ops = append(ops, p.op)
				}
			}
			for _, d := range r.damages {
				if shots = append(shots, r.ms); d.Weapon.SwingMs != 2500 || d.Weapon.Info != 2 || d.Weapon.Rage || d.Amount != 10 {
					t.Errorf("%s: %+v", c.name, d)
				}
			}
		}
		if c.op == 0 {
			same(t, c.name, shots, []uint32{100, 2600})
			same(t, c.name, ops, nil)
		} else {
			same(t, c.name, shots, nil)
			same(t, c.name, ops, []uint16{c.op})
		}
	}
}

// A shot waits for no other weapon, however quick its own is.
func TestQuickShots(t *testing.T) {
	s := newStage()
	e, foe := s.addPlayer(2), s.addBeast(5)
	s.stats.Get(e).SwingMs = [3]uint32{2000, 0, 150}
	s.positions.Get(foe).X = 20
	s.shoot(e, foe)
	same(t, "shots", s.runUntil(600), []uint32{100, 250, 400, 550})
}

// A spell that shoots has the weapon wait, and one that does not leaves it as it is.
func TestNextShot(t *testing.T) {
	s := newStage()
	e, foe, gone := s.addPlayer(2), s.addBeast(5), s.addBeast(6)
	s.stats.Get(e).SwingMs = [3]uint32{2000, 0, 2500}
	s.positions.Get(foe).X = 20
	s.shoot(e, foe)
	s.runUntil(1000)
	emit(s, rules.SwingChanged{Entity: gone, NextShotMs: 7}, rules.SwingChanged{Entity: e})
	emit(s, rules.HasteChanged{Entity: gone, Before: 1, After: 2})
	s.Despawn(gone)
	s.EndStage()
	same(t, "shots", s.runUntil(2700), []uint32{2600})
	emit(s, rules.SwingChanged{Entity: e, NextShotMs: 7000})
	same(t, "shots", s.runUntil(10_000), []uint32{7000, 9500})
}

// What is left of the time to a swing after a change of haste, of a unit whose main hand took 2 s before.
//
// Source: Unit::ApplyAttackTimePercentMod, AzerothCore.
func TestHaste(t *testing.T) {
	for _, c := range []struct {
		name          string
		left          int32
		before, after float32
		swingMs       uint32 // after the change
		want          int32
	}{
		{"twice as fast", 1000, 1, 0.5, 1000, 500},
		{"half as fast again", 1000, 1, 1.5, 3000, 1500},
		{"from fast to normal", 400, 0.5, 1, 2500, 800},
		{"just after a swing", 2000, 1, 0.5, 1000, 1000},
		{"more than a swing was left", 2001, 1, 0.5, 1000, 2001},
		{"ready", 0, 1, 0.5, 1000, 0},
		{"ready for long", -70_000, 1, 0.5, 1000, -70_000},
		{"with a slower weapon, at most its time", 1900, 1, 2, 3000, 3000},
		{"without a weapon", 1000, 1, 0.5, 0, 1000},
	} {
		for hand := range 2 {
			s := newStage()
			e := s.addPlayer(2)
			s.tick.N, s.tick.NowMs = 2000, 100_000
			s.stats.Get(e).SwingMs = [3]uint32{c.swingMs, c.swingMs, c.swingMs}
			r := s.ready.Get(e)
			r.NextMs[hand], r.NextMs[components.RangedHand] = uint32(100_000+c.left), 101_000
			emit(s, rules.HasteChanged{Entity: e, Before: c.before, After: c.after, SwingMs: [2]uint32{2000, 2000}})
			s.run()
			if left := int32(r.NextMs[hand] - 100_000); left != c.want || r.NextMs[components.RangedHand] != 101_000 || r.NextMs[1-hand] != 0 {
				t.Errorf("%s, hand %d: %d ms are left, want %d; %v", c.name, hand, left, c.want, r.NextMs)
			}
			if r.Tick != 0 {
				t.Errorf("%s: a unit that does not attack looks in tick %d", c.name, r.Tick)
			}
		}
	}
	s := newStage()
	e, foe := s.addBeast(2), s.addPlayer(5)
	s.attack(e, foe)
	s.runUntil(1050)
	s.stats.Get(e).SwingMs[0] = 1000
	emit(s, rules.HasteChanged{Entity: e, Before: 1, After: 0.5, SwingMs: [2]uint32{2000}})
	same(t, "swings", s.runUntil(2700), []uint32{1600, 2600}) // at 1100 ms a second was left
}

// What is left of the time to its next swing of a unit that has parried: two fifths of its swing time less, and not less than one
// fifth of it, or than what was left.
//
// Source: Unit::ProcDamageAndSpellFor, AzerothCore.
func TestParryHaste(t *testing.T) {
	for _, c := range []struct {
		left, want int32
		attacks    bool
	}{
		{1950, 1150, true}, {1200, 400, true}, {1100, 400, true}, {401, 400, true}, {400, 400, true}, {100, 100, true}, {0, 0, true},
		{-300, -300, true}, {1950, 1950, false},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.positions.Get(foe).X = 50 // so that it does not swing
		s.tick.N, s.tick.NowMs = 2000, 100_000
		if c.attacks {
			*s.attacks.Get(e) = components.Attack{Victim: foe, Swinging: components.SwingMelee}
		}
		r := s.ready.Get(e)
		r.NextMs[components.MainHand], r.NextMs[components.OffHand] = uint32(100_000+c.left), 101_000
		emit(s, rules.SwingChanged{Entity: e, Parried: true})
		s.run()
		if left := int32(r.NextMs[components.MainHand] - 100_000); left != c.want || r.NextMs[components.OffHand] != 101_000 {
			t.Errorf("of %d ms %d are left, want %d", c.left, left, c.want)
		}
		hastened := c.left != c.want
		if want := uint32(2000 + c.want/50); hastened && r.Tick != want || !hastened && r.Tick != 0 {
			t.Errorf("of %d ms: it looks in tick %d", c.left, r.Tick)
		}
	}
	s := newStage()
	e, foe := s.addBeast(2), s.addPlayer(5)
	s.attack(e, foe)
	s.runUntil(150)
	emit(s, rules.SwingChanged{Entity: e, Parried: true}) // at 200 ms, 1900 are left
	same(t, "swings", s.runUntil(3400), []uint32{1300, 3300})
}

// A unit that is gone does not swing.
func TestSwingsOfTheGone(t *testing.T) {
	s := newStage()
	e, foe, other := s.addBeast(2), s.addPlayer(5), s.addBeast(3)
	s.attack(e, foe)
	s.attack(other, foe)
	s.runUntil(1000)
	s.Despawn(e)
	s.EndStage()
	same(t, "swings", s.runUntil(2200), []uint32{2100})
	*ecs.QueueOf[attackBegun](s.World).Next() = attackBegun{e}
	s.run()
}

// A look that was set for later is not done besides one that is set for earlier.
func TestOneTimer(t *testing.T) {
	s := newStage()
	e := s.addBeast(2)
	s.tick.N, s.tick.NowMs = 100, 5000
	s.swings.scheduleSwing(s.tick, e, milliseconds(500))
	s.swings.scheduleSwing(s.tick, e, milliseconds(700))
	if tick := s.ready.Get(e).Tick; tick != 110 {
		t.Errorf("tick %d", tick)
	}
	s.swings.scheduleSwing(s.tick, e, milliseconds(300))
	s.swings.scheduleSwing(s.tick, e, milliseconds(300))
	if tick := s.ready.Get(e).Tick; tick != 106 {
		t.Errorf("tick %d", tick)
	}
	if n := len(s.swings.timers.Take(106)) + len(s.swings.timers.Take(200)); n != 2 { // that of 500 ms is stale
		t.Errorf("%d timers", n)
	}
}
