package smartai

import (
	"testing"

	"muster/components/defs"
	"muster/components/move"
	"muster/systems/rules"
)

// An areaCase is the script of an area, and what is asked for when the player enters it.
type areaCase struct {
	name string
	rows []defs.ScriptRow
	want []string
}

func areaCases() []areaCase {
	show := func(id uint16, area, n uint32) defs.ScriptRow {
		return defs.ScriptRow{ID: id, Event: defs.ScriptAreaEntered, When: [6]uint32{area}, Action: defs.ScriptSetEmoteState, Do: [6]uint32{n}, Target: defs.ScriptInvoker}
	}
	to := func(r defs.ScriptRow, target defs.ScriptTarget, of ...uint32) defs.ScriptRow {
		r.Target, r.Of = target, [4]uint32{}
		copy(r.Of[:], of)
		return r
	}
	link := func(r defs.ScriptRow, next uint16) defs.ScriptRow { r.Next = next + 1; return r }
	linked := func(r defs.ScriptRow) defs.ScriptRow { r.Event, r.When = defs.ScriptLink, [6]uint32{}; return r }
	do := func(r defs.ScriptRow, action defs.ScriptAction, params ...uint32) defs.ScriptRow {
		r.Action, r.Do = action, [6]uint32{}
		copy(r.Do[:], params)
		return r
	}
	once := show(0, 0, 1)
	once.Flags = defs.ScriptOnce
	phased := linked(show(1, 0, 3))
	phased.Phases = 2
	asks := show(0, 0, 1)
	asks.Conditions = 1
	twins := "SetEmoteState, Entity twin, Emote 1"
	return []areaCase{
		{"any area", []defs.ScriptRow{show(0, 0, 1)}, []string{"SetEmoteState, Entity anna, Emote 1"}},
		{"its own area", []defs.ScriptRow{show(0, 78, 1)}, []string{"SetEmoteState, Entity anna, Emote 1"}},
		{"another area", []defs.ScriptRow{show(0, 79, 1)}, nil},
		{"again and again", []defs.ScriptRow{once}, []string{"SetEmoteState, Entity anna, Emote 1"}},
		{"a link", []defs.ScriptRow{link(show(0, 0, 1), 1), linked(show(1, 0, 2))}, []string{"SetEmoteState, Entity anna, Emote 1", "SetEmoteState, Entity anna, Emote 2"}},
		{"a link in a phase", []defs.ScriptRow{link(do(show(0, 0, 0), defs.ScriptSetPhase, 2), 1), phased}, []string{"SetEmoteState, Entity anna, Emote 3"}},
		{"a link in a phase that is not", []defs.ScriptRow{link(do(show(0, 0, 0), defs.ScriptSetPhase, 1), 1), phased}, nil},
		{"players in range, itself among them", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptPlayerRange, 0, 9)}, []string{"SetEmoteState, Entity anna, Emote 1"}},
		{"the closest player, itself", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptClosestPlayer, 9)}, []string{"SetEmoteState, Entity anna, Emote 1"}},
		{"the closest creature", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptClosestCreature, 0, 9)}, []string{twins}},
		{"a creature so far from the player", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptCreatureDistance, 51, 3)}, []string{twins}},
		{"a creature farther from the player", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptCreatureDistance, 51, 2)}, nil},
		{"a creature of a spawn point", []defs.ScriptRow{to(show(0, 0, 1), defs.ScriptCreatureGUID, 2, 33)}, []string{twins}},
		{"a game object", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptActivateObject), defs.ScriptClosestObject)}, []string{"SwitchObject, Entity door, By anna, Kind 1"}},
		{"a creature talks", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptTalk), defs.ScriptClosestCreature, 51)}, []string{
			"0x96 to one 0e 00 00 00 00 01 00 80 33 00 00 30 f1 00 00 00 00 01 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 54 77 6f 00 00",
		}},
		{"the player casts", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptInvokerCast, 7, 2), defs.ScriptClosestCreature, 51)}, []string{"Cast, By anna, Target twin, Spell 7, Triggered true"}},
		{"a teleport", []defs.ScriptRow{do(show(0, 0, 0), defs.ScriptTeleport, 33)}, []string{"Teleport, Entity anna, To {33 0 0 0 0 0}"}},
		{"a summons", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptSummonCreature, 51, 3, 4000), defs.ScriptPosition)}, []string{"Summon, Entry 51, ForMs 4000, Summoner anna"}},
		{"data", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptSetData, 4, 5), defs.ScriptCreatureGUID, 1, 33)}, []string{"SetEmoteState, Entity anna, Emote 9"}},
		{"a list of a creature", []defs.ScriptRow{to(do(show(0, 0, 0), defs.ScriptCallList, 900, 0, 2), defs.ScriptCreatureGUID, 1, 33)}, nil},
		{"under a condition", []defs.ScriptRow{asks}, []string{"ConditionQuery, List 1, First anna, Second anna, For 3, B 1"}},
	}
}

// The rows of the script of an area happen for the player that enters it, from which their targets are looked up. No entry knows of another one.
//
// Source: SmartTrigger::OnTrigger, SmartAI.cpp, and SMART_EVENT_AREATRIGGER_ONTRIGGER, SmartScript::ProcessEvent, AzerothCore.
func TestAreas(t *testing.T) {
	for _, c := range areaCases() {
		s := newScene(t, []defs.ScriptRow{{Event: defs.ScriptDataSet, When: [6]uint32{4, 5}, Action: defs.ScriptSetEmoteState, Do: [6]uint32{9}, Target: defs.ScriptInvoker}},
			defs.ScriptRow{When: [6]uint32{100, 100}, Action: defs.ScriptSetEmoteState, Do: [6]uint32{8}, Target: defs.ScriptSelf})
		s.defs.Scripts[1].Rows = c.rows
		s.begin()
		for range 2 {
			give(s, move.AreaEntered{Player: s.anna, Area: 78, Script: 1})
			want(t, c.name, s.run(), c.want...)
		}
		switch c.name {
		case "under a condition":
			give(s, rules.ConditionAnswer{ConditionQuery: rules.ConditionQuery{First: s.anna, Second: s.anna, For: rules.ForArea, B: 1}, Holds: true})
			want(t, "a condition that holds", s.run(), "SetEmoteState, Entity anna, Emote 1")
			give(s, rules.ConditionAnswer{ConditionQuery: rules.ConditionQuery{First: s.anna, Second: s.anna, For: rules.ForArea, B: 1}})
			want(t, "a condition that does not", s.run())
		case "a list of a creature":
			want(t, "its row", s.run())
			want(t, "its row, when it is due", s.run(), "SetEmoteState, Entity beast, Emote 8")
		}
	}
}
