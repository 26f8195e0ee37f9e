package worldlog

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// What a folder has from a tick on is copied, with the newest snapshot before that.
func TestExcerpt(t *testing.T) {
	folder := t.TempDir()
	copied := func(tick uint64) (to string, err error) {
		t.Helper()
		to = filepath.Join(t.TempDir(), "copy")
		return to, Excerpt(t.Context(), folder, to, 530, tick, math.MaxInt64)
	}
	has := func(tick, since uint64, ticks ...uint64) {
		t.Helper()
		to, err := copied(tick)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, to, since, ticks...)
		if first := files(t, to)[0]; first != fileName(530, since, "log") {
			t.Errorf("from tick %d on %s is copied, too", tick, first)
		}
	}
	lacks := func(tick uint64, since ...uint64) {
		t.Helper()
		var purged *recording.PurgedError
		if _, err := copied(tick); !errors.As(err, &purged) || purged.Tick != tick || !slices.Equal(purged.Since, since) {
			t.Errorf("tick %d: %v, want that it has those after %v", tick, err, since)
		}
	}
	if _, err := copied(7); !errors.Is(err, ErrNone) {
		t.Errorf("nothing is copied: %v", err)
	}
	k := keep(t, folder, 0)
	k.config.Back = 5
	k.run(1, 2)
	has(1, 0, 1, 2)
	k.run(10, 11, 13)
	has(9, 0, 1, 2, 10, 11, 13)
	has(10, 10, 11, 13)
	has(12, 10, 11, 13)
	k.run(20, 21)
	ended, end := context.WithCancel(t.Context())
	end()
	if err := Excerpt(ended, folder, t.TempDir(), 530, 12, math.MaxInt64); !errors.Is(err, context.Canceled) {
		t.Errorf("it is copied after the end: %v", err)
	}
	all, err := copied(10)
	if err != nil {
		t.Fatal(err)
	}
	size, to := sizeOf(t, all), filepath.Join(t.TempDir(), "copy")
	if err := Excerpt(t.Context(), folder, to, 530, 10, size-1); !errors.Is(err, ErrLarge) {
		t.Errorf("%d bytes are copied where there is room for one less: %v", size, err)
	}
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of what has no room something is copied: %v", err)
	}
	if err := Excerpt(t.Context(), folder, to, 530, 10, size); err != nil || sizeOf(t, to) != size {
		t.Errorf("what has room is not copied: %v", err)
	}
	lacks(9, 10, 20)
	has(10, 10, 11, 13, 20, 21)
	has(1<<62, 20, 21)
	wants(t, folder, 20, 21)

	k.config.Every = 4 // shorter than Back
	k.run(24, 28)
	has(27, 24, 28)
	lacks(19, 20, 24, 28)
	k.run(29)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	lacks(28, 29)

	// A world that is continued, another one than before, begins with its snapshot, and so does one that is as it is made.
	k = keep(t, folder, 40)
	lacks(39, 40)
	k.config.Back = 5
	k.run(50)
	has(49, 40, 50)
	k.broken = errors.New("no state")
	k.run(60, 61)
	if names := files(t, folder); names != nil {
		t.Errorf("a log that has ended leaves %v", names)
	}
	k.broken = nil
	k.run(70, 71)
	lacks(69, 70)
	keep(t, folder, 0).run(1)
	has(1<<62, 0, 1)
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(t *testing.T, folder string) (size int64) {
	t.Helper()
	for _, name := range files(t, folder) {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

// A log that ends with its world is followed by none that has a record.
func TestEndedLogIsFollowed(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(1)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	b := recording.AppendHeader(nil, &k.config.Header)
	for name, record := range map[string][]byte{
		"a tick": k.record,
		"an end": recording.AppendEnd(nil, closed),
	} {
		if err := os.WriteFile(logName(folder, 530, 9), slices.Concat(b, record), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := found(t, folder); !errors.Is(err, recording.ErrDamaged) {
			t.Errorf("%s: found with %v", name, err)
		}
	}
}

// A copy has all that it is given or ends with an error, and is never larger than it may be, but for a snapshot that is larger with what is around its state.
func TestRoomOfCopy(t *testing.T) {
	h := recording.Header{Release: "1", Seed: 7, Map: 530, StepMs: 5, Segment: 1}
	s := &recording.Snapshot{Log: h, N: 8, State: []byte{8, 0, 0, 0, 0, 0, 0, 0}}
	copied := func(folder string, most int64) (err error) {
		c, err := NewCopy(folder, &h, s, most)
		if err != nil {
			return err
		}
		for n := uint64(9); n < 20 && err == nil; n++ {
			err = c.Add(recording.Record{N: n, Digest: []byte("xyz")})
		}
		return errors.Join(err, c.Close("as far as it went"))
	}
	folder := t.TempDir()
	if err := s.Write(folder); err != nil {
		t.Fatal(err)
	}
	shot := sizeOf(t, folder)
	if err := copied(folder, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	size := sizeOf(t, folder)
	if err := copied(t.TempDir(), size); err != nil {
		t.Errorf("%d bytes have no room in as many: %v", size, err)
	}
	for most := range size {
		folder := t.TempDir()
		if err := copied(folder, most); !errors.Is(err, ErrLarge) {
			t.Fatalf("%d bytes have room in %d: %v", size, most, err)
		}
		switch got := sizeOf(t, folder); {
		case most < int64(len(s.State)) && got > 0, got > max(most, shot):
			t.Fatalf("%d bytes are written where there is room for %d", got, most)
		}
	}
}

// A copy has the records that it is given, and is found as a world is that a server keeps.
func TestCopy(t *testing.T) {
	folder, h := t.TempDir(), recording.Header{Release: "1", Seed: 7, Map: 530, StepMs: 5, Segment: 1}
	c, err := NewCopy(folder, &h, &recording.Snapshot{Log: h, N: 8, State: []byte{8, 0, 0, 0, 0, 0, 0, 0}}, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	var in frame.Inbox
	if err := in.Add(frame.Item{Session: 3, AtMs: 9, Op: 12, Body: []byte("abc")}); err != nil {
		t.Fatal(err)
	}
	in.Seal()
	b, err := in.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	given := []recording.Record{{N: 12, Inbox: b}, {N: 12, Digest: []byte("xyz")}}
	for _, r := range given {
		if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close("as far as it went"); err != nil {
		t.Fatal(err)
	}
	wants(t, folder, 8, 12)
	f, err := Open(folder, 530)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, want := range append(given, recording.Record{End: "as far as it went"}) {
		if r, err := f.Next(); err != nil || r.N != want.N || string(r.Inbox) != string(want.Inbox) || string(r.Digest) != string(want.Digest) || r.End != want.End {
			t.Errorf("a record is %+v, %v; want %+v", r, err, want)
		}
	}
}
