// Package worldlog keeps a world on a disk: a snapshot of its state, and all that it has read since. A world is a
// function of what it reads, so both together are the world as its last tick left it, whatever ended its process.
//
// A folder has for each map files mapM-T.snapshot, the state after tick T, and mapM-T.log, what the ticks after T have
// read. Both are in the formats of package recording. A log of tick 0 has no snapshot: it begins with the world as it
// is made. Whatever is older than the newest complete snapshot is removed, or, with Config.Back, than the newest that is so old.
// Instances of maps have folders of their own in it, instanceN.
package worldlog

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"muster/internal/directory"
	"muster/internal/limit"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// Counters.
const (
	Ended          = "worldlog.ended"           // logs that ended before their worlds
	Snapshots      = "worldlog.snapshot"        // snapshots that were written
	SnapshotFailed = "worldlog.snapshot_failed" // snapshots that were not
	Paused         = "worldlog.paused_us"       // for how long worlds stood still for their snapshots, in microseconds
)

// MaxBytes bounds the logs of a map together. Those that only Config.Back keeps go first, so that they are as long only
// if snapshots cannot be written.
const MaxBytes = 1 << 30

// snapshotBytes is the length of a log, in bytes, at which a snapshot is taken before its time: a longer one takes
// longer to be run.
const snapshotBytes = 64 << 20

// ErrLong is returned for logs longer than MaxBytes together.
var ErrLong = errors.New("worldlog: the log is as long as it may be")

// Limits lists what this package bounds.
func Limits() []limit.Limit {
	return []limit.Limit{{
		Name: "log of a world, in bytes", Value: MaxBytes, Breach: "the log ends, and another begins with the next snapshot",
		Counter: Ended, Test: "net/replication/worldlog TestLogIsBounded",
	}}
}

// Config is the configuration of a Log.
type Config struct {
	Folder string
	Header recording.Header // what the world is made of
	Boot   string           // what the run of the machine is called, which the logs say; "" if it does not tell
	// State appends the state of the world between two ticks, or what of it the world does not keep, as systems.World.CopySnapshot does: the state is in
	// parts, one after the other, until State is called again.
	State func(b []byte) (copied []byte, parts func() ([][]byte, error), err error)
	Size  func() int // about how many bytes it appends; nil: as the last
	// Every is the units of the world's clock between two snapshots.
	Every uint64
	// Back is for how many units the log goes back at least, once the world has run as long: older snapshots are kept for so long.
	Back uint64
	// Failed is called with why a snapshot was not written, and, if ended, why nothing is kept until the next one. It is
	// called by the caller of the log's methods; nil does nothing.
	Failed func(err error, ended bool)
	Metric *metric.Table // default: a table of its own

	most int64                     // of all logs together, in bytes; default MaxBytes
	sync func(folder string) error // default directory.Sync
}

// A Log keeps one world. The goroutine that steps the world calls its methods.
type Log struct {
	config Config
	tick   uint64 // the last one
	file   *os.File
	since  uint64  // the tick after which the file begins
	length int64   // of the file
	before int64   // of the files before it
	begins []start // where Excerpt can begin, ascending
	record []byte  // reused

	room    *recording.Room
	asked   bool                     // for room, since the last snapshot
	copied  []byte                   // of the last snapshot; the writer's while that is being written
	parts   func() ([][]byte, error) // likewise
	shot    uint64                   // its tick
	writing bool                     // a snapshot is being written
	useless bool                     // the world was discarded
	written chan error               // has the result of that
}

// A start is a snapshot that is there, or tick 0.
type start struct {
	tick   uint64
	before int64 // the length of the files before its log
}

