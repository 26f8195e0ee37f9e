package rules

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// An aura as it is sent to clients.
//
// Source: AuraApplication::BuildUpdatePacket and Aura::CanBeSentToClient, AzerothCore; AURA_FLAGS, SpellAuraDefines.h (1, 2 and 4:
// effects, 8: own, 0x10: positive, 0x20: has a duration, 0x80: negative).
func TestAuraRecord(t *testing.T) {
	good, bad := &defs.Spell{ID: 7}, &defs.Spell{ID: 7, Flags: defs.SpellHarmful}
	for _, c := range []struct {
		name  string
		aura  components.Aura
		spell *defs.Spell
		want  msg.AuraRecord
	}{
		{"of another unit", components.Aura{CasterGUID: 5, Effects: 5, Slot: 3, Stacks: 1, Level: 20}, good,
			msg.AuraRecord{Slot: 3, Spell: 7, Flags: 0x15, Level: 20, Stacks: 1, Caster: 5}},
		{"its own", components.Aura{CasterGUID: 9, Effects: 2, Stacks: 1}, good, msg.AuraRecord{Spell: 7, Flags: 0x1A, Stacks: 1}},
		{"harmful", components.Aura{CasterGUID: 5, Effects: 1, Stacks: 1}, bad, msg.AuraRecord{Spell: 7, Flags: 0x81, Stacks: 1, Caster: 5}},
		{"with a duration", components.Aura{CasterGUID: 5, Effects: 1, Stacks: 1, MaxMs: 9000, EndMs: 10_000}, good,
			msg.AuraRecord{Spell: 7, Flags: 0x31, Stacks: 1, Caster: 5, MaxMs: 9000, LeftMs: 6000}},
		{"with charges", components.Aura{CasterGUID: 5, Effects: 1, Stacks: 1, Charges: 4}, good,
			msg.AuraRecord{Spell: 7, Flags: 0x11, Stacks: 4, Caster: 5}},
		{"with stacks, which come before charges", components.Aura{CasterGUID: 5, Effects: 1, Stacks: 2, Charges: 4}, good,
			msg.AuraRecord{Spell: 7, Flags: 0x11, Stacks: 2, Caster: 5}},
		{"more effects than there are flags", components.Aura{CasterGUID: 5, Effects: 0x79, Stacks: 1}, good,
			msg.AuraRecord{Spell: 7, Flags: 0x11, Stacks: 1, Caster: 5}},
	} {
		c.aura.Spell = 7
		if got := AuraRecord(4000, 9, &c.aura, c.spell); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}

	d := &defs.World{Spells: []defs.Spell{*good}}
	hidden := components.Aura{Spell: 7, Slot: HiddenSlot}
	var slots []uint8
	for _, r := range AuraRecords([]msg.AuraRecord{{Slot: 8}}, d, 4000, 9, wearing(components.Aura{Spell: 7, Slot: 1}, components.Aura{Spell: 6, Slot: 2},
		components.Aura{Spell: 7, Slot: 3}, hidden)) {
		slots = append(slots, r.Slot)
	}
	if want := []uint8{8, 1, 3}; !slices.Equal(slots, want) {
		t.Errorf("slots %v are sent, want %v", slots, want)
	}
}
