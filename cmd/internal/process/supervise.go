package process

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// Pauses before a process that has ended is started again.
const (
	LeastPause = 100 * time.Millisecond
	MostPause  = 10 * time.Second
	// SoundTime is after what time a process has been well, so that the next pause is the least again.
	SoundTime = 30 * time.Second
)

// Supervise starts a process of this program, and starts it again whenever it ends, until ctx ends; then it ends it, and returns an error if that is
// not in order. Started is called with each, and ended with the number of one, 0 if it could not be started, and how it ended by itself; nil does nothing.
func Supervise(ctx context.Context, name string, args []string, log *slog.Logger, stderr io.Writer, started func(*Child), ended func(pid int, err error)) error {
	for pause := LeastPause; ctx.Err() == nil; pause = min(2*pause, MostPause) {
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
		if ended != nil {
			ended(pid, err)
		}
		if time.Since(began) > SoundTime {
			pause = LeastPause
		}
		if pid != 0 && c.all[0].Cmd.ProcessState.Success() { // it was told to end, by an operator, or has handed its worlds over
			log.Info("a process has ended in order, and is not started again", "process", name)
			return nil
		}
		log.Error("a process has ended, and is started again", "process", name, "err", err, "after", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return nil
}
