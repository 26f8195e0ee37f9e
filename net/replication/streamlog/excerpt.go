package streamlog

import (
	"cmp"
	"context"
	"errors"

	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

// excerpted is why an excerpt ends.
const excerpted = "as far as the log had come"

// Excerpt copies the log into a folder, as package worldlog has the log of a world on a disk, from where ReadFrom begins to read it for a tick. A world may be stepped meanwhile. It returns
// the errors of ReadFrom, and what wraps worldlog.ErrLarge once it has more than most bytes.
func (l *Log) Excerpt(ctx context.Context, folder string, tick uint64, most int64) error {
	var c *worldlog.Copy
	since := uint64(0)
	err := l.ReadFrom(ctx, tick, func(h *recording.Header, s *Snapshot) (err error) {
		var shot *recording.Snapshot
		if s != nil {
			by := cmp.Or(s.Before, h)
			shot = &recording.Snapshot{Log: *by, Release: by.Release, Toolchain: by.Toolchain, N: s.N, State: s.State}
			since = s.N
		}
		c, err = worldlog.NewCopy(folder, h, shot, most)
		return err
	}, func(r recording.Record) error {
		if r.N <= since {
			return nil
		}
		return c.Add(r)
	})
	if c != nil {
		err = errors.Join(err, c.Close(excerpted))
	}
	return err
}
