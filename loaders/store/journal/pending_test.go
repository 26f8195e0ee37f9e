package journal

import (
	"slices"
	"testing"

	"muster/components/life"
	"muster/loaders/store"
)

func newPending() *pending {
	p := new(pending)
	p.init()
	return p
}

func snapshot(guid, version, since uint64, told life.Set) *store.Snapshot {
	return &store.Snapshot{Character: store.Character{GUID: guid, Account: uint32(guid % 10), Name: "Anna", Version: version}, Since: since, Lists: told}
}

// A note gathers what is new since the disk had it: the oldest version, and all lists. A snapshot that is not newer changes nothing.
func TestLearn(t *testing.T) {
	p := newPending()
	if !p.learn(snapshot(11, 5, 4, life.Spells)) || !p.learn(snapshot(11, 7, 5, life.Items)) {
		t.Error("a newer snapshot is not learned")
	}
	if p.learn(snapshot(11, 7, 5, life.Auras)) || p.learn(snapshot(11, 6, 5, life.Auras)) {
		t.Error("a snapshot is learned that is not newer")
	}
	e := p.all[11]
	if e.now.Version != 7 || e.since != 4 || e.lists != life.Spells|life.Items || e.has != life.All || e.written() {
		t.Errorf("%+v", e)
	}
	if !slices.Equal(p.unwritten, []*entry{e}) || !slices.Equal(p.queue, []*entry{e}) {
		t.Errorf("%d wait for the disk, and %d for the store", len(p.unwritten), len(p.queue))
	}
	e.note, e.noted = note{}, false // the disk has it
	if !e.written() {
		t.Error("it is not written")
	}
	if e.flushing = true; e.written() {
		t.Error("it is written while it is being written")
	}
	next := snapshot(11, 9, 7, 0)
	next.Account = 99
	e.left = true
	if !p.learn(next) || e.since != 7 || e.lists != 0 || e.now.Account != 1 || e.left || len(p.unwritten) != 2 {
		t.Errorf("%+v", e)
	}
}

// A dropped entry is nowhere any more; others of its account are.
func TestDrop(t *testing.T) {
	p := newPending()
	for _, guid := range []uint64{11, 21, 31, 12} {
		p.learn(snapshot(guid, 2, 1, 0))
	}
	seg := new(segment)
	e := p.all[21]
	e.old, e.next = seg.need(), seg.need()
	p.drop(e)
	p.drop(e)
	if p.all[21] != nil || len(p.all) != 3 || !slices.Equal(p.byAccount[1], []*entry{p.all[11], p.all[31]}) || seg.live.Load() != 0 || !e.gone {
		t.Errorf("%d are left, %d of the account, and %d need the segment", len(p.all), len(p.byAccount[1]), seg.live.Load())
	}
	p.drop(p.all[12])
	if _, ok := p.byAccount[2]; ok {
		t.Error("an account without entries is left")
	}
	if got := p.dequeue(9, (*entry).written); len(got) != 0 || len(p.queue) != 2 {
		t.Errorf("%d are ready, and %d in the queue", len(got), len(p.queue))
	}
}

// The queue gives the first that are ready, in its order, and leaves the others in theirs.
func TestQueue(t *testing.T) {
	p := newPending()
	var all []*entry
	for guid := range uint64(6) {
		p.learn(snapshot(guid, 2, 1, 0))
		all = append(all, p.all[guid])
	}
	ready := func(e *entry) bool { return e.now.GUID%2 == 1 }
	if got := p.dequeue(2, ready); !slices.Equal(got, []*entry{all[1], all[3]}) || all[1].queued || !all[5].queued {
		t.Errorf("%d are taken", len(got))
	}
	if want := []*entry{all[0], all[2], all[4], all[5]}; !slices.Equal(p.queue, want) {
		t.Errorf("%d are left", len(p.queue))
	}
	p.enqueue(all[0], all[3], all[3])
	p.drop(all[1])
	p.enqueue(all[1])
	if want := []*entry{all[0], all[2], all[4], all[5], all[3]}; !slices.Equal(p.queue, want) {
		t.Errorf("then %d are in the queue", len(p.queue))
	}
	if got := p.dequeue(0, ready); len(got) != 0 || len(p.queue) != 5 {
		t.Errorf("%d of none are taken", len(got))
	}
}

// An entry needs the oldest segment with a record of it; of what is written while the store is given a version, the oldest after that.
func TestEntriesNeedSegments(t *testing.T) {
	a, b, c := new(segment), new(segment), new(segment)
	live := func(what string, want ...int32) {
		t.Helper()
		if got := []int32{a.live.Load(), b.live.Load(), c.live.Load()}; !slices.Equal(got, want) {
			t.Errorf("%s: %v need the segments, want %v", what, got, want)
		}
	}
	var e entry
	e.writtenTo(a)
	e.writtenTo(b)
	live("written twice", 1, 0, 0)
	e.taken = 5
	e.writtenTo(b)
	e.writtenTo(c)
	live("written while it is stored", 1, 1, 0)
	e.stored(false)
	live("not stored", 1, 0, 0)
	if e.taken != 0 || e.old != a || e.next != nil {
		t.Errorf("%+v", e)
	}
	e.taken = 6
	e.writtenTo(c)
	e.stored(true)
	live("stored", 0, 0, 1)
	if e.taken != 0 || e.old != c || e.next != nil {
		t.Errorf("%+v", e)
	}
	e.taken = 7
	e.stored(true)
	live("stored again", 0, 0, 0)
	e.taken = 8
	e.writtenTo(b) // for the first time
	e.stored(false)
	live("not stored, and written meanwhile", 0, 1, 0)
	e.letGo()
	live("let go", 0, 0, 0)
	if e.old != nil || e.next != nil {
		t.Errorf("%+v", e)
	}
}

