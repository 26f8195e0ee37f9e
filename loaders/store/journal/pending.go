package journal

import (
	"slices"

	"muster/components/life"
	"muster/loaders/store"
)

// pending are the characters whose newest version the store does not have, and what the disk does not have of them.
type pending struct {
	all       map[uint64]*entry
	byAccount map[uint32][]*entry
	queue     []*entry // for the store, in the order in which they changed
	unwritten []*entry // for the disk
}

// An entry is a character that is pending.
type entry struct {
	now store.Character // the last save, with the lists that it has
	has life.Set        // all, but for what a process before this one has left
	// The lists that it does not have are those of the stored character, if that is of version base at least: then no
	// change is missing. It is an orphan if the stored one is older.
	base uint64
	left bool // by a process before this one: maybe over another store

	note               // for the disk, if noted
	noted     bool     // in pending.unwritten
	flushing  bool     // it is being written
	queued    bool     // in pending.queue
	gone      bool     // no longer pending
	taken     uint64   // the version that the store is being given; 0 for none
	old, next *segment // the oldest with a record of it: of all, and of those written since it was taken
}

// A note is the next record of an entry: what is new since a version.
type note struct {
	since uint64
	lists life.Set
}

func (p *pending) init() {
	p.all = make(map[uint64]*entry)
	p.byAccount = make(map[uint32][]*entry)
}

// add makes an entry for a character that has none.
func (p *pending) add(e *entry) {
	p.all[e.now.GUID] = e
	p.byAccount[e.now.Account] = append(p.byAccount[e.now.Account], e)
}

// drop drops an entry: nothing of it is needed any more.
func (p *pending) drop(e *entry) {
	if e.gone {
		return
	}
	e.gone = true
	delete(p.all, e.now.GUID)
	of := slices.DeleteFunc(p.byAccount[e.now.Account], func(o *entry) bool { return o == e })
	if p.byAccount[e.now.Account] = of; len(of) == 0 {
		delete(p.byAccount, e.now.Account)
	}
	e.letGo()
}

// letGo makes an entry need no segment.
func (e *entry) letGo() {
	e.old.letGo()
	e.next.letGo()
	e.old, e.next = nil, nil
}

// writtenTo notes that an entry needs a segment, unless it needs an older one. While a version is being stored, it is
// not known which of them it is going to need after that.
func (e *entry) writtenTo(s *segment) {
	switch {
	case e.taken != 0 && e.next == nil:
		e.next = s.need()
	case e.taken == 0 && e.old == nil:
		e.old = s.need()
	}
}

// stored notes whether the store has taken the version that it was given.
func (e *entry) stored(has bool) {
	e.taken = 0
	if has || e.old == nil {
		e.old.letGo()
		e.old = e.next
	} else {
		e.next.letGo()
	}
	e.next = nil
}

// enqueue queues entries for the store.
func (p *pending) enqueue(entries ...*entry) {
	for _, e := range entries {
		if !e.queued && !e.gone {
			e.queued = true
			p.queue = append(p.queue, e)
		}
	}
}

// dequeue takes the first n entries that are ready.
func (p *pending) dequeue(n int, ready func(*entry) bool) (first []*entry) {
	p.queue = slices.DeleteFunc(p.queue, func(e *entry) bool {
		if len(first) == n || !e.gone && !ready(e) {
			return false
		}
		e.queued = false
		if !e.gone {
			first = append(first, e)
		}
		return true
	})
	return first
}

// written reports whether the disk has an entry as it is. A group gets to the store in pieces, and the disk must have
// all of it by then.
func (e *entry) written() bool { return !e.noted && !e.flushing }

// learn updates an entry from a snapshot, or makes one. It is false for one that is not newer.
func (p *pending) learn(s *store.Snapshot) bool {
	e := p.all[s.GUID]
	switch {
	case e == nil:
		e = &entry{now: s.Character, has: life.All}
		p.add(e)
	case s.Version <= e.now.Version:
		return false
	default:
		s.Account = e.now.Account // which is how it is filed
		e.now, e.has, e.left = s.Character, life.All, false
	}
	if !e.noted {
		e.note = note{since: s.Since}
	}
	e.lists |= s.Lists
	p.unwrite(e)
	p.enqueue(e)
	return true
}

// unwrite has an entry written to the disk.
func (p *pending) unwrite(e *entry) {
	if !e.noted {
		e.noted = true
		p.unwritten = append(p.unwritten, e)
	}
}

// over applies an entry to the stored character. It is not ok if that is another, or too old.
func (e *entry) over(stored *store.Character) (c store.Character, ok bool) {
	switch {
	case stored.Version >= e.now.Version:
		return *stored, true
	case e.left && (stored.Account != e.now.Account || stored.Name != e.now.Name):
		return *stored, false
	case e.has != life.All && stored.Version < e.base:
		return *stored, false
	}
	c = *stored
	c.Merge(&e.now, e.has)
	return c, true
}
