package process

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
)

// Ended is before the name of a process that has ended.
const Ended = "ended "

// NameOf is what a process of this machine is called among those that have worlds.
func NameOf(pid int) string {
	host, _ := os.Hostname() // "" if it is not known
	return fmt.Sprintf("%d@%s", pid, host)
}

// OwnName is what this process is called among those that are upgraded. Containers that share the host's network have its name, and all may
// be process 1: so it ends with a number drawn at the start.
var OwnName = sync.OnceValue(func() string { return fmt.Sprintf("%s.%06x", NameOf(os.Getpid()), rand.Uint32N(1<<24)) })