// What is pending lies over the stored character, unless that is newer, another, or too old.
func TestOver(t *testing.T) {
	stored := store.Character{GUID: 1, Account: 2, Name: "Anna", Version: 10, X: 1}
	stored.Spells, stored.Actions = []uint32{1}, []life.Action{{Button: 1}}
	now := store.Character{GUID: 1, Account: 2, Name: "Anna", Version: 15, X: 2}
	now.Spells = []uint32{2, 3}
	for _, c := range []struct {
		name    string
		stored  uint64 // version
		entry   entry
		change  func(*entry)
		ok      bool
		x       float32
		spells  int
		actions int
	}{
		{name: "all of it", stored: 10, entry: entry{has: life.All}, ok: true, x: 2, spells: 2},
		{name: "some lists", stored: 10, entry: entry{has: life.Spells, base: 10}, ok: true, x: 2, spells: 2, actions: 1},
		{name: "no lists", stored: 12, entry: entry{base: 10}, ok: true, x: 2, spells: 1, actions: 1},
		{name: "a change is missing", stored: 9, entry: entry{has: life.Spells, base: 10}, x: 1, spells: 1, actions: 1},
		{name: "all of it, over an older one", stored: 9, entry: entry{has: life.All, base: 10}, ok: true, x: 2, spells: 2},
		{name: "the same", stored: 15, entry: entry{has: life.All}, ok: true, x: 1, spells: 1, actions: 1},
		{name: "a newer one", stored: 16, entry: entry{has: life.All}, ok: true, x: 1, spells: 1, actions: 1},
		{name: "of a process before", stored: 10, entry: entry{has: life.All, left: true}, ok: true, x: 2, spells: 2},
		{name: "of a process before, by another name", stored: 10, entry: entry{has: life.All, left: true}, change: func(e *entry) { e.now.Name = "Bert" }, x: 1, spells: 1, actions: 1},
		{name: "of a process before, of another account", stored: 10, entry: entry{has: life.All, left: true}, change: func(e *entry) { e.now.Account = 3 }, x: 1, spells: 1, actions: 1},
		{name: "by another name", stored: 10, entry: entry{has: life.All}, change: func(e *entry) { e.now.Name = "Bert" }, ok: true, x: 2, spells: 2},
	} {
		c.entry.now = now
		if c.change != nil {
			c.change(&c.entry)
		}
		below := stored
		below.Version = c.stored
		got, ok := c.entry.over(&below)
		if ok != c.ok || got.X != c.x || len(got.Spells) != c.spells || len(got.Actions) != c.actions || got.Name != "Anna" || got.Account != 2 {
			t.Errorf("%s: %v, %+v", c.name, ok, got)
		}
	}
}

// A record of a process before continues what is known of its character, or needs one that is missing.
func TestRelearn(t *testing.T) {
	p, seg := newPending(), new(segment)
	rec := func(version, since uint64, told life.Set) *record {
		return &record{since: since, lists: told, now: snapshot(11, version, since, told).Character}
	}
	for _, c := range []struct {
		name           string
		version, since uint64
		told           life.Set
		ok             bool
		at             uint64 // version afterwards
		has            life.Set
	}{
		{"the first", 5, 4, life.Spells, true, 5, life.Spells},
		{"an older one", 4, 3, life.Items, true, 5, life.Spells},
		{"the same", 5, 3, life.Items, true, 5, life.Spells},
		{"the next", 6, 5, life.Items, true, 6, life.Spells | life.Items},
		{"one that begins earlier", 8, 4, life.Auras, true, 8, life.Spells | life.Items | life.Auras},
		{"one that begins later", 12, 9, life.Actions, false, 8, life.Spells | life.Items | life.Auras},
		{"a whole one", 13, 9, life.All, true, 13, life.All},
	} {
		ok := p.relearn(rec(c.version, c.since, c.told), seg)
		if e := p.all[11]; ok != c.ok || e.now.Version != c.at || e.has != c.has || e.base != 4 || !e.left || e.old != seg || seg.live.Load() != 1 {
			t.Errorf("%s: %v, %+v", c.name, ok, e)
		}
	}
	if len(p.queue) != 0 || len(p.unwritten) != 0 || len(p.byAccount[1]) != 1 {
		t.Errorf("%d wait for the store, and %d for the disk", len(p.queue), len(p.unwritten))
	}
}