// Begin begins the log of a world that is as it was made, if tick is 0, or whose state is that after some tick. It
// replaces what the folder has of the map: that of a world that had ended in order is not there again after the end of the machine.
func Begin(c Config, tick uint64) (*Log, error) {
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Metric.Declare(Ended, Snapshots, SnapshotFailed, Paused)
	c.Header.Segment = 1
	c.most = cmp.Or(c.most, MaxBytes)
	if c.sync == nil {
		c.sync = directory.Sync
	}
	l := &Log{config: c, tick: tick, room: recording.NewRoom(), written: make(chan error, 1)}
	if tick == 0 {
		if err := errors.Join(os.MkdirAll(c.Folder, 0o700), l.removeAll()); err != nil {
			return nil, err
		}
		l.begins = []start{{}}
		return l, l.open(0)
	}
	if err := l.restart(); err != nil {
		return l, err
	}
	err := remove(c.Folder, c.Header.Map, tick+1, math.MaxUint64) // logs that starts have begun which were killed before they had a snapshot
	return l, errors.Join(err, c.sync(c.Folder))
}

// Append writes what a tick is about to read. The system has it when Append returns: the end of the process does not
// lose it, that of the machine may.
func (l *Log) Append(n uint64, in *frame.Inbox) {
	l.tick = n
	if l.file == nil {
		return
	}
	l.record = recording.AppendTick(l.record[:0], n, in)
	if n := len(l.begins); n > 1 && l.exceeds(len(l.record)) {
		if err := l.forget(n - 1); err != nil {
			l.failed(fmt.Errorf("the logs before tick %d: %w", l.begins[0].tick, err), false)
		}
	}
	if l.exceeds(len(l.record)) {
		l.fail(ErrLong)
		return
	}
	size, err := l.file.Write(l.record)
	if l.length += int64(size); err != nil {
		l.fail(err)
	}
}

// exceeds reports whether the files would be too long together with so many bytes more.
func (l *Log) exceeds(more int) bool { return l.before+l.length+int64(more) > l.config.most }

// forget removes the files that are only needed to begin with one of the first n starts.
func (l *Log) forget(n int) error {
	l.begins = l.begins[n:]
	freed := l.begins[0].before
	l.before -= freed
	for i := range l.begins {
		l.begins[i].before -= freed
	}
	return remove(l.config.Folder, l.config.Header.Map, 0, l.begins[0].tick)
}

// After is called between ticks. It takes a snapshot if one is due, which is written while the world goes on.
func (l *Log) After() {
	select {
	case err := <-l.written:
		l.saved(err)
	default:
	}
	if !l.asked && l.config.Size != nil && l.tick-l.since >= l.config.Every-l.config.Every/4 {
		l.asked = true
		l.room.Need(l.config.Size())
	}
	if !l.writing && (l.tick-l.since >= l.config.Every || l.length >= snapshotBytes) {
		l.snapshot()
	}
}

// Close takes a snapshot of the world as it is now, so that a log of no ticks follows it, and returns when the disk has
// both. The world must have stopped.
func (l *Log) Close() error {
	if l.writing {
		l.saved(<-l.written)
	}
	defer l.room.Wait()
	if l.tick == 0 || l.useless {
		return l.close()
	}
	if l.file == nil || l.tick > l.since {
		if err := l.restart(); err != nil {
			return errors.Join(err, l.close())
		}
	}
	_, err := l.file.Write(recording.AppendEnd(nil, closed))
	if err := errors.Join(err, l.file.Sync(), l.close()); err != nil {
		return err
	}
	return errors.Join(l.config.sync(l.config.Folder), l.config.sync(filepath.Dir(l.config.Folder))) // which may be as new
}

// Discard removes what is kept of the world, whose state is of no use, and ends the log.
func (l *Log) Discard() error {
	if l.writing {
		<-l.written
		l.writing = false
	}
	l.room.Wait()
	l.useless = true
	return errors.Join(l.close(), l.removeAll())
}

func (l *Log) removeAll() error {
	l.begins = nil
	return remove(l.config.Folder, l.config.Header.Map, 0, math.MaxUint64)
}

