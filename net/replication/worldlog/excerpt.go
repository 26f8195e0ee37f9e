package worldlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"muster/net/replication/recording"
)

// excerptAgain is how often a folder is looked at that changes meanwhile: a server has written a snapshot, and removed what was before it.
const excerptAgain = 5

// ErrNone is the error of a folder without a world.
var ErrNone = errors.New("worldlog: nothing is kept of it")

// ErrLarge is the error of a copy for which there is not enough room.
var ErrLarge = errors.New("worldlog: too large to be copied")

// Excerpt copies what a folder has of a map into another one, from the newest snapshot on that is of a tick or an earlier one, or from the beginning of the world. The
// world may be stepped meanwhile. The error wraps a recording.PurgedError if the tick is before those that the folder has, ErrNone if that has none, ErrLarge if
// it has more than most bytes, of which none is copied then, and the error of ctx when that ends.
func Excerpt(ctx context.Context, folder, to string, place uint32, tick uint64, most int64) error {
	var err error
	for range excerptAgain {
		if err = excerpt(ctx, folder, to, place, tick, most); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fmt.Errorf("it changes all the time: %w", err)
}

func excerpt(ctx context.Context, folder, to string, place uint32, tick uint64, most int64) (err error) {
	logs, snapshots, err := listed(folder, place)
	if err != nil {
		return err
	}
	if len(logs)+len(snapshots) == 0 {
		return ErrNone
	}
	since := slices.DeleteFunc(snapshots, func(n uint64) bool { return !slices.Contains(logs, n) })
	if len(logs) > 0 && logs[0] == 0 {
		since = slices.Insert(since, 0, 0)
	}
	at, ok := slices.BinarySearch(since, tick)
	if !ok {
		at--
	}
	if at < 0 {
		return &recording.PurgedError{Tick: tick, Since: since}
	}
	from, names := since[at], []string(nil)
	if from > 0 {
		names = append(names, fileName(place, from, "snapshot"))
	}
	for _, n := range logs {
		if n >= from {
			names = append(names, fileName(place, n, "log"))
		}
	}
	var files []*os.File // open: what is removed meanwhile can be read
	defer func() {
		for _, file := range files {
			err = errors.Join(err, file.Close())
		}
	}()
	sizes, sum := []int64(nil), int64(0)
	for _, name := range names {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		files = append(files, file)
		info, err := file.Stat()
		if err != nil {
			return err
		}
		sizes, sum = append(sizes, info.Size()), sum+info.Size()
	}
	if sum > most {
		return fmt.Errorf("%w: it has %d bytes, where there is room for %d", ErrLarge, sum, most)
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for i, file := range files {
		copied, err := os.OpenFile(filepath.Join(to, names[i]), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		err = copyUntil(ctx, copied, io.LimitReader(file, sizes[i])) // a log that goes on is copied as it was
		if err = errors.Join(err, copied.Close()); err != nil {
			return err
		}
	}
	return nil
}

// copyPiece is how much is copied, in bytes, before it is looked again whether there is still time.
const copyPiece = 1 << 20

// copyUntil copies all that there is to read, unless ctx ends before.
func copyUntil(ctx context.Context, to io.Writer, from io.Reader) error {
	for ctx.Err() == nil {
		if _, err := io.CopyN(to, from, copyPiece); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A Copy is a folder that is given what is kept of a world elsewhere.
type Copy struct {
	file       *os.File
	record     []byte
	most, left int64 // bytes
}

// NewCopy begins one with a snapshot, nil for a log that begins with the world as it is made. It has room for most bytes: the error wraps ErrLarge if that is too little, and so
// do those of its methods.
func NewCopy(folder string, h *recording.Header, s *recording.Snapshot, most int64) (*Copy, error) {
	c := &Copy{most: most, left: most}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	since := uint64(0)
	if s != nil {
		since = s.N
		if int64(len(s.State)) > most {
			return nil, c.large()
		}
		if err := s.Write(folder); err != nil {
			return nil, err
		}
		info, err := os.Stat(filepath.Join(folder, fileName(s.Log.Map, s.N, "snapshot")))
		if err != nil {
			return nil, err
		}
		c.left -= info.Size()
	}
	var err error
	if c.file, err = os.OpenFile(logName(folder, h.Map, since), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return nil, err
	}
	if err := c.write(recording.AppendHeader(nil, h)); err != nil {
		return nil, errors.Join(err, c.file.Close())
	}
	return c, nil
}

func (c *Copy) large() error {
	return fmt.Errorf("%w: there is room for %d bytes", ErrLarge, c.most)
}

// write appends to the log, unless there is no room for that.
func (c *Copy) write(b []byte) error {
	if c.left -= int64(len(b)); c.left < 0 {
		return c.large()
	}
	_, err := c.file.Write(b)
	return err
}

// Add appends a record.
func (c *Copy) Add(r recording.Record) error {
	c.record = recording.AppendRecord(c.record[:0], r)
	return c.write(c.record)
}

// Close ends the log, for a reason: it may go on elsewhere. One that was too large is only closed.
func (c *Copy) Close(reason string) (err error) {
	if c.left >= 0 {
		err = c.Add(recording.Record{End: reason})
	}
	return errors.Join(err, c.file.Close())
}
