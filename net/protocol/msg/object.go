package msg

import "muster/net/protocol/wire"

// UpdateObject creates, changes and removes what a client sees. Its blocks are the business of net/protocol/update;
// here they are bytes.
//
// Source: UpdateData::BuildPacket, AzerothCore.
type UpdateObject struct{ Blocks []byte } // the count of blocks, and the blocks

// Wire walks the body.
func (m *UpdateObject) Wire(c *wire.Codec) { wire.Remainder(c, &m.Blocks, wire.MaxPayload) }

// CompressedUpdateObject is UpdateObject behind zlib.
type CompressedUpdateObject struct {
	Size   uint32 // bytes when inflated
	Stream []byte
}

// Wire walks the body.
func (m *CompressedUpdateObject) Wire(c *wire.Codec) {
	wire.U32(c, &m.Size)
	wire.Remainder(c, &m.Stream, wire.MaxPayload)
}

// DestroyObject removes one object from a client.
//
// Source: Object::DestroyForPlayer, AzerothCore.
type DestroyObject struct {
	GUID    uint64
	OnDeath bool // show the despawn animation of a dead unit
}

// Wire walks the body.
func (m *DestroyObject) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.Bool(c, &m.OnDeath)
}
