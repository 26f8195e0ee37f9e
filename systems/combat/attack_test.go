package combat

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// The bodies of what begins and ends the attack of the unit with the GUID 2 on that with the GUID 5, and of what ends it if the
// victim is dead or gone.
//
// Source: docs/protocol.md 4.7 (0x143: two GUIDs; 0x144: two packed GUIDs, and 1 if the victim is dead).
const (
	starts    = "0200000000000000" + "0500000000000000"
	stops     = "0102" + "0105" + "00000000"
	stopsDead = "0102" + "0105" + "01000000"
	stopsGone = "0102" + "00" + "00000000"
)

// What a request of the player with the GUID 2 to attack comes to, and what it is sent.
//
// Source: WorldSession::HandleAttackSwingOpcode, AzerothCore; docs/protocol.md 3.1.2 and 4.7.
func TestRequests(t *testing.T) {
	refused := func(op uint16) []packet { return []packet{{op: op}} }
	for _, c := range []struct {
		name    string
		guid    uint64 // that it asks for
		sets    func(s *stage, e, foe ecs.Entity)
		packets []packet // the victim's about are those of the attacker
		attacks bool
		counted string
	}{
		{"an enemy", 5, nil, []packet{{op: 0x143, body: starts}}, true, ""},
		{"none", 9, nil, refused(0x149), false, "combat.no_target"},
		{"no GUID", 0, nil, refused(0x149), false, "combat.no_target"},
		{"a game object", 7, nil, refused(0x149), false, "combat.no_target"},
		{"one that is gone", 5, func(s *stage, _, foe ecs.Entity) { s.Despawn(foe); s.EndStage() }, refused(0x149), false, "combat.no_target"},
		{"a dead one", 5, func(s *stage, _, foe ecs.Entity) { s.vitals.Get(foe).Health = 0 }, refused(0x148), false, ""},
		{"a friend", 5, func(s *stage, _, foe ecs.Entity) { s.units.Get(foe).Faction = defs.FactionFriendly }, refused(0x149), false, ""},
		{"itself", 2, nil, refused(0x149), false, ""},
		{"when it is dead", 5, func(s *stage, e, _ ecs.Entity) { s.vitals.Get(e).Health = 0 }, nil, false, "combat.dead"},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		thing := s.thing.Spawn()
		s.objects.Get(thing).GUID = 7
		s.space.Add(7, thing)
		if c.sets != nil {
			c.sets(s, e, foe)
		}
		emit(s, change.Sent[msg.AttackSwing]{By: e, Msg: msg.AttackSwing{GUID: c.guid}})
		got := s.run()
		for i := range c.packets {
			if c.packets[i].op == 0x143 {
				c.packets[i].about = e
			}
		}
		same(t, c.name, got.packets, c.packets)
		want := components.Attack{}
		if c.attacks {
			want = components.Attack{Victim: foe, Swinging: components.SwingMelee}
			same(t, c.name+" stands up", got.stands, []rules.StandUp{{Entity: e}})
		}
		if a := *s.attacks.Get(e); a != want {
			t.Errorf("%s: it attacks %+v", c.name, a)
		}
		for _, name := range []string{"combat.no_target", "combat.dead"} {
			if n := s.count.Value(name); n > 1 || n == 1 != (name == c.counted) {
				t.Errorf("%s: %s is %d", c.name, name, n)
			}
		}
		if len(got.targets)+len(got.victims) != 0 {
			t.Errorf("%s: the player's target is set: %+v %+v", c.name, got.targets, got.victims)
		}
	}
}

