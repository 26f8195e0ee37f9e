package swarm

import (
	"fmt"
	"time"
)

// Processor is how much processor time the swarm's process has taken in the measured time. It is all zero where the
// system does not tell.
type Processor struct {
	Percent  float64 `json:"percent"`       // of a core
	Kernel   float64 `json:"kernel"`        // share of that in system calls, from 0 to 1
	PacketNs float64 `json:"ns_per_packet"` // for each packet received
}

// usage is the processor time of the process so far.
type usage struct{ user, kernel time.Duration }

// over is what was used in a time in which so many packets came.
func (u usage) over(then usage, d time.Duration, packets uint64) (p Processor) {
	user, kernel := u.user-then.user, u.kernel-then.kernel
	all := user + kernel
	if all <= 0 || d <= 0 {
		return p
	}
	p.Percent, p.Kernel = 100*all.Seconds()/d.Seconds(), kernel.Seconds()/all.Seconds()
	if packets > 0 {
		p.PacketNs = float64(all) / float64(packets)
	}
	return p
}

// String is the figures on one line.
func (p Processor) String() string {
	return fmt.Sprintf("%.1f %% of a core, %.0f %% of that in the kernel, %.0f ns for each packet received, of the swarm itself",
		p.Percent, 100*p.Kernel, p.PacketNs)
}
