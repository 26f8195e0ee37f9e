// Package seats divides the descriptors of a process among those that connect to it.
package seats

import "syscall"

// Seats are how many connections there may be at a time. All take descriptors from one pool, so that without
// shares the clients of one port could take all of the others.
type Seats struct{ Players, Logins int }

const (
	mostPlayers = 20_000
	mostLogins  = 8192
	// spareDescriptors are for listeners, event loops, files, and connections that are being accepted.
	spareDescriptors = 128
	// leastLogins and leastOperators are left where more players are asked for than their share.
	leastLogins    = 256
	leastOperators = 64
)

// Share divides n descriptors: at most a quarter is for logins, a sixteenth for operators, and the rest, without
// what is spared, for players. Each has at least one. If more players are asked for than that, they get of the
// shares of the others what those can do without.
func Share(n, asked int) Seats {
	logins, operators := n/4, n/16
	rest := n - logins - operators - spareDescriptors
	if more := min(asked, n-leastLogins-leastOperators-spareDescriptors) - rest; more > 0 {
		rest += more
		logins = max(leastLogins, logins-more)
	}
	return Seats{
		Players: max(1, min(rest, mostPlayers)),
		Logins:  max(1, min(logins, mostLogins)),
	}
}

// Descriptors is how many the process may have open.
func Descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	return int(min(limit.Cur, 1<<30))
}
