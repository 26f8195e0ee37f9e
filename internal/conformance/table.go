package conformance

import (
	"math/bits"

	"muster/net/protocol/msg"
)

// entry is what the client keeps of one object in every case: a cache line.
type entry struct {
	guid         uint64 // 0: the slot is free
	x, y, z, o   float32
	goalX, goalY float32 // where its last path ends
	flags        msg.MoveFlags
	unitFlags    uint32
	npcFlags     uint32
	health       uint32 // as of its last values
	maxHealth    uint32

	// announced is how much damage has been announced since the last values of health; below zero, how much those
	// have subtracted that had not been announced.
	announced int32

	faction uint16
	typeID  uint8
	level   uint8
	dynamic uint8 // the low byte of the dynamic flags
	state   entryState
}

// entryState holds what is true of an object.
type entryState uint8

const (
	stateSlain entryState = 1 << iota // a hit has taken more than it had, and no values have restored it since
	stateGhost                        // by its player flags
	stateAgain                        // it was created a second time, and is the client's own
)

// table maps guids to entries: open addressing with linear probing, at most three quarters full, no tombstones. The
// zero value is empty. Pointers into it are good until the next insert or remove.
type table struct {
	slots []entry // a power of two long
	n     int
}

// home is the first slot of a guid's probe sequence. Guids of one kind differ in their low bits only, so they are
// spread by Fibonacci hashing.
func (t *table) home(guid uint64) int {
	return int(guid * 0x9E3779B97F4A7C15 >> (64 - bits.TrailingZeros(uint(len(t.slots)))))
}

// index is the slot of a guid, or -1.
func (t *table) index(guid uint64) int {
	if t.n == 0 || guid == 0 {
		return -1
	}
	mask := len(t.slots) - 1
	for i := t.home(guid); ; i = (i + 1) & mask {
		switch t.slots[i].guid {
		case guid:
			return i
		case 0:
			return -1
		}
	}
}

func (t *table) find(guid uint64) *entry {
	if i := t.index(guid); i >= 0 {
		return &t.slots[i]
	}
	return nil
}

// insert adds a guid that is neither 0 nor in the table.
func (t *table) insert(e entry) {
	if 4*(t.n+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]entry, max(16, 2*len(old)))
		for i := range old {
			if old[i].guid != 0 {
				t.place(old[i])
			}
		}
	}
	t.place(e)
	t.n++
}

func (t *table) place(e entry) {
	mask := len(t.slots) - 1
	i := t.home(e.guid)
	for t.slots[i].guid != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = e
}

// remove reports whether the guid was there. What follows in the same run of slots moves up to fill the hole.
func (t *table) remove(guid uint64) bool {
	hole := t.index(guid)
	if hole < 0 {
		return false
	}
	mask := len(t.slots) - 1
	for i := (hole + 1) & mask; t.slots[i].guid != 0; i = (i + 1) & mask {
		// The entry at i may fill the hole unless its home is after the hole.
		if (i-t.home(t.slots[i].guid))&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = entry{}
	t.n--
	return true
}

// clear forgets all entries and keeps the memory.
func (t *table) clear() {
	clear(t.slots)
	t.n = 0
}
