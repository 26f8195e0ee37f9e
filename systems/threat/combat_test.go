package threat

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// What damage does to the combat of both units, to the victim's threat list, and to the right to its loot.
func TestHostileActs(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage rules.Damage
		begin  func(s *stage, by, to ecs.Entity)
		combat [2]bool // of attacker and victim
		threat float32 // -1: none
		tapped uint32
	}{
		{"a hit", rules.Damage{Amount: 5}, nil, [2]bool{true, true}, 5, 1},
		{"one with half the threat", rules.Damage{Amount: 5}, func(s *stage, by, _ ecs.Entity) { s.stats.Get(by).ThreatDone = 0.5 },
			[2]bool{true, true}, 2.5, 1},
		{"a miss", rules.Damage{}, nil, [2]bool{true, true}, 0, 0},
		{"a hit that causes none", rules.Damage{Amount: 5, Quiet: true}, nil, [2]bool{}, -1, 0},
		{"one of an evading creature", rules.Damage{Amount: 5}, func(s *stage, _, to ecs.Entity) { s.threatStates.Get(to).Evading = 1 },
			[2]bool{}, -1, 0},
		{"a deadly hit", rules.Damage{Amount: 50}, nil, [2]bool{true, false}, -1, 1},
		{"one of an attacker that died", rules.Damage{Amount: 5}, func(s *stage, by, _ ecs.Entity) { s.vitals.Get(by).Health = 0 },
			[2]bool{}, -1, 0},
	} {
		s := newStage()
		by, to := s.addPlayer(1), s.addBeast(10)
		if c.begin != nil {
			c.begin(s, by, to)
		}
		c.damage.By, c.damage.To, c.damage.School = by, to, 1
		emit(s, c.damage)
		s.run()
		if got := [2]bool{s.inCombat(by), s.inCombat(to)}; got != c.combat {
			t.Errorf("%s: in combat: %v, want %v", c.name, got, c.combat)
		}
		listed := s.List(to)
		if c.threat < 0 && len(listed) != 0 || c.threat >= 0 && (len(listed) != 1 || listed[0].Entity != by || listed[0].Amount != c.threat) {
			t.Errorf("%s: lists %+v, want %v", c.name, listed, c.threat)
		}
		if got := s.recipient(to); got != c.tapped {
			t.Errorf("%s: tapped by %d, want %d", c.name, got, c.tapped)
		}
		want := []rules.Engaged{{Entity: to, By: by}}
		if got := s.engaged.Next(); slices.Equal(got, want) != c.combat[0] {
			t.Errorf("%s: engaged %+v", c.name, got)
		}
	}
}

// A creature that damages a player or is damaged by its owner's servant has the player on its list.
func TestPlayersAreListed(t *testing.T) {
	s := newStage()
	p, b, servant := s.addPlayer(1), s.addBeast(10), s.addBeast(11)
	s.hit(b, p, 5)
	s.run()
	if got := s.List(b); len(got) != 1 || got[0].Entity != p || got[0].Amount != 0 || !s.inCombat(p) || !s.inCombat(b) {
		t.Errorf("a creature that attacks lists %+v", got)
	}
	if s.recipient(b) != 0 {
		t.Errorf("it is tapped by %d", s.recipient(b))
	}
	emit(s, rules.ClearThreat{Entity: b})
	s.spawnInfos.Get(servant).Owner = p
	s.hit(servant, b, 7)
	s.run()
	got := s.List(b)
	if len(got) != 2 || got[0].Entity != servant || got[0].Amount != 7 || got[1].Entity != p || got[1].Amount != 0 || s.recipient(b) != 1 {
		t.Errorf("hit by a servant it lists %+v and is tapped by %d", got, s.recipient(b))
	}
	if got := s.List(servant); len(got) != 1 || got[0].Entity != b {
		t.Errorf("the servant lists %+v", got)
	}
}

// A player is in combat for five seconds after the last hostile act, and as long as it is on a threat list; a
// creature until its list is empty.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
func TestCombatEnds(t *testing.T) {
	s := newStage()
	p, b := s.addPlayer(1), s.addBeast(10)
	s.hit(p, b, 5)  // at 50 ms
	s.runFor(8_100) // until 8,100 ms
	if !s.inCombat(p) || !s.inCombat(b) {
		t.Error("combat ends while the player is on a threat list")
	}
	emit(s, rules.ClearThreat{Entity: b})
	s.run()
	if s.inCombat(b) || !s.inCombat(p) {
		t.Errorf("with an empty list it is in combat: %v, and the player: %v", s.inCombat(b), s.inCombat(p))
	}
	for s.inCombat(p) && s.tick.NowMs < 20_000 {
		s.run()
	}
	if ended := s.tick.NowMs - 50; ended != 9050 { // it is looked at every second after 5,050 ms
		t.Errorf("the player's combat ends at %d ms, want 9050", ended)
	}

	s = newStage()
	p, other := s.addPlayer(1), s.addPlayer(2)
	emit(s, rules.Engage{By: p, To: other}) // at 50 ms
	for s.run(); s.inCombat(p) && s.inCombat(other) && s.tick.NowMs < 20_000; {
		s.run()
	}
	if ended := s.tick.NowMs - 50; ended != 5050 || s.inCombat(p) || s.inCombat(other) {
		t.Errorf("of two players on no list, combat ends at %d ms, want 5050", ended)
	}
}

