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
)

// A standby goes on with a world whose worker is killed on a machine whose clock is 10 s ahead: an aura lasts as long as it would have, and the times of movements go on as the
// test's own clock does.
func TestFailoverBetweenClocks(t *testing.T) {
	waits(t)
	d, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	spell := d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.Name == "Fleet Foot" })] // lasts for 15 s
	url := startStreams(t).ClientURL()
	args := []string{"--bus", url, "--creatures", "0", "--start", "one"}
	one := work(t, append(args, "--durable", "world")...)
	s := serve(t, append(args, "--ephemeral", "--open-level", "3")...)
	two := work(t, append(args, "--durable", "world", "--standby")...)
	if err := skew.Set(two.cmd.Process.Pid, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	caster, watcher := visit(t, s, "CASTER"), visit(t, s, "WATCHER")
	caster.create("Caster")
	watcher.create("Watcher")
	watcher.enter()
	at := caster.enter()
	caster.command(".levelup 19")
	caster.command(".learn %d", spell.ID)
	caster.await(msg.OpLearnedSpell, new(msg.LearnedSpell))
	var first uint32
	began := time.Now()
	// moved checks the time of a movement, after another one.
	moved := func(when string) {
		t.Helper()
		at.Position.X += 0.25
		caster.move(at)
		var m msg.Move
		for watcher.await(msg.OpMoveHeartbeat, &m); m.X != at.Position.X; watcher.await(msg.OpMoveHeartbeat, &m) {
		}
		if first == 0 {
			first, began = m.Time, time.Now()
		}
		if off := time.Duration(m.Time-first)*time.Millisecond - time.Since(began); off < -5*time.Second || off > 5*time.Second {
			t.Errorf("%s the time of a movement is %v off", when, off)
		}
	}
	moved("at first")
	// slot waits until the aura is there, or gone, and returns where.
	var slot uint8
	has := func(there bool) {
		t.Helper()
		for {
			var m msg.AuraUpdate
			caster.await(msg.OpAuraUpdate, &m)
			for _, r := range m.Records {
				if there && r.Spell == spell.ID {
					slot = r.Slot
					return
				}
				if !there && r.Spell == 0 && r.Slot == slot {
					return
				}
			}
		}
	}
	caster.say(msg.OpCastSpell, &msg.CastSpell{Spell: spell.ID})
	has(true)
	cast := time.Now()
	one.cmd.Process.Kill()
	eventually(t, "the standby has the world", func() bool { return two.logged(`msg="this process has the world" map=0`) })
	moved("just after the failover")
	has(false)
	if lasted, want := time.Since(cast), time.Duration(spell.DurationMs)*time.Millisecond; lasted < want-2*time.Second {
		t.Errorf("the aura has lasted for %v, want %v", lasted, want)
	}
	moved("after it")
}
