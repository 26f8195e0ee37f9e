package threat

import (
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/systems/rules"
)

// The fields of the packets of a threat list: threat is sent times a hundred. Only players on the list are sent them.
//
// Source: ThreatMgr and Unit::SendThreatListUpdate, SendChangeCurrentVictim, SendRemoveFromThreatList and SendClearThreatList,
// AzerothCore; docs/protocol.md, appendix A (opcodes).
func TestThreatOnTheWire(t *testing.T) {
	s := newStage()
	p, q, b, servant := s.addPlayer(1), s.addPlayer(2), s.addBeast(10), s.addBeast(11)
	read := func(op uint16, m msg.Message) msg.Message {
		t.Helper()
		body, ok := s.bodies[op]
		if !ok {
			t.Fatalf("no packet %#x", op)
		}
		if err := msg.Decode(wire.V12340, body, m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	s.threaten(b, p, 5)
	s.threaten(b, q, 2.25)
	s.threaten(b, servant, 1)
	s.runFor(2050)
	list := []msg.Threat{{Unit: 1, Amount: 500}, {Unit: 2, Amount: 225}, {Unit: 11, Amount: 100}}
	if got, want := read(0x483, new(msg.ThreatUpdate)), (&msg.ThreatUpdate{Unit: 10, Threats: list}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	emit(s, rules.Attack{Entity: b, Victim: q, How: components.SwingMelee})
	s.run()
	if got, want := read(0x482, new(msg.HighestThreatUpdate)), (&msg.HighestThreatUpdate{Unit: 10, Victim: 2, Threats: list}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	emit(s, rules.LeaveCombat{Entity: p})
	s.run()
	if got, want := read(0x484, new(msg.ThreatRemove)), (&msg.ThreatRemove{Unit: 10, Victim: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	emit(s, rules.LeaveCombat{Entity: servant})
	if sent := s.run(); slices.Contains(sent, 0x484) {
		t.Errorf("for a creature that is removed from the list, sent %#x", sent)
	}
	emit(s, rules.ClearThreat{Entity: b})
	s.run()
	if got, want := read(0x485, new(msg.ThreatClear)), (&msg.ThreatClear{Unit: 10}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	s.threaten(b, servant, 5)
	s.run()
	emit(s, rules.ClearThreat{Entity: b})
	if sent := s.run(); slices.Contains(sent, 0x485) {
		t.Errorf("without a player on the list, sent %#x", sent)
	}
}

// A list is sent two seconds after a unit was removed from it, too.
func TestRemovalIsSent(t *testing.T) {
	s := newStage()
	p, q, b := s.addPlayer(1), s.addPlayer(2), s.addBeast(10)
	s.threaten(b, p, 5)
	s.threaten(b, q, 2)
	s.runFor(4000) // at 4,050 ms
	emit(s, rules.LeaveCombat{Entity: p})
	var at []uint32
	for s.tick.NowMs < 8000 {
		now := s.tick.NowMs
		if slices.Contains(s.run(), 0x483) {
			at = append(at, now)
		}
	}
	if want := []uint32{6050}; !slices.Equal(at, want) {
		t.Errorf("the list is sent at %v ms, want %v", at, want)
	}
}

// SMSG_CANCEL_COMBAT is for players that are in combat, or that attack; others have none to cancel.
//
// Source: Unit::CombatStop and Player::SendAttackSwingCancelAttack, AzerothCore.
func TestCombatIsCancelled(t *testing.T) {
	for _, fights := range []bool{false, true} {
		for _, swings := range []bool{false, true} {
			s := newStage()
			p, q, b := s.addPlayer(1), s.addPlayer(2), s.addBeast(10)
			if fights {
				emit(s, rules.Engage{By: p, To: q})
			}
			if swings {
				s.attacks.Get(p).Victim, s.attacks.Get(p).Swinging = b, components.SwingMelee
			}
			s.run()
			emit(s, rules.LeaveCombat{Entity: p})
			if sent := s.run(); slices.Contains(sent, 0x14E) != (fights || swings) {
				t.Errorf("in combat %v, attacks %v: sent %#x", fights, swings, sent)
			}
		}
	}
}
