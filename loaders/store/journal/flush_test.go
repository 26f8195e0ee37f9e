package journal

import (
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/internal/metric"
	"muster/loaders/store"
)

// A round comes an interval after a save, a second after one that failed, and at once if a caller waits.
func TestRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		people := b.characters(t, 2)
		counts := new(metric.Table)
		j, _ := open(t, b, d, func(c *Config) { c.Metric, c.Interval = counts, 300*time.Millisecond })
		b.away.Store(true)
		after := func(wait time.Duration, syncs int32, failed uint64) {
			t.Helper()
			<-time.After(wait)
			synctest.Wait()
			if n, f := d.syncs.Load(), counts.Value("journal.sync_failed"); n != syncs || f != failed {
				t.Errorf("%d syncs and %d rounds that failed, want %d and %d", n, f, syncs, failed)
			}
		}
		j.Save([]store.Snapshot{step(&people[0], 0)}, nil)
		after(299*time.Millisecond, 0, 0)
		after(2*time.Millisecond, 1, 0)
		d.set(syscall.EIO, -1)
		j.Save([]store.Snapshot{step(&people[0], 0)}, nil)
		for wait := 0; counts.Value("journal.sync_failed") == 0; wait++ { // a round may have begun to wait before
			if wait == 301 {
				t.Fatal("no round has come")
			}
			<-time.After(time.Millisecond)
			synctest.Wait()
		}
		after(998*time.Millisecond, 1, 1)
		after(2*time.Millisecond, 1, 2)
		after(998*time.Millisecond, 1, 2)
		after(2*time.Millisecond, 1, 3)
		if !j.Degraded() || !j.Stats().Degraded || counts.Value("journal.full") != 0 {
			t.Errorf("degraded %v, %d times full", j.Degraded(), counts.Value("journal.full"))
		}
		d.set(nil, -1)
		after(time.Second, 2, 3)
		if j.Degraded() {
			t.Error("degraded, and the disk works")
		}
		soon := step(&people[1], 0)
		soon.Soon = true
		j.Save([]store.Snapshot{soon}, nil)
		after(0, 3, 3)
		done := false
		j.Save([]store.Snapshot{step(&people[1], 0)}, func() { done = true })
		if after(0, 4, 3); !done {
			t.Error("the disk has it, and its caller is not told")
		}
		done = false
		j.Save(nil, func() { done = true })
		if after(0, 4, 3); !done {
			t.Error("there is nothing to wait for, and its caller is not told")
		}
		b.away.Store(false)
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// What a round could not write is in the next record, with what has come since: since the oldest version, and with all lists.
func TestFailedRoundsAreWrittenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		c := b.characters(t, 1)[0]
		j, _ := open(t, b, d, func(c *Config) { c.Drain = time.Millisecond })
		b.away.Store(true)
		records := func() (all []record) {
			for _, name := range d.names() {
				if _, err := read(d.files[name].b, func(r *record) { all = append(all, *r) }); err != nil {
					t.Fatal(err)
				}
			}
			return all
		}
		d.set(syscall.EIO, -1)
		j.Save([]store.Snapshot{step(&c, life.Spells)}, nil) // from version 1 to 2
		<-time.After(201 * time.Millisecond)
		d.set(nil, -1)
		j.Save([]store.Snapshot{step(&c, life.Items)}, nil) // to 3
		<-time.After(2 * time.Second)
		j.Save([]store.Snapshot{step(&c, 0)}, nil) // to 4
		<-time.After(time.Second)
		all := records()
		if len(all) != 2 {
			t.Fatalf("%d records, want 2", len(all))
		}
		for i, want := range []record{
			{number: 1, last: true, since: 1, lists: life.Spells | life.Items}, {number: 2, last: true, since: 3},
		} {
			if r := all[i]; r.number != want.number || r.last != want.last || r.since != want.since || r.lists != want.lists || r.now.Version != uint64(3+i) {
				t.Errorf("record %d has number %d, since %d, lists %#x, version %d", i, r.number, r.since, r.lists, r.now.Version)
			}
		}
		j.Close()
	})
}

