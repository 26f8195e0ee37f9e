package process

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// What is between two starts of a process that ends again and again, and between an end of a world and its next beginning: it doubles each time, from the least to the most.
const (
	LeastPause = 100 * time.Millisecond
	MostPause  = 10 * time.Second
	// SoundTime is after what time a process, or a world, has been well, so that the least is next.
	SoundTime = 30 * time.Second
)

// pauseAfter is how long a process is not started again that was started so long ago: starts are to be an interval apart.
func pauseAfter(since, interval time.Duration) time.Duration { return max(interval-since, LeastPause) }

// Supervise starts a process of this program, and starts it again whenever it ends, until ctx ends; then it ends it, and returns an error if that is
// not in order. Starts are LeastPause apart, and twice as far each time, up to MostPause, while none runs for SoundTime. Started is called with each, and ended with the number of one, 0 if it could not be started, and how it ended by itself; nil does nothing.
func Supervise(ctx context.Context, name string, args []string, log *slog.Logger, stderr io.Writer, started func(*Child), ended func(pid int, err error)) error {
	for interval := LeastPause; ctx.Err() == nil; interval = min(2*interval, MostPause) {
		began := time.Now()
		c := NewChildren(log, stderr, 1)
		err, pid := c.Start(name, args), 0
		if err == nil {
			pid = c.all[0].Cmd.Process.Pid
			if started != nil {
				started(c.all[0])
			}
			select {
			case err = <-c.Ended:
			case <-ctx.Done():
				return c.Stop()
			}
		}
		ran := time.Since(began)
		if ended != nil {
			ended(pid, err)
		}
		if ran > SoundTime {
			interval = LeastPause
		}
		if pid != 0 && c.all[0].Cmd.ProcessState.Success() { // it was told to end, by an operator, or has handed its worlds over
			log.Info("a process has ended in order, and is not started again", "process", name)
			return nil
		}
		pause := pauseAfter(time.Since(began), interval)
		log.Error("a process has ended, and is started again", "process", name, "err", err, "after", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return nil
}
