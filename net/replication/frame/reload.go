package frame

import (
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A Reload is a piece of a part of a world's definitions that is to be replaced (defs.Patch): the body of an OpReload. The
// pieces of a part follow each other; the world answers the last one as a Command.
type Reload struct {
	ID       uint64 // which the Answer repeats; 0 wants none
	N, Of    uint16 // the piece, from 0, and how many there are
	Contents []byte // at most MaxReload bytes
}

// MaxReload bounds the contents of a Reload, in bytes: with what stands before them they are a body of an Item.
const MaxReload = 0xFFFF - 12

// Wire walks the piece.
func (m *Reload) Wire(c *wire.Codec) {
	wire.U64(c, &m.ID)
	wire.U16(c, &m.N)
	wire.U16(c, &m.Of)
	wire.Remainder(c, &m.Contents, MaxReload)
}

// Reloads are the pieces of a part as items that arrive at a time, for an inbox.
func Reloads(id uint64, atMs uint32, part []byte) (items []Item) {
	of := (len(part) + MaxReload - 1) / MaxReload
	for n := range of {
		piece := Reload{ID: id, N: uint16(n), Of: uint16(of), Contents: part[n*MaxReload : min((n+1)*MaxReload, len(part))]}
		items = append(items, Item{Session: NoSession, AtMs: atMs, Op: OpReload, Body: msg.Append(nil, wire.V12340, &piece)})
	}
	return items
}