// Saves of one round are one group: its last record is marked, and no other.
func TestRoundsAreGroups(t *testing.T) {
	var round []writing
	for guid := range uint64(3) {
		round = append(round, writing{nil, record{since: 1, now: snapshot(guid, 2, 1, 0).Character}})
	}
	var numbers []uint64
	var last []bool
	var size int
	b := append(appendHead(nil, 7), encode(7, round)...)
	s, err := read(b, func(r *record) { numbers, last = append(numbers, r.number), append(last, r.last) })
	if err != nil || !slices.Equal(numbers, []uint64{7, 8, 9}) || !slices.Equal(last, []bool{false, false, true}) {
		t.Errorf("numbers %v, last %v, %v", numbers, last, err)
	}
	if s != (scan{first: 7, next: 10, good: len(b)}) {
		t.Errorf("%+v", s)
	}
	// Without the last record, nothing of it counts.
	_, size = parse(b[segmentHead:])
	s, err = read(b[:segmentHead+2*size], func(*record) { t.Error("a record of an incomplete group is read") })
	if err != nil || s != (scan{first: 7, next: 7, good: segmentHead, torn: 2 * size}) {
		t.Errorf("incomplete: %+v, %v", s, err)
	}
	// A record that is missing in between, and bytes that are none.
	one := func(number uint64) []byte { return encode(number, round[:1]) }
	b = slices.Concat(appendHead(nil, 1), one(1), one(4), []byte("damage"), one(5), []byte("end"))
	numbers = nil
	s, err = read(b, func(r *record) { numbers = append(numbers, r.number) })
	if err != nil || !slices.Equal(numbers, []uint64{1, 4, 5}) || s != (scan{first: 1, next: 6, good: len(b) - 3, torn: 3, damaged: 6, missing: 2}) {
		t.Errorf("numbers %v, %+v, %v", numbers, s, err)
	}
	// A head that is damaged.
	numbers = nil
	s, err = read(slices.Concat(make([]byte, segmentHead), one(8), one(9)), func(r *record) { numbers = append(numbers, r.number) })
	if err != nil || !slices.Equal(numbers, []uint64{8, 9}) || s.first != 0 || s.next != 10 || s.damaged != segmentHead || s.missing != 0 || s.torn != 0 {
		t.Errorf("without a head: numbers %v, %+v, %v", numbers, s, err)
	}
}

// Files are written anew when they are more than half of what they may be, or twice what they were then: so they hold
// little more than what is pending.
func TestFilesAreWrittenAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		people := b.characters(t, 10)
		j, _ := open(t, b, d, func(c *Config) { c.MaxBytes, c.Drain = 40_000, time.Millisecond })
		b.away.Store(true)
		save := func() (bytes int) {
			var all []store.Snapshot
			for i := range people {
				all = append(all, step(&people[i], 0))
			}
			j.Save(all, nil)
			<-time.After(time.Second)
			if n := j.Stats().Bytes; int(n) != d.size() {
				t.Errorf("%d bytes, and %d on the disk", n, d.size())
			}
			return d.size()
		}
		one := save() - segmentHead // of a round
		want := segmentHead + one
		for round := 2; round <= 200; round++ {
			if want += one; want > 20_000 { // a whole record has all lists: they are empty, and each takes a length
				want = segmentHead + one + len(people)*5*2
			}
			if got := save(); got != want {
				t.Fatalf("after round %d there are %d bytes, want %d", round, got, want)
			}
		}
		if j.Degraded() {
			t.Error("degraded")
		}
		b.away.Store(false)
		<-time.After(3 * time.Second)
		// Nothing is pending: the file stays open while it is small.
		if s := j.Stats(); s.Pending != 0 || s.Bytes > 20_000 {
			t.Errorf("%+v", s)
		}
		j.Close()
	})
}

// A report says what was found: what was torn is cut off, what is not a segment is left alone, and numbers go on after
// those of files that were put aside.
func TestReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		people := b.characters(t, 4)
		b.away.Store(true)
		since := people[0].Version
		one := func(number uint64, i int) []byte {
			s := step(&people[i], 0)
			return encode(number, []writing{{nil, record{since: s.Since, lists: life.All, now: s.Character}}})
		}
		put := func(name string, parts ...[]byte) {
			whole := slices.Concat(parts...)
			d.files[name] = &content{b: whole, synced: len(whole), named: true}
		}
		put(nameOf(3), appendHead(nil, 1), one(1, 0), one(2, 1))
		put(nameOf(5), appendHead(nil, 3), one(3, 0), []byte("torn"))
		put(nameOf(9)+corrupt, []byte("put aside before"))
		put("notes.txt", []byte("something else"))
		j, r := open(t, b, d, func(c *Config) { c.Drain = time.Millisecond })
		if r.Segments != 2 || r.Records != 3 || r.Characters != 2 || r.Torn != 4 || r.Orphans != 0 || len(r.Damage) != 0 {
			t.Errorf("%+v", r)
		}
		if got := len(d.files[nameOf(5)].b); got != segmentHead+len(one(3, 0)) {
			t.Errorf("the torn file has %d bytes", got)
		}
		if s := j.Stats(); s.Pending != 2 || s.Bytes != int64(len(d.files[nameOf(3)].b)+len(d.files[nameOf(5)].b)) {
			t.Errorf("%+v", s)
		}
		j.Save([]store.Snapshot{step(&people[2], 0)}, nil)
		<-time.After(time.Second)
		written := d.files[nameOf(10)]
		if written == nil {
			t.Fatalf("the next segment is one of %q", d.names())
		}
		if h, ok := parseHead(written.b); !ok || h.first != 4 {
			t.Errorf("the next segment begins with record %d, want 4", h.first)
		}
		j.Close()

		// Without the first segment two records are missing, which nobody can find damaged: only the second says so.
		d.files[nameOf(3)].b = nil
		b.away.Store(false)
		j, r = open(t, b, d, nil)
		if len(r.Damage) != 1 || r.Damage[0].Records != 2 || r.Damage[0].File != nameOf(5)+corrupt || r.Damage[0].Bytes != 0 {
			t.Errorf("%+v", r)
		}
		j.Close()
		if since != 1 {
			t.Errorf("the first version is %d", since)
		}
	})
}

