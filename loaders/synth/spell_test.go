package synth

import (
	"slices"
	"testing"

	"muster/components/defs"
)

// Ten classes have their spells, each with an ID, a name and an effect, and each rank is above the one that it
// replaces.
func TestSpells(t *testing.T) {
	w, err := New(Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.Spells); n < 140 || n > 260 {
		t.Errorf("%d spells", n)
	}
	perClass := make(map[uint8]int)
	for i := range w.Spells {
		s := &w.Spells[i]
		perClass[s.Class]++
		if i > 0 && s.ID <= w.Spells[i-1].ID || s.ID < firstSpell || s.ID >= 1<<24 {
			t.Errorf("spell %d %q stands after %d", s.ID, s.Name, w.Spells[i-1].ID)
		}
		if s.Name == "" || s.Effects[0].Kind == defs.EffectNone || s.Level == 0 {
			t.Errorf("spell %d %q has level %d and effect %d", s.ID, s.Name, s.Level, s.Effects[0].Kind)
		}
		if lower := w.Spell(s.Replaces); s.Replaces != 0 && (lower == nil || lower.Name != s.Name || lower.Level >= s.Level) {
			t.Errorf("spell %d %q replaces %+v", s.ID, s.Name, lower)
		}
		for _, e := range s.Effects {
			if e.PulseMs > 0 && s.DurationMs%e.PulseMs != 0 {
				t.Errorf("spell %d %q: %d ms are no whole number of periods of %d ms", s.ID, s.Name, s.DurationMs, e.PulseMs)
			}
			if e.Kind == defs.EffectSummon && w.Creature(uint32(e.Misc)) == nil {
				t.Errorf("spell %d %q summons no creature", s.ID, s.Name)
			}
		}
	}
	for id, name := range map[uint32]string{meal: "Hearty Meal", draught: "Healing Draught", weariness: "Weariness of the Grave"} {
		if s := w.Spell(id); s == nil || s.Name != name || s.Replaces != 0 {
			t.Errorf("spell %d is %+v, want the first %s", id, s, name)
		}
	}
	for i, id := range w.Players.Sickness {
		if s := w.Spell(id); s == nil || s.Level != uint8(11+i) || s.DurationMs != 60_000*uint32(i+1) {
			t.Errorf("sickness %d is %+v", i, s)
		}
	}
	for _, it := range w.Items {
		if s := w.Spell(it.Spell); it.Class == defs.ItemConsumable && (s == nil || s.Level != it.RequiredLevel || s.Class != 0) {
			t.Errorf("%s of level %d casts %+v", it.Name, it.RequiredLevel, s)
		}
	}
	for _, class := range []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 11} {
		if perClass[class] < 10 {
			t.Errorf("class %d has %d spells", class, perClass[class])
		}
	}
	for _, c := range w.Creatures {
		for _, s := range c.Spells {
			if w.Spell(s.Spell) == nil || w.Spell(s.Spell).Class != 0 {
				t.Errorf("%s casts %d", c.Name, s.Spell)
			}
		}
	}
}

// A character begins with the spells of level 1, and knows only the highest rank of each later on.
func TestLearnt(t *testing.T) {
	w, err := New(Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		level uint8
		names []string
	}{
		{1, []string{"Cinder Dart", "Clear Thought", "Cold Coat"}},
		{6, []string{"Cinder Dart Rank 2", "Ice Needle", "Clear Thought", "Cold Coat"}},
	} {
		var names []string
		for _, id := range w.Learnt(nil, 8, c.level) {
			name := w.Spell(id).Name
			if rank := w.Spell(id).Rank; rank != "" && rank != "Rank 1" {
				name += " " + rank
			}
			names = append(names, name)
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("at level %d a mage knows %q, want %q", c.level, names, c.names)
		}
	}
}
