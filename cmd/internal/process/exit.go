package process

import "fmt"

// What a process of this program ends with.
const (
	ExitOK      = 0
	ExitFailure = 1 // it was tried and failed
	ExitUsage   = 2 // it was not tried: bad flags, a bad file
)

// An ExitStatus is an error that is already reported, with the exit code of the process.
type ExitStatus int

// Error says which.
func (s ExitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
