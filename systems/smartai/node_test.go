package smartai

import (
	"fmt"
	"testing"

	"muster/components/defs"
	"muster/systems/rules"
)

// What happens at a node happens to the creature that has reached it, each row after its time, also if the creature has no script.
//
// Source: WaypointMovementGenerator<Creature>::OnArrived and Map::ScriptsStart, AzerothCore.
func TestNodeSteps(t *testing.T) {
	row := func(ms uint32, action defs.ScriptAction, params ...uint32) defs.ScriptRow {
		r := defs.ScriptRow{When: [6]uint32{ms}, Action: action, Target: defs.ScriptSelf}
		copy(r.Do[:], params)
		return r
	}
	nodes := []defs.NodeScript{
		{Rows: []defs.ScriptRow{row(0, defs.ScriptSetEmoteState, 1), row(0, defs.ScriptSetEmoteState, 2), row(100, defs.ScriptSetEmoteState, 3), row(100, defs.ScriptTalk, 77), row(1000, defs.ScriptSetEmoteState, 4)}},
		{Rows: []defs.ScriptRow{row(100, defs.ScriptSetEmoteState, 5)}},
	}
	begin := func() *scene {
		s := newScene(t, nil)
		s.defs.NodeScripts = nodes
		s.defs.Texts = append(defs.Texts{{Group: 77, Lines: []defs.TextLine{{Text: "Mist", Type: 12}}}}, s.defs.Texts...)
		return s
	}
	s := begin()
	give(s, rules.NodeReached{Entity: s.twin, Script: 0, Chance: 100})
	var got []string
	for n := range 25 {
		for _, said := range s.run() {
			got = append(got, fmt.Sprintf("%d: %s", n, said))
		}
	}
	want(t, "a node", got, "0: SetEmoteState, Entity twin, Emote 1", "0: SetEmoteState, Entity twin, Emote 2", "2: SetEmoteState, Entity twin, Emote 3",
		"2: 0x96 to one 0c 00 00 00 00 01 00 80 33 00 00 30 f1 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 05 00 00 00 4d 69 73 74 00 00",
		"20: SetEmoteState, Entity twin, Emote 4")
	give(s, rules.NodeReached{Entity: s.twin, Script: 2, Chance: 100}, rules.NodeReached{Entity: s.twin, Script: 0})
	want(t, "a node that is not there, and one by no chance", s.run())

	s = begin()
	give(s, rules.NodeReached{Entity: s.twin, Script: 1, Chance: 100}, rules.NodeReached{Entity: s.beast, Script: 1, Chance: 100})
	s.run()
	s.Despawn(s.beast)
	s.run()
	want(t, "of two creatures one is there", s.run(), "SetEmoteState, Entity twin, Emote 5")

	give(s, rules.NodeReached{Entity: s.beast, Script: 1, Chance: 100})
	s.run()
	s.run()
	want(t, "a creature that is gone", s.run())

	s = begin()
	give(s, rules.NodeReached{Entity: s.twin, Script: 1, Chance: 100})
	s.run()
	give(s, rules.Reloaded{Part: defs.PartWays}, rules.Reloaded{Part: defs.PartTexts})
	for range 4 {
		want(t, "paths that have been replaced", s.run())
	}

	s = begin()
	for range maxSteps + 2 {
		give(s, rules.NodeReached{Entity: s.twin, Script: 1, Chance: 100})
	}
	s.run()
	if n := s.count.Value("smartai.full"); n != 2 {
		t.Errorf("%d are too many to wait", n)
	}
}
