package frame

import (
	"muster/components/life"
	"muster/net/protocol/wire"
)

// walkLife walks a life, and of its lists those in the set.
func walkLife(w *wire.Codec, l *life.Life, present life.Set) {
	wire.Bool(w, &l.Begun)
	wire.U32(w, &l.XP)
	wire.U32(w, &l.MoneyCopper)
	wire.U32(w, &l.Health)
	for i := range l.Power {
		wire.U32(w, &l.Power[i])
	}
	wire.U32(w, &l.Death.State)
	walkPlace(w, &l.Death.Body)
	wire.U32(w, &l.Death.ReclaimLeftMs)
	walkPlace(w, &l.Bind)
	wire.U32(w, &l.PlayedSec)
	wire.U32(w, &l.LevelPlayedSec)
	walkLists(w, l, present)
}

// A Lists is the part of a snapshot that is not flat: the lists of a life that are present.
type Lists struct {
	Told life.Set
	Life life.Life
}

// Wire walks the lists in the form that frames have them. Told is not part of it.
func (l *Lists) Wire(w *wire.Codec) { walkLists(w, &l.Life, l.Told) }

func walkLists(w *wire.Codec, l *life.Life, present life.Set) {
	if present&life.Spells != 0 {
		wire.Slice[uint16](w, &l.Spells, life.MaxSpells, wire.U32[uint32])
	}
	if present&life.Cooldowns != 0 {
		wire.Slice[uint16](w, &l.Cooldowns, life.MaxCooldowns, walkCooldown)
	}
	if present&life.Auras != 0 {
		wire.Slice[uint16](w, &l.Auras, life.MaxAuras, walkAura)
	}
	if present&life.Actions != 0 {
		wire.Slice[uint16](w, &l.Actions, life.MaxActions, walkAction)
	}
	if present&life.Items != 0 {
		wire.Slice[uint16](w, &l.Items, life.MaxItems, walkItem)
	}
}

func walkPlace(w *wire.Codec, p *life.Place) {
	wire.U32(w, &p.Map)
	wire.U32(w, &p.Zone)
	wire.F32(w, &p.X)
	wire.F32(w, &p.Y)
	wire.F32(w, &p.Z)
	wire.F32(w, &p.O)
}

func walkCooldown(w *wire.Codec, c *life.Cooldown) {
	wire.U32(w, &c.Spell)
	wire.U32(w, &c.Category)
	wire.U32(w, &c.LeftMs)
}

func walkAura(w *wire.Codec, a *life.Aura) {
	wire.U32(w, &a.Spell)
	wire.U64(w, &a.Caster)
	wire.U8(w, &a.CasterLevel)
	wire.U8(w, &a.Slot)
	wire.U8(w, &a.Stacks)
	wire.U8(w, &a.Charges)
	wire.U32(w, &a.MaxMs)
	wire.U32(w, &a.LeftMs)
	for i := range a.Amount {
		wire.I32(w, &a.Amount[i])
	}
}

func walkAction(w *wire.Codec, a *life.Action) {
	wire.U8(w, &a.Button)
	wire.U32(w, &a.Packed)
}

func walkItem(w *wire.Codec, i *life.Item) {
	wire.U64(w, &i.GUID)
	wire.U32(w, &i.Entry)
	wire.U32(w, &i.Count)
	wire.U32(w, &i.Durability)
	wire.U8(w, &i.Bag)
	wire.U8(w, &i.Slot)
	wire.U8(w, &i.Moves)
}
