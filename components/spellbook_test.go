package components

import (
	"testing"

	"muster/components/life"
)

func TestSpellbook(t *testing.T) {
	var b Spellbook
	for _, id := range []uint32{30, 10, 20, 10} {
		b.Learn(id)
	}
	if b.Count != 3 || b.Spells[0] != 10 || b.Spells[2] != 30 || !b.Knows(20) || b.Knows(15) {
		t.Errorf("knows %v", b.Spells[:b.Count])
	}
	if !b.Forget(20) || b.Forget(20) || b.Knows(20) || b.Count != 2 || b.Spells[2] != 0 {
		t.Errorf("then knows %v", b.Spells[:b.Count])
	}
	for id := uint32(100); b.Learn(id); id++ {
	}
	if b.Count != life.MaxSpells || b.Learn(5) || b.Knows(5) {
		t.Errorf("there is room for %d", b.Count)
	}
}

func TestCooldowns(t *testing.T) {
	var b Cooldowns
	wait := func(spell, category, now, want uint32, held bool) {
		t.Helper()
		if ms, h := b.WaitMs(spell, category, now); ms != want || h != held {
			t.Errorf("spell %d, category %d wait %d ms, held %v, want %d, %v", spell, category, ms, h, want, held)
		}
	}
	b.Wait(Cooldown{Spell: 1, UntilMs: 5000}, 1000)
	b.Wait(Cooldown{Category: 7, UntilMs: 3000}, 1000)
	b.Wait(Cooldown{Spell: 2, UntilMs: 9000, Held: 1}, 1000)
	wait(1, 0, 1000, 4000, false)
	wait(1, 7, 4000, 1000, false)
	wait(9, 7, 1000, 2000, false)
	wait(9, 0, 1000, 0, false)
	wait(2, 0, 20_000, 0, true)
	if !b.Release(2, 25_000) || b.Release(2, 25_000) {
		t.Error("released twice, or not at all")
	}
	wait(2, 0, 20_000, 5000, false)
	b.Wait(Cooldown{Spell: 1, UntilMs: 30_000}, 20_000) // the old ones are forgotten
	if b.Waiting != 2 {
		t.Errorf("%d wait, want 2", b.Waiting)
	}
	for i := uint32(0); i < life.MaxCooldowns-2; i++ {
		if !b.Wait(Cooldown{Spell: 100 + i, UntilMs: 40_000 + i}, 20_000) {
			t.Fatalf("no room for the %dth", i)
		}
	}
	if b.Wait(Cooldown{Spell: 999, UntilMs: 50_000}, 20_000) || b.Waiting != life.MaxCooldowns {
		t.Error("the 65th found room")
	}
	wait(2, 0, 20_000, 0, false) // was ready first, and had to go
	wait(999, 0, 20_000, 30_000, false)
	var around Cooldowns
	around.Wait(Cooldown{Spell: 1, UntilMs: 500}, 1<<32-500) // the clock goes round
	if ms, _ := around.WaitMs(1, 0, 1<<32-100); ms != 600 {
		t.Errorf("around the clock: %d ms", ms)
	}
}
