package update

import (
	"encoding/binary"

	"muster/net/protocol/wire"
)

// createStill is Create for objects that do not move: items, which have no position for a client, and
// corpses.
//
// Source: Object::BuildMovementUpdate, AzerothCore; protocol.md 4.2.
func (l *Layout) createStill(dst []byte, s *Subject) []byte {
	flags, words := FlagLowGUID, &l.public
	if l.kind == Corpse {
		flags |= FlagPosition | FlagStationary
	}
	if s.Self {
		words = &l.own
	}
	dst = append(beginBlock(dst, l.kind.create(), s.GUID), l.kind.typeID(), byte(flags), byte(flags>>8))
	if p := s.Position; l.kind == Corpse {
		c := wire.NewWriter(wire.V12340, append(dst, 0)) // on no transport
		for _, f := range [...]float32{p.X, p.Y, p.Z, p.X, p.Y, p.Z, p.O, p.O} {
			wire.F32(&c, &f)
		}
		dst = c.Bytes()
	}
	return words.appendAll(binary.LittleEndian.AppendUint32(dst, uint32(s.GUID)), s.Words)
}

// All appends a VALUES block with every word of the dirty components, compared with nothing: for an object that
// one client alone sees, and that has no image.
func (l *Layout) All(dst []byte, guid uint64, w *Words, dirty uint32) []byte {
	return l.own.appendDirty(dst, guid, w, dirty)
}

// AppendWord appends a VALUES block with one word that differs for one observer.
func AppendWord(dst []byte, guid uint64, number uint16, word uint32) []byte {
	masks := int(number)/32 + 1
	dst = append(beginBlock(dst, Values, guid), byte(masks))
	for range masks - 1 {
		dst = append(dst, 0, 0, 0, 0)
	}
	dst = binary.LittleEndian.AppendUint32(dst, 1<<(number%32))
	return binary.LittleEndian.AppendUint32(dst, word)
}
