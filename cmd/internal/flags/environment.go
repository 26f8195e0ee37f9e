// Package flags has what verbs of muster share of their command lines: values, groups of flags, and where settings come from besides.
package flags

import "io"

// An Environment is the process around a command.
type Environment struct {
	Stdout    io.Writer // takes what the command prints
	Stderr    io.Writer // takes its log, and errors
	Variables []string  // as os.Environ gives them
}