// Requests are executed in the order in which they arrived, and those that ask for what is so already do nothing.
func TestRequestsInOrder(t *testing.T) {
	const stop = msg.OpAttackStop
	type request struct {
		n    uint32
		guid uint64 // 0: to stop
		op   uint16
	}
	for _, c := range []struct {
		name     string
		requests []request
		ops      []uint16
		victim   uint64
	}{
		{"start, stop", []request{{1, 5, 0}, {2, 0, stop}}, []uint16{0x143, 0x144}, 0},
		{"stop, start", []request{{1, 0, stop}, {2, 5, 0}}, []uint16{0x143}, 5},
		{"start, stop, start", []request{{1, 5, 0}, {2, 0, stop}, {3, 5, 0}}, []uint16{0x143, 0x144, 0x143}, 5},
		{"start, start, stop, stop", []request{{1, 5, 0}, {2, 5, 0}, {3, 0, stop}, {4, 0, stop}}, []uint16{0x143, 0x144}, 0},
		{"another", []request{{1, 5, 0}, {2, 6, 0}}, []uint16{0x143, 0x144, 0x143}, 6},
		{"something else without a body", []request{{1, 5, 0}, {2, 0, 0x4B}}, []uint16{0x143}, 5},
	} {
		s := newStage()
		e := s.addPlayer(2)
		s.addBeast(5)
		s.addBeast(6)
		for _, r := range c.requests {
			if r.guid != 0 {
				emit(s, change.Sent[msg.AttackSwing]{By: e, N: r.n, Msg: msg.AttackSwing{GUID: r.guid}})
			} else {
				emit(s, change.Sent[msg.Empty]{By: e, N: r.n, Op: r.op})
			}
		}
		got := s.run()
		var ops []uint16
		for _, p := range got.packets {
			ops = append(ops, p.op)
		}
		same(t, c.name, ops, c.ops)
		if len(got.targets) != 0 { // a client sets the player's target itself
			t.Errorf("%s: targets %+v", c.name, got.targets)
		}
		if v := s.attacks.Get(e).Victim; v != s.space.Find(c.victim) {
			t.Errorf("%s: it attacks %v", c.name, v)
		}
	}
}

// A request for the present attack is ignored, also when the victim has just died; one with the sword, of a unit that shoots, is not.
//
// Source: docs/protocol.md 3.1.2 (clients repeat 0x141 five times a second).
func TestRepeatedRequest(t *testing.T) {
	s := newStage()
	e, foe := s.addPlayer(2), s.addBeast(5)
	again := change.Sent[msg.AttackSwing]{By: e, Msg: msg.AttackSwing{GUID: 5}}
	s.shoot(e, foe)
	s.run()
	emit(s, again)
	if got := s.run(); s.attacks.Get(e).Swinging != components.SwingMelee || len(got.packets) != 0 || len(got.stands) != 1 {
		t.Errorf("%+v; it attacks %+v", got, *s.attacks.Get(e))
	}
	s.vitals.Get(foe).Health = 0
	emit(s, again, again)
	if got := s.run(); len(got.packets)+len(got.stands) != 0 {
		t.Errorf("%+v", got)
	}
}