// An evading creature forgets all units, and is neither damaged nor in combat until it ends.
func TestEvade(t *testing.T) {
	s := newStage()
	p, b := s.addPlayer(1), s.addBeast(10)
	s.hit(p, b, 5)
	s.run()
	emit(s, rules.Evade{Entity: b, On: true})
	sent := s.run()
	if len(s.List(b)) != 0 || s.inCombat(b) || s.recipient(b) != 0 || s.stances.Get(b).DynamicFlags != 0 || s.listedOn(p) != 0 {
		t.Errorf("it lists %+v and is tapped by %d", s.List(b), s.recipient(b))
	}
	if !slices.Contains(sent, 0x485) { // SMSG_THREAT_CLEAR
		t.Errorf("sent %#x", sent)
	}
	s.hit(p, b, 5)
	s.threaten(b, p, 9)
	emit(s, rules.Engage{By: p, To: b})
	s.run()
	if len(s.List(b)) != 0 || s.inCombat(b) {
		t.Errorf("while it evades it lists %+v", s.List(b))
	}
	emit(s, rules.Evade{Entity: b})
	s.run()
	s.hit(p, b, 6)
	s.run()
	if got := s.List(b); len(got) != 1 || got[0].Amount != 6 {
		t.Errorf("afterwards it lists %+v", got)
	}
}

// A unit that dies, leaves combat or leaves the map is on no list and has none; attacks by it and on it stop.
func TestLeavesAllCombat(t *testing.T) {
	for _, c := range []struct {
		name   string
		leave  func(s *stage, e ecs.Entity)
		leaves bool // for good
	}{
		{"death", func(s *stage, e ecs.Entity) { emit(s, rules.Kill{Entity: e}) }, false},
		{"peace", func(s *stage, e ecs.Entity) { emit(s, rules.LeaveCombat{Entity: e}) }, false},
		{"its end", func(s *stage, e ecs.Entity) { emit(s, rules.LeaveCombat{Entity: e, Gone: true}) }, true},
		{"another map", func(s *stage, e ecs.Entity) { emit(s, move.Teleported{Entity: e, Away: 1}) }, true},
	} {
		for _, player := range []bool{true, false} {
			s := newStage()
			p, b, wolf := s.addPlayer(1), s.addBeast(10), s.addBeast(11)
			s.hit(p, b, 5)
			s.hit(p, wolf, 5)
			emit(s, rules.Attack{Entity: p, Victim: b, How: components.SwingMelee},
				rules.Attack{Entity: b, Victim: p, How: components.SwingMelee}, rules.Attack{Entity: wolf, Victim: p, How: components.SwingMelee})
			s.run()
			if s.listedOn(p) != 2 || s.victim(b) != p || s.victim(wolf) != p || s.victim(p) != b {
				t.Fatalf("%s: it is on %d lists, attacked: %v %v %v", c.name, s.listedOn(p), s.victim(b), s.victim(wolf), s.victim(p))
			}
			e, lists := p, 0
			if !player {
				e, lists = b, 1
			}
			c.leave(s, e)
			sent := s.run()
			if len(s.List(b)) != 0 || s.listedOn(p) != lists || s.inCombat(e) || s.inCombat(b) {
				t.Errorf("%s: it lists %+v; the player is on %d lists, want %d", c.name, s.List(b), s.listedOn(p), lists)
			}
			if s.victim(b) != (ecs.Entity{}) || s.victim(p) != (ecs.Entity{}) || (s.victim(wolf) == p) == player {
				t.Errorf("%s: attacked: %v %v %v", c.name, s.victim(b), s.victim(p), s.victim(wolf))
			}
			if slices.Contains(sent, 0x14E) != player { // SMSG_CANCEL_COMBAT
				t.Errorf("%s: sent %#x", c.name, sent)
			}
			if got, want := s.gone.Next(), []rules.Gone{{Entity: e}}; slices.Equal(got, want) != c.leaves || !c.leaves && len(got) > 0 {
				t.Errorf("%s: gone: %+v", c.name, got)
			}
			s.hit(wolf, e, 5)
			s.threaten(b, p, 5)
			s.run()
			if hit := s.inCombat(e); c.leaves && hit {
				t.Errorf("%s: it is in combat again", c.name)
			}
			if n := len(s.List(b)); c.leaves && n != 0 {
				t.Errorf("%s: %d entries again", c.name, n)
			}
		}
	}
}

