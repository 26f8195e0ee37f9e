//go:build !linux

package bench

import "time"

var began = time.Now()

// threadTime is the time that has passed, where the processor time of a thread is not known.
func threadTime() time.Duration { return time.Since(began) }

// processTime is likewise that of everything else.
func processTime() time.Duration { return threadTime() }
