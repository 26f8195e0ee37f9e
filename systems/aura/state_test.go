package aura

import (
	"math"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// holding has a spell of 500 ms for each aura that holds its unit, by the ID: 1 stun, 2 root, 3 silence, 4 fear, 5 confusion, 6
// pacified, 7 pacified and silenced, 8 none.
func holding() (spells []defs.Spell) {
	for i, kind := range []defs.AuraKind{
		defs.AuraStun, defs.AuraRoot, defs.AuraSilence, defs.AuraFear, defs.AuraConfuse, defs.AuraPacify, defs.AuraPacifySilence, defs.AuraDodge,
	} {
		spells = append(spells, defs.Spell{ID: uint32(i) + 1, DurationMs: 500, Effects: of(effect(kind))})
	}
	return spells
}

// What an aura that holds a unit does to it as it comes and as it goes: its flags, roots, the cast that it interrupts, and whether
// its client has control of its movement.
//
// Source: Unit::SetControlled, SetStunned, SetRooted, SetFeared, AuraEffect::HandleAuraModSilence, AzerothCore; UnitFlags,
// UnitDefines.h, there (0x2000 silenced, 0x20000 pacified, 0x40000 stunned, 0x400000 confused, 0x800000 fleeing).
func TestStates(t *testing.T) {
	const all = 0x2000 | 0x20000 | 0x40000 | 0x400000 | 0x800000
	every, magic := []uint32{0}, []uint32{0x7E}
	for _, c := range []struct {
		name    string
		spell   uint32
		player  bool
		flags   uint32
		roots   bool
		schools []uint32 // of the interrupts
		driven  bool
	}{
		{"a stun", 1, true, 0x40000, true, every, false}, {"a root", 2, true, 0, true, nil, false},
		{"silence", 3, true, 0x2000, false, magic, false}, {"fear", 4, true, 0x800000, false, every, true},
		{"confusion", 5, true, 0x400000, false, every, true}, {"pacified", 6, true, 0x20000, false, nil, false},
		{"pacified and silenced", 7, true, 0x22000, false, magic, false},
		{"fear of a creature", 4, false, 0x800000, false, every, false},
		{"a stun of a creature", 1, false, 0x40000, true, every, false},
	} {
		s := newStage(holding()...)
		e := s.addBeast(2)
		if c.player {
			e = s.addPlayer(2)
		}
		s.applyAura(e, e, 8)
		s.run()
		for _, on := range []bool{true, false} {
			var got seen
			want := rules.SetUnitFlags{Entity: e, Set: c.flags, Clear: all &^ c.flags}
			if on {
				s.applyAura(e, e, c.spell)
				got = s.run()
			} else {
				want.Set, want.Clear = 0, all
				emit(s, rules.RemoveAuras{From: e, Spell: c.spell})
				got = s.run()
			}
			same(t, c.name+" sets", got.flags, []rules.SetUnitFlags{want})
			var roots []move.Root
			if c.roots {
				roots = []move.Root{{Entity: e, On: on}}
			}
			same(t, c.name+" roots", got.roots, roots)
			var interrupts []rules.InterruptCast
			if on {
				for _, schools := range c.schools {
					interrupts = append(interrupts, rules.InterruptCast{Entity: e, Schools: schools})
				}
			}
			same(t, c.name+" interrupts", got.interrupts, interrupts)
			control := 0
			for _, p := range got.packets {
				if p.op == 0x159 {
					control++
				}
			}
			if want := c.driven; (control == 1) != want || len(got.runs) > 0 != want {
				t.Errorf("%s: control changes %d times, runs %+v", c.name, control, got.runs)
			}
			if len(got.stats) != 1 {
				t.Errorf("%s: stats are computed %d times", c.name, len(got.stats))
			}
		}
	}
}

// A state that a unit has by two auras ends with the second of them, and nothing is said in between; one that comes in addition to
// another interrupts anew.
func TestStatesAdd(t *testing.T) {
	s := newStage(append(holding(), defs.Spell{ID: 9, Effects: of(effect(defs.AuraStun))})...)
	e := s.addPlayer(2)
	s.applyAura(e, e, 1)
	s.applyAura(e, e, 9)
	got := s.run()
	if len(got.roots) != 1 || len(got.flags) != 1 || len(got.interrupts) != 1 {
		t.Errorf("%+v", got)
	}
	s.applyAura(e, e, 2)
	if got = s.run(); len(got.roots) != 0 || len(got.interrupts) != 0 || len(got.flags) != 1 {
		t.Errorf("a root of the stunned: %+v", got)
	}
	s.applyAura(e, e, 3)
	if got = s.run(); len(got.interrupts) != 1 || got.interrupts[0].Schools != defs.SchoolMagic {
		t.Errorf("silence of the stunned: %+v", got)
	}
	emit(s, rules.RemoveAuras{From: e, Spell: 1}, rules.RemoveAuras{From: e, Spell: 3})
	if got = s.run(); len(got.roots) != 0 || len(got.flags) != 1 || got.flags[0].Set != 0x40000 || len(got.interrupts) != 0 {
		t.Errorf("%+v", got)
	}
	emit(s, rules.RemoveAuras{From: e, Spell: 9})
	if got = s.run(); len(got.roots) != 0 || len(got.flags) != 1 || got.flags[0].Set != 0 {
		t.Errorf("rooted still: %+v", got)
	}
	emit(s, rules.RemoveAuras{From: e, Spell: 2})
	if got = s.run(); len(got.roots) != 1 || got.roots[0].On {
		t.Errorf("%+v", got)
	}
}

// A player that waits to log out keeps the flag of a stun, whatever its auras are.
//
// Source: WorldSession::HandleLogoutRequestOpcode, AzerothCore (UNIT_FLAG_STUNNED).
func TestStunOfLogout(t *testing.T) {
	for _, waiting := range []uint32{0, 1} {
		s := newStage(holding()...)
		e := s.addPlayer(2)
		s.logouts.Get(e).Waiting = waiting
		s.applyAura(e, e, 3)
		s.run()
		emit(s, rules.RemoveAuras{From: e})
		got := s.run()
		if len(got.flags) != 1 || got.flags[0].Set != waiting*0x40000 || got.flags[0].Clear != 0xC22000|(1-waiting)*0x40000 {
			t.Errorf("waiting %d: %+v", waiting, got.flags)
		}
	}
}

// What has changed of a unit that is gone by then is not followed.
func TestChangesOfTheGone(t *testing.T) {
	s := newStage(holding()...)
	e := s.addPlayer(2)
	emit(s, Changed{Entity: e, After: components.StateStunned, Stats: true})
	emit(s, slotChange{entity: e})
	emit(s, driveChange{e, true})
	s.Despawn(e)
	s.EndStage()
	if got := s.run(); len(got.packets)+len(got.flags)+len(got.stats)+len(got.roots)+len(got.runs) != 0 {
		t.Errorf("%+v", got)
	}
}

// A slope has its height at a point.
type slope struct{}

func (slope) Height(x, y float32) float32 { return x + 2*y }

// A player in fear runs 8 to 14 yards in some direction at its speed, over the ground, and on as soon as it has arrived; its client
// has no control of it until the end, when it stops.
//
// Source: FleeingMovementGenerator and Unit::SetFeared, AzerothCore; docs/protocol.md 5.2 (0x159: packed GUID, u8 allowed).
func TestFear(t *testing.T) {
	spells := holding()
	spells[3].DurationMs = 60_000
	s := newStage(spells...)
	s.place.Ground = slope{}
	e := s.addPlayer(2)
	*s.positions.Get(e) = components.Position{X: 100, Y: -50, Z: 7}
	s.applyAura(e, e, 4)
	got := s.run()
	same(t, "control", control(&got), []packet{{op: 0x159, body: "0102" + "00"}})
	directions := map[int]bool{}
	last := s.tick.NowMs - 50
	check := func(r move.Run) (ms float64) {
		p := s.positions.Get(e)
		dx, dy := float64(r.To.X-p.X), float64(r.To.Y-p.Y)
		yards := math.Hypot(dx, dy)
		if r.Entity != e || r.Stop || r.Speed != 7 || yards < 7.999 || yards > 14.001 || r.To.Z != r.To.X+2*r.To.Y {
			t.Fatalf("%+v, %.1f yards", r, yards)
		}
		directions[int(math.Floor((math.Atan2(dy, dx)+math.Pi)/(math.Pi/2)))] = true
		return yards / 7 * 1000
	}
	if len(got.runs) != 1 {
		t.Fatalf("runs %+v", got.runs)
	}
	ms, hops := check(got.runs[0]), 0
	for s.tick.NowMs < 50_000 {
		now := s.tick.NowMs
		if got = s.run(); len(got.runs) == 0 {
			continue
		}
		hops++
		if took := float64(now - last); len(got.runs) != 1 || took < ms-1 || took >= ms+51 {
			t.Fatalf("%+v after %v ms, want %v", got.runs, now-last, ms)
		}
		last, ms = now, check(got.runs[0])
	}
	if hops < 25 || hops > 44 || len(directions) < 4 {
		t.Errorf("%d runs in 50 s, into the quarters %v", hops, directions)
	}
	for range 40 {
		if got = s.run(); len(got.runs) > 0 {
			break
		}
	}
	emit(s, rules.RemoveAuras{From: e, Spell: 4})
	got = s.run()
	same(t, "control at the end", control(&got), []packet{{op: 0x159, body: "0102" + "01"}})
	same(t, "runs at the end", got.runs, []move.Run{{Entity: e, Stop: true}})
	for range 60 {
		if got = s.run(); len(got.runs) != 0 {
			t.Fatalf("it runs on: %+v", got.runs)
		}
	}
}

// control are the packets that take or return control.
func control(g *seen) (all []packet) {
	for _, p := range g.packets {
		if p.op == 0x159 {
			all = append(all, p)
		}
	}
	return all
}

// When a player in fear does not run just now: rooted, stunned, without a speed, or with the edge of the map before it. It tries
// again a second later.
func TestStuckInFear(t *testing.T) {
	for _, c := range []struct {
		name  string
		sets  func(s *stage, e ecs.Entity)
		frees func(s *stage, e ecs.Entity)
	}{
		{"rooted", func(s *stage, e ecs.Entity) { s.applyAura(e, e, 2) }, func(s *stage, e ecs.Entity) { emit(s, rules.RemoveAuras{From: e, Spell: 2}) }},
		{"stunned", func(s *stage, e ecs.Entity) { s.applyAura(e, e, 1) }, func(s *stage, e ecs.Entity) { emit(s, rules.RemoveAuras{From: e, Spell: 1}) }},
		{"without a speed", func(s *stage, e ecs.Entity) { s.speeds.Get(e)[1] = 0 }, func(s *stage, e ecs.Entity) { s.speeds.Get(e)[1] = 7 }},
		{"off the map to the east", func(s *stage, e ecs.Entity) { s.positions.Get(e).X = 1020 }, func(s *stage, e ecs.Entity) { s.positions.Get(e).X = 0 }},
		{"to the west", func(s *stage, e ecs.Entity) { s.positions.Get(e).X = -1020 }, func(s *stage, e ecs.Entity) { s.positions.Get(e).X = 0 }},
		{"to the north", func(s *stage, e ecs.Entity) { s.positions.Get(e).Y = 1020 }, func(s *stage, e ecs.Entity) { s.positions.Get(e).Y = 0 }},
		{"to the south", func(s *stage, e ecs.Entity) { s.positions.Get(e).Y = -1020 }, func(s *stage, e ecs.Entity) { s.positions.Get(e).Y = 0 }},
	} {
		spells := holding()
		for i := range spells {
			spells[i].DurationMs = 60_000
		}
		s := newStage(spells...)
		e := s.addPlayer(2)
		c.sets(s, e)
		s.applyAura(e, e, 4)
		for range 41 { // from 50 to 2050 ms: it tries at 50, 1050 and 2050 ms
			if got := s.run(); len(got.runs) != 0 {
				t.Fatalf("%s: %+v at %d ms", c.name, got.runs, s.tick.NowMs-50)
			}
		}
		c.frees(s, e)
		for s.tick.NowMs < 3050 {
			if got := s.run(); len(got.runs) != 0 {
				t.Fatalf("%s: it runs at %d ms", c.name, s.tick.NowMs-50)
			}
		}
		if got := s.run(); len(got.runs) != 1 || got.runs[0].Stop {
			t.Errorf("%s: at 3050 ms %+v", c.name, got.runs)
		}
	}
}

// Near the edge a player in fear runs where the map is.
func TestFearAtTheEdge(t *testing.T) {
	s := newStage(holding()...)
	s.defs.Spells[3].DurationMs = 0
	s.place.Half = 100
	e := s.addPlayer(2)
	*s.positions.Get(e) = components.Position{X: 99, Y: -99}
	s.applyAura(e, e, 4)
	n := 0
	for range 4000 {
		for _, r := range s.run().runs {
			if n++; max(r.To.X, -r.To.X, r.To.Y, -r.To.Y) > 100 {
				t.Fatalf("%+v", r)
			}
		}
	}
	if n < 10 {
		t.Errorf("it runs %d times", n)
	}
}

// A player that is rooted while it runs in fear is stopped; a creature is left to the system that moves it.
func TestRootedInFear(t *testing.T) {
	for _, player := range []bool{true, false} {
		s := newStage(holding()...)
		e := s.addBeast(2)
		if player {
			e = s.addPlayer(3)
		}
		s.applyAura(e, e, 4)
		s.run()
		s.applyAura(e, e, 2)
		got := s.run()
		var want []move.Run
		if player {
			want = []move.Run{{Entity: e, Stop: true}}
		}
		same(t, "runs", got.runs, want)
	}
	s := newStage(holding()...)
	e := s.addPlayer(2)
	s.applyAura(e, e, 2)
	got := s.run()
	same(t, "runs of one not in fear", got.runs, nil)
}

// Fear that ends and begins again while the last run goes on does not have a player run twice as often; the dead and the gone do
// not run.
func TestFearAgain(t *testing.T) {
	s := newStage(holding()...)
	for i := range s.defs.Spells {
		s.defs.Spells[i].DurationMs = 0
		s.defs.Spells[i].Flags = defs.SpellOutlivesDeath
	}
	one, two := s.addPlayer(2), s.addPlayer(3)
	s.applyAura(one, one, 4)
	s.run()
	emit(s, rules.RemoveAuras{From: one})
	s.run()
	s.applyAura(one, one, 5)
	s.applyAura(two, two, 4)
	s.run()
	count := func(ticks int) map[ecs.Entity]int {
		n := map[ecs.Entity]int{}
		for range ticks {
			for _, r := range s.run().runs {
				n[r.Entity]++
			}
		}
		return n
	}
	if n := count(400); n[one] < 9 || n[one] > 18 || n[two] < 9 || n[two] > 18 { // 8 to 14 yards take 1.1 to 2 s
		t.Errorf("in 20 s %d and %d runs", n[one], n[two])
	}
	s.vitals.Get(one).Health = 0
	s.Despawn(two)
	s.EndStage()
	if n := count(100); len(n) != 0 {
		t.Errorf("%v", n)
	}
	var m msg.ClientControlUpdate
	s.vitals.Get(one).Health = 1
	emit(s, rules.RemoveAuras{From: one})
	got := s.run()
	if got.decode(t, ecs.Entity{}, 0x159, &m); m.Unit != 2 || !m.Allowed {
		t.Errorf("%+v", m)
	}
}

// A player so fast that it arrives at once runs on after a tenth of a second.
func TestFastFear(t *testing.T) {
	s := newStage(holding()...)
	s.defs.Spells[3].DurationMs = 0
	e := s.addPlayer(2)
	s.speeds.Get(e)[components.SpeedRun] = 1000
	s.applyAura(e, e, 4)
	runs := 0
	for range 20 {
		runs += len(s.run().runs)
	}
	if runs != 10 {
		t.Errorf("%d runs in a second", runs)
	}
}
