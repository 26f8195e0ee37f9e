package defs

import (
	"encoding/hex"
	"hash/fnv"
	"testing"
)

// A flat is a ground of one height.
type flat struct{ Z float32 }

func (f *flat) Height(float32, float32) float32 { return f.Z }

func sumOf(w World) string {
	h := fnv.New128a()
	w.Hash(h)
	return hex.EncodeToString(h.Sum(nil))
}

// Worlds with the same templates have one hash, whatever order their scripts are in; each other template is another one.
func TestHash(t *testing.T) {
	t.Parallel()
	whole := func() World {
		return World{
			Seed: 1, Maps: []Map{{ID: 0, Name: "A", Ground: &flat{3}}, {ID: 1}}, Creatures: []Creature{{Entry: 7}}, Hubs: []Hub{{X: 0.5}},
			Scripts: []Script{{Rows: []ScriptRow{{Event: 1}}}, {Rows: []ScriptRow{{Event: 2}}}},
		}
	}
	want := sumOf(whole())
	same := whole()
	same.Scripts[0], same.Scripts[1] = same.Scripts[1], same.Scripts[0]
	if got := sumOf(same); got != want {
		t.Errorf("%s, want %s as before", got, want)
	}
	for what, change := range map[string]func(*World){
		"seed": func(w *World) { w.Seed++ }, "name": func(w *World) { w.Maps[0].Name = "B" }, "ground": func(w *World) { w.Maps[0].Ground = &flat{4} },
		"no ground": func(w *World) { w.Maps[0].Ground = nil }, "map": func(w *World) { w.Maps = w.Maps[:1] }, "creature": func(w *World) { w.Creatures[0].Entry++ },
		"hub": func(w *World) { w.Hubs[0].X = -0.5 }, "script": func(w *World) { w.Scripts[1].Rows[0].Event = 3 },
		"moved between lists": func(w *World) { w.Hubs, w.Teleports = nil, []Teleport{{Hub: w.Hubs[0]}} },
	} {
		w := whole()
		if change(&w); sumOf(w) == want {
			t.Errorf("another %s has the same hash", what)
		}
	}
}
