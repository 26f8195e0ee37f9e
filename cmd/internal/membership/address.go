package membership

import (
	"net"
	"net/netip"
)

// AddrPort is where a TCP listener listens.
func AddrPort(l net.Listener) netip.AddrPort { return l.Addr().(*net.TCPAddr).AddrPort() }

// Reachable is an address at which this machine reaches what listens on one, which may be all of the host.
func Reachable(a netip.AddrPort) netip.AddrPort {
	if a.Addr().IsUnspecified() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), a.Port())
	}
	return a
}
