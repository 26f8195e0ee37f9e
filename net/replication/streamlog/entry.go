package streamlog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"muster/net/replication/recording"
)

// version is that of entries, and of what worlds keep in inboxes for those that continue them. It is raised whenever one changes.
const version = 2

// Versions of snapshots. Those without a hash are read, for a world that is handed over by a release that writes such.
const (
	snapshotWithoutHash = 2
	snapshotVersion     = 3
)

// ErrDamaged is the error for a snapshot whose world is not the one that was written.
var ErrDamaged = errors.New("streamlog: the world of a snapshot is not the one that was written")

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
	// Hash is the SHA-256 of the state; zeros if the snapshot was written without. World.AppendSnapshot of what is restored has it, too.
	Hash [sha256.Size]byte
}

// Check returns an error that wraps ErrDamaged if a state, of the snapshot or of what was restored from it, is not the one that was written.
func (s *Snapshot) Check(state []byte) error {
	if s.Hash == [sha256.Size]byte{} {
		return nil
	}
	if hash := sha256.Sum256(state); hash != s.Hash {
		return fmt.Errorf("%w: after tick %d its sha256 was %x, and is %x", ErrDamaged, s.N, s.Hash, hash)
	}
	return nil
}

// reader reads version u8, log, from, N, writer and ordinal as u64, the hash, and the header as JSON, the roster and the state, each after its length as u32. The
// state is that in parts, and the hash is made of it.
func (s *Snapshot) reader(parts [][]byte) (io.Reader, error) {
	text, err := json.Marshal(&s.Header)
	if err != nil {
		return nil, err
	}
	size, hash := 0, sha256.New()
	for _, part := range parts {
		size += len(part)
		hash.Write(part) // which does not fail
	}
	hash.Sum(s.Hash[:0])
	b := []byte{snapshotVersion}
	for _, n := range []uint64{s.Log, s.From, s.N, s.Writer, s.Ordinal} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, s.Hash[:]...)
	for _, part := range [][]byte{text, s.Roster} {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	all := net.Buffers(slices.Insert(slices.Clone(parts), 0, binary.LittleEndian.AppendUint32(b, uint32(size))))
	return &all, nil
}

// parseSnapshot reads what reader reads. Its slices are parts of b. The error wraps ErrDamaged if the state is not the one that was written.
func parseSnapshot(b []byte) (*Snapshot, error) {
	const numbers = 1 + 5*8
	head := numbers
	if len(b) > 0 && b[0] == snapshotVersion {
		head += sha256.Size
	}
	if len(b) < head || b[0] != snapshotVersion && b[0] != snapshotWithoutHash {
		return nil, fmt.Errorf("%w: a snapshot of %d bytes", ErrFormat, len(b))
	}
	s := new(Snapshot)
	for i, to := range []*uint64{&s.Log, &s.From, &s.N, &s.Writer, &s.Ordinal} {
		*to = binary.LittleEndian.Uint64(b[1+8*i:])
	}
	copy(s.Hash[:], b[numbers:head])
	b = b[head:]
	var text []byte
	for _, to := range []*[]byte{&text, &s.Roster, &s.State} {
		if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
			return nil, fmt.Errorf("%w: it ends too soon", ErrFormat)
		}
		n := binary.LittleEndian.Uint32(b)
		*to, b = b[4:4+n], b[4+n:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%w: %d bytes follow", ErrFormat, len(b))
	}
	if err := json.Unmarshal(text, &s.Header); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	return s, s.Check(s.State)
}
