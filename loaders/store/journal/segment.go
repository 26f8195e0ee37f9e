package journal

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// A segment is a file with records. It is removed when no entry needs it, nor any segment before it.
type segment struct {
	name string
	size int64
	good int64        // of it, what is on the disk
	live atomic.Int32 // entries whose oldest needed segment it is
}

// need returns s, needed by one entry more.
func (s *segment) need() *segment {
	s.live.Add(1)
	return s
}

// letGo makes one entry less need a segment, nil for none.
func (s *segment) letGo() {
	if s != nil {
		s.live.Add(-1)
	}
}

const (
	suffix  = ".journal"
	corrupt = ".corrupt" // follows suffix
)

func nameOf(number uint64) string { return fmt.Sprintf("%016x%s", number, suffix) }

// numberOf returns the number in a segment's name.
func numberOf(name string) (number uint64, ok bool) {
	hex, is := strings.CutSuffix(name, suffix)
	if !is || len(hex) != 16 {
		return 0, false
	}
	_, err := fmt.Sscanf(hex, "%016x", &number)
	return number, err == nil && nameOf(number) == name
}

// segments are the files, from the oldest to the newest.
type segments struct {
	config  *Config
	all     []*segment
	file    File   // of the last one, nil if the next write begins another
	number  uint64 // of the next segment
	next    uint64 // number of the next record
	bytes   int64
	compact int64 // bytes after the files were last written anew
}

func (s *segments) init(c *Config) { s.config, s.number, s.next = c, 1, 1 }

// write appends n records, and returns their segment when they are on the disk. If it fails they count as not
// written, though they may be read again one day.
func (s *segments) write(records []byte, n int) (*segment, error) {
	seg, err := s.put(records)
	if err != nil {
		s.abandon()
		return nil, err
	}
	s.next += uint64(n)
	if seg.size >= s.config.Segment {
		s.seal()
	}
	return seg, nil
}

// abandon gives up the segment that could not be written to, except what it had before. It does what it can: a reader
// ignores the rest.
func (s *segments) abandon() {
	if s.file == nil {
		return
	}
	s.seal()
	last := len(s.all) - 1
	switch seg := s.all[last]; {
	case seg.good == 0 && s.config.FS.Remove(seg.name) == nil:
		s.bytes -= seg.size
		s.all = s.all[:last]
	case s.config.FS.Truncate(seg.name, seg.good) == nil:
		s.bytes -= seg.size - seg.good
		seg.size = seg.good
	}
}

// seal has the next write begin another segment. All that was written is on the disk.
func (s *segments) seal() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

func (s *segments) put(records []byte) (*segment, error) {
	if s.file == nil {
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
	seg := s.all[len(s.all)-1]
	n, err := s.file.Write(records)
	seg.size += int64(n)
	s.bytes += int64(n)
	if err != nil {
		return nil, err
	}
	if err := s.file.Sync(); err != nil {
		return nil, err
	}
	seg.good = seg.size
	return seg, nil
}

// begin creates a segment.
func (s *segments) begin() error {
	seg := &segment{name: nameOf(s.number)}
	s.number++
	file, err := s.config.FS.Create(seg.name)
	if err != nil {
		return err
	}
	s.file = file
	s.all = append(s.all, seg)
	n, err := file.Write(appendHead(nil, s.next))
	seg.size += int64(n)
	s.bytes += int64(n)
	if err != nil {
		return err
	}
	return s.config.FS.Sync()
}

// trim removes the oldest segments as far as they are not needed. A failed removal is retried.
func (s *segments) trim() {
	for len(s.all) > 0 && s.all[0].live.Load() == 0 && (len(s.all) > 1 || s.file == nil) {
		if s.config.FS.Remove(s.all[0].name) != nil {
			return
		}
		s.bytes -= s.all[0].size
		s.all = s.all[1:]
	}
}

// close removes what is not needed, and leaves the rest.
func (s *segments) close() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
		s.file = nil
	}
	s.trim()
	return err
}
