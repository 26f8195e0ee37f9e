package journal

import (
	"math"
	"strings"
	"syscall"
	"testing"
)

// The name of a segment has its number in 16 hexadecimal digits; no other name has one.
func TestSegmentNames(t *testing.T) {
	for name, want := range map[string]uint64{
		"0000000000000001.journal": 1, "00000000000000ff.journal": 255, "ffffffffffffffff.journal": math.MaxUint64,
	} {
		if got, ok := numberOf(name); got != want || !ok || nameOf(want) != name {
			t.Errorf("%s has number %d, %v; %d is named %s", name, got, ok, want, nameOf(want))
		}
	}
	for _, name := range []string{
		"", ".journal", "1.journal", "000000000000001.journal", "00000000000000001.journal", "00000000000000FF.journal", "00000000000000fg.journal",
		"+000000000000001.journal", " 000000000000001.journal", "0000000000000001", "0000000000000001.journal.corrupt", "0000000000000001.txt",
	} {
		if got, ok := numberOf(name); ok {
			t.Errorf("%q has number %d", name, got)
		}
	}
}

// newSegments are segments of 100 bytes on a disk.
func newSegments() (*segments, *disk) {
	d, s := newDisk(), new(segments)
	s.init(&Config{FS: d, Segment: 100})
	return s, d
}

// agree checks that the sizes of segments are those on the disk.
func (s *segments) agree(t *testing.T, d *disk, names ...uint64) {
	t.Helper()
	var sum int64
	var list []string
	for i, seg := range s.all {
		sum += seg.size
		list = append(list, seg.name)
		if c := d.files[seg.name]; c == nil || int64(len(c.b)) != seg.size || seg.good > int64(c.synced) {
			t.Errorf("segment %d: %+v", i, seg)
		}
	}
	var want []string
	for _, n := range names {
		want = append(want, nameOf(n))
	}
	if got := d.names(); s.bytes != sum || int(s.bytes) != d.size() || strings.Join(got, " ") != strings.Join(want, " ") || strings.Join(list, " ") != strings.Join(want, " ") {
		t.Errorf("%d bytes in %v, %d of %v on the disk; want %v", s.bytes, list, d.size(), got, want)
	}
}

// A segment begins with a head of 20 bytes that has the number of its first record, and is followed by another when it
// has its size.
func TestSegmentsFollow(t *testing.T) {
	s, d := newSegments()
	write := func(bytes, n int) *segment {
		t.Helper()
		seg, err := s.write(make([]byte, bytes), n)
		if err != nil {
			t.Fatal(err)
		}
		return seg
	}
	first := write(79, 3).need()
	s.agree(t, d, 1)
	if s.file == nil || s.next != 4 || d.syncs.Load() != 1 {
		t.Errorf("99 bytes: open %v, next is record %d, %d syncs", s.file != nil, s.next, d.syncs.Load())
	}
	if write(1, 1) != first || s.file != nil || s.next != 5 {
		t.Errorf("100 bytes: open %v, next is record %d", s.file != nil, s.next)
	}
	second := write(10, 1)
	s.agree(t, d, 1, 2)
	for number, want := range map[uint64]uint64{1: 1, 2: 5} {
		if h, ok := parseHead(d.files[nameOf(number)].b); !ok || h.first != want || h.format != format {
			t.Errorf("segment %d begins with %+v, %v, want record %d", number, h, ok, want)
		}
	}
	if s.trim(); len(s.all) != 2 {
		t.Error("a segment was removed that is needed")
	}
	second.need()
	s.seal()
	third := write(10, 1)
	second.letGo()
	if s.trim(); len(s.all) != 3 {
		t.Error("a segment was removed before an older one that is needed")
	}
	first.letGo()
	d.set(syscall.EROFS, -1)
	if s.trim(); len(s.all) != 3 {
		t.Error("a segment is gone that could not be removed")
	}
	d.set(nil, -1)
	s.trim()
	s.agree(t, d, 3) // which is open
	if s.all[0] != third {
		t.Error("the last is another")
	}
	if err := s.close(); err != nil || s.bytes != 0 {
		t.Errorf("closed with %v, %d bytes", err, s.bytes)
	}
	s.agree(t, d)
}

// A segment that is needed stays when the segments are closed.
func TestSegmentsStay(t *testing.T) {
	s, d := newSegments()
	seg, err := s.write(make([]byte, 10), 1)
	if err != nil {
		t.Fatal(err)
	}
	seg.need()
	if err := s.close(); err != nil {
		t.Error(err)
	}
	s.agree(t, d, 1)
	s.forget(nameOf(2))
	s.agree(t, d, 1)
	s.forget(nameOf(1))
	if len(s.all) != 0 || s.bytes != 0 {
		t.Errorf("%d bytes in %d segments after the only one is forgotten", s.bytes, len(s.all))
	}
}

// What could not be written is cut off, or its file is removed if it had nothing else; the numbers of records go on from
// what was written.
func TestSegmentsGiveUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int // bytes of records that were written
		room   int
		want   []uint64 // segments
	}{
		{"no room at all", 0, 0, nil},
		{"room for half a head", 0, 10, nil},
		{"room for some records", 0, 30, nil},
		{"room for a part, behind others", 30, 5, []uint64{1}},
	} {
		s, d := newSegments()
		next := uint64(1)
		if c.before > 0 {
			seg, err := s.write(make([]byte, c.before), 4)
			if err != nil {
				t.Fatal(err)
			}
			seg.need()
			next = 5
		}
		d.set(nil, c.room)
		if _, err := s.write(make([]byte, 20), 1); err == nil {
			t.Fatalf("%s: written", c.name)
		}
		if s.file != nil || s.next != next {
			t.Errorf("%s: open %v, next is record %d, want %d", c.name, s.file != nil, s.next, next)
		}
		s.agree(t, d, c.want...)
		d.set(nil, -1)
		seg, err := s.write(make([]byte, 20), 1)
		if err != nil || seg.name != nameOf(2) || s.next != next+1 {
			t.Errorf("%s: then %v, next is record %d", c.name, err, s.next)
		}
		s.agree(t, d, append(c.want, 2)...)
	}
	// If nothing can be changed, all stays, and counts.
	s, d := newSegments()
	if _, err := s.write(make([]byte, 30), 1); err != nil {
		t.Fatal(err)
	}
	d.set(syscall.EIO, -1)
	if _, err := s.write(make([]byte, 20), 1); err == nil || s.file != nil {
		t.Errorf("written to a disk that refuses: %v", err)
	}
	if s.agree(t, d, 1); s.all[0].size != 50 || s.all[0].good != 50 {
		t.Errorf("the segment has %d bytes, %d of them good", s.all[0].size, s.all[0].good)
	}
}
