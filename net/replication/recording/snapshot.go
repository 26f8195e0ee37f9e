package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
)

// snapshotMagic begins every snapshot, and names its format. Records follow, as in a log: a header, pieces of the
// state, an end.
const snapshotMagic = "muster snapshot 2\n"

// MaxSnapshot bounds the state in a snapshot, and so the memory that it takes to read one.
const MaxSnapshot = 1 << 30

// snapshotPiece is how much of the state is in a record at most.
const snapshotPiece = 1 << 20

// ErrLarge is returned for a state larger than MaxSnapshot.
var ErrLarge = errors.New("recording: too large a snapshot")

// A Snapshot is what a world was after a tick of a log, so that a replay can begin there.
type Snapshot struct {
	Log       Header // of the log, its first segment
	Release   string // of the program that took it
	Toolchain string
	N         uint64 // the tick
	Sum       uint32 // over all inboxes of the log up to that tick, as Sum makes it
	Hash      uint64 // of the world after it
	State     []byte `json:"-"`
}

// Sum takes the inbox of a tick into a sum over those before it: equal sums mean that two logs are the same so
// far.
func Sum(sum uint32, n uint64, inbox []byte) uint32 {
	var number [8]byte
	binary.LittleEndian.PutUint64(number[:], n)
	return crc32.Update(crc32.Update(sum, castagnoli, number[:]), castagnoli, inbox)
}

func snapshotName(place uint32, n uint64) string {
	return fmt.Sprintf("map%d-%010d.snapshot", place, n)
}

// Snapshots are the ticks of which a folder has snapshots of a map, ascending.
func Snapshots(folder string, place uint32) ([]uint64, error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var ticks []uint64
	for _, at := range names {
		var of uint32
		var n uint64
		if _, err := fmt.Sscanf(at.Name(), "map%d-%d.snapshot", &of, &n); err == nil && at.Name() == snapshotName(place, n) {
			ticks = append(ticks, n)
		}
	}
	slices.Sort(ticks)
	return ticks, nil
}

// Write writes a snapshot into a folder, in place of an older one of its tick. A file is there with all that is in it,
// or not at all.
func (s *Snapshot) Write(folder string) error { return s.WriteState(folder, [][]byte{s.State}) }

// WriteState is Write with a state that lies in several parts.
func (s *Snapshot) WriteState(folder string, parts [][]byte) error {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if size > MaxSnapshot {
		return fmt.Errorf("%w: %d bytes", ErrLarge, size)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, snapshotName(s.Log.Map, s.N))
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file) // which fails with Flush if it fails
	w.Write(appendRecord([]byte(snapshotMagic), kindHeader, text))
	state := net.Buffers(slices.Clone(parts))
	var b []byte
	for left := size; left > 0; {
		n := min(left, snapshotPiece)
		head, at := begin(b[:0], kindState)
		b = slices.Grow(head, n)[:len(head)+n]
		state.Read(b[len(head):]) // which fills it
		w.Write(end(b, at))
		left -= n
	}
	w.Write(AppendEnd(nil, "complete"))
	if err = errors.Join(w.Flush(), file.Sync(), file.Close()); err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		os.Remove(path + ".new")
	}
	return err
}

// appendRecord appends a record.
func appendRecord(b []byte, k kind, body []byte) []byte {
	b, at := begin(b, k)
	return end(append(b, body...), at)
}

// RemoveSnapshot removes the snapshot of a tick.
func RemoveSnapshot(folder string, place uint32, n uint64) error {
	return os.Remove(filepath.Join(folder, snapshotName(place, n)))
}

// OpenSnapshot reads the snapshot of a tick. It fails with ErrTorn, ErrDamaged or ErrFormat if it is not as it was
// written.
func OpenSnapshot(folder string, place uint32, n uint64) (*Snapshot, error) {
	path := filepath.Join(folder, snapshotName(place, n))
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s, err := readSnapshot(file)
	if err == nil && (s.N != n || s.Log.Map != place) {
		err = fmt.Errorf("%w: it says that it is of tick %d of map %d", ErrDamaged, s.N, s.Log.Map)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func readSnapshot(r io.Reader) (*Snapshot, error) {
	t, text, err := newReader(r, snapshotMagic)
	if err != nil {
		return nil, err
	}
	s := new(Snapshot)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	for {
		switch k, body, err := t.next(); {
		case err == io.EOF:
			return nil, fmt.Errorf("%w after %d bytes", ErrTorn, t.offset)
		case err != nil:
			return nil, err
		case k == kindEnd:
			if _, err := t.r.Peek(1); err != io.EOF {
				return nil, t.damaged("something follows its end")
			}
			return s, nil
		case k != kindState:
			return nil, t.damaged(fmt.Sprintf("a record of kind %d", k))
		case len(s.State)+len(body) > MaxSnapshot:
			return nil, ErrLarge
		default:
			s.State = append(s.State, body...)
		}
	}
}
