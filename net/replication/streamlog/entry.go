package streamlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/zeebo/xxh3"

	"muster/net/replication/recording"
)

// version is that of entries, and of what worlds keep in inboxes for those that continue them. It is raised whenever one changes.
const version = 2

// Versions of snapshots. In those of the first states are not compressed, and their hash is a SHA-256; they are read, for a world that is handed over by a release that writes such.
const (
	snapshotWithSHA256 = 3
	snapshotVersion    = 4
)

// maxState bounds the state of a snapshot, in bytes, our own choice: four times that of 10,000 players and 90,000 creatures (docs/adr/0032-snapshots-beside-the-tick.md).
const maxState = 1 << 30

// stateBlock is how many bytes of a state are compressed together, what S2 does if it is not told.
const stateBlock = 1 << 20

// ErrDamaged is the error for a snapshot whose world is not the one that was written.
var ErrDamaged = errors.New("streamlog: the world of a snapshot is not the one that was written")

// ErrTooLarge is the error for a world whose state has more than maxState bytes.
var ErrTooLarge = errors.New("streamlog: the state of the world is too large")

// ErrFormat is the error for bytes that are not an entry or a snapshot of this version.
var ErrFormat = errors.New("streamlog: not an entry or a snapshot that this muster reads")

// An entry is a part of a batch: of the records of some ticks, as package recording has them. The first batch of a log is the
// header of a recording instead.
type entry struct {
	flags   byte
	log     uint64 // another number for each log
	writer  uint64 // another number for each process, ascending
	ordinal uint64 // of the writer's entries, from 1
	since   uint64 // the tick of the snapshot with which the log goes on by another header; 0 for its first
	body    []byte
}

// Flags of entries.
const (
	first  = 1 << iota // of a batch
	last               // likewise
	header             // the batch is the header of the log, from its beginning or from a snapshot on
)

// entryHead is version u8, flags u8, log u64, writer u64, ordinal u64, since u64, little-endian; the body follows.
const entryHead = 34

func (e *entry) append(b []byte) []byte {
	b = append(b, version, e.flags)
	b = binary.LittleEndian.AppendUint64(b, e.log)
	b = binary.LittleEndian.AppendUint64(b, e.writer)
	b = binary.LittleEndian.AppendUint64(b, e.ordinal)
	b = binary.LittleEndian.AppendUint64(b, e.since)
	return append(b, e.body...)
}

// parse reads what append wrote. The body is a part of b.
func parse(b []byte) (e entry, err error) {
	if len(b) < entryHead || b[0] != version || b[1]&^(first|last|header) != 0 {
		return e, fmt.Errorf("%w: an entry of %d bytes", ErrFormat, len(b))
	}
	u64 := binary.LittleEndian.Uint64
	return entry{b[1], u64(b[2:]), u64(b[10:]), u64(b[18:]), u64(b[26:]), b[entryHead:]}, nil
}

// A Snapshot is a world after a tick of its log.
type Snapshot struct {
	Log  uint64
	From uint64 // number of the entry from which on to follow the log; what that has of earlier ticks is skipped
	N    uint64 // the tick
	// Writer and Ordinal are set for a snapshot before which the world stood still: From is then the last entry before it, which has
	// both. Else they are 0.
	Writer, Ordinal uint64
	Header          recording.Header
	Before          *recording.Header // by which it was taken, if the log goes on by another one; it is not a part of what is kept
	Roster          []byte            // what the world's end has of its gateways
	State           []byte
	// Hash is that of the state. What World.AppendSnapshot appends of what is restored has it, too.
	Hash [HashSize]byte
}

// HashSize is the length of a hash, in bytes.
const HashSize = 16

// Hash is that of a state: XXH3 of 128 bits, the greatest byte first, as xxhsum -H2 prints it. A snapshot needs no cryptographic one: who could change a state could change its hash.
func Hash(state []byte) [HashSize]byte { return xxh3.Hash128(state).Bytes() }

