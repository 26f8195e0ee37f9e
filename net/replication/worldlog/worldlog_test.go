package worldlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// A kept world is one whose state is the number of its last tick.
type kept struct {
	*Log
	t      *testing.T
	folder string
	metric metric.Table
	broken error    // of the state
	failed []string // what Failed was called with
}

// keep begins the log of a world in a folder, with a snapshot every ten units.
func keep(t *testing.T, folder string, tick uint64, with ...func(*Config)) *kept {
	t.Helper()
	k := &kept{t: t, folder: folder}
	var err error
	c := Config{
		Folder: folder, Header: recording.Header{Release: "1", Seed: 7, Map: 530, StepMs: 5}, Every: 10, Metric: &k.metric,
		State: func(b []byte) ([]byte, func() ([][]byte, error), error) {
			if k.Log == nil {
				b = binary.LittleEndian.AppendUint64(b, tick)
			} else {
				b = binary.LittleEndian.AppendUint64(b, k.tick)
			}
			return b, func() ([][]byte, error) { return [][]byte{b[:1], b[1:]}, nil }, k.broken
		},
		Failed: func(err error, ended bool) { k.failed = append(k.failed, fmt.Sprint(err, ended)) },
	}
	for _, f := range with {
		f(&c)
	}
	k.Log, err = Begin(c, tick)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// run runs ticks, the n-th of which reads a packet with the opcode n, and waits for their snapshots.
func (k *kept) run(ticks ...uint64) {
	for _, n := range ticks {
		k.step(n)
		if k.writing {
			k.saved(<-k.written)
		}
	}
}

func (k *kept) step(n uint64) {
	var in frame.Inbox
	if err := in.Add(frame.Item{Session: 3, AtMs: 9, Op: uint16(n), Body: []byte("abc")}); err != nil {
		k.t.Fatal(err)
	}
	in.Seal()
	k.Append(n, &in)
	k.After()
}

func (k *kept) count(name string) (n uint64) {
	k.metric.Each(func(at string, of uint64) {
		if at == name {
			n = of
		}
	})
	return n
}

// found is what a folder has: the tick of the state, and those of the log.
func found(t *testing.T, folder string) (state uint64, ticks []uint64, err error) {
	t.Helper()
	f, err := Open(folder, 530)
	if err != nil {
		return 0, nil, err
	}
	if f == nil {
		return 0, nil, nil
	}
	if h := f.Header; h.Seed != 7 || h.StepMs != 5 || h.Release != "1" {
		t.Errorf("the header is %+v", h)
	}
	if f.Snapshot != nil {
		if state = binary.LittleEndian.Uint64(f.Snapshot.State); state != f.Since() || f.Snapshot.N != state {
			t.Errorf("a state of tick %d in the snapshot of tick %d with a log since %d", state, f.Snapshot.N, f.Since())
		}
	}
	return state, ticks, f.Each(func(n uint64, inbox []byte) error {
		var in frame.Inbox
		if err := in.UnmarshalBinary(inbox); err != nil || in.Len() != 1 {
			t.Fatalf("tick %d has %d items, %v", n, in.Len(), err)
		}
		if it := in.At(0); it.Session != 3 || it.AtMs != 9 || it.Op != uint16(n) || !bytes.Equal(it.Body, []byte("abc")) {
			t.Errorf("tick %d reads %+v", n, it)
		}
		ticks = append(ticks, n)
		return nil
	})
}

func wants(t *testing.T, folder string, state uint64, ticks ...uint64) {
	t.Helper()
	if gotState, gotTicks, err := found(t, folder); err != nil || gotState != state || !slices.Equal(gotTicks, ticks) {
		t.Errorf("found the state of %d and ticks %v, %v; want %d and %v", gotState, gotTicks, err, state, ticks)
	}
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range all {
		names = append(names, at.Name())
	}
	return names
}

// At any moment a folder has the newest state and what came after it.
func TestKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "worlds")
	wants(t, folder, 0)
	k := keep(t, folder, 0)
	wants(t, folder, 0)
	k.run(1, 2, 9)
	wants(t, folder, 0, 1, 2, 9)
	k.run(10)
	wants(t, folder, 10)
	k.run(12, 19)
	wants(t, folder, 10, 12, 19)
	k.run(700) // the world has slept
	k.run(701)
	wants(t, folder, 700, 701)
	if got, want := files(t, folder), []string{"map530-0000000700.log", "map530-0000000700.snapshot"}; !slices.Equal(got, want) {
		t.Errorf("the files are %v, want %v", got, want)
	}
	if n := k.count(Snapshots); n != 2 {
		t.Errorf("%d snapshots are counted, want 2", n)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	wants(t, folder, 701)
	if f, err := Open(folder, 530); err != nil || f.Each(func(uint64, []byte) error { return nil }) != nil || !f.Closed() {
		t.Errorf("a closed log is found as %+v, %v", f, err)
	}

	k = keep(t, folder, 705)
	wants(t, folder, 705)
	if err := k.Close(); err != nil { // without a tick
		t.Fatal(err)
	}
	wants(t, folder, 705)

	keep(t, folder, 0).run(1)
	wants(t, folder, 0, 1)
	if len(k.failed) > 0 {
		t.Errorf("failed: %q", k.failed)
	}
}

