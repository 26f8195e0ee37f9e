package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"muster/net/replication/frame"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var header = Header{
	Release: "muster 1", Toolchain: "go1.26 amd64 v1", Seed: 1<<63 + 1, Creatures: 7, Start: "one", World: "e3b0c442", Map: 530, StepMs: 50, Strikes: 3,
	Reclaim: "corpse", XPRate: 0.1, Ephemeral: true, Parts: []string{"position", "bout"}, Segment: 1,
}

func inbox(bodies ...string) *frame.Inbox {
	in := new(frame.Inbox)
	for i, body := range bodies {
		in.Add(frame.Item{Session: uint32(9 - i), AtMs: 4, Op: 0xB5, Body: []byte(body)})
	}
	in.Seal()
	return in
}

// log is a whole log, and lines the records that a reader returns, a line for each.
func log() (b []byte, lines []string) {
	b = AppendHeader(nil, &header)
	b = AppendTick(b, 5, inbox("late", "early"))
	b = AppendDigest(b, 5, []byte("five"))
	b = AppendTick(b, 8, inbox())
	b = AppendEnd(b, "closed")
	in, _ := inbox("late", "early").AppendBinary(nil)
	return b, []string{
		fmt.Sprintf("5 inbox %x", in), fmt.Sprintf("5 digest %x", "five"), "8 inbox ", "end closed",
	}
}

// readAll reads a log to its end.
func readAll(b []byte) (h Header, lines []string, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return h, nil, err
	}
	lines = records(r)
	_, err = r.Next()
	return r.Header, lines, err
}

