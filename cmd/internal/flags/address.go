package flags

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// An Address is where to listen: 127.0.0.1:3724, localhost:3724, [::1]:3724, or :3724 for every address
// of the host. Port 0 takes a free one.
type Address struct{ netip.AddrPort }

// UnmarshalText reads an address. The only name that it resolves is localhost.
func (a *Address) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return fmt.Errorf("want HOST:PORT: %w", err)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return fmt.Errorf("want a port from 0 to 65535, not %q", port)
	}
	switch host {
	case "":
		host = "0.0.0.0"
	case "localhost":
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return fmt.Errorf("want an IP address, localhost or nothing before the port, not %q", host)
	}
	a.AddrPort = netip.AddrPortFrom(ip.Unmap(), uint16(number))
	return nil
}
