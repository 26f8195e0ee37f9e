package conformance

import (
	"math/bits"

	"muster/net/protocol/wire"
)

// A server sends the same bytes to all clients that know a mover. They are decoded for the first of them; for each other
// client of the decoder it is enough that the bytes are equal, and that the client knows the mover.

// A relay is a movement of one mover that was found valid and is short, as it was on the wire: the last of those with
// opcodes of one way.
type relay struct {
	note   int64 // what Config.Moved has returned for it
	next   int32 // the relay that came after this one the last time
	op     uint16
	length uint8
	body   [mostRelay]byte
}

// mostRelay is the longest movement that is kept: one without any of the parts that flags call for.
//
// Source: protocol.md 4.1 and 4.3.
const mostRelay = 9 + 30

// holds reports whether a packet is this movement again.
func (r *relay) holds(op uint16, payload []byte) bool {
	return r.op == op && string(r.body[:r.length]) == string(payload)
}

// ways is how many relays a mover has. By the low bits of its opcode a movement has one of them, so that those which a
// mover sends together do not replace each other: MSG_MOVE_SET_FACING and a start.
const ways = 4

// relays are those of the movers of all clients of a decoder. Movers are numbered from 0 in the order in which they were first
// relayed; their relays are adjacent.
type relays struct {
	all  []relay
	last int32 // the relay that came last

	// slots finds the number of a guid by open addressing with linear probing, at most half full.
	slots []relaySlot // a power of two long
}

type relaySlot struct {
	guid   uint64 // 0: free
	number int32
}

// find is where the guid's number is, or belongs. There must be slots.
func (r *relays) find(guid uint64) *relaySlot {
	mask := len(r.slots) - 1
	for i := int(guid * 0x9E3779B97F4A7C15 >> (64 - bits.TrailingZeros(uint(len(r.slots))))); ; i = (i + 1) & mask {
		if s := &r.slots[i&mask]; s.guid == guid || s.guid == 0 {
			return s
		}
	}
}

// number is that of a mover; ok is false for one that was never relayed.
func (r *relays) number(guid uint64) (number int32, ok bool) {
	if len(r.slots) == 0 || guid == 0 {
		return 0, false
	}
	s := r.find(guid)
	return s.number, s.guid != 0
}

// enroll gives a mover its number, if it has none.
func (r *relays) enroll(guid uint64) int32 {
	if number, ok := r.number(guid); ok {
		return number
	}
	if 2*(len(r.all)/ways+1) > len(r.slots) {
		old := r.slots
		r.slots = make([]relaySlot, max(16, 2*len(old)))
		for _, s := range old {
			if s.guid != 0 {
				*r.find(s.guid) = s
			}
		}
	}
	number := int32(len(r.all) / ways)
	*r.find(guid) = relaySlot{guid, number}
	r.all = append(r.all, make([]relay, ways)...)
	return number
}

// keep remembers a valid movement of a mover, and what was noted on it. A longer one is decoded each time.
func (r *relays) keep(number int32, op uint16, payload []byte, note int64) {
	if e := &r.all[number*ways+int32(op%ways)]; len(payload) <= mostRelay {
		e.op, e.note, e.length = op, note, uint8(copy(e.body[:], payload))
	}
}

// match is the relay that a packet has the opcode and the bytes of. Movers mostly come to each client in the same order, so
// the one that followed last time is looked at first.
func (r *relays) match(op uint16, payload []byte) (i int32, ok bool) {
	if len(r.all) == 0 {
		return 0, false
	}
	last := &r.all[r.last]
	i = last.next
	if !r.all[i].holds(op, payload) {
		guid, _ := wire.ReadPackedGUID(payload)
		number, ok := r.number(guid)
		if i = number*ways + int32(op%ways); !ok || !r.all[i].holds(op, payload) {
			return 0, false
		}
		last.next = i
	}
	r.last = i
	return i, true
}

// Again does what Packet does, for a movement of a mover that this client knows whose bytes were found valid before; it
// reports whether the packet was one. That is never so without Config.Again.
func (c *Client) Again(op uint16, payload []byte) bool {
	d := c.decoder
	i, ok := d.relays.match(op, payload)
	if !ok || !c.movers.has(i/ways) {
		return false
	}
	d.config.Again(d.relays.all[i].note)
	return true
}

// A numbers is a set of small numbers.
type numbers []uint64

func (n numbers) has(i int32) bool {
	word := int(uint32(i) / 64)
	return word < len(n) && n[word]>>(uint32(i)%64)&1 != 0
}

func (n *numbers) add(i int32) {
	word := int(uint32(i) / 64)
	if grow := word + 1 - len(*n); grow > 0 {
		*n = append(*n, make([]uint64, grow)...)
	}
	(*n)[word] |= 1 << (uint32(i) % 64)
}

func (n numbers) remove(i int32) {
	if word := int(uint32(i) / 64); word < len(n) {
		n[word] &^= 1 << (uint32(i) % 64)
	}
}
