package recording

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// segmentName is the name of a file.
func segmentName(place uint32, segment int) string {
	return fmt.Sprintf("map%d-%04d.rec", place, segment)
}

// Maps are those that a folder has logs of, ascending.
func Maps(folder string) ([]uint32, error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var maps []uint32
	for _, at := range names {
		var place uint32
		if _, err := fmt.Sscanf(at.Name(), "map%d-0001.rec", &place); err == nil && at.Name() == segmentName(place, 1) {
			maps = append(maps, place)
		}
	}
	if maps == nil {
		return nil, fmt.Errorf("recording: %s has no recording", folder)
	}
	slices.Sort(maps)
	return maps, nil
}

// A Log is the log of one map in a folder, read from its beginning over all of its segments.
type Log struct {
	Header Header

	folder   string
	segments int
	file     *os.File
	reader   *Reader
}

// Open opens the log of a map.
func Open(folder string, place uint32) (*Log, error) {
	l := &Log{folder: folder, Header: Header{Map: place}}
	files, err := filepath.Glob(filepath.Join(folder, fmt.Sprintf("map%d-*.rec", place)))
	if err != nil {
		return nil, err
	}
	l.segments = len(files)
	if err := l.open(1); err != nil {
		return nil, err
	}
	l.Header = l.reader.Header
	return l, nil
}

// Next is the next record, as Reader.Next has it. A segment that ends without an end record continues in
// the next.
func (l *Log) Next() (Record, error) {
	for {
		record, err := l.reader.Next()
		switch last := l.reader.Header.Segment == l.segments; {
		case err == nil || err == io.EOF:
			return record, err
		case last || !errors.Is(err, ErrTorn):
			return record, fmt.Errorf("%s: %w", l.file.Name(), err)
		case !l.whole():
			return Record{}, fmt.Errorf("%w: %s: torn, and others follow", ErrDamaged, l.file.Name())
		}
		if err := l.open(l.reader.Header.Segment + 1); err != nil {
			return Record{}, err
		}
	}
}

// whole reports that every byte of the segment was read as part of a record.
func (l *Log) whole() bool {
	info, err := l.file.Stat()
	return err == nil && info.Size() == l.reader.offset
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

func (l *Log) path(segment int) string {
	return filepath.Join(l.folder, segmentName(l.Header.Map, segment))
}

// open goes on to a segment. If that fails, the log stays where it is.
func (l *Log) open(segment int) error {
	file, err := os.Open(l.path(segment))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	reader, err := NewReader(file)
	if err == nil && (reader.Header.Segment != segment || reader.Header.Map != l.Header.Map) {
		err = fmt.Errorf("%w: it says that it is segment %d of map %d", ErrDamaged, reader.Header.Segment, reader.Header.Map)
	}
	if err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", l.path(segment), err)
	}
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.reader = file, reader
	return nil
}
