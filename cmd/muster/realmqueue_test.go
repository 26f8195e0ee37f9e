package main

import (
	"os"
	"syscall"
	"testing"

	"muster/loaders/registry"
	"muster/net/protocol/msg"
)

// Two gateways have one queue: two clients are let into the realm, others that come to both in turn are told their positions in one order, and each that
// leaves lets the first in, at whichever gateway it waits. When a gateway is killed, those that wait at it are out of the order.
func TestQueueOfRealm(t *testing.T) {
	waits(t)
	p := startGateways(t)
	if code, said, stderr := execute(t, nil, "ctl", "--socket", p.socket, "cluster", "realm", "limit", "2"); code != exitOK {
		t.Fatalf("%s%s", said, stderr)
	}
	var all []*visitor
	for i, name := range []string{"ANNA", "BERTA", "CLARA", "DORA", "EMMA", "FRIDA"} {
		v := authenticate(t, p.served, name)
		m := v.greet(p.at(i%2), func(*msg.AuthSession) {})
		result, at := msg.AuthOK, 0
		if i >= 2 {
			result, at = msg.AuthWaitQueue, i-1
		}
		if m.Result != result || m.Position != uint32(at) {
			t.Fatalf("%s is answered with %+v, want %#x at %d", name, m, result, at)
		}
		all = append(all, v)
	}
	moves := func(want ...int) { // of all from CLARA on: -1 it hears nothing, 0 it is let in
		t.Helper()
		for i, at := range want {
			if at < 0 {
				continue
			}
			var m msg.AuthResponse
			all[2+i].await(msg.OpAuthResponse, &m)
			if in := m.Result == msg.AuthOK; m.Position != uint32(at) || in != (at == 0) {
				t.Errorf("%s is told %+v, want to be at %d", all[2+i].name, m, at)
			}
		}
	}
	all[1].socket.Close() // of the second gateway: CLARA is at the first
	moves(0, 1, 2, 3)
	all[2].create("Clara")
	all[2].enter()
	all[2].socket.Close() // DORA is at the second
	moves(-1, 0, 1, 2)
	processes, err := p.registry.Processes(t.Context(), "muster")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range processes {
		if one.Role == registry.RoleGateway && one.Address == p.live[0].Address { // ANNA and EMMA are at it
			syscall.Kill(one.PID, syscall.SIGKILL)
		}
	}
	all[3].socket.Close()
	for at, in := uint32(2), false; !in; { // one place or two at a time: both before FRIDA are going
		var m msg.AuthResponse
		if all[5].await(msg.OpAuthResponse, &m); m.Position >= at {
			t.Errorf("FRIDA is at %d after %d", m.Position, at)
		}
		at, in = m.Position, m.Result == msg.AuthOK
	}
	all[5].create("Frida")
	all[5].enter()
	all[5].socket.Close()
	p.stop(os.Interrupt, 1)
}
