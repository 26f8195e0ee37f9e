package database

import (
	"slices"
	"sync"

	"muster/components/life"
)

// A knownItems has the items of characters as they were read or written last, each with their revision. It has those of
// keepKnown characters that were used last at least, and of twice as many at most, at some 1 kB each.
type knownItems struct {
	mu         sync.Mutex
	young, old map[uint64]revised
}

// keepKnown is how many characters may be in worlds before saves have to read the rows of their items.
const keepKnown = 16_384

// revised are items as of a revision. The list does not change any more.
type revised struct {
	revision int64
	items    []life.Item
}

func newKnownItems() *knownItems {
	return &knownItems{young: make(map[uint64]revised)}
}

// of returns the items of a character, if they are known as of a revision.
func (k *knownItems) of(guid uint64, revision int64) (items []life.Item, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, ok := k.find(guid)
	if !ok || r.revision != revision {
		return nil, false
	}
	return r.items, true
}

func (k *knownItems) find(guid uint64) (r revised, ok bool) {
	if r, ok = k.young[guid]; ok {
		return r, true
	}
	if r, ok = k.old[guid]; ok {
		k.put(guid, r)
	}
	return r, ok
}

// put makes a character the one that was used last.
func (k *knownItems) put(guid uint64, r revised) {
	if _, again := k.young[guid]; !again && len(k.young) == keepKnown {
		k.old, k.young = k.young, make(map[uint64]revised, keepKnown)
	}
	k.young[guid] = r
}

// wrote learns what was written. The list must not change any more.
func (k *knownItems) wrote(guid uint64, revision int64, items []life.Item) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.put(guid, revised{revision, items})
}

// read learns what was read. The list may change.
func (k *knownItems) read(guid uint64, revision int64, items []life.Item) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.find(guid); !ok || r.revision != revision || !slices.Equal(r.items, items) {
		k.put(guid, revised{revision, slices.Clone(items)})
	}
}

// forget forgets the items of characters: the rows are not as they were written.
func (k *knownItems) forget(guids []uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, guid := range guids {
		delete(k.young, guid)
		delete(k.old, guid)
	}
}
