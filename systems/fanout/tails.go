package fanout

import "muster/ecs"

// tailBytes is the room for the tail of one create block: nine speeds, the mask and some fifty words. A longer one is
// not kept.
const tailBytes = 256

// tails caches the tails of create blocks: all that follows the movement, and so all that stays the same from tick to
// tick until the entity is dirty. A cell that comes into view then costs a copy for each of its residents. There is a
// place for each entity that was ever shown, in one piece of memory without pointers.
type tails struct {
	place []uint32 // by entity id, plus one; 0 for none
	size  []uint16 // by place; 0 for out of date
	bytes []byte   // tailBytes for each place
}

// of is an entity's tail, nil if it is out of date. The slice belongs to t.
func (t *tails) of(e ecs.Entity) []byte {
	at, ok := t.find(e)
	if !ok || t.size[at] == 0 {
		return nil
	}
	return t.bytes[at*tailBytes:][:t.size[at]]
}

// keep stores a copy of an entity's tail.
func (t *tails) keep(e ecs.Entity, tail []byte) {
	if len(tail) > tailBytes {
		return
	}
	at, ok := t.find(e)
	if !ok {
		if n := int(e.ID()) + 1 - len(t.place); n > 0 {
			t.place = append(t.place, make([]uint32, n)...)
		}
		at = len(t.size)
		t.place[e.ID()] = uint32(at) + 1
		t.size = append(t.size, 0)
		t.bytes = append(t.bytes, make([]byte, tailBytes)...)
	}
	t.size[at] = uint16(copy(t.bytes[at*tailBytes:], tail))
}

// outdate discards an entity's tail, but not its place: the next entity of its id uses it.
func (t *tails) outdate(e ecs.Entity) {
	if at, ok := t.find(e); ok {
		t.size[at] = 0
	}
}

func (t *tails) find(e ecs.Entity) (place int, ok bool) {
	if int(e.ID()) >= len(t.place) || t.place[e.ID()] == 0 {
		return 0, false
	}
	return int(t.place[e.ID()]) - 1, true
}