// records returns what is read until there is an error, which err then gives again.
func records(r interface{ Next() (Record, error) }) (lines []string) {
	for {
		switch record, err := r.Next(); {
		case err != nil:
			return lines
		case record.End != "":
			lines = append(lines, "end "+record.End)
		case record.Digest != nil:
			lines = append(lines, fmt.Sprintf("%d digest %x", record.N, record.Digest))
		default:
			lines = append(lines, fmt.Sprintf("%d inbox %x", record.N, record.Inbox))
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	b, want := log()
	h, lines, err := readAll(b)
	if fmt.Sprint(h) != fmt.Sprint(header) {
		t.Errorf("the header is %+v, want %+v", h, header)
	}
	if fmt.Sprint(lines) != fmt.Sprint(want) || err != io.EOF {
		t.Errorf("read %q and %v, want %q", lines, err, want)
	}
	first := b[len(magic):]
	if n := binary.LittleEndian.Uint32(first); first[recordHead] != byte(kindHeader) || first[recordHead+1] != '{' || int(n) > len(first) {
		t.Errorf("the first record begins % x", first[:16])
	}
}

// A log that was cut off anywhere is good up to the cut, and fails with ErrTorn there.
func TestCutAnywhere(t *testing.T) {
	b, want := log()
	for n := range b {
		_, lines, err := readAll(b[:n])
		if !errors.Is(err, ErrTorn) {
			t.Fatalf("cut at %d of %d: %v", n, len(b), err)
		}
		if len(lines) >= len(want) || fmt.Sprint(lines) != fmt.Sprint(want[:len(lines)]) {
			t.Fatalf("cut at %d of %d: read %q", n, len(b), lines)
		}
	}
}

// No byte of a log can be changed without the reader saying so, and nothing is read that was not written.
func TestDamagedAnywhere(t *testing.T) {
	b, want := log()
	for at := range b {
		for _, bit := range []byte{1, 0x80, 0xFF} {
			bad := bytes.Clone(b)
			bad[at] ^= bit
			_, lines, err := readAll(bad)
			if wanted := ErrDamaged; at < len(magic) && !errors.Is(err, ErrFormat) || at >= len(magic) && !errors.Is(err, wanted) {
				t.Fatalf("byte %d of %d: %v", at, len(b), err)
			}
			if fmt.Sprint(lines) != fmt.Sprint(want[:len(lines)]) {
				t.Fatalf("byte %d of %d: read %q", at, len(b), lines)
			}
		}
	}
	if _, _, err := readAll(append(b, 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte after the end: %v", err)
	}
}

// A header with a setting that this muster does not know is of a world that it cannot make.
func TestUnknownSetting(t *testing.T) {
	b, at := begin([]byte(magic), kindHeader)
	b = end(append(b, `{"Seed":1,"Gravity":2}`...), at)
	if _, _, err := readAll(b); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// A log or a snapshot of the format before this one is refused by name: its hashes are others.
func TestOlderFormat(t *testing.T) {
	b, _ := log()
	b = append([]byte("muster recording 1\n"), b[len("muster recording 2\n"):]...)
	_, _, err := readAll(b)
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `"muster recording 1\n", and not with "muster recording 2\n"`) {
		t.Error(err)
	}
	_, err = readSnapshot(strings.NewReader("muster snapshot 1\n"))
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `"muster snapshot 1\n", and not with "muster snapshot 2\n"`) {
		t.Error(err)
	}
}

func record(t *testing.T, c Config, ticks int) (folder string, closed error) {
	t.Helper()
	c.Folder, c.Header = t.TempDir(), header
	r, err := NewRecorder(c)
	if err != nil {
		t.Fatal(err)
	}
	for n := range ticks {
		r.Begin(uint64(n+1), inbox(fmt.Sprint("tick ", n+1)))
		r.Digest(uint64(n+1), fmt.Append(nil, n+1))
	}
	return c.Folder, r.Close()
}

func TestFolder(t *testing.T) {
	folder, err := record(t, Config{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if maps, err := Maps(folder); fmt.Sprint(maps) != "[530]" || err != nil {
		t.Errorf("maps %v, %v", maps, err)
	}
	if info, err := os.Stat(filepath.Join(folder, segmentName(530, 1))); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a recording, which has what players say, is %v, %v", info, err)
	}
	l, err := Open(folder, 530)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lines := records(l)
	if want := 3*2 + 1; len(lines) != want || lines[want-1] != "end closed" || lines[4] != fmt.Sprintf("3 inbox %x", must(inbox("tick 3").AppendBinary(nil))) {
		t.Errorf("read %q", lines)
	}
	if _, err := NewRecorder(Config{Folder: folder, Header: header}); err == nil {
		t.Error("a second recording has the place of the first")
	}
	if _, err := Maps(t.TempDir()); err == nil {
		t.Error("an empty folder has a recording")
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// A recorder begins a new file where one is full.
func TestRotates(t *testing.T) {
	folder := t.TempDir()
	r, err := NewRecorder(Config{Folder: folder, Header: header, Segment: 2 * wakeBytes})
	if err != nil {
		t.Fatal(err)
	}
	const ticks, megabyte = 40, 1 << 20
	for n := range uint64(ticks) {
		r.Digest(n+1, make([]byte, megabyte/8))
		for waiting := 1; waiting > 0; { // until the writer has it
			r.mu.Lock()
			waiting = len(r.waiting)
			r.mu.Unlock()
			r.wakeWriter()
			runtime.Gosched()
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "map530-*.rec"))
	if len(files) != (ticks+2)/3 { // with its head, the fourth eighth has no room in half a megabyte
		t.Errorf("%d files: %v", len(files), files)
	}
	l, err := Open(folder, 530)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if lines := records(l); len(lines) != ticks+1 {
		t.Errorf("%d records", len(lines))
	}
}

// What waits is written once a second of the world, whatever a step is.
func TestWritesOnceInASecond(t *testing.T) {
	for _, c := range []struct {
		unitMs uint32
		stride uint64
		want   []uint64
	}{{50, 1, []uint64{20, 40}}, {5, 1, []uint64{200, 400}}, {5, 10, []uint64{200, 400}}} {
		r := &Recorder{config: Config{Header: Header{StepMs: c.unitMs}, Buffer: 1 << 20}, wake: make(chan struct{}, 1)}
		var woken []uint64
		for n := c.stride; n < 3000/uint64(c.unitMs); n += c.stride {
			r.Begin(n, new(frame.Inbox))
			select {
			case <-r.wake:
				woken = append(woken, n)
			default:
			}
		}
		if !slices.Equal(woken, c.want) {
			t.Errorf("in steps of %d units of %d ms it is woken in %d, want %d", c.stride, c.unitMs, woken, c.want)
		}
	}
}

// A log goes on over its segments, and misses none of them.
func TestSegments(t *testing.T) {
	folder := t.TempDir()
	second := header
	second.Segment = 2
	third := header
	third.Segment = 3
	segments := [][]byte{
		AppendTick(AppendHeader(nil, &header), 1, inbox()),
		AppendTick(AppendHeader(nil, &second), 2, inbox()),
		AppendEnd(AppendHeader(nil, &third), "closed"),
	}
	for i, b := range segments {
		if err := os.WriteFile(filepath.Join(folder, segmentName(530, i+1)), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func() ([]string, error) {
		l, err := Open(folder, 530)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		lines := records(l)
		_, err = l.Next()
		return lines, err
	}
	if lines, err := read(); fmt.Sprint(lines) != "[1 inbox  2 inbox  end closed]" || err != io.EOF {
		t.Errorf("read %q and %v", lines, err)
	}
	middle := filepath.Join(folder, segmentName(530, 2))
	os.WriteFile(middle, segments[1][:len(segments[1])-1], 0o644)
	if lines, err := read(); fmt.Sprint(lines) != "[1 inbox ]" || !errors.Is(err, ErrDamaged) {
		t.Errorf("a torn segment in the middle: %q and %v", lines, err)
	}
	os.Remove(middle)
	if lines, err := read(); fmt.Sprint(lines) != "[1 inbox ]" || !errors.Is(err, ErrDamaged) {
		t.Errorf("without the middle: %q and %v", lines, err)
	}
}

// A log that may not grow any more, or whose medium is too slow, ends with the reason; what it has is
// good.
func TestEndsOpenly(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   error
	}{
		{Config{Limit: 2000}, ErrLimit},
		{Config{Buffer: 10}, ErrBehind},
	} {
		var endings []error
		c.config.Ended = func(err error) { endings = append(endings, err) }
		folder, err := record(t, c.config, 1000)
		if !errors.Is(err, c.want) || len(endings) != 1 || !errors.Is(endings[0], c.want) {
			t.Errorf("closed with %v, ended with %v, want %v", err, endings, c.want)
		}
		l, err := Open(folder, 530)
		if err != nil {
			t.Fatal(err)
		}
		lines := records(l)
		l.Close()
		if last := lines[len(lines)-1]; last != "end "+c.want.Error() {
			t.Errorf("%v: the last record is %q", c.want, last)
		}
		for i, line := range lines[:len(lines)-1] {
			if n := i/2 + 1; i%2 == 0 && line != fmt.Sprintf("%d inbox %x", n, must(inbox(fmt.Sprint("tick ", n)).AppendBinary(nil))) {
				t.Fatalf("%v: record %d is %q", c.want, i, line)
			}
		}
	}
}

// Once warm, a tick is recorded without allocating.
func TestRecordingAllocatesNothing(t *testing.T) {
	c := Config{Folder: t.TempDir(), Header: header}
	r, err := NewRecorder(c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in, digest, n := inbox("a", "b"), make([]byte, 100), uint64(0)
	tick := func() {
		n++
		r.Begin(n, in)
		r.Digest(n, digest)
	}
	for range 10_000 {
		tick()
	}
	if allocs := testing.AllocsPerRun(1000, tick); allocs != 0 {
		t.Errorf("%v allocations in a tick", allocs)
	}
}
