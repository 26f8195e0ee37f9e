//go:build !linux

package bench

import (
	"errors"
	"math"
)

// An instructionCounter counts nothing here.
type instructionCounter struct{}

func countInstructions() (*instructionCounter, error) {
	return nil, errors.New("only Linux is asked to count instructions")
}

func (c *instructionCounter) read() float64 { return math.NaN() }
func (c *instructionCounter) partly() bool  { return false }
func (c *instructionCounter) close()        {}