// What other systems start and stop, of the creature with the GUID 2: what is broadcast, and its target.
//
// Source: Unit::Attack and Unit::AttackStop, AzerothCore; docs/protocol.md 4.7 (0x143, 0x144).
func TestAttacks(t *testing.T) {
	s := newStage()
	e, foe, other := s.addBeast(2), s.addPlayer(5), s.addPlayer(6)
	target := func(guid uint64) []rules.SetTarget { return []rules.SetTarget{{Entity: e, GUID: guid}} }
	changed := func(victim ecs.Entity) []rules.VictimChanged {
		return []rules.VictimChanged{{Entity: e, Victim: victim}}
	}
	about := func(all ...packet) []packet {
		for i := range all {
			all[i].about = e
		}
		return all
	}
	start, stop := packet{op: 0x143, body: starts}, packet{op: 0x144, body: stops}
	melee := components.Attack{Victim: foe, Swinging: components.SwingMelee}
	for _, c := range []struct {
		name    string
		does    func()
		packets []packet
		targets []rules.SetTarget
		victims []rules.VictimChanged
		stands  int
		attack  components.Attack
	}{
		{"a stop of nothing", func() { emit(s, rules.StopAttack{Entity: e}) }, nil, nil, nil, 0, components.Attack{}},
		{"an attack on a friend", func() { s.attack(foe, other); s.attack(e, e) }, nil, nil, nil, 0, components.Attack{}},
		{"an attack", func() { s.attack(e, foe) }, about(start), target(5), changed(foe), 1, melee},
		{"again", func() { s.attack(e, foe) }, nil, nil, nil, 0, melee},
		{"with its bow", func() { s.shoot(e, foe) }, nil, target(5), nil, 1, components.Attack{Victim: foe, Swinging: components.SwingRanged}},
		{"with its sword", func() { s.attack(e, foe) }, nil, target(5), nil, 1, melee},
		{"a stop of another", func() { emit(s, rules.StopAttack{Entity: e, Victim: other}) }, nil, nil, nil, 0, melee},
		{"a stop of this one", func() { emit(s, rules.StopAttack{Entity: e, Victim: foe}) }, about(stop), target(0), nil, 0, components.Attack{}},
		{"another attack", func() { s.attack(e, foe) }, about(start), target(5), changed(foe), 1, melee},
		{"another victim", func() { s.attack(e, other) }, about(stop, packet{op: 0x143, body: "0200000000000000" + "0600000000000000"}), target(6), changed(other), 1,
			components.Attack{Victim: other, Swinging: components.SwingMelee}},
		{"back", func() { s.attack(e, foe) }, about(packet{op: 0x144, body: "0102" + "0106" + "00000000"}, start), target(5), changed(foe), 1, melee},
		{"the victim is dead", func() { s.vitals.Get(foe).Health = 0; emit(s, rules.StopAttack{Entity: e}) }, about(packet{op: 0x144, body: stopsDead}), target(0), nil, 0, components.Attack{}},
		{"an attack on the dead", func() { s.attack(e, foe) }, nil, nil, nil, 0, components.Attack{}},
		{"an attack by the dead", func() {
			s.vitals.Get(foe).Health = 1
			s.vitals.Get(e).Health = 0
			s.attack(e, foe)
		}, nil, nil, nil, 0, components.Attack{}},
		{"after its resurrection", func() { s.vitals.Get(e).Health = 1; s.attack(e, foe) }, about(start), target(5), changed(foe), 1, melee},
		{"the victim is gone", func() { s.Despawn(foe); s.EndStage(); emit(s, rules.StopAttack{Entity: e}) }, about(packet{op: 0x144, body: stopsGone}), target(0), nil, 0, components.Attack{}},
	} {
		c.does()
		got := s.run()
		same(t, c.name, got.packets, c.packets)
		same(t, c.name+", targets", got.targets, c.targets)
		same(t, c.name+", victims", got.victims, c.victims)
		if len(got.stands) != c.stands || *s.attacks.Get(e) != c.attack {
			t.Errorf("%s: stands up %+v, attacks %+v", c.name, got.stands, *s.attacks.Get(e))
		}
	}
	s.Despawn(other)
	s.EndStage()
	emit(s, rules.StopAttack{Entity: other})
	emit(s, rules.Attack{Entity: other, Victim: e, How: components.SwingMelee})
	if got := s.run(); len(got.packets) != 0 {
		t.Errorf("the gone attack: %+v", got.packets)
	}
}

// A player that was teleported on its map attacks no longer, and its client leaves combat if it was in it; one that goes to
// another map is left to others.
//
// Source: Player::TeleportTo and Player::SendAttackSwingCancelAttack, AzerothCore; docs/protocol.md 4.7 (0x14E).
func TestTeleported(t *testing.T) {
	for _, c := range []struct {
		name             string
		combat, swinging bool
		away             uint32
		packets          []packet
	}{
		{"in combat", true, false, 0, []packet{{op: 0x14E}}},
		{"attacking", false, true, 0, []packet{{op: 0x14E}, {op: 0x144, body: stops}}},
		{"both", true, true, 0, []packet{{op: 0x14E}, {op: 0x144, body: stops}}},
		{"neither", false, false, 0, nil},
		{"to another map", true, true, 1, nil},
	} {
		s := newStage()
		e, foe := s.addPlayer(2), s.addBeast(5)
		s.units.Get(e).Flags = components.UnitImmuneToNPC
		if c.combat {
			s.units.Get(e).Flags |= components.UnitInCombat
		}
		if c.swinging {
			*s.attacks.Get(e) = components.Attack{Victim: foe, Swinging: components.SwingMelee}
		}
		emit(s, move.Teleported{Entity: e, Away: c.away})
		got := s.run()
		for i := range c.packets {
			if c.packets[i].op == 0x144 {
				c.packets[i].about = e
			}
		}
		same(t, c.name, got.packets, c.packets)
		if attacks := s.attacks.Get(e).Swinging != 0; attacks != (c.away != 0) {
			t.Errorf("%s: it attacks %v", c.name, attacks)
		}
	}
	s := newStage()
	e := s.addPlayer(2)
	emit(s, move.Teleported{Entity: e})
	s.Despawn(e)
	s.EndStage()
	s.run()
}