// The players on a creature's list are sent it two seconds after it has changed, and at once with a new victim.
//
// Source: THREAT_UPDATE_INTERVAL, ThreatMgr.h, AzerothCore; docs/protocol.md, appendix A (opcodes).
func TestThreatIsSent(t *testing.T) {
	s := newStage()
	p, b := s.addPlayer(1), s.addBeast(10)
	s.hit(p, b, 5) // at 50 ms
	var at []uint32
	for s.tick.NowMs < 6000 {
		now := s.tick.NowMs
		for _, op := range s.run() {
			if op == msg.OpThreatUpdate {
				at = append(at, now)
			}
		}
		if now == 3000 {
			s.threaten(b, p, 1)
		}
	}
	if want := []uint32{2050, 5050}; !slices.Equal(at, want) {
		t.Errorf("the list is sent at %v ms, want %v", at, want)
	}
	emit(s, rules.Attack{Entity: b, Victim: p, How: components.SwingMelee})
	if sent := s.run(); !slices.Contains(sent, 0x482) { // SMSG_HIGHEST_THREAT_UPDATE
		t.Errorf("with a new victim, sent %#x", sent)
	}
	emit(s, rules.LeaveCombat{Entity: p})
	if sent := s.run(); !slices.Contains(sent, 0x484) { // SMSG_THREAT_REMOVE
		t.Errorf("when a player leaves, sent %#x", sent)
	}
}

// There is no threat against the dead, nor of the dead.
func TestNoThreatOfTheDead(t *testing.T) {
	s := newStage()
	p, b := s.addPlayer(1), s.addBeast(10)
	s.hit(p, b, 50)
	s.run()
	s.threaten(b, p, 5)
	emit(s, rules.Engage{By: p, To: b})
	s.run()
	if len(s.List(b)) != 0 || s.inCombat(b) {
		t.Errorf("a corpse lists %+v", s.List(b))
	}
}

// A creature that one hit kills is tapped: by the owner of a servant that hits it, and by a player that dies in the same tick.
func TestOneBlowTaps(t *testing.T) {
	s := newStage()
	p, b, servant := s.addPlayer(1), s.addBeast(10), s.addBeast(11)
	s.spawnInfos.Get(servant).Owner = p
	s.hit(servant, b, 1e6)
	s.run()
	if s.recipient(b) != 1 || s.listedOn(p) != 0 {
		t.Errorf("killed by a servant it is tapped by %d, and its owner is on %d lists", s.recipient(b), s.listedOn(p))
	}
	other, prey, killer := s.addPlayer(2), s.addBeast(12), s.addBeast(13)
	s.hit(other, prey, 1e6)
	s.hit(killer, other, 1e6)
	s.run()
	if s.recipient(prey) != 2 || s.listedOn(other) != 0 {
		t.Errorf("killed by one that died it is tapped by %d, which is on %d lists", s.recipient(prey), s.listedOn(other))
	}
}

// Each hostile act begins the five seconds anew. A combat that was left is no more, and the next one ends in its own time.
//
// Source: Unit::SetInCombatState, AzerothCore (about 5 s).
func TestCombatIsExtended(t *testing.T) {
	s := newStage()
	p, q := s.addPlayer(1), s.addPlayer(2)
	ends := func() uint32 {
		for s.run(); s.inCombat(p) && s.tick.NowMs < 40_000; {
			s.run()
		}
		return s.tick.NowMs - 50
	}
	emit(s, rules.Engage{By: p, To: q}) // at 50 ms
	s.runFor(3000)
	emit(s, rules.Engage{By: q, To: p}) // at 3,050 ms
	if at := ends(); at != 8050 {
		t.Errorf("combat ends at %d ms, want 8050", at)
	}
	emit(s, rules.Engage{By: p, To: q}) // at 8,100 ms
	s.runFor(1000)
	emit(s, rules.LeaveCombat{Entity: p})
	if s.run(); s.inCombat(p) {
		t.Error("it has not left its combat")
	}
	s.runFor(6000)
	begun := s.tick.NowMs
	emit(s, rules.Engage{By: p, To: q})
	if at := ends(); at != begun+5000 {
		t.Errorf("the next combat ends at %d ms, want %d", at, begun+5000)
	}
}

