//go:build !linux

package bench

import "errors"

// An instructionCounter counts nothing here.
type instructionCounter struct{}

func countInstructions() (*instructionCounter, error) {
	return nil, errors.New("only Linux is asked to count instructions")
}

func (c *instructionCounter) read() uint64 { return 0 }
func (c *instructionCounter) close()       {}
