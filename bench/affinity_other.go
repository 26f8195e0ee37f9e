//go:build !linux

package bench

import (
	"errors"
	"os/exec"
)

// startOn starts a command. Which processor it has is for the system to say.
func startOn(cmd *exec.Cmd, _ int) error { return cmd.Start() }

// pin says that a thread cannot be kept on a processor here.
func pin() (free func() error, err error) {
	return nil, errors.New("no thread can be kept on one processor here")
}
