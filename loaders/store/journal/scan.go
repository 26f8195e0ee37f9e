package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"muster/loaders/store"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// ErrFormat is the error of a segment that another version of muster wrote, in a format that this one does not read.
var ErrFormat = errors.New("journal: written by another muster: start that one once, and stop it, to empty it")

// A scan is the result of reading a segment.
type scan struct {
	first   uint64 // number of the first record, as the head says; 0 if that is damaged
	next    uint64 // number after the last good record; first without one
	good    int    // bytes up to the end of the last good group
	torn    int    // bytes after that, of a group that was not written to its end
	damaged int    // bytes in the middle that are no records
	missing uint64 // records whose numbers are skipped
}

// read visits the records of a segment in order, group by group; an incomplete group at the end is not visited. It
// fails with ErrFormat, and never because of damage.
func read(b []byte, visit func(*record)) (s scan, err error) {
	at := 0
	switch head, ok := parseHead(b); {
	case ok && head.format != format:
		return s, fmt.Errorf("%w: its format is %d, and this one reads %d", ErrFormat, head.format, format)
	case ok:
		s.first, s.next, at = head.first, head.first, segmentHead
		s.good = at
	default:
		at = s.skip(b, 0)
	}
	var group []record
	for at < len(b) {
		r, n := parse(b[at:])
		if n == 0 {
			if at = s.skip(b, at); at == len(b) {
				break
			}
			continue
		}
		if s.next != 0 && r.number > s.next {
			s.missing += r.number - s.next
		}
		s.next = r.number + 1
		at += n
		if group = append(group, r); r.last {
			for i := range group {
				visit(&group[i])
			}
			group, s.good = group[:0], at
		}
	}
	s.torn = len(b) - s.good
	if len(group) > 0 { // as if they had not been written
		s.next = group[0].number
	}
	return s, nil
}

// skip returns where the next good record begins, len(b) if there is none. What lies in between is damage, except at
// the end, which may be torn.
func (s *scan) skip(b []byte, at int) int {
	var word [4]byte
	binary.LittleEndian.PutUint32(word[:], magic)
	for next := at; ; next++ {
		i := bytes.Index(b[next:], word[:])
		if i < 0 {
			return len(b)
		}
		next += i
		if _, n := parse(b[next:]); n > 0 {
			s.damaged += next - at
			return next
		}
	}
}

type head struct {
	format byte
	first  uint64
}

func parseHead(b []byte) (h head, ok bool) {
	if len(b) < segmentHead || string(b[:len(segmentWord)]) != segmentWord {
		return h, false
	}
	sum := segmentHead - 4
	h = head{b[len(segmentWord)], binary.LittleEndian.Uint64(b[len(segmentWord)+1:])}
	return h, binary.LittleEndian.Uint32(b[sum:]) == crc32.Checksum(b[:sum], castagnoli)
}

// parse returns the record that b begins with, and its length; 0 if there is none.
func parse(b []byte) (r record, n int) {
	if len(b) < recordHead+recordLeft || binary.LittleEndian.Uint32(b) != magic {
		return r, 0
	}
	size := binary.LittleEndian.Uint32(b[4:])
	if size < recordLeft || size > maxRecord || int(size) > len(b)-recordHead {
		return r, 0
	}
	n = recordHead + int(size)
	said := b[recordHead:n]
	if crc32.Checksum(said, castagnoli) != binary.LittleEndian.Uint32(b[8:]) {
		return r, 0
	}
	var c frame.Character
	if msg.Decode(wire.V12340, said[recordLeft:], &c) != nil {
		return r, 0
	}
	r = record{
		number: binary.LittleEndian.Uint64(said), last: said[8]&flagLast != 0,
		since: binary.LittleEndian.Uint64(said[9:]), lists: c.Told, now: store.FromFrame(&c),
	}
	r.now.SavedUnix = int64(binary.LittleEndian.Uint64(said[17:]))
	return r, n
}
