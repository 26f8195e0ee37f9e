package conformance

import (
	"cmp"
	"iter"
	"slices"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Object is a copy of what the client knows of one object.
type Object struct {
	GUID       uint64
	TypeID     uint8
	X, Y, Z, O float32 // as of the last create, relayed move, or start of a path
	Flags      msg.MoveFlags
	Words      []uint32
	Goal       wire.Vec3 // end of the last path; with Config.Keep
	PathMs     uint32    // its duration, 0 if there is none or it was stopped; with Config.Keep
}

// detail is the part of an object that is kept only if Config.Keep is set.
type detail struct {
	words  []uint32
	goal   wire.Vec3
	pathMs uint32
}

// set stores one field word.
func (d *detail) set(index uint16, value uint32) {
	if grow := int(index) + 1 - len(d.words); grow > 0 {
		d.words = append(d.words, make([]uint32, grow)...)
	}
	d.words[index] = value
}

// Len is how many objects the client knows, itself included.
func (c *Client) Len() int { return c.objects.n }

// Knows reports whether an object was created and is not gone.
func (c *Client) Knows(guid uint64) bool { return c.objects.find(guid) != nil }

// GUIDs are those of all known objects, including the client's own, in no particular order.
func (c *Client) GUIDs() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range c.objects.slots {
			if guid := c.objects.slots[i].guid; guid != 0 && !yield(guid) {
				return
			}
		}
	}
}

// Object is one object. Words, indexed by field number, is empty unless Config.Keep is set, and is not to be changed;
// fields beyond it, and those never sent, are zero.
func (c *Client) Object(guid uint64) (Object, bool) {
	e := c.objects.find(guid)
	if e == nil {
		return Object{}, false
	}
	return c.object(e), true
}

// Objects is all of them, sorted by guid.
func (c *Client) Objects() []Object {
	all := make([]Object, 0, c.objects.n)
	for i := range c.objects.slots {
		if e := &c.objects.slots[i]; e.guid != 0 {
			all = append(all, c.object(e))
		}
	}
	slices.SortFunc(all, func(a, b Object) int { return cmp.Compare(a.GUID, b.GUID) })
	return all
}

func (c *Client) object(e *entry) Object {
	o := Object{GUID: e.guid, TypeID: e.typeID, X: e.x, Y: e.y, Z: e.z, O: e.o, Flags: e.flags}
	if d := c.details[e.guid]; d != nil {
		o.Words, o.Goal, o.PathMs = d.words, d.goal, d.pathMs
	}
	return o
}

// Self is the client's own object, once it was created.
func (c *Client) Self() (Object, bool) { return c.Object(c.self) }

// RunSpeed is the speed in the client's own create block, in yards per second; 0 before that.
func (c *Client) RunSpeed() float32 { return c.speed }