// Check returns an error that wraps ErrDamaged if a state, of the snapshot or of what was restored from it, is not the one that was written.
func (s *Snapshot) Check(state []byte) error {
	if hash := Hash(state); hash != s.Hash {
		return fmt.Errorf("%w: after tick %d its hash was %x, and is %x", ErrDamaged, s.N, s.Hash, hash)
	}
	return nil
}

// Reader reads version u8, log, from, N, writer and ordinal as u64, the hash, the header as JSON and the roster, each after its length as u32, the length of the state as u32, and the state, given in
// parts, as a stream of S2: most of it is zeros. It sets the hash. The parts are compressed as they are read. The error wraps ErrTooLarge if the state is.
func (s *Snapshot) Reader(parts [][]byte) (io.Reader, error) {
	text, err := json.Marshal(&s.Header)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if size > maxState {
		return nil, fmt.Errorf("%w: of %d bytes, where %d are kept at most", ErrTooLarge, size, maxState)
	}
	hash := xxh3.New()
	for _, part := range parts {
		hash.Write(part) // it has no error
	}
	s.Hash = hash.Sum128().Bytes()
	b := []byte{snapshotVersion}
	for _, n := range []uint64{s.Log, s.From, s.N, s.Writer, s.Ordinal} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, s.Hash[:]...)
	for _, part := range [][]byte{text, s.Roster} {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	return newPacking(binary.LittleEndian.AppendUint32(b, uint32(size)), parts), nil
}

// parseSnapshot reads what Reader reads. The error wraps ErrDamaged if the state is not the one that was written.
func parseSnapshot(b []byte) (*Snapshot, error) {
	const numbers = 1 + 5*8
	if len(b) < numbers+sha256.Size || b[0] != snapshotVersion && b[0] != snapshotWithSHA256 {
		return nil, fmt.Errorf("%w: a snapshot of %d bytes", ErrFormat, len(b))
	}
	s, older := new(Snapshot), b[0] == snapshotWithSHA256
	for i, to := range []*uint64{&s.Log, &s.From, &s.N, &s.Writer, &s.Ordinal} {
		*to = binary.LittleEndian.Uint64(b[1+8*i:])
	}
	b = b[numbers:]
	var sum [sha256.Size]byte
	if older {
		b = b[copy(sum[:], b):]
	} else {
		b = b[copy(s.Hash[:], b):]
	}
	var text []byte
	for _, to := range []*[]byte{&text, &s.Roster} {
		if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
			return nil, fmt.Errorf("%w: it ends too soon", ErrFormat)
		}
		n := binary.LittleEndian.Uint32(b)
		*to, b = bytes.Clone(b[4:4+n]), b[4+n:]
	}
	if len(b) < 4 {
		return nil, fmt.Errorf("%w: it ends too soon", ErrFormat)
	}
	var err error
	if s.State, err = readState(b[4:], binary.LittleEndian.Uint32(b), !older); err != nil {
		return nil, fmt.Errorf("the one after tick %d: %w", s.N, err)
	}
	if err := json.Unmarshal(text, &s.Header); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	if older {
		if got := sha256.Sum256(s.State); got != sum {
			return nil, fmt.Errorf("%w: after tick %d its sha256 was %x, and is %x", ErrDamaged, s.N, sum, got)
		}
		s.Hash = Hash(s.State)
	}
	return s, s.Check(s.State)
}

// readState reads a state of so many bytes. The error wraps ErrDamaged if b has another number of them, or ErrTooLarge.
func readState(b []byte, size uint32, compressed bool) ([]byte, error) {
	if size > maxState {
		return nil, fmt.Errorf("%w: of %d bytes, where %d are read at most", ErrTooLarge, size, maxState)
	}
	if compressed {
		var state bytes.Buffer // which grows with what there is, whatever the size says
		if _, err := io.Copy(&state, io.LimitReader(s2.NewReader(bytes.NewReader(b), s2.ReaderMaxBlockSize(stateBlock)), int64(size)+1)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		b = state.Bytes()
	}
	if len(b) != int(size) {
		return nil, fmt.Errorf("%w: of %d bytes there are %d", ErrDamaged, size, len(b))
	}
	return b, nil
}
