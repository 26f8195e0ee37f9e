package update

import (
	"fmt"
	"math/bits"
	"sync"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A ParseError has where an update packet became invalid. Err is wire.ErrShort, wire.ErrLimit,
// wire.ErrValue or msg.ErrLong.
type ParseError struct {
	Block  int // number of the block, from 0
	Offset int // bytes into the payload
	Err    error
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("update: block %d at byte %d: %v", e.Block, e.Offset, e.Err)
}

// Unwrap gives Err.
func (e *ParseError) Unwrap() error { return e.Err }

// Parse reads the payload of an SMSG_UPDATE_OBJECT and visits its blocks in order. It is strict: a
// number, flag or field that no client of build 12340 knows is an error, and so are bytes left over.
// The blocks before the fault have been visited then, as a client would have applied them. An error of
// visit ends the reading and is returned as it is. The Block is valid until visit returns.
func Parse(payload []byte, visit func(*Block) error) error {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	c := &p.Codec
	*c = wire.NewReader(wire.V12340, payload)
	var blocks uint32
	wire.U32(c, &blocks)
	for n := 0; ; n++ {
		if n == int(blocks) && c.Rest() > 0 {
			c.Fail(msg.ErrLong)
		}
		if n < int(blocks) {
			p.read()
		}
		if err := c.Err(); err != nil {
			return &ParseError{n, c.Offset(), err}
		}
		if n == int(blocks) {
			return nil
		}
		if err := visit(&p.block); err != nil {
			return err
		}
	}
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// A parser reads blocks, all into the same one.
type parser struct {
	wire.Codec
	block Block
}

// read reads the next block.
func (p *parser) read() {
	c, b := &p.Codec, &p.block
	*b = Block{Fields: b.Fields[:0], GUIDs: b.GUIDs[:0]}
	wire.U8(c, &b.Type)
	switch b.Type {
	case Values:
		wire.PackedGUID(c, &b.GUID)
		p.fields(typeOf(b.GUID))
	case Movement:
		wire.PackedGUID(c, &b.GUID)
		p.movement()
	case Create, Create2:
		wire.PackedGUID(c, &b.GUID)
		wire.U8(c, &b.TypeID)
		if components.End(b.TypeID) == 0 {
			c.Fail(wire.ErrValue)
			return
		}
		p.movement()
		p.fields(b.TypeID)
	case OutOfRange, NearObjects:
		p.guids()
	default:
		c.Fail(wire.ErrValue)
	}
}

// guids reads a list that is not empty.
func (p *parser) guids() {
	var n uint32
	wire.U32(&p.Codec, &n)
	if n == 0 {
		p.Fail(wire.ErrValue)
	}
	for ; n > 0 && p.Err() == nil; n-- {
		var guid uint64
		wire.PackedGUID(&p.Codec, &guid)
		p.block.GUIDs = append(p.block.GUIDs, guid)
	}
}

// maxMasks is how many mask words the type with the most fields has: the player.
const maxMasks = 42

// fields reads a values block of an object of a type.
func (p *parser) fields(typeID uint8) {
	end := int(components.End(typeID))
	var n uint8
	wire.U8(&p.Codec, &n)
	if int(n) > (end+31)/32 {
		p.Fail(wire.ErrLimit)
		return
	}
	var masks [maxMasks]uint32
	for i := range masks[:n] {
		wire.U32(&p.Codec, &masks[i])
	}
	for i, mask := range masks[:n] {
		for ; mask != 0; mask &= mask - 1 {
			index := i*32 + bits.TrailingZeros32(mask)
			if index >= end {
				p.Fail(wire.ErrValue)
			}
			var word uint32
			wire.U32(&p.Codec, &word)
			if p.Err() != nil {
				return
			}
			p.block.Fields = append(p.block.Fields, Field{uint16(index), word})
		}
	}
}

// typeOf is the type of object that a guid implies. Items may be containers, so they count as such; of
// an unknown guid nothing is known but that no type has more fields than a player.
func typeOf(guid uint64) uint8 {
	switch components.GUIDHigh(guid) {
	case components.HighItem:
		return components.TypeContainer
	case components.HighCreature, components.HighPet, components.HighVehicle:
		return components.TypeUnit
	case components.HighGameObject, components.HighTransport, components.HighMOTransport:
		return components.TypeGameObject
	case components.HighDynamicObject:
		return components.TypeDynamicObject
	case components.HighCorpse:
		return components.TypeCorpse
	}
	return components.TypePlayer
}

// movement reads a movement block.
//
// Source: protocol.md 4.2.
func (p *parser) movement() {
	c, b := &p.Codec, &p.block
	wire.U16(c, &b.UpdateFlags)
	if b.UpdateFlags&^flagsKnown != 0 {
		c.Fail(wire.ErrValue)
		return
	}
	m := &b.Movement
	var skip struct {
		guid uint64
		word uint32
		f    float32
	}
	switch {
	case b.UpdateFlags&FlagLiving != 0:
		b.HasMovement = true
		m.Wire(c)
		if m.Flags&^components.MoveKnown != 0 {
			c.Fail(wire.ErrValue)
			return
		}
		for i := range b.Speeds {
			wire.F32(c, &b.Speeds[i])
		}
		if m.Flags&components.MoveSpline != 0 {
			p.spline()
		}
	case b.UpdateFlags&FlagPosition != 0:
		wire.PackedGUID(c, &skip.guid) // transport
		for _, v := range []*float32{&m.X, &m.Y, &m.Z, &skip.f, &skip.f, &skip.f, &m.O, &skip.f} {
			wire.F32(c, v)
		}
	case b.UpdateFlags&FlagStationary != 0:
		for _, v := range []*float32{&m.X, &m.Y, &m.Z, &m.O} {
			wire.F32(c, v)
		}
	}
	if b.UpdateFlags&FlagUnknown != 0 {
		wire.U32(c, &skip.word)
	}
	if b.UpdateFlags&FlagLowGUID != 0 {
		wire.U32(c, &skip.word)
	}
	if b.UpdateFlags&FlagTarget != 0 {
		wire.PackedGUID(c, &skip.guid)
	}
	if b.UpdateFlags&FlagTransport != 0 {
		wire.U32(c, &skip.word)
	}
	if b.UpdateFlags&FlagVehicle != 0 {
		wire.U32(c, &skip.word)
		wire.F32(c, &skip.f)
	}
	if b.UpdateFlags&FlagRotation != 0 {
		wire.U64(c, &b.Rotation)
	}
}

// The spline flags that decide what else is in a spline.
//
// Source: protocol.md 4.4.
const (
	splineFinalPoint  = 0x8000
	splineFinalTarget = 0x10000
	splineFinalAngle  = 0x20000
)

// spline skips the path in a create block, which muster itself never sends.
//
// Source: protocol.md 4.4.
func (p *parser) spline() {
	c := &p.Codec
	var flags, points uint32
	wire.U32(c, &flags)
	switch {
	case flags&splineFinalAngle != 0:
		p.skip(1)
	case flags&splineFinalTarget != 0:
		p.skip(2)
	case flags&splineFinalPoint != 0:
		p.skip(3)
	}
	p.skip(7) // passed, duration, number, two factors, acceleration, its start
	wire.U32(c, &points)
	if int(points) > c.Rest()/12 {
		c.Fail(wire.ErrShort)
		return
	}
	p.skip(3 * int(points))
	var mode uint8
	wire.U8(c, &mode)
	p.skip(3) // destination
}

// skip passes over words.
func (p *parser) skip(words int) {
	for range words {
		var word uint32
		wire.U32(&p.Codec, &word)
	}
}
