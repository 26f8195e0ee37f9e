package login

import "muster/net/protocol/wire"

// A Realm is one line of the list from which the player picks a world.
type Realm struct {
	ID         uint8  // which the client repeats to the world server; default 1, which AzerothGhost takes for granted
	Name       string // at most MaxText bytes
	Address    string // "host:port", as the client will dial it; at most MaxText bytes
	Type       uint8  // 0 normal, 1 PvP, 6 RP, 8 RP-PvP
	Locked     bool   // 12340 only
	Flags      uint8  // RealmOffline and the like
	Population float32
	Characters uint8 // which the account has there; the server fills it
	Category   uint8 // the tab it is listed under; default 1
	Version    [3]uint8
	Build      wire.Version // like Version: only with RealmBuild
}

// Wire walks one entry of the list.
func (m *Realm) Wire(c *wire.Codec) {
	if c.Version >= wire.V12340 {
		wire.U8(c, &m.Type)
		wire.Bool(c, &m.Locked)
	} else {
		kind := uint32(m.Type)
		wire.U32(c, &kind)
		m.Type = uint8(kind)
	}
	wire.U8(c, &m.Flags)
	wire.CString(c, &m.Name, MaxText)
	wire.CString(c, &m.Address, MaxText)
	wire.F32(c, &m.Population)
	wire.U8(c, &m.Characters)
	wire.U8(c, &m.Category)
	wire.U8(c, &m.ID)
	if c.Version >= wire.V12340 && m.Flags&RealmBuild != 0 {
		wire.Fixed(c, m.Version[:])
		wire.U16(c, &m.Build)
	}
}

// RealmList answers a RealmListRequest.
type RealmList struct{ Realms []Realm }

// Wire walks the packet. Reading, a size that the realms do not fill is wire.ErrValue.
func (m *RealmList) Wire(c *wire.Codec) {
	constant(c, CommandRealmList)
	if !c.Reading() {
		body := wire.NewWriter(c.Version, nil)
		m.body(&body)
		size := uint16(len(body.Bytes()))
		wire.U16(c, &size)
		wire.Fixed(c, body.Bytes())
		c.Fail(body.Err())
		return
	}
	var size uint16
	if wire.U16(c, &size); c.Rest() < int(size) {
		c.Fail(wire.ErrShort)
	}
	if c.Err() != nil {
		return
	}
	b := make([]byte, size)
	wire.Fixed(c, b)
	body := wire.NewReader(c.Version, b)
	if m.body(&body); body.Err() != nil || body.Rest() > 0 {
		c.Fail(wire.ErrValue)
	}
}

// body walks what the size counts. Clients ignore the footer.
//
// Source: AuthSession::RealmListCallback, AzerothCore; AuthSocket::LoadRealmlist, vmangos.
func (m *RealmList) body(c *wire.Codec) {
	var unused uint32
	footer := uint16(0x0010)
	wire.U32(c, &unused)
	if c.Version >= wire.V12340 {
		wire.Slice[uint16](c, &m.Realms, MaxRealms, func(c *wire.Codec, r *Realm) { r.Wire(c) })
	} else {
		footer = 0x0002
		wire.Slice[uint8](c, &m.Realms, MaxRealms, func(c *wire.Codec, r *Realm) { r.Wire(c) })
	}
	wire.U16(c, &footer)
}
