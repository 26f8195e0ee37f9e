package worldlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"muster/net/replication/recording"
)

// A Found is what a folder has of a world.
type Found struct {
	Header   recording.Header
	Snapshot *recording.Snapshot // nil: the log begins with the world as it is made

	folder string
	logs   []uint64 // the ticks after which they begin, ascending
	closed bool     // the last one ends with its world, as far as Each has read
}

// Open finds what a folder has of a map, nil if that is nothing. The error wraps recording.ErrDamaged, ErrTorn or
// ErrFormat if it cannot be used.
func Open(folder string, place uint32) (*Found, error) {
	f := &Found{folder: folder}
	snapshots := []uint64(nil)
	err := each(folder, place, func(kind string, tick uint64) error {
		switch kind {
		case "log":
			f.logs = append(f.logs, tick)
		case "snapshot":
			snapshots = append(snapshots, tick)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(f.logs)+len(snapshots) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(f.logs)
	since := uint64(0)
	if len(snapshots) > 0 {
		since = slices.Max(snapshots)
		if f.Snapshot, err = recording.OpenSnapshot(folder, place, since); err != nil {
			return nil, err
		}
	}
	first, ok := slices.BinarySearch(f.logs, since)
	if !ok {
		return nil, fmt.Errorf("%w: %s is missing", recording.ErrDamaged, logName(folder, place, since))
	}
	f.logs = f.logs[first:]
	log, file, err := f.read(place, since)
	if err != nil {
		return nil, err
	}
	f.Header = log.Header
	return f, file.Close()
}

// read opens the log of the ticks after one.
func (f *Found) read(place uint32, tick uint64) (*recording.Reader, *os.File, error) {
	file, err := os.Open(logName(f.folder, place, tick))
	if err != nil {
		return nil, nil, err
	}
	log, err := recording.NewReader(file)
	if err == nil && log.Header.Map != place {
		err = fmt.Errorf("%w: it says that it is of map %d", recording.ErrDamaged, log.Header.Map)
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return log, file, nil
}

// Closed reports whether the world ended in order, after Each.
func (f *Found) Closed() bool { return f.closed }

// Since is the tick after which the logs begin.
func (f *Found) Since() uint64 { return f.logs[0] }

// Each visits what each tick since has read, as frame.Inbox.UnmarshalBinary reads it. The last may be missing if it was
// being written.
func (f *Found) Each(visit func(n uint64, inbox []byte) error) error {
	for i, tick := range f.logs {
		if err := f.each(tick, i == len(f.logs)-1, visit); err != nil {
			return err
		}
	}
	return nil
}

func (f *Found) each(tick uint64, last bool, visit func(n uint64, inbox []byte) error) error {
	log, file, err := f.read(f.Header.Map, tick)
	if last && errors.Is(err, recording.ErrTorn) { // it was being begun
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for {
		record, err := log.Next()
		f.closed = f.closed || record.End == closed
		switch {
		case err == io.EOF, last && errors.Is(err, recording.ErrTorn):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", file.Name(), err)
		case record.Inbox != nil:
			if err := visit(record.N, record.Inbox); err != nil {
				return err
			}
		}
	}
}

// Suffixes of folders with what is set aside.
const (
	Replaced = ".old"     // a world that another one was put in the place of, or that a server without it made old
	Refused  = ".refused" // a world that could not be continued
)

// SetAside moves what a folder has of a map to the one with a suffix, in place of what was set aside there before. It returns that folder,
// "" if there was nothing.
func SetAside(folder, suffix string, place uint32) (to string, err error) {
	err = each(folder, place, func(kind string, tick uint64) error {
		if to == "" {
			to = folder + suffix
			if err := errors.Join(os.MkdirAll(to, 0o700), remove(to, place, math.MaxUint64)); err != nil {
				return err
			}
		}
		name := fileName(place, tick, kind)
		return os.Rename(filepath.Join(folder, name), filepath.Join(to, name))
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return to, err
}

// each visits the files of a map, which are of kind log, snapshot, or snapshot.new: one that was not written to its end.
func each(folder string, place uint32, visit func(kind string, tick uint64) error) error {
	names, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, at := range names {
		var of uint32
		var tick uint64
		var kind string
		if _, err := fmt.Sscanf(at.Name(), "map%d-%d.%s", &of, &tick, &kind); err != nil || of != place {
			continue
		}
		if err := visit(kind, tick); err != nil {
			return err
		}
	}
	return nil
}

// remove removes the files of a map that are of ticks before one.
func remove(folder string, place uint32, before uint64) error {
	return each(folder, place, func(kind string, tick uint64) error {
		if tick >= before {
			return nil
		}
		return os.Remove(filepath.Join(folder, fileName(place, tick, kind)))
	})
}

func fileName(place uint32, tick uint64, kind string) string {
	return fmt.Sprintf("map%d-%010d.%s", place, tick, kind)
}
