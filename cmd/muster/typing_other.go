//go:build !linux

package main

import (
	"errors"
	"os"
)

// hideTyping is not supported here: isTerminal reports that there is no terminal.
func hideTyping(*os.File) (restore func(), err error) {
	return nil, errors.New("the password cannot be asked for here")
}
