package frame

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Operations of a gateway on a world. They share a field with the opcodes of packets, which stay below
// 0x51F.
const (
	// OpEnter brings a player in; the body is a Character. If the world has that character, it gets the session and stays as it is.
	OpEnter uint16 = 0xFF00 + iota
	// OpLeave takes a player out at once; the body is empty.
	OpLeave
	// OpArrive is OpEnter for a player that comes from another map, without having been on the character
	// screen.
	OpArrive
	// OpLease gives the world GUIDs for items; the body is a Lease, the session NoSession.
	OpLease
	// OpCommand asks the world for something in the name of an operator; the body is a Command. The session is that
	// of the player that it is about, or NoSession.
	OpCommand
	// OpDrop reports that a player's connection has ended without a logout; the body is empty. The player leaves at once
	// if it is out of combat, and otherwise when its combat ends, or soon.
	OpDrop
	// OpGateway notes for the log of a world what its end knows of a gateway; the session is NoSession. Worlds do not read it.
	OpGateway
	// OpDate gives the world the date; the body is a Date, the session NoSession.
	OpDate
	// OpResume reports that a player that is in the world has another connection, of the same session; the body is a Character, of which
	// only the GUID and what is set on the way in count. If the player has left meanwhile, it does nothing.
	OpResume
	// OpAbandon is OpDrop for a player whose gateway has ended: it stays for as long as a fight may keep it, also out of combat. The
	// body is empty.
	OpAbandon
	// OpReload replaces a part of the world's definitions; the body is a Reload, the session NoSession.
	OpReload
	// OpRefresh reports that a player's client has missed what happened in cells for longer than frames are kept: it is sent all that it sees anew.
	// The body is empty.
	OpRefresh
	// OpHandOver has all players leave the world as for another map, each to be where it is in the world that has the map next: that of another process. The
	// body is empty, the session NoSession. Gateways do not send it.
	OpHandOver
)

// An Item is one thing that arrived for a world.
type Item struct {
	Session uint32
	AtMs    uint32 // arrival, milliseconds of the world's clock
	Op      uint16
	Body    []byte // belongs to the inbox
}

// MaxInbox bounds the bytes of an inbox: 10,000 players at 100 packets of 60 bytes in one tick. Packets leave
// room for operations, and OpEnter leaves room for OpLeave and OpDrop. While a world does not read, a player enters once
// and leaves once at most; so the room for leaving suffices for 174,000 players.
const (
	MaxInbox   = 64 << 20
	maxEnters  = MaxInbox - 2<<20 // where OpEnter is refused
	maxPackets = MaxInbox - 8<<20 // where packets are refused
)

// ErrInboxFull says that an item was not added because the inbox has no room for its kind.
var ErrInboxFull = errors.New("frame: inbox is full")

// ErrInbox is returned for bytes that are not an inbox.
var ErrInbox = errors.New("frame: malformed inbox")

// itemHeader is session u32, arrival u32, operation u16, body length u16.
const itemHeader = 12

// An Inbox is what a world reads in one tick, as bytes: a log of inboxes replays a world. The zero
// Inbox is empty.
type Inbox struct {
	buf   []byte
	items []uint32 // offsets into buf
	keys  []uint64 // of items while they are sealed: session, then offset
}

// Add appends an item whose body is at most 65,535 bytes, which it copies. Where packets are refused there is
// still room for operations, and where OpEnter is refused there is for OpLeave.
func (in *Inbox) Add(it Item) error {
	limit := maxPackets
	switch it.Op {
	case OpEnter, OpArrive, OpResume, OpCommand, OpDate, OpReload, OpRefresh:
		limit = maxEnters
	case OpLeave, OpDrop, OpAbandon, OpLease, OpGateway, OpHandOver:
		limit = MaxInbox
	}
	if len(in.buf)+itemHeader+len(it.Body) > limit || len(it.Body) > 0xFFFF {
		return ErrInboxFull
	}
	in.items = append(in.items, uint32(len(in.buf)))
	in.buf = binary.LittleEndian.AppendUint32(in.buf, it.Session)
	in.buf = binary.LittleEndian.AppendUint32(in.buf, it.AtMs)
	in.buf = binary.LittleEndian.AppendUint16(in.buf, it.Op)
	in.buf = binary.LittleEndian.AppendUint16(in.buf, uint16(len(it.Body)))
	in.buf = append(in.buf, it.Body...)
	return nil
}

// AddAll appends every item of another inbox, or none. An empty inbox has room for any other.
func (in *Inbox) AddAll(o *Inbox) error {
	if len(in.buf)+len(o.buf) > MaxInbox {
		return ErrInboxFull
	}
	base := uint32(len(in.buf))
	in.buf = append(in.buf, o.buf...)
	for _, at := range o.items {
		in.items = append(in.items, base+at)
	}
	return nil
}

// Len is the number of items.
func (in *Inbox) Len() int { return len(in.items) }

// Size is what the items take, in bytes.
func (in *Inbox) Size() int { return len(in.buf) }

// At is the i-th item.
func (in *Inbox) At(i int) (it Item) {
	in.Read(i, &it)
	return it
}

// Read makes it the i-th item, in place.
func (in *Inbox) Read(i int, it *Item) {
	b := in.buf[in.items[i]:]
	n := int(binary.LittleEndian.Uint16(b[10:]))
	it.Session = binary.LittleEndian.Uint32(b)
	it.AtMs = binary.LittleEndian.Uint32(b[4:])
	it.Op = binary.LittleEndian.Uint16(b[8:])
	it.Body = b[itemHeader : itemHeader+n : itemHeader+n]
}

// Seal puts the items in the order in which a world reads them: by session, then by arrival. Gateways
// add the items of one session in the order of their arrival.
func (in *Inbox) Seal() {
	in.keys = in.keys[:0]
	last, sorted := uint64(0), true
	for _, at := range in.items { // most often one gateway has added all, and it may go from session to session
		k := uint64(binary.LittleEndian.Uint32(in.buf[at:]))<<32 | uint64(at)
		in.keys = append(in.keys, k)
		sorted = sorted && k >= last
		last = k
	}
	if sorted {
		return
	}
	slices.Sort(in.keys)
	for i, k := range in.keys {
		in.items[i] = uint32(k)
	}
}

// Reset empties the inbox and keeps its memory.
func (in *Inbox) Reset() { in.buf, in.items = in.buf[:0], in.items[:0] }

// AppendBinary appends the items in order, as UnmarshalBinary reads them.
func (in *Inbox) AppendBinary(b []byte) ([]byte, error) {
	b = slices.Grow(b, len(in.buf))
	for _, at := range in.items {
		item := in.buf[at:]
		b = append(b, item[:itemHeader+int(binary.LittleEndian.Uint16(item[10:]))]...)
	}
	return b, nil
}

// UnmarshalBinary replaces the items by those that AppendBinary wrote. It fails with ErrInbox, and then
// leaves the inbox empty.
func (in *Inbox) UnmarshalBinary(b []byte) error {
	in.Reset()
	if len(b) > MaxInbox {
		return ErrInboxFull
	}
	for at := 0; at < len(b); {
		if len(b)-at < itemHeader {
			in.Reset()
			return ErrInbox
		}
		n := itemHeader + int(binary.LittleEndian.Uint16(b[at+10:]))
		if len(b)-at < n {
			in.Reset()
			return ErrInbox
		}
		in.items = append(in.items, uint32(at))
		at += n
	}
	in.buf = append(in.buf, b...)
	return nil
}
