// Package recording keeps what worlds read, so that it can be read again: a log of every tick's inbox, and of hashes
// that show whether a second run is the same as the first.
//
// A log is a sequence of records, each with its length and checks of both; the first has what the world was made of.
// docs/adr/0014-a-log-of-inboxes.md has the bytes. Records are appended to memory here, by the caller that has a
// tick to record; a Recorder writes them to a folder, a Reader reads them from anywhere.
package recording

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"

	"muster/net/replication/frame"
)

// magic begins every log, and names its format. The digit is raised when an older program would read a log otherwise than
// this one, or compare other hashes with it. Since 2 digests are XXH3.
const magic = "muster recording 2\n"

// A kind is the type of a record.
type kind uint8

const (
	kindHeader kind = 1 + iota
	kindTick
	kindDigest
	kindEnd
	kindState // of a snapshot
)

// recordHead is length u32, check of it u32, check of what follows u32. What follows is a kind and a body.
const recordHead = 12

// maxRecord bounds what follows a record's head: the largest is a full inbox, or the digest of a million entities.
const maxRecord = frame.MaxInbox + 1<<16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Header has what the world of a log was made of, and the program that made it. Everything that its ticks depend
// on is in it, except the program itself.
type Header struct {
	Release   string // of the program
	Toolchain string // Go version, GOARCH and GOAMD64, on all of which floating point depends

	Seed      uint64 // of all chance
	Defs      uint64 `json:",omitempty"` // the seed that the definitions were made with; 0 if that is Seed
	Creatures int    // of the synthetic world
	Start     string // where new characters begin
	World     string `json:",omitempty"` // digest of the definitions of an imported world; "" is the synthetic one
	Map       uint32
	StepMs    uint32
	Strikes   uint32
	Reclaim   string
	XPRate    float32
	Ephemeral bool // players are saved only when they leave

	ShareMs uint32   `json:",omitempty"` // see ShareEvery
	Parts   []string // what digests have sums of, by number
	Segment int      // of its log, from 1
	Boot    string   `json:",omitempty"` // what the run of the machine is called that wrote it, in logs of package worldlog; "" if it does not tell
}

// DefsSeed is the seed that the definitions were made with.
func (h *Header) DefsSeed() uint64 { return cmp.Or(h.Defs, h.Seed) }

// ShareEvery is about the time between two shares of the entities in digests: 50 ms in logs that do not say it, as those of releases before it was there.
func (h *Header) ShareEvery() time.Duration {
	return time.Duration(cmp.Or(h.ShareMs, 50)) * time.Millisecond
}

// AppendHeader begins a log, or a segment of one.
func AppendHeader(b []byte, h *Header) []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic(fmt.Sprintf("recording: %v", err)) // an infinite rate
	}
	b, at := begin(append(b, magic...), kindHeader)
	return end(append(b, text...), at)
}

// AppendTick appends the sealed inbox of a tick.
func AppendTick(b []byte, n uint64, in *frame.Inbox) []byte {
	b, at := begin(b, kindTick)
	b, _ = in.AppendBinary(binary.LittleEndian.AppendUint64(b, n))
	return end(b, at)
}

// InboxAt is where in what AppendTick appends the inbox begins: after the head, the kind, and the tick.
const InboxAt = recordHead + 1 + 8

// AppendDigest appends a hash of the world as of the end of a tick; the caller defines its form.
func AppendDigest(b []byte, n uint64, digest []byte) []byte {
	b, at := begin(b, kindDigest)
	return end(append(binary.LittleEndian.AppendUint64(b, n), digest...), at)
}

// AppendRecord appends a record as Next has returned it.
func AppendRecord(b []byte, r Record) []byte {
	k, body := kindTick, r.Inbox
	switch {
	case r.End != "":
		return AppendEnd(b, r.End)
	case r.Inbox == nil:
		k, body = kindDigest, r.Digest
	}
	b, at := begin(b, k)
	return end(append(binary.LittleEndian.AppendUint64(b, r.N), body...), at)
}

// AppendEnd appends why nothing more follows.
func AppendEnd(b []byte, reason string) []byte {
	b, at := begin(b, kindEnd)
	return end(append(b, reason...), at)
}

// begin makes room for the head of a record.
func begin(b []byte, k kind) (with []byte, at int) {
	at = len(b)
	return append(append(b, make([]byte, recordHead)...), byte(k)), at
}

// end fills the head in.
func end(b []byte, at int) []byte {
	head, rest := b[at:at+recordHead], b[at+recordHead:]
	binary.LittleEndian.PutUint32(head, uint32(len(rest)))
	binary.LittleEndian.PutUint32(head[4:], crc32.Checksum(head[:4], castagnoli))
	binary.LittleEndian.PutUint32(head[8:], crc32.Checksum(rest, castagnoli))
	return b
}
