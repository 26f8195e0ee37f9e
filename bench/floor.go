package bench

import "time"

// A Floor is a server that does nothing but what no server can do without: it reads what its clients send,
// and sends them as many bytes, as often, as a real one did. It is what the processor time of serve is held
// against.
//
// One goroutine owns all its sockets. Once in a step it asks the kernel which have something to read, reads
// that, and sends what is due by direct system calls, to one client after the other.
type Floor struct {
	Clients int     // it begins to send when so many are there
	Flushes float64 // per second, to all clients together
	Bytes   int     // of each flush
}

// round is how long it takes until each client has been sent to once: what those wait from one time to the next that send
// to all of them in turn.
func (f Floor) round() time.Duration {
	return time.Duration(float64(f.Clients) / f.Flushes * float64(time.Second))
}

// step is how often a Floor looks at its sockets: a tick.
const step = tickMs * time.Millisecond