// Of what is not in the world, evades or leaves there is neither combat nor threat, whichever of the two it is.
func TestNoCombatWithSome(t *testing.T) {
	for _, c := range []struct {
		name  string
		begin func(s *stage, e ecs.Entity)
	}{
		{"it evades", func(s *stage, e ecs.Entity) { s.threatStates.Get(e).Evading = 1 }},
		{"it leaves", func(s *stage, e ecs.Entity) { emit(s, rules.LeaveCombat{Entity: e, Gone: true}); s.run() }},
		{"it has despawned", func(s *stage, e ecs.Entity) { s.Despawn(e); s.EndStage() }},
	} {
		s := newStage()
		p, b, e := s.addPlayer(1), s.addBeast(10), s.addBeast(11)
		c.begin(s, e)
		emit(s, rules.Engage{By: e, To: p}, rules.Engage{By: p, To: e})
		s.hit(e, b, 5)
		s.hit(b, e, 5)
		s.threaten(b, e, 5)
		s.threaten(e, b, 5)
		emit(s, rules.ThreatChange{Entity: b, By: e, Amount: 5}, rules.ThreatChange{Entity: e, By: b, Amount: 5})
		emit(s, rules.LeaveCombat{Entity: e})
		s.run()
		if len(s.List(b)) != 0 || s.inCombat(p) || s.inCombat(b) || s.listedOn(b) != 0 {
			t.Errorf("%s: in combat %v, %v; lists %+v", c.name, s.inCombat(p), s.inCombat(b), s.List(b))
		}
	}
	s := newStage()
	b := s.addBeast(10)
	emit(s, rules.Engage{By: b, To: b})
	if s.run(); s.inCombat(b) {
		t.Error("a unit is in combat with itself")
	}
}

// Which hits give a player the right to the loot of a creature.
//
// Source: Creature::SetLootRecipient and Unit::GetCharmerOrOwnerPlayerOrPlayerItself, AzerothCore.
func TestTaps(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(s *stage, p, q, b, other ecs.Entity)
		tapped uint32
	}{
		{"a hit", func(s *stage, p, _, b, _ ecs.Entity) { s.hit(p, b, 5) }, 1},
		{"a hit of nothing", func(s *stage, p, _, b, _ ecs.Entity) { s.hit(p, b, 0) }, 0},
		{"a quiet one", func(s *stage, p, _, b, _ ecs.Entity) {
			emit(s, rules.Damage{By: p, To: b, School: 1, Amount: 5, Quiet: true})
		}, 0},
		{"the second player", func(s *stage, p, q, b, _ ecs.Entity) { s.hit(q, b, 5); s.hit(p, b, 5) }, 2},
		{"one of a creature", func(s *stage, _, _, b, other ecs.Entity) { s.hit(other, b, 5) }, 0},
		{"a deadly one of a creature", func(s *stage, _, _, b, other ecs.Entity) { s.hit(other, b, 1e6) }, 0},
		{"its own", func(s *stage, _, _, b, _ ecs.Entity) { s.hit(b, b, 5) }, 0},
		{"a fall", func(s *stage, _, _, b, _ ecs.Entity) { s.hit(ecs.Entity{}, b, 5) }, 0},
		{"of an owner that is gone", func(s *stage, p, _, b, other ecs.Entity) {
			s.spawnInfos.Get(other).Owner = p
			s.Despawn(p)
			s.EndStage()
			s.hit(other, b, 5)
		}, 0},
		{"of an owner that is dead", func(s *stage, p, _, b, other ecs.Entity) {
			s.spawnInfos.Get(other).Owner = p
			s.vitals.Get(p).Health = 0
			s.hit(other, b, 5)
		}, 0},
		{"one of the list that is not its recipient leaves", func(s *stage, p, q, b, _ ecs.Entity) {
			s.hit(p, b, 5)
			s.hit(q, b, 5)
			s.run()
			emit(s, rules.LeaveCombat{Entity: q})
		}, 1},
		{"a corpse is kept for its recipient", func(s *stage, p, _, b, _ ecs.Entity) {
			s.hit(p, b, 1e6)
			s.run()
			emit(s, rules.LeaveCombat{Entity: p, Gone: true})
		}, 1},
	} {
		s := newStage()
		p, q, b, other := s.addPlayer(1), s.addPlayer(2), s.addBeast(10), s.addBeast(11)
		c.do(s, p, q, b, other)
		if s.run(); s.recipient(b) != c.tapped {
			t.Errorf("%s: tapped by %d, want %d", c.name, s.recipient(b), c.tapped)
		}
	}
}
