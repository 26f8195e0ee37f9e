package main

import "io"

// An environment is the process around a command.
type environment struct {
	stdout    io.Writer // takes what the command prints
	stderr    io.Writer // takes its log, and errors
	variables []string  // as os.Environ gives them
}
