package registry_test

import (
	"net"
	"testing"

	"muster/loaders/registry"
)

// A process that listens on all addresses is reached where the database sees it, and one that listens on one, there.
func TestReachable(t *testing.T) {
	t.Parallel()
	tcp := func(address string) net.Addr {
		a, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, test := range []struct {
		address string
		local   net.Addr
		want    string
	}{
		{"[::]:8086", tcp("172.20.0.9:51234"), "172.20.0.9:8086"},
		{"0.0.0.0:8086", tcp("[::ffff:172.20.0.9]:51234"), "172.20.0.9:8086"},
		{"[::]:8086", tcp("[fd00::9]:51234"), "[fd00::9]:8086"},
		{"0.0.0.0:8086", tcp("127.0.0.1:51234"), "127.0.0.1:8086"},
		{"[::]:8086", &net.UnixAddr{Name: "@", Net: "unix"}, "127.0.0.1:8086"},
		{"10.0.0.3:8086", tcp("172.20.0.9:51234"), "10.0.0.3:8086"},
		{"127.0.0.1:8086", tcp("172.20.0.9:51234"), "127.0.0.1:8086"},
		{"realm.example:8085", tcp("172.20.0.9:51234"), "realm.example:8085"},
		{"", tcp("172.20.0.9:51234"), ""},
	} {
		if got := registry.Reachable(test.address, test.local); got != test.want {
			t.Errorf("%q from %v is reached at %q, want %q", test.address, test.local, got, test.want)
		}
	}
}

// Others find in the registry where a process can be reached.
func TestEnlistReachable(t *testing.T) {
	t.Parallel()
	r := newRig(t) // whose database is on this machine
	if _, err := r.Enlist(t.Context(), realm, registry.Process{Role: registry.RoleLogin, Address: "0.0.0.0:3724", Admin: "[::]:8086"}); err != nil {
		t.Fatal(err)
	}
	list, err := r.Processes(t.Context(), realm)
	if err != nil || len(list) != 1 || list[0].Address != "127.0.0.1:3724" || list[0].Admin != "127.0.0.1:8086" {
		t.Errorf("processes are %+v, %v", list, err)
	}
}
