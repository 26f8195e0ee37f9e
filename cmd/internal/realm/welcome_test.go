package realm

import (
	"net/netip"
	"strings"
	"testing"

	"muster/cmd/internal/flags"
	"muster/components/defs"
)

// A server says where clients log in, and how to try that; a gateway, which decides neither, that other processes do.
func TestWelcome(t *testing.T) {
	loopback := netip.MustParseAddrPort("127.0.0.1:3724")
	v := &Config{RealmName: "muster", Auth: flags.Address{AddrPort: loopback}, World: flags.Address{AddrPort: loopback}, Admin: flags.Address{AddrPort: loopback}}
	says := func(at Open) string {
		var w strings.Builder
		if err := v.welcome(&w, new(defs.World), at); err != nil {
			t.Fatal(err)
		}
		return w.String()
	}
	tries := "  login     127.0.0.1:3724, for 3.3.5a clients: set realmlist 127.0.0.1\n"
	if text := says(Open{Logins: loopback, World: loopback, Admin: loopback}); !strings.Contains(text, tries) || !strings.Contains(text, "bin/muster swarm --auth 127.0.0.1:3724 ") {
		t.Errorf("a server says\n%s", text)
	}
	all := "  login     [::]:3724, for 3.3.5a clients: set realmlist HOST, at which they reach it\n"
	if text := says(Open{Logins: netip.MustParseAddrPort("[::]:3724"), World: loopback, Admin: loopback}); !strings.Contains(text, all) {
		t.Errorf("a server on all addresses says\n%s", text)
	}
	text := says(Open{World: loopback, Admin: loopback})
	if !strings.Contains(text, "  login     at muster login, which also has the accounts\n") {
		t.Errorf("a gateway says\n%s", text)
	}
	for _, wrong := range []string{"invalid", "none", "realmlist", "swarm", "password", "open accounts"} {
		if strings.Contains(text, wrong) {
			t.Errorf("a gateway says %q:\n%s", wrong, text)
		}
	}
}
