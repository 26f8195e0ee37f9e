package journal

import (
	"encoding/binary"
	"hash/crc32"

	"muster/components/life"
	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A record is one character at one version, as it stands in a segment:
//
//	magic u32 | size u32 | checksum u32 | number u64 | flags u8 | since u64 | saved i64 | character
//
// all little endian. The size is that of what follows the checksum, which is the CRC-32C of the same bytes. The
// character is as frame.Character.Wire writes it, with the lists that it has. It contains all that is new since a
// version; so it can be added to that version and to every later one.
type record struct {
	number uint64 // one more than that of the record before
	last   bool   // of a group: it counts as a whole or not at all
	since  uint64
	lists  life.Set
	now    store.Character
}

const (
	magic      = 0x4C4A4D7E // begins a record, so that it is found behind a damaged one
	recordHead = 4 + 4 + 4
	recordLeft = 8 + 1 + 8 + 8 // of what the checksum covers, before the character
	maxRecord  = 64 << 10      // of what the checksum covers
)

// flagLast is of record.last.
const flagLast = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// append appends a record.
func (r *record) append(dst []byte) []byte {
	begin := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	dst = append(dst, make([]byte, recordHead-4)...)
	dst = binary.LittleEndian.AppendUint64(dst, r.number)
	flags := byte(0)
	if r.last {
		flags = flagLast
	}
	dst = append(dst, flags)
	dst = binary.LittleEndian.AppendUint64(dst, r.since)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.now.SavedUnix))
	c := store.ToFrame(&r.now)
	c.Told = r.lists
	dst = msg.Append(dst, wire.V12340, &c)
	said := dst[begin+recordHead:]
	binary.LittleEndian.PutUint32(dst[begin+4:], uint32(len(said)))
	binary.LittleEndian.PutUint32(dst[begin+8:], crc32.Checksum(said, castagnoli))
	return dst
}

// A segment begins with a word, the format of its records and the number of the first, and a checksum of these.
const (
	segmentWord = "MUSTERJ"
	segmentHead = len(segmentWord) + 1 + 8 + 4
)

// format is the version of the format. It grows when frame.Character is encoded in another way; TestFormat notices
// that.
const format = 3

func appendHead(dst []byte, first uint64) []byte {
	begin := len(dst)
	dst = append(append(dst, segmentWord...), format)
	dst = binary.LittleEndian.AppendUint64(dst, first)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[begin:], castagnoli))
}
