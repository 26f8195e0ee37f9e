package flags

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// adminPort is the port for operators where none is named.
const adminPort = "8086"

// An AdminURL is where a server listens for operators, in any form in which that is written: HOST:PORT, HOST, :PORT, or what a
// browser shows. A server that listens on every address is asked on this machine.
type AdminURL struct{ Base string } // without a slash at its end

// UnmarshalText reads an address.
func (a *AdminURL) UnmarshalText(text []byte) error {
	written := string(text)
	scheme, rest, isURL := strings.Cut(written, "://")
	if !isURL {
		scheme, rest = "http", written
	}
	u, err := url.Parse(scheme + "://" + rest)
	if err != nil || scheme != "http" && scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || rest == "" {
		return fmt.Errorf("want HOST:PORT or http://HOST:PORT/, not %q", written)
	}
	host, port := u.Hostname(), u.Port()
	if !isURL {
		port = cmp.Or(port, adminPort)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	if port != "" {
		u.Host = net.JoinHostPort(host, port)
	}
	a.Base = strings.TrimSuffix(u.String(), "/")
	return nil
}