// A process that is killed leaves a log of whole ticks, however much of the last was written.
func TestTorn(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(1)
	one := k.length
	k.run(2, 3)
	path := logName(folder, 530, 0)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	record := (int64(len(whole)) - one) / 2
	for size := one; size <= int64(len(whole)); size++ {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		wants(t, folder, 0, []uint64{1, 2, 3}[:1+(size-one)/record]...)
	}
}

// Killed between the moment of a snapshot and the end of its file, a folder has the snapshot before, and two logs.
func TestKilledInASnapshot(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(10, 15)
	k.step(20)
	if err := <-k.written; err != nil {
		t.Fatal(err)
	}
	k.step(21)
	path := filepath.Join(folder, "map530-0000000020.snapshot")
	if err := os.Rename(path, path+".new"); err != nil {
		t.Fatal(err)
	}
	wants(t, folder, 10, 15, 20, 21)
	if f, err := Open(folder, 530); err != nil || f.Each(func(uint64, []byte) error { return nil }) != nil || f.Closed() {
		t.Errorf("a log that was not closed is found as %+v, %v", f, err)
	}
	if err := os.Truncate(logName(folder, 530, 20), 5); err != nil { // nor has its log begun
		t.Fatal(err)
	}
	wants(t, folder, 10, 15, 20)
	if err := os.Remove(logName(folder, 530, 20)); err != nil {
		t.Fatal(err)
	}
	wants(t, folder, 10, 15, 20)
	keep(t, folder, 30)
	if got, want := files(t, folder), []string{"map530-0000000030.log", "map530-0000000030.snapshot"}; !slices.Equal(got, want) {
		t.Errorf("the files are %v, want %v", got, want)
	}
}

// A start that is killed before its first snapshot is written leaves a log without a record, or less of it. The world is found as that start has found it,
// and the log that the start after it begins is not mixed up with the one that was left.
func TestKilledInTheFirstSnapshot(t *testing.T) {
	header := recording.AppendHeader(nil, &recording.Header{Release: "1", Seed: 7, Map: 530, StepMs: 5, Segment: 1})
	for name, left := range map[string][]byte{
		"an empty file":      nil,
		"part of the header": header[:len(header)-1],
		"the header":         header,
	} {
		for _, ends := range []string{"closed", "torn", "torn in a record"} {
			t.Run(name+" behind a log that is "+ends, func(t *testing.T) {
				folder := t.TempDir()
				k := keep(t, folder, 0)
				k.run(10, 15)
				state, ticks := uint64(10), []uint64{15}
				var err error
				switch ends {
				case "closed":
					state, ticks, err = 15, nil, k.Close()
				case "torn in a record":
					ticks, err = nil, os.Truncate(logName(folder, 530, 10), k.length-1)
				}
				for _, tick := range []uint64{16, 17} { // of two starts
					err = errors.Join(err, os.WriteFile(logName(folder, 530, tick), left, 0o600))
				}
				if err != nil {
					t.Fatal(err)
				}
				wants(t, folder, state, ticks...)
				if f, err := Open(folder, 530); err != nil || f.Each(func(uint64, []byte) error { return nil }) != nil || f.Closed() != (ends == "closed") {
					t.Errorf("a log that is %s is found as %+v, %v", ends, f, err)
				}
				copied := filepath.Join(t.TempDir(), "copy")
				if err := Excerpt(t.Context(), folder, copied, 530, 1<<62, math.MaxInt64); err != nil {
					t.Fatal(err)
				}
				wants(t, copied, state, ticks...)

				next := keep(t, folder, 16)
				next.run(18)
				wants(t, folder, 16, 18)
				if got, want := files(t, folder), []string{"map530-0000000016.log", "map530-0000000016.snapshot"}; !slices.Equal(got, want) {
					t.Errorf("the files are %v, want %v", got, want)
				}
			})
		}
	}
}

