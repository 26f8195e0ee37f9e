package database

import "sync"

// A knownRows has the rows of characters as they were read or written last, each with their revision. It has those of
// keepKnown characters that were used last at least, and of twice as many at most, at some 2 kB each.
type knownRows struct {
	mu         sync.Mutex
	young, old map[uint64]revised
}

// keepKnown is how many characters may be in worlds before saves have to read their rows.
const keepKnown = 16_384

// revised are rows as of a revision. The lists do not change any more.
type revised struct {
	revision int64
	rowLists
}

func newKnownRows() *knownRows {
	return &knownRows{young: make(map[uint64]revised)}
}

// of returns the rows of a character, if they are known as of a revision.
func (k *knownRows) of(guid uint64, revision int64) (l rowLists, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, ok := k.find(guid)
	if !ok || r.revision != revision {
		return rowLists{}, false
	}
	return r.rowLists, true
}

func (k *knownRows) find(guid uint64) (r revised, ok bool) {
	if r, ok = k.young[guid]; ok {
		return r, true
	}
	if r, ok = k.old[guid]; ok {
		k.put(guid, r)
	}
	return r, ok
}

// put makes a character the one that was used last.
func (k *knownRows) put(guid uint64, r revised) {
	if _, again := k.young[guid]; !again && len(k.young) == keepKnown {
		k.old, k.young = k.young, make(map[uint64]revised, keepKnown)
	}
	k.young[guid] = r
}

// wrote learns what was written. The lists must not change any more.
func (k *knownRows) wrote(guid uint64, revision int64, l rowLists) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.put(guid, revised{revision, l})
}

// read learns what was read. The lists may change.
func (k *knownRows) read(guid uint64, revision int64, l rowLists) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.find(guid); !ok || r.revision != revision || !r.equal(&l) {
		k.put(guid, revised{revision, l.clone()})
	}
}

// forget forgets the rows of characters: they are not as they were written.
func (k *knownRows) forget(guids []uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, guid := range guids {
		delete(k.young, guid)
		delete(k.old, guid)
	}
}
