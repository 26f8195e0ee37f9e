package account

import "net/netip"

// Place is what counts as one address: an IPv4 address, or the /64 that one IPv6 subscriber has. It is invalid for an
// address that is.
func Place(a netip.Addr) netip.Prefix {
	a = plain(a)
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = 64
	}
	place, _ := a.Prefix(bits)
	return place
}

// plain is an address without what depends on the socket it was seen by.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