// A start that begins with the tick of the log before, of a world without players, has that in place until its own has a header.
func TestBeginsWithTheTickOfTheLogBefore(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(15)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	written := logName(folder, 530, 15) + ".new"
	if err := os.Mkdir(written, 0o700); err != nil { // so that it cannot be written
		t.Fatal(err)
	}
	if _, err := Begin(k.config, 15); err == nil {
		t.Error("a log is begun that cannot be written")
	}
	wants(t, folder, 15)
	if err := os.Remove(written); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(written, nil, 0o600); err != nil { // of a start that was killed there
		t.Fatal(err)
	}
	wants(t, folder, 15)
	keep(t, folder, 15).run(16)
	wants(t, folder, 15, 16)
	if got, want := files(t, folder), []string{"map530-0000000015.log", "map530-0000000015.snapshot"}; !slices.Equal(got, want) {
		t.Errorf("the files are %v, want %v", got, want)
	}
}

// What is not as it was written is not used.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func(folder string) error{
		"a byte of a snapshot": func(folder string) error { return flip(filepath.Join(folder, "map530-0000000010.snapshot")) },
		"a byte of a log":      func(folder string) error { return flip(logName(folder, 530, 10)) },
		"no log":               func(folder string) error { return os.Remove(logName(folder, 530, 10)) },
		"a torn log before others": func(folder string) error {
			b := recording.AppendHeader(nil, &recording.Header{Map: 530, Segment: 1})
			return os.WriteFile(logName(folder, 530, 16), recording.AppendTick(b, 17, new(frame.Inbox)), 0o600)
		},
		"the log of another map": func(folder string) error {
			return os.WriteFile(logName(folder, 530, 10), recording.AppendHeader(nil, &recording.Header{Map: 1, Segment: 1}), 0o600)
		},
	} {
		folder := t.TempDir()
		keep(t, folder, 0).run(10, 15)
		if err := damage(folder); err != nil {
			t.Fatal(err)
		}
		if _, _, err := found(t, folder); !errors.Is(err, recording.ErrDamaged) && !errors.Is(err, recording.ErrTorn) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// flip changes the byte before the last eight of a file.
func flip(path string) error {
	b, err := os.ReadFile(path)
	if err == nil {
		b[len(b)-8] ^= 1
		err = os.WriteFile(path, b, 0o600)
	}
	return err
}

// A log that is too long ends, and leaves nothing that would be older than its world; the next snapshot begins another.
func TestLogIsBounded(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(1)
	record := int64(len(k.record))
	k.config.most = k.length + 2*record
	k.run(2, 3)
	wants(t, folder, 0, 1, 2, 3)
	k.run(4)
	wants(t, folder, 0)
	if want := fmt.Sprint(ErrLong, true); !slices.Equal(k.failed, []string{want}) || k.count(Ended) != 1 {
		t.Errorf("failed %q, %d counted", k.failed, k.count(Ended))
	}
	k.run(5, 13)
	wants(t, folder, 0)
	k.run(14)
	k.run(15)
	wants(t, folder, 14, 15)
}

// What only Config.Back keeps counts as well, and is removed before it would end the log.
func TestOlderLogsGoFirst(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.config.Back = 5
	for n := uint64(1); n < 20; n++ {
		k.run(n)
	}
	k.config.most = k.before + k.length - 1 // nine ticks on their own have room, and ten with nine more have none
	for n := uint64(20); n < 50; n++ {
		k.run(n)
		var size int64
		for _, name := range files(t, folder) {
			if filepath.Ext(name) != ".log" {
				continue
			}
			info, err := os.Stat(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			size += info.Size()
		}
		if size != k.before+k.length || n%10 != 0 && size > k.config.most {
			t.Fatalf("%d bytes of logs after tick %d, of %d; counted are %d and %d", size, n, k.config.most, k.before, k.length)
		}
		if _, err := os.Stat(logName(folder, 530, n/10*10-10)); (err == nil) != (n%10 < 9) {
			t.Errorf("after tick %d the older log is there: %v", n, err)
		}
	}
	wants(t, folder, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49)
	if len(k.failed) > 0 || k.count(Ended) > 0 {
		t.Errorf("failed: %q, %d counted", k.failed, k.count(Ended))
	}
}

// A log ends when its medium takes no more.
func TestMediumFails(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(1)
	if err := k.file.Close(); err != nil {
		t.Fatal(err)
	}
	k.run(2)
	wants(t, folder, 0)
	if len(k.failed) != 1 || k.count(Ended) != 1 {
		t.Errorf("failed %q, %d counted", k.failed, k.count(Ended))
	}
}

// Where a snapshot cannot be written, that before it and all logs since stay.
func TestSnapshotFails(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(10, 11)
	if err := os.Mkdir(filepath.Join(folder, "map530-0000000020.snapshot.new"), 0o700); err != nil {
		t.Fatal(err)
	}
	k.run(20, 21)
	wants(t, folder, 10, 11, 20, 21)
	if len(k.failed) != 1 || k.count(SnapshotFailed) != 1 || k.count(Ended) != 0 {
		t.Errorf("failed %q, %d counted", k.failed, k.count(SnapshotFailed))
	}
	k.run(30)
	wants(t, folder, 30)
	k.broken = errors.New("no state")
	k.run(40)
	wants(t, folder, 0)
	if k.failed[len(k.failed)-1] != fmt.Sprint(k.broken, true) {
		t.Errorf("failed %q", k.failed)
	}
}

// What is kept of a world that is of no use goes.
func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	k := keep(t, folder, 0)
	k.run(10, 11)
	if err := k.Discard(); err != nil {
		t.Fatal(err)
	}
	if names := files(t, folder); names != nil {
		t.Errorf("there is %q", names)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

func TestSetAside(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "worlds")
	if to, err := SetAside(folder, Refused, 530); to != "" || err != nil {
		t.Errorf("nothing is set aside in %q, %v", to, err)
	}
	for n, suffix := range []string{".old", ".old", ".refused"} {
		keep(t, folder, 0).run(uint64(10 + n))
		to, err := SetAside(folder, suffix, 530)
		if err != nil || to != folder+suffix {
			t.Errorf("set aside in %q, %v", to, err)
		}
		wants(t, folder, 0)
		wants(t, to, uint64(10+n))
		if to, err := SetAside(folder, suffix, 1); to != "" || err != nil {
			t.Errorf("nothing of another map is set aside in %q, %v", to, err)
		}
	}
	wants(t, folder+Replaced, 11) // what is refused takes the place of nothing else
}

// A tick that is kept allocates nothing, once the record has met its longest inbox.
func TestAppendAllocatesNothing(t *testing.T) {
	k := keep(t, t.TempDir(), 0)
	var in frame.Inbox
	if err := in.Add(frame.Item{Op: 1, Body: make([]byte, 100)}); err != nil {
		t.Fatal(err)
	}
	in.Seal()
	k.config.Every = 1 << 40
	n := uint64(0)
	if allocs := testing.AllocsPerRun(100, func() {
		n++
		k.Append(n, &in)
		k.After()
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
