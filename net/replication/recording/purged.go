package recording

import (
	"fmt"
	"strings"
)

// A PurgedError is the error for a tick before those that a log has.
type PurgedError struct {
	Tick  uint64
	Since []uint64 // the ticks after which there are worlds to begin with, ascending
}

func (e *PurgedError) Error() string {
	if len(e.Since) == 0 {
		return fmt.Sprintf("tick %d is not in the log, nor is a world to begin with", e.Tick)
	}
	ticks := make([]string, len(e.Since))
	for i, n := range e.Since {
		ticks[i] = fmt.Sprint(n)
	}
	return fmt.Sprintf("tick %d is not in the log any more: it has the ticks after %d, and can begin after ticks %s", e.Tick, e.Since[0], strings.Join(ticks, ", "))
}
