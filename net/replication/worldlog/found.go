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

	"muster/internal/directory"
	"muster/net/replication/recording"
)

// A Found is what a folder has of a world.
type Found struct {
	Header   recording.Header    // without a boot
	Boot     string              // Config.Boot of the log, "" if it has none
	Snapshot *recording.Snapshot // nil: the log begins with the world as it is made

	folder string
	logs   []uint64 // the ticks after which they begin, ascending
	closed bool     // the last one ends with its world, as far as it was read

	// Of Next.
	at   int // the log that is read
	log  *recording.Reader
	file *os.File
}

// Open finds what a folder has of a map, nil if that is nothing. The error wraps recording.ErrDamaged, ErrTorn or
// ErrFormat if it cannot be used.
func Open(folder string, place uint32) (*Found, error) {
	logs, snapshots, err := listed(folder, place)
	if err != nil || len(logs)+len(snapshots) == 0 {
		return nil, err
	}
	f, since := &Found{folder: folder}, uint64(0)
	if len(snapshots) > 0 {
		since = snapshots[len(snapshots)-1]
		if f.Snapshot, err = recording.OpenSnapshot(folder, place, since); err != nil {
			return nil, err
		}
	}
	first, ok := slices.BinarySearch(logs, since)
	if !ok {
		return nil, fmt.Errorf("%w: %s is missing", recording.ErrDamaged, logName(folder, place, since))
	}
	f.logs = logs[first:]
	log, file, err := f.read(place, since)
	if err != nil {
		return nil, err
	}
	f.Header, f.Boot = log.Header, log.Header.Boot // all that follow are of the same process: it begins with a snapshot
	f.Header.Boot = ""                             // it is nothing that the world is made of
	return f, file.Close()
}

// listed are the ticks after which logs of a map begin, and those of snapshots, ascending. A folder that is not there has none.
func listed(folder string, place uint32) (logs, snapshots []uint64, err error) {
	err = each(folder, place, func(kind string, tick uint64) error {
		switch kind {
		case "log":
			logs = append(logs, tick)
		case "snapshot":
			snapshots = append(snapshots, tick)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	slices.Sort(logs)
	slices.Sort(snapshots)
	return logs, snapshots, err
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
func (f *Found) Each(visit func(n uint64, inbox []byte) error) (err error) {
	if err := f.Close(); err != nil {
		return err
	}
	f.at = 0
	defer func() { err = errors.Join(err, f.Close()) }()
	for {
		record, err := f.Next()
		switch {
		case err == io.EOF, errors.Is(err, recording.ErrTorn):
			return nil
		case err != nil:
			return err
		case record.Inbox != nil:
			if err := visit(record.N, record.Inbox); err != nil {
				return err
			}
		}
	}
}

// Next is the next record of the logs, one after the other, from the first on; its bytes are valid until the next call. It fails with io.EOF after the end of the last
// one, and with an error that wraps recording.ErrTorn where that ends without one: it was being written, or what wrote it has ended.
func (f *Found) Next() (recording.Record, error) {
	for {
		if f.log == nil {
			var err error
			if f.log, f.file, err = f.read(f.Header.Map, f.logs[f.at]); err != nil {
				return recording.Record{}, f.torn(err)
			}
		}
		record, err := f.log.Next()
		f.closed = f.closed || record.End == closed
		switch {
		case err != nil && err != io.EOF:
			return record, f.torn(fmt.Errorf("%s: %w", f.file.Name(), err))
		case err == nil && record.End == "":
			return record, nil
		case record.End == closed:
			if last, damaged := f.last(); damaged != nil {
				return record, damaged
			} else if !last {
				return record, fmt.Errorf("%w: %s ends with its world, and others follow", recording.ErrDamaged, f.file.Name())
			}
		}
		if f.at == len(f.logs)-1 {
			return record, err
		}
		if err := f.Close(); err != nil {
			return record, err
		}
		f.at++
	}
}

// torn is the error of a log, which is damaged if it was torn off and others follow.
func (f *Found) torn(err error) error {
	if !errors.Is(err, recording.ErrTorn) {
		return err
	}
	if last, damaged := f.last(); damaged != nil {
		return damaged
	} else if !last {
		return fmt.Errorf("%w: %v, and others follow", recording.ErrDamaged, err)
	}
	return err
}

// last reports whether no log follows the one that is read, which does not say that it is continued. Logs without a record are not counted, and forgotten:
// each is of a start that was killed before it had written the snapshot to which its log belongs, and the next start does what that one did.
func (f *Found) last() (bool, error) {
	for _, tick := range f.logs[f.at+1:] {
		if empty, err := f.empty(tick); err != nil || !empty {
			return false, err
		}
	}
	f.logs = f.logs[:f.at+1]
	return true, nil
}

// empty reports whether the log of the ticks after one has no record.
func (f *Found) empty(tick uint64) (empty bool, err error) {
	log, file, err := f.read(f.Header.Map, tick)
	if err == nil {
		defer func() { err = errors.Join(err, file.Close()) }()
		_, err = log.Next()
	}
	if errors.Is(err, recording.ErrTorn) {
		return true, nil
	}
	return false, err
}

// Close ends what Next reads.
func (f *Found) Close() (err error) {
	if f.file != nil {
		err = f.file.Close()
	}
	f.log, f.file = nil, nil
	return err
}

// Suffixes of folders with what is set aside.
const (
	Replaced = ".old"     // a world that another one was put in the place of, or that a server without it made old
	Refused  = ".refused" // a world that could not be continued
)

// SetAside moves what a folder has of a map to the one with a suffix, in place of what was set aside there before. It returns that folder,
// "" if there was nothing. After the end of the machine it is there, too, and not where it was.
func SetAside(folder, suffix string, place uint32) (to string, err error) {
	return setAside(folder, suffix, place, directory.Sync)
}

func setAside(folder, suffix string, place uint32, sync func(folder string) error) (to string, err error) {
	err = each(folder, place, func(kind string, tick uint64) error {
		if to == "" {
			to = folder + suffix
			if err := errors.Join(os.MkdirAll(to, 0o700), remove(to, place, 0, math.MaxUint64)); err != nil {
				return err
			}
		}
		name := fileName(place, tick, kind)
		return os.Rename(filepath.Join(folder, name), filepath.Join(to, name))
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && to != "" {
		err = errors.Join(sync(to), sync(folder))
	}
	return to, err
}

// each visits the files of a map, which are of kind log, snapshot, or one of these with .new: what was not written to its end.
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

// remove removes the files of a map that are of ticks from one on, and before another.
func remove(folder string, place uint32, from, before uint64) error {
	return each(folder, place, func(kind string, tick uint64) error {
		if tick < from || tick >= before {
			return nil
		}
		return os.Remove(filepath.Join(folder, fileName(place, tick, kind)))
	})
}

func fileName(place uint32, tick uint64, kind string) string {
	return fmt.Sprintf("map%d-%010d.%s", place, tick, kind)
}
