package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/bench/swarm"
	"muster/cmd/internal/link"
	"muster/internal/pgtest"
	"muster/internal/testseed"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
	"muster/net/replication/natsbus"
)

// A faultyBridge carries messages from one server of NATS to another, but for some that it drops, and some twice, each up to some time late, so that they are
// reordered.
type faultyBridge struct {
	mu      sync.Mutex
	dice    *rand.Rand
	sound   bool // all arrive, once and in order
	cut     bool // none arrives
	dropped int
	twice   int
	late    int
}

// Shares of messages in percent, and how late they are at most.
const (
	bridgeDrops = 5
	bridgeTwice = 5
	bridgeLate  = 30
	bridgeDelay = 150 * time.Millisecond
)

func (b *faultyBridge) carry(from, to *natsbus.Bus, subject string) error {
	_, err := from.Subscribe(subject, func(message []byte) {
		own := bytes.Clone(message)
		b.mu.Lock()
		defer b.mu.Unlock()
		copies, wait := 1, time.Duration(0)
		switch {
		case b.cut:
			copies = 0
		case !b.sound:
			switch n := b.dice.IntN(100); {
			case n < bridgeDrops:
				copies = 0
				b.dropped++
			case n < bridgeDrops+bridgeTwice:
				copies = 2
				b.twice++
			case n < bridgeDrops+bridgeTwice+bridgeLate:
				wait = time.Duration(b.dice.Int64N(int64(bridgeDelay)))
				b.late++
			}
		}
		for range copies {
			if wait == 0 {
				to.Publish(subject, own)
			} else {
				time.AfterFunc(wait, func() { to.Publish(subject, own) })
			}
		}
	})
	return err
}