// A file is followed by another when nothing is pending and it has a quarter of its size; then it goes. While something is
// pending, it is written on.
func TestIdleFilesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		c := b.characters(t, 1)[0]
		one := len(encode(1, []writing{{nil, record{now: c}}}))
		for _, segment := range []int{4 * (segmentHead + one), 4*(segmentHead+one) - 4} {
			j, _ := open(t, b, d, func(c *Config) { c.Segment = int64(segment) })
			b.away.Store(true)
			j.Save([]store.Snapshot{step(&c, 0)}, nil)
			<-time.After(5 * time.Second) // the store is asked again and again
			j.Save([]store.Snapshot{step(&c, 0)}, nil)
			<-time.After(5 * time.Second)
			names := d.names()
			if len(names) != 1 || d.size() != segmentHead+2*one {
				t.Errorf("%d bytes in %q", d.size(), names)
			}
			b.away.Store(false)
			<-time.After(5 * time.Second)
			if len(d.names()) != 0 {
				t.Errorf("nothing is pending, and there is %q", d.names())
			}
			j.Save([]store.Snapshot{step(&c, 0)}, nil)
			<-time.After(5 * time.Second)
			if kept := len(d.names()) == 1; kept != (segment == 4*(segmentHead+one)) || j.Stats().Pending != 0 {
				t.Errorf("a file of %d bytes with segments of %d is kept: %v", segmentHead+one, segment, kept)
			}
			if err := j.Close(); err != nil || len(d.names()) != 0 {
				t.Errorf("closed with %v, left %q", err, d.names())
			}
		}
	})
}

// A segment may begin with numbers that the one before it has: those could not be taken back. One without a head, or with
// a head that says more than there is, is damaged.
func TestSegmentsOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBelow()
		people := b.characters(t, 2)
		one := func(number uint64, i int) []byte {
			s := step(&people[i], 0)
			return encode(number, []writing{{nil, record{since: s.Since, lists: life.All, now: s.Character}}})
		}
		for _, c := range []struct {
			name   string
			first  []byte
			second []byte
			want   []Damage
		}{
			{"in their order", slices.Concat(appendHead(nil, 1), one(1, 0), one(2, 0)), slices.Concat(appendHead(nil, 3), one(3, 1)), nil},
			{"overlapping", slices.Concat(appendHead(nil, 1), one(1, 0), one(2, 0)), slices.Concat(appendHead(nil, 2), one(2, 1)), nil},
			{"with a gap", slices.Concat(appendHead(nil, 1), one(1, 0)), slices.Concat(appendHead(nil, 5), one(5, 1)), []Damage{{nameOf(2) + corrupt, 0, 3}}},
			{"without a head", one(1, 0), slices.Concat(appendHead(nil, 2), one(2, 1)), []Damage{{nameOf(1) + corrupt, 0, 0}}},
			{"from another number on", slices.Concat(appendHead(nil, 7), one(7, 0)), slices.Concat(appendHead(nil, 8), one(8, 1)), nil},
		} {
			d := newDisk()
			for i, whole := range [][]byte{c.first, c.second} {
				d.files[nameOf(uint64(i+1))] = &content{b: whole, synced: len(whole), named: true}
			}
			j, r := open(t, b, d, nil)
			if !slices.Equal(r.Damage, c.want) || r.Segments != 2 || r.Torn != 0 || r.Characters != 2 {
				t.Errorf("%s: %+v", c.name, r)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// After damage, what is pending is written anew as far as the store can continue it, and what it cannot is left out.
func TestDamageLeavesOrphansOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBelow()
		people := b.characters(t, 3)
		if err := b.DeleteCharacter(t.Context(), people[2].Account, people[2].GUID); err != nil {
			t.Fatal(err)
		}
		d := leftBy(recordOf(people[0], 2, 1, 0), recordOf(people[1], 9, 5, 0), recordOf(people[2], 2, 1, 0))
		f := d.files[nameOf(1)]
		f.b = append(f.b, slices.Concat([]byte("damage"), encode(4, []writing{{nil, recordOf(people[0], 3, 2, 0)}}))...)
		f.synced = len(f.b)
		counts := new(metric.Table)
		j, r := open(t, b, d, func(c *Config) { c.Metric, c.Pause = counts, time.Minute })
		if r.Orphans != 2 || r.Characters != 1 || r.Records != 4 || !slices.Equal(r.Damage, []Damage{{nameOf(1) + corrupt, 6, 0}}) || counts.Value("journal.orphan") != 2 {
			t.Errorf("%+v", r)
		}
		if got, err := j.Character(t.Context(), people[0].GUID); err != nil || got.Version != 3 {
			t.Errorf("version %d, %v", got.Version, err)
		}
		expect(t, j, people[1])
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}