func (l *Log) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
		l.file = nil
	}
	return err
}

// snapshot takes one, and begins the log of what follows.
func (l *Log) snapshot() {
	began := time.Now()
	err := l.take()
	l.config.Metric.Add(Paused, uint64(time.Since(began).Microseconds()))
	if err != nil {
		l.fail(err)
		return
	}
	l.writing = true
	shot := l.image()
	go func() { l.written <- l.write(&shot) }()
}

// take copies the state of the world, and begins the log of what follows.
func (l *Log) take() (err error) {
	b := l.room.Take()
	if l.copied, l.parts, err = l.config.State(b); err != nil {
		l.room.Return(b)
		return err
	}
	l.shot, l.asked = l.tick, false
	if err = l.open(l.tick); err != nil {
		l.room.Return(l.copied)
	}
	return err
}

// write writes a snapshot that was taken, and gives its room back.
func (l *Log) write(shot *recording.Snapshot) error {
	defer l.room.Return(l.copied)
	parts, err := l.parts()
	if err != nil {
		return err
	}
	return shot.WriteState(l.config.Folder, parts)
}

// image is the snapshot that was taken last.
func (l *Log) image() recording.Snapshot {
	h := &l.config.Header
	return recording.Snapshot{Log: *h, Release: h.Release, Toolchain: h.Toolchain, N: l.shot}
}

// restart takes a snapshot, and waits for it. What there was before goes.
func (l *Log) restart() error {
	l.begins = nil
	if err := l.take(); err != nil {
		return err
	}
	shot := l.image()
	err := l.write(&shot)
	if err == nil {
		l.saved(nil)
	}
	return err
}

// saved removes what a snapshot makes needless, once that is written; or continues without it.
func (l *Log) saved(err error) {
	l.writing = false
	switch {
	case l.file == nil: // the log ended meanwhile
		err = errors.Join(err, l.removeAll())
	case err == nil:
		l.config.Metric.Count(Snapshots)
		l.begins = append(l.begins, start{l.shot, l.before})
		n := 0
		for n < len(l.begins)-1 && l.begins[n+1].tick+l.config.Back <= l.shot {
			n++
		}
		err = l.forget(n)
	default:
		l.config.Metric.Count(SnapshotFailed)
	}
	if err != nil {
		l.failed(fmt.Errorf("the snapshot after tick %d: %w", l.shot, err), false)
	}
}

// open begins the log of the ticks after one, and ends that before it.
func (l *Log) open(tick uint64) error {
	if l.file != nil { // first: only the last log may be without its end
		n, err := l.file.Write(recording.AppendEnd(nil, continued))
		l.length += int64(n)
		if err = errors.Join(err, l.close()); err != nil {
			return err
		}
	}
	path := logName(l.config.Folder, l.config.Header.Map, tick)
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // it contains the players' chat
	if err != nil {
		return err
	}
	header := l.config.Header
	header.Boot = l.config.Boot
	n, err := file.Write(recording.AppendHeader(nil, &header))
	if err == nil { // a log of the same tick has its header until then: that of a world that had ended without players
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.before += l.length
	l.file, l.since, l.length = file, tick, int64(n)
	return nil
}

// How a log ends.
const (
	continued = "continued" // by another
	closed    = "closed"    // with its world
)

// fail ends the log until the next snapshot. What is kept is removed: the world goes on, and so do the stored
// characters, which an older world would contradict.
func (l *Log) fail(why error) {
	l.config.Metric.Count(Ended)
	l.since, l.length, l.before = l.tick, 0, 0
	l.failed(errors.Join(why, l.close(), l.removeAll()), true)
}

func (l *Log) failed(err error, ended bool) {
	if l.config.Failed != nil {
		l.config.Failed(err, ended)
	}
}

func logName(folder string, place uint32, tick uint64) string {
	return filepath.Join(folder, fileName(place, tick, "log"))
}
