//go:build !linux

package bench

import "errors"

func countInstructions() (counter, error) {
	return nil, errors.New("only Linux is asked to count instructions")
}
