// Package instancelog keeps on a disk which instances a server has, which characters are bound to them, and what accounts have entered lately.
//
// The file is a line that names its format, and then a line of JSON for each change. It is written anew when it is opened, and when it has become much
// longer than what it says.
package instancelog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"muster/cmd/internal/wholefile"
	"muster/internal/directory"
	"muster/internal/limit"
	"muster/internal/metric"
	"muster/net/gateway/instances"
	"muster/net/replication/worldlog"
)

// Failed counts changes that were not written.
const Failed = "instance.unkept"

// magic is the first line. The number is raised when an older program would understand a file otherwise than this one.
const magic = "muster instances 1"

// growth is how many bytes the file may grow by before it is written anew, or as much as it had then: our own choice.
const growth = 1 << 20

// maxLine is the longest line in bytes, our own choice: a change has less than 200.
const maxLine = 4 << 10

// Limits lists what this package bounds.
func Limits() []limit.Limit {
	return []limit.Limit{{
		Name: "bytes by which the file of instances grows, or as many as it has", Value: growth, Breach: "it is written anew, without what is over",
		Test: "cmd/internal/instancelog TestFileIsBounded",
	}}
}

// ErrDamaged is wrapped by the error for a file that is none of this format, or with a line that is none.
var ErrDamaged = errors.New("instancelog: the file is damaged")

// A Log is a file of changes: an instances.Journal. A change is in the file when Note returns, so that the end of the process does not lose it; that of the machine may, until Close has returned.
type Log struct {
	path   string
	metric *metric.Table
	log    *slog.Logger
	now    func() time.Time
	sync   func(folder string) error

	kept   instances.Kept
	file   *os.File // nil: it is to be written anew
	length int64
	most   int64 // at which it is written anew
	failed bool  // and that is logged
}

// Open opens the file at a path, or makes it, and returns what it has. What was being written when its process ended is left out.
func Open(path string, counters *metric.Table, log *slog.Logger) (l *Log, kept instances.Kept, err error) {
	l = &Log{path: path, metric: counters, log: log, now: time.Now, sync: directory.Sync}
	counters.Declare(Failed)
	begun := false
	if l.kept, begun, err = read(path); err != nil {
		return nil, instances.Kept{}, err
	}
	if !begun { // it is made before the first instance
		switch numbers, err := worldlog.Instances(filepath.Dir(path)); {
		case err != nil:
			return nil, instances.Kept{}, err
		case len(numbers) > 0:
			return nil, instances.Kept{}, fmt.Errorf("%w: %s has nothing, and there are logs of %d instances", ErrDamaged, path, len(numbers))
		}
	}
	if err := errors.Join(removeParts(path), l.rewrite()); err != nil {
		return nil, instances.Kept{}, fmt.Errorf("instancelog: %w", err)
	}
	kept, _, err = read(path) // of its own: the other one changes
	return l, kept, err
}

// Path is where the file is in a folder of worlds.
func Path(worlds string) string { return filepath.Join(worlds, "instances") }

// SetAside moves the file, and the folders of all instances, to the folder of worlds with a suffix, in place of all that were set aside there before. It returns that
// folder, "" if there was nothing.
func SetAside(worlds, suffix string) (to string, err error) {
	numbers, err := worldlog.Instances(worlds)
	if err != nil {
		return "", err
	}
	_, err = os.Stat(Path(worlds))
	switch isThere := err == nil; {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return "", err
	case !isThere && len(numbers) == 0:
		return "", nil
	default:
		to = worlds + suffix
		return to, setAside(worlds, to, suffix, numbers, directory.Sync)
	}
}

