//go:build linux && amd64

package main

import (
	"slices"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/skew"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestClockJumps has the wall clock of a server jump by five minutes, forwards and backwards, while a spell has a cooldown of minutes and another client watches: the spell
// is not ready, the times of movements go on as the test's own clock does.
func TestClockJumps(t *testing.T) {
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	spell := d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.Name == "Fleet Foot" })].ID
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one", "--open-level", "3")
	caster, watcher := visit(t, s, "CASTER"), visit(t, s, "WATCHER")
	caster.create("Caster")
	watcher.create("Watcher")
	watcher.enter()
	at := caster.enter()
	caster.command(".levelup 19")
	caster.command(".learn %d", spell)
	caster.await(msg.OpLearnedSpell, new(msg.LearnedSpell))
	// answered casts the spell, and returns why it is refused, or 0.
	answered := func() msg.CastResult {
		t.Helper()
		caster.say(msg.OpCastSpell, &msg.CastSpell{Spell: spell})
		for {
			switch op, body := caster.next(); op {
			case msg.OpSpellGo:
				return 0
			case msg.OpCastFailed:
				var m msg.CastFailed
				if err := msg.Decode(wire.V12340, body, &m); err != nil {
					t.Fatal(err)
				}
				return m.Result
			}
		}
	}
	if why := answered(); why != 0 {
		t.Fatalf("the first cast is refused: %v", why)
	}
	var last uint32
	var before time.Time // when the last movement was sent
	for _, ahead := range []time.Duration{0, 5 * time.Minute, -5 * time.Minute, 0} {
		if err := skew.Set(s.cmd.Process.Pid, ahead); err != nil {
			t.Fatal(err)
		}
		if why := answered(); why != msg.CastNotReady {
			t.Errorf("%v ahead: a spell with a cooldown is answered with %v, want %v", ahead, why, msg.CastNotReady)
		}
		at.Position.X += 0.25
		sent := time.Now()
		caster.move(at)
		var m msg.Move
		for watcher.await(msg.OpMoveHeartbeat, &m); m.X != at.Position.X; watcher.await(msg.OpMoveHeartbeat, &m) {
		}
		if passed := time.Since(before); last != 0 && (m.Time < last || time.Duration(m.Time-last)*time.Millisecond > passed+time.Minute) {
			t.Errorf("%v ahead: a movement is of %d ms, and the last one of %d, within %v", ahead, m.Time, last, passed)
		}
		last, before = m.Time, sent
	}
}
