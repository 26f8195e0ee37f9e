//go:build !linux

package bench

import (
	"errors"
	"time"
)

var began = time.Now()

// threadTime is the time that has passed, where the processor time of a thread is not known.
func threadTime() time.Duration { return time.Since(began) }

// processTime is likewise that of everything else.
func processTime() time.Duration { return threadTime() }

// otherTime would be that of another process.
func otherTime(int) (time.Duration, error) {
	return 0, errors.New("only Linux is asked for the processor time of another process")
}
