//go:build long

package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/link"
	"muster/internal/pgtest"
)

// Clients that walk while the process of their gateway stands still for 20 s, longer than worlds keep frames, see each other move again when it goes on: none is
// lost, and none reads anything that breaks a rule. Those of another gateway go on meanwhile.
func TestStoppedGateway(t *testing.T) {
	waits(t)
	url := pgtest.New(t).URL(t)
	bus := startBus(t, 0)
	defer bus.Shutdown()
	args := []string{"--bus", bus.ClientURL(), "--creatures", "200", "--start", "one"}
	work(t, args...)
	args = append(args, "--database", url, "--data")
	one, two := serve(t, append(args, t.TempDir())...), serve(t, append(args, t.TempDir())...)
	other := visit(t, two, "BERTA")
	other.create("Berta")
	at := other.enter()
	const pause = link.Kept + 5*time.Second
	clients, ended, shown := atOnce(20), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		swarms(t, one, swarm.Config{Clients: clients, Prefix: "WALK", Behaviour: swarm.Walk, Duration: 10*time.Second + pause, Seed: 1, Longer: relayed(1, closed(shown))})
	}()
	t.Cleanup(func() { <-ended })
	eventually(t, "all clients are in the world, at both gateways", func() bool { return one.stats().World+two.stats().World == clients+1 && one.heartbeats() > clients })
	if err := one.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { one.cmd.Process.Signal(syscall.SIGCONT) }) // before the swarm is waited for
	over := time.After(pause)
	for moved, step := false, 0; !moved; step++ {
		other.move(beside(at, float32(1+step%2)))
		select {
		case <-over:
			moved = true
		case <-time.After(500 * time.Millisecond):
		}
	}
	if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	before := one.heartbeats()
	eventually(t, "clients see each other move again", func() bool { return one.heartbeats() > before+clients*clients/4 })
	close(shown)
	<-ended
	if n := one.condition().Counters["bus.frames_lost"]; n != 0 {
		t.Errorf("there were %d gaps that none has filled, want none", n)
	}
	other.move(beside(at, 3))
	two.stop(os.Interrupt, 1)
	one.stop(os.Interrupt, 1)
}
