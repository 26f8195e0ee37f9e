//go:build !linux

package terminal

import (
	"errors"
	"os"
)

// hideTyping is not supported here: Is reports that there is no terminal.
func hideTyping(*os.File) (restore func(), err error) {
	return nil, errors.New("the password cannot be asked for here")
}
