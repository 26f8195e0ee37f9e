package flags

import (
	"net/netip"
	"testing"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:1": "127.0.0.1:1", ":2": "0.0.0.0:2", "localhost:3": "127.0.0.1:3", "[::]:4": "[::]:4",
		"[::ffff:127.0.0.1]:5": "127.0.0.1:5",
	} {
		var a Address
		if err := a.UnmarshalText([]byte(text)); err != nil || a.AddrPort != netip.MustParseAddrPort(want) {
			t.Errorf("%s: %v %v, want %s", text, a, err, want)
		}
	}
}
