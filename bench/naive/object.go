package naive

import (
	"encoding/binary"
	"math"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// The update fields that fights have to do with.
//
// Source: UpdateFields.h, AzerothCore.
const (
	fieldGUID           = 0x0
	fieldType           = 0x2
	fieldEntry          = 0x3
	fieldScale          = 0x4
	fieldTarget         = 0x12
	fieldBytes0         = 0x17
	fieldHealth         = 0x18
	fieldPower          = 0x19 // seven
	fieldMaxHealth      = 0x20
	fieldMaxPower       = 0x21 // seven
	fieldLevel          = 0x36
	fieldFaction        = 0x37
	fieldFlags          = 0x3B
	fieldAuraState      = 0x3D
	fieldAttackTime     = 0x3E // two
	fieldRangedTime     = 0x40
	fieldBoundingRadius = 0x41
	fieldCombatReach    = 0x42
	fieldDisplay        = 0x43
	fieldNativeDisplay  = 0x44
	fieldMinDamage      = 0x46
	fieldMaxDamage      = 0x47
	fieldBytes1         = 0x4A
	fieldDynamicFlags   = 0x4F
	fieldCastSpeed      = 0x50
	fieldNPCFlags       = 0x52
	fieldBaseMana       = 0x78
	fieldBaseHealth     = 0x79
	fieldAttackPower    = 0x7B
	fieldNextXP         = 0x27B
	fieldMaxLevel       = 0x4FF
)

// audiences has, by type id, which clients may see each field.
var audiences = map[uint8][]components.Audience{
	components.TypeUnit: listAudiences(components.TypeUnit), components.TypePlayer: listAudiences(components.TypePlayer),
}

func listAudiences(typeID uint8) []components.Audience {
	all := make([]components.Audience, components.End(typeID))
	for i := range all {
		all[i] = components.FieldAt(typeID, uint16(i)).Audience
	}
	return all
}

// set changes a value, if it does change, which all observers see at the end of the tick.
//
// Source: Object::SetUInt32Value, AzerothCore.
func (u *Unit) set(field int, value uint32) {
	if u.values[field] == value {
		return
	}
	u.values[field] = value
	u.mask[field>>5] |= 1 << (field & 31)
	if !u.dirty {
		u.dirty = true
		u.world.changed = append(u.world.changed, u)
	}
	if field == fieldHealth {
		u.ail()
	}
}

// ail shows what follows from a unit's health.
//
// Source: Unit::SetHealth and ModifyAuraState, AzerothCore.
func (u *Unit) ail() {
	v := components.Vitals{Health: u.values[fieldHealth], MaxHealth: u.values[fieldMaxHealth]}
	u.set(fieldAuraState, v.AuraState())
}

func (u *Unit) setFloat(field int, value float32) { u.set(field, math.Float32bits(value)) }

func (u *Unit) float(field int) float32 { return math.Float32frombits(u.values[field]) }

func (u *Unit) setGUID(field int, guid uint64) {
	u.set(field, uint32(guid))
	u.set(field+1, uint32(guid>>32))
}

func (u *Unit) clearChanges() {
	clear(u.mask)
	for i := range u.shared {
		u.shared[i].made = false
	}
	u.dirty = false
}

// seenBy is the audience that a player is to a unit.
func (u *Unit) seenBy(p *Player) components.Audience {
	if &p.Unit == u {
		return components.Public | components.Dynamic | components.Private
	}
	return components.Public | components.Dynamic
}

// valueFor is a value as a player sees it: the loot recipient of a creature sees that it is its own.
//
// Source: Unit::BuildValuesUpdate, AzerothCore.
func (u *Unit) valueFor(p *Player, field int) uint32 {
	if field == fieldDynamicFlags && u.tappedBy == p {
		return u.values[field] | components.DynamicTappedByPlayer
	}
	return u.values[field]
}

// tap gives the right to a creature's body to a player, and takes it if that is nil.
//
// Source: Creature::SetLootRecipient, AzerothCore.
func (u *Unit) tap(p *Player) {
	u.tappedBy = p
	if p != nil {
		u.set(fieldDynamicFlags, components.DynamicTapped)
	} else {
		u.set(fieldDynamicFlags, 0)
	}
}

// appendValues adds the block of what has changed for a player, nothing if that is none of its business. Made
// anew, it looks at each field whether it has changed and whether that player may see it.
//
// Source: Object::BuildValuesUpdateBlockForPlayer and Object::BuildValuesUpdate, AzerothCore.
func (u *Unit) appendValues(d *updateData, p *Player) {
	if u.world.listed {
		u.appendShared(d, p)
		return
	}
	u.encodeValues(d, p)
}

// encodeValues adds that block, made anew.
func (u *Unit) encodeValues(d *updateData, p *Player) {
	audience, list := u.seenBy(p), u.audiences
	mask := make([]byte, 4*len(u.mask))
	var words []byte
	dynamic := -1
	for field := range u.values {
		if u.mask[field>>5]&(1<<(field&31)) != 0 && list[field]&audience != 0 {
			mask[field>>3] |= 1 << (field & 7)
			if field == fieldDynamicFlags {
				dynamic = len(words)
			}
			words = binary.LittleEndian.AppendUint32(words, u.valueFor(p, field))
		}
	}
	if len(words) == 0 {
		return
	}
	d.count++
	d.blocks = wire.AppendPackedGUID(append(d.blocks, update.Values), u.guid)
	d.blocks = append(d.blocks, uint8(len(u.mask)))
	d.blocks = append(d.blocks, mask...)
	if dynamic >= 0 {
		d.dynamic = len(d.blocks) + dynamic
	}
	d.blocks = append(d.blocks, words...)
}

// create adds the block that makes a unit known to a player.
func (d *updateData) create(u *Unit, p *Player) {
	d.blocks = u.appendCreate(d.blocks, p)
	d.count++
}

// appendCreate appends the block that makes a unit known to a player.
//
// Source: Object::BuildCreateUpdateBlockForPlayer, AzerothCore.
func (u *Unit) appendCreate(dst []byte, p *Player) []byte {
	flags, audience := update.FlagLiving|update.FlagStationary, u.seenBy(p)
	if &p.Unit == u {
		flags |= update.FlagSelf
	}
	dst = wire.AppendPackedGUID(append(dst, update.Create2), u.guid)
	dst = append(dst, u.typeID, byte(flags), byte(flags>>8))
	c := wire.NewWriter(wire.V12340, dst)
	m := msg.Movement{Flags: u.moving, Time: u.world.tick.NowMs, X: u.x, Y: u.y, Z: u.z, O: u.o}
	m.Wire(&c)
	for i := range u.speeds {
		wire.F32(&c, &u.speeds[i])
	}
	dst = append(c.Bytes(), uint8(len(u.mask)))
	at := len(dst)
	dst = append(dst, make([]byte, 4*len(u.mask))...)
	for field := range u.values {
		value := u.valueFor(p, field)
		if value == 0 || u.audiences[field]&audience == 0 {
			continue
		}
		dst[at+field/8] |= 1 << (field & 7)
		dst = binary.LittleEndian.AppendUint32(dst, value)
	}
	return dst
}
