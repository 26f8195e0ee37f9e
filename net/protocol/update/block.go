package update

import "muster/net/protocol/msg"

// The types of a block.
//
// Source: protocol.md 4.2.
const (
	Values      uint8 = iota // words of a known object
	Movement                 // never sent by muster
	Create                   // a new object
	Create2                  // a new object, with the effect of appearing
	OutOfRange               // objects to forget
	NearObjects              // never sent by muster
)

// The update flags: which parts the movement block of a create has.
//
// Source: protocol.md 4.2.
const (
	FlagSelf        uint16 = 0x1 // the receiver itself; no part
	FlagTransport   uint16 = 0x2
	FlagTarget      uint16 = 0x4
	FlagUnknown     uint16 = 0x8
	FlagLowGUID     uint16 = 0x10
	FlagLiving      uint16 = 0x20
	FlagStationary  uint16 = 0x40 // no part if FlagLiving or FlagPosition is set
	FlagVehicle     uint16 = 0x80
	FlagPosition    uint16 = 0x100 // no part if FlagLiving is set
	FlagRotation    uint16 = 0x200
	FlagNoBirthAnim uint16 = 0x400 // no part

	flagsKnown = 0x7FF
)

// A Block is one block as a client reads it. What its type does not have is zero.
type Block struct {
	Type        uint8
	TypeID      uint8 // of a create
	UpdateFlags uint16
	GUID        uint64
	HasMovement bool         // FlagLiving is set: all of Movement and Speeds are good
	Movement    msg.Movement // otherwise only the position is
	Speeds      [9]float32
	Rotation    uint64   // packed, with FlagRotation
	Fields      []Field  // ascending
	GUIDs       []uint64 // of OutOfRange and NearObjects
}

// A Field is one word of an object.
type Field struct {
	Index uint16
	Value uint32
}

// Value is a word of the block, and whether the block has it.
func (b *Block) Value(index uint16) (word uint32, ok bool) {
	for _, f := range b.Fields {
		if f.Index == index {
			return f.Value, true
		}
	}
	return 0, false
}