// bridged connects a server of NATS that workers use with one that one gateway uses, or two.
func bridged(t *testing.T, workers, gateways *nats.Server) *faultyBridge {
	t.Helper()
	b := &faultyBridge{dice: rand.New(rand.NewPCG(testseed.Of(t), 16))}
	connect := func(s *nats.Server) *natsbus.Bus {
		bus, err := natsbus.Connect(natsbus.Config{URL: s.ClientURL(), Name: "bridge"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(bus.Close)
		return bus
	}
	w, g := connect(workers), connect(gateways)
	for id := range 3 {
		for _, c := range []struct {
			from, to *natsbus.Bus
			subject  string
		}{{w, g, "muster.muster.out.%d.0"}, {w, g, "muster.muster.out.%d.0.1"}, {w, g, "muster.muster.out.%d.0.2"}, {g, w, "muster.muster.in.%d.0"}} {
			if err := b.carry(c.from, c.to, fmt.Sprintf(c.subject, id)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

// Over a bus that drops frames and input of two gateways, doubles and reorders them, clients that walk and fight read nothing that breaks a rule, and none is lost; the same
// accounts walk again when it is sound. Some that rest and fight at one gateway meanwhile know of themselves what is so in their world, and so do others of the other
// gateway: when they have ended their connections and come back, they are shown the fields, the place, the auras, the cooldowns and the fight that they had. That the bytes are those that a gateway beside the world sends, tick for tick, is TestFaultyBus in net/replication/remote.
func TestFaultyBusUnderLoad(t *testing.T) {
	waits(t)
	workers, gateways := startBus(t, 0), startBus(t, 0)
	t.Cleanup(workers.Shutdown)
	t.Cleanup(gateways.Shutdown)
	b := bridged(t, workers, gateways)
	world := []string{"--creatures", "200", "--start", "one"}
	work(t, append(world, "--bus", workers.ClientURL())...)
	world = append(world, "--bus", gateways.ClientURL(), "--database", pgtest.New(t).URL(t), "--open-level", "3", "--data")
	s, other := serve(t, append(world, t.TempDir())...), serve(t, append(world, t.TempDir())...)
	p := &gatewayPair{served: s, live: []registry.Gateway{{Number: 1, Address: s.world}, {Number: 2, Address: other.world}}}
	clients, walked := atOnce(30), make(chan struct{})
	go func() {
		defer close(walked)
		r := swarms(t, s, swarm.Config{Clients: clients, Prefix: "WALK", Behaviour: swarm.Walk, Duration: 8 * time.Second, Longer: relayed(clients)})
		if r.Movement.Count < int64(clients*clients) {
			t.Errorf("%d relays of moves were read, want some of each by each", r.Movement.Count)
		}
	}()
	t.Cleanup(func() { <-walked })
	g := newGatewayKills(p)
	for _, r := range g.lost {
		r.play(0)
	}
	for _, r := range g.lost {
		if !r.fights { // it leaves the world when its socket is closed, and enters with nothing selected
			r.say(msg.OpSetSelection, &msg.SetSelection{})
			r.has("has nothing selected", func() bool { return r.target(r.guid) == 0 })
			r.before[targetField], r.before[targetField+1] = 0, 0
		}
		r.socket.Close()
	}
	g.comeBack(0, time.Now())
	<-walked
	swarms(t, s, swarm.Config{Clients: clients / 2, Prefix: "GRIND", Behaviour: swarm.Grind, Duration: 8 * time.Second})
	b.mu.Lock()
	b.sound = true
	dropped, twice, late := b.dropped, b.twice, b.late
	b.mu.Unlock()
	if least := 20; dropped < least || twice < least || late < least {
		t.Errorf("%d messages were dropped, %d doubled, %d late: that is no test", dropped, twice, late)
	}
	for i, gateway := range []*served{s, other} {
		if missed := gateway.condition().Counters["bus.frames_missed"]; missed == 0 {
			t.Errorf("gateway %d has missed no frame", i+1)
		}
	}
	t.Logf("%d messages were dropped, %d doubled, %d late", dropped, twice, late)
	swarms(t, s, swarm.Config{Clients: clients, Prefix: "WALK", Behaviour: swarm.Walk, Duration: 3 * time.Second})
}

// Clients that walk while their gateway hears nothing of its worlds for 20 s, longer than those keep frames, go on with a keyframe: none is lost, none reads
// anything that breaks a rule, and they see each other move again. A player that goes to an instanced map is put at the exit.
func TestGapLongerThanFramesAreKept(t *testing.T) {
	waits(t)
	workers, gateways := startBus(t, 0), startBus(t, 0)
	t.Cleanup(workers.Shutdown)
	t.Cleanup(gateways.Shutdown)
	b := bridged(t, workers, gateways)
	set := func(sound, cut bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.sound, b.cut = sound, cut
	}
	set(true, false)
	world := []string{"--creatures", "200", "--start", "one"}
	work(t, append(world, "--bus", workers.ClientURL())...)
	s := serve(t, append(world, "--bus", gateways.ClientURL(), "--ephemeral", "--open-level", "3")...)
	const gap = link.Kept + 5*time.Second
	begin := time.AfterFunc(5*time.Second, func() { set(true, true) })
	over := make(chan struct{})
	end := time.AfterFunc(5*time.Second+gap, func() {
		set(true, false)
		close(over)
	})
	t.Cleanup(func() { begin.Stop(); end.Stop() })
	clients, shown, ended := atOnce(30), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		swarms(t, s, swarm.Config{Clients: clients, Prefix: "WALK", Behaviour: swarm.Walk, Duration: 10*time.Second + gap, Seed: 1, Longer: relayed(1, closed(shown))})
	}()
	t.Cleanup(func() { <-ended })
	<-over
	eventually(t, "a keyframe", func() bool { return s.condition().Counters["bus.keyframes"] > 0 })
	before := s.heartbeats()
	eventually(t, "relays of moves after the gap, some of each to each", func() bool { return s.heartbeats()-before >= clients*clients })
	close(shown)
	<-ended
	if n := s.condition().Counters["bus.frames_lost"]; n != 0 {
		t.Errorf("there were %d gaps that none has filled, want none", n)
	}
	s.turnedBack()
}

// heartbeats is how many relays of moves its clients have been sent.
func (s *served) heartbeats() int {
	s.t.Helper()
	_, metrics := s.ask("/metrics", "")
	m := regexp.MustCompile(`(?m)^muster_packets_total\{dir="out",opcode="MSG_MOVE_HEARTBEAT",[^}]*\} (\d+)$`).FindStringSubmatch(metrics)
	if m == nil {
		s.t.Fatalf("no relays in\n%s", metrics)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
