package smartai

import (
	"testing"

	"muster/components/defs"
	"muster/net/replication/change"
)

// handedRows are the script of a beast that stores the nearest player as its list 3, and hands that to the nearest creature.
var handedRows = []defs.ScriptRow{
	{Event: defs.ScriptInit, Action: defs.ScriptStoreTargets, Do: [6]uint32{3}, Target: defs.ScriptClosestPlayer},
	{ID: 1, Event: defs.ScriptAggro, Next: 3, Action: defs.ScriptSendStored, Do: [6]uint32{3}, Target: defs.ScriptClosestCreature},
	{ID: 2, Event: defs.ScriptLink, Action: defs.ScriptSetData, Do: [6]uint32{1, 2}, Target: defs.ScriptClosestCreature},
}

// The script of the twin is handed the targets that the beast has stored, and no list of another number.
//
// Source: SMART_ACTION_SEND_TARGET_TO_TARGET, SmartScript::ProcessAction, AzerothCore.
func TestHandedTargets(t *testing.T) {
	s := newScene(t, handedRows)
	on := defs.ScriptRow{Event: defs.ScriptDataSet, When: [6]uint32{1, 2}, Action: defs.ScriptSetEmoteState, Target: defs.ScriptStored}
	with, without := on, on
	with.Do[0], with.Of[0], without.Do[0], without.Of[0] = 7, 3, 8, 4
	s.defs.Scripts[1].Rows, s.defs.Creatures[1].Script = []defs.ScriptRow{with, without}, 2
	give(s, change.Woken{Entity: s.twin})
	s.begin()
	give(s, trigger{entity: s.beast, by: s.anna, event: defs.ScriptAggro})
	want(t, "handed targets", s.run(), "SetEmoteState, Entity anna, Emote 7")
}

// Each kind of event, action and target that is executed has a case of the tests above in which something follows from it.
func TestEveryKindHasACase(t *testing.T) {
	var events, actions, targets [256]bool
	note := func(rows ...defs.ScriptRow) {
		for _, r := range rows {
			events[r.Event], actions[r.Action], targets[r.Target] = true, true, true
		}
	}
	for _, c := range actionCases {
		if len(c.want) > 0 {
			note(c.row)
		}
	}
	for _, c := range eventCases {
		events[c.event] = events[c.event] || c.by != ""
	}
	for _, c := range targetCases {
		targets[c.target] = targets[c.target] || len(c.want) > 0
	}
	for _, c := range timeCases() {
		if c.want != "" {
			note(c.rows...)
			note(c.list...)
		}
	}
	for _, c := range areaCases() {
		if len(c.want) > 0 {
			note(c.rows...)
		}
	}
	note(objectRows()...)
	note(handedRows...)
	actions[defs.ScriptSetActive] = true // nothing does: a creature that no player is near sleeps all the same
	for kind := range 256 {
		for _, of := range []struct {
			what          string
			executed, has bool
		}{
			{"event", defs.ScriptEvent(kind).Executed(), events[kind]}, {"action", defs.ScriptAction(kind).Executed(), actions[kind]},
			{"target", defs.ScriptTarget(kind).Executed(), targets[kind]},
		} {
			if of.executed && !of.has {
				t.Errorf("no case has anything follow from %s %d", of.what, kind)
			}
		}
	}
}
