package main

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// Pauses before a process that has ended is started again.
const (
	leastPause = 100 * time.Millisecond
	mostPause  = 10 * time.Second
	// soundTime is after what time a process has been well, so that the next pause is the least again.
	soundTime = 30 * time.Second
)

// supervise starts a process of this program, and starts it again whenever it ends, until ctx ends; then it ends it, and returns an error if that is
// not in order. Started is called with each, and ended with the number of one, 0 if it could not be started, and how it ended by itself; nil does nothing.
func supervise(ctx context.Context, name string, args []string, log *slog.Logger, stderr io.Writer, started func(*child), ended func(pid int, err error)) error {
	for pause := leastPause; ctx.Err() == nil; pause = min(2*pause, mostPause) {
		began := time.Now()
		c := newChildren(log, stderr, 1)
		err, pid := c.start(name, args), 0
		if err == nil {
			pid = c.all[0].cmd.Process.Pid
			if started != nil {
				started(c.all[0])
			}
			select {
			case err = <-c.ended:
			case <-ctx.Done():
				return c.stop()
			}
		}
		if ended != nil {
			ended(pid, err)
		}
		if time.Since(began) > soundTime {
			pause = leastPause
		}
		if pid != 0 && c.all[0].cmd.ProcessState.Success() { // it was told to end, by an operator, or has handed its worlds over
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