// setAside moves the folders of instances, and then the file: while it is not there, what is has been moved by a process that was ended in the midst of it.
// Both folders are synced after the move of the file, and so is the one that they are in.
func setAside(worlds, to, suffix string, numbers []uint32, sync func(folder string) error) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(Path(to)); err == nil {
		if err := errors.Join(worldlog.RemoveInstances(to), os.Remove(Path(to))); err != nil {
			return err
		}
	}
	for _, number := range numbers {
		if _, err := worldlog.SetInstanceAside(worlds, suffix, number); err != nil {
			return err
		}
	}
	err := os.Rename(Path(worlds), Path(to))
	if errors.Is(err, os.ErrNotExist) {
		err = os.WriteFile(Path(to), nil, 0o600)
	}
	if err != nil {
		return err
	}
	return errors.Join(sync(to), sync(worlds), sync(filepath.Dir(to)))
}

// removeParts removes what processes have left that ended while they wrote the file anew.
func removeParts(path string) error {
	parts, err := filepath.Glob(path + ".*.part")
	for _, part := range parts {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// read reads a file, nothing if there is none. It has begun if it has its first line.
func read(path string) (kept instances.Kept, begun bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return kept, false, nil
	}
	if err != nil {
		return kept, false, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, maxLine)
	for n := 1; ; n++ {
		line, err := r.ReadSlice('\n')
		if err == io.EOF { // without its end: it was being written
			return kept, begun, nil
		}
		var c instances.Change
		switch {
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return kept, begun, err
		case n == 1 && string(line) == magic+"\n":
			begun = true
			continue
		case err == nil && n > 1 && json.Unmarshal(line, &c) == nil && kept.Apply(c):
			continue
		}
		return kept, begun, fmt.Errorf("%w: line %d of %s", ErrDamaged, n, path)
	}
}

// Note implements instances.Journal. If the disk does not take the changes, they are tried again with the next call, and with Close.
func (l *Log) Note(changes ...instances.Change) {
	if len(changes) == 0 && !l.failed {
		return
	}
	var lines []byte
	for _, c := range changes {
		if !l.kept.Apply(c) { // it would be refused when the file is read
			l.log.Error("a change of an instance that is none is left out", "change", c)
			continue
		}
		lines = appendLine(lines, c)
	}
	if err := l.write(lines); err != nil {
		l.metric.Add(Failed, uint64(len(changes)))
		if !l.failed {
			l.log.Error("changes of instances are not kept", "in", l.path, "err", err)
		}
		l.failed = true
		return
	}
	if l.failed {
		l.log.Info("changes of instances are kept again", "in", l.path)
	}
	l.failed = false
}

// write appends lines, or writes all that is kept anew.
func (l *Log) write(lines []byte) error {
	if l.file == nil || l.length+int64(len(lines)) > l.most {
		return l.rewrite()
	}
	n, err := l.file.Write(lines)
	if l.length += int64(n); err != nil {
		err = errors.Join(err, l.close()) // half of a line may be there
	}
	return err
}

// rewrite writes all that is kept anew.
func (l *Log) rewrite() (err error) {
	if err := l.close(); err != nil {
		return err
	}
	b, fresh := []byte(magic+"\n"), instances.Kept{}
	for _, c := range l.kept.Changes(l.now()) {
		fresh.Apply(c)
		b = appendLine(b, c)
	}
	l.kept = fresh
	err = wholefile.Write(l.path, 0o600, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	if l.file, err = os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		l.file = nil
		return err
	}
	l.length = int64(len(b))
	l.most = l.length + max(l.length, growth)
	return nil
}

// Close writes what the disk has not taken, and closes the file, which the disk has when it returns.
func (l *Log) Close() (err error) {
	if l.failed {
		err = l.rewrite()
	}
	if l.file != nil {
		err = errors.Join(err, l.file.Sync(), l.sync(filepath.Dir(l.path)))
	}
	return errors.Join(err, l.close())
}

func (l *Log) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
		l.file = nil
	}
	return err
}

func appendLine(b []byte, c instances.Change) []byte {
	text, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("instancelog: %v", err)) // numbers and a word
	}
	return append(append(b, text...), '\n')
}
