package process

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Ended is before the name of a process that has ended.
const Ended = "ended "

// Heartbeat is what a process says that has a world: the number of its writer, "LIFE NAME".
func Heartbeat(life uint64, name string) []byte { return fmt.Appendf(nil, "%d %s", life, name) }

// ReadHeartbeat reads a heartbeat. It is not ok if a message is none.
func ReadHeartbeat(b []byte) (life uint64, name string, ok bool) {
	number, name, found := strings.Cut(string(b), " ")
	life, err := strconv.ParseUint(number, 10, 64)
	return life, name, found && err == nil
}

// NameOf is what a process of this machine is called among those that have worlds.
func NameOf(pid int) string {
	host, _ := os.Hostname() // "" if it is not known
	return fmt.Sprintf("%d@%s", pid, host)
}

// OwnName is what this process is called among those that are upgraded. Containers that share the host's network have its name, and all may
// be process 1: so it ends with a number drawn at the start.
var OwnName = sync.OnceValue(func() string { return fmt.Sprintf("%s.%06x", NameOf(os.Getpid()), rand.Uint32N(1<<24)) })
