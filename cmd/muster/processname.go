package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
)

// processEnded is before the name of a process that has ended.
const processEnded = "ended "

// processName is what a process of this machine is called among those that have worlds.
func processName(pid int) string {
	host, _ := os.Hostname() // "" if it is not known
	return fmt.Sprintf("%d@%s", pid, host)
}

// ourName is what this process is called among those that are upgraded. Containers that share the host's network have its name, and all may
// be process 1: so it ends with a number drawn at the start.
var ourName = sync.OnceValue(func() string { return fmt.Sprintf("%s.%06x", processName(os.Getpid()), rand.Uint32N(1<<24)) })
