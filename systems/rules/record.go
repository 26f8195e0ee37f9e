package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// HiddenSlot is the slot of auras that are not sent to clients: those of passive spells.
//
// Source: Aura::CanBeSentToClient, AzerothCore.
const HiddenSlot = 255

// AuraRecord returns an aura on a unit as it is sent to clients.
//
// Source: AuraApplication::BuildUpdatePacket, AzerothCore.
func AuraRecord(nowMs uint32, unit uint64, a *components.Aura, spell *defs.Spell) msg.AuraRecord {
	r := msg.AuraRecord{
		Slot: a.Slot, Spell: a.Spell, Flags: msg.AuraFlags(a.Effects & 7), Level: a.Level, Stacks: a.Stacks,
		Caster: a.CasterGUID,
	}
	if a.Charges > 0 && a.Stacks <= 1 {
		r.Stacks = a.Charges
	}
	if a.CasterGUID == unit {
		r.Flags |= msg.AuraOwn
		r.Caster = 0
	}
	if spell.Has(defs.SpellHarmful) {
		r.Flags |= msg.AuraNegative
	} else {
		r.Flags |= msg.AuraPositive
	}
	if a.MaxMs != 0 {
		r.Flags |= msg.AuraHasTime
		r.MaxMs, r.LeftMs = a.MaxMs, a.LeftMs(nowMs)
	}
	return r
}

// AuraRecords appends the records of all auras on a unit that are sent to clients.
func AuraRecords(dst []msg.AuraRecord, d *defs.World, nowMs uint32, unit uint64, auras *components.Auras) []msg.AuraRecord {
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		if spell := d.Spell(a.Spell); spell != nil && a.Slot != HiddenSlot {
			dst = append(dst, AuraRecord(nowMs, unit, a, spell))
		}
	}
	return dst
}
