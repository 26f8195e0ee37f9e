package update

import (
	"encoding/binary"

	"muster/components"
	"muster/net/protocol/wire"
)

// createStill is Create for objects that do not move: items, which have no position for a client, corpses and game
// objects.
//
// Source: Object::BuildMovementUpdate, AzerothCore; protocol.md 4.2.
func (l *Layout) createStill(dst []byte, s *Subject) []byte {
	flags, words, kind, low, turn := FlagLowGUID, &l.public, l.kind.create(), uint32(s.GUID), float32(0)
	switch l.kind {
	case Corpse:
		flags |= FlagPosition | FlagStationary
		turn = s.Position.O
	case GameObject:
		flags |= FlagPosition | FlagStationary | FlagRotation
		low &= components.MaxCounter
		if s.Appears {
			kind = Create2
		}
	}
	if s.Self {
		words = &l.own
	}
	dst = append(beginBlock(dst, kind, s.GUID), l.kind.typeID(), byte(flags), byte(flags>>8))
	if p := s.Position; p != nil {
		c := wire.NewWriter(wire.V12340, append(dst, 0)) // on no transport
		for _, f := range [...]float32{p.X, p.Y, p.Z, p.X, p.Y, p.Z, p.O, turn} {
			wire.F32(&c, &f)
		}
		dst = c.Bytes()
	}
	dst = binary.LittleEndian.AppendUint32(dst, low)
	if l.kind == GameObject {
		dst = binary.LittleEndian.AppendUint64(dst, s.Rotation)
	}
	return words.appendAll(dst, s.Words)
}

// All appends a VALUES block with every word of the dirty components, compared with nothing: for an object that
// one client alone sees, and that has no image.
func (l *Layout) All(dst []byte, guid uint64, w *Words, dirty uint32) []byte {
	return l.own.appendDirty(dst, guid, w, dirty)
}

// AppendWords appends a VALUES block with words that one client alone is sent, in ascending order.
func AppendWords(dst []byte, guid uint64, words []Field) []byte {
	masks := int(words[len(words)-1].Index)/32 + 1
	dst = append(beginBlock(dst, Values, guid), byte(masks))
	first := len(dst)
	for range masks {
		dst = append(dst, 0, 0, 0, 0)
	}
	for _, w := range words {
		dst[first+int(w.Index)/8] |= 1 << (w.Index % 8)
		dst = binary.LittleEndian.AppendUint32(dst, w.Value)
	}
	return dst
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
