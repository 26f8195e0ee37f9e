package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/clusterview"
	"muster/loaders/registry"
	"muster/net/protocol/msg"
)

// A worker without logs drains, a map is moved, and a worker ends by SIGTERM, while clients walk: none of them is closed, and no rule broken. Players that rest go with
// the normal packets of a transfer to the same place, through both gateways, and have what they had: fields, items, money, an aura and a cooldown, which the store cannot have yet.
func TestPlayersOfWorkersThatDrain(t *testing.T) {
	waits(t)
	p := startGateways(t, "--open-level", "3", "--workers", "3")
	g := newGatewayKills(p)
	k := &keptCluster{p}
	players := slices.Concat(g.lost, g.watchers)
	clients := atOnce(20)
	walked, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(walked)
		swarms(t, p.served, swarm.Config{Clients: clients, Behaviour: swarm.Walk, Duration: 10 * time.Second, Longer: relayed(clients, closed(over))})
	}()
	players[0].has("others walk", func() bool {
		for _, r := range players {
			r.fights = false
			r.reads()
		}
		return k.players() >= clients+len(players)
	})
	for n, leave := range []func(worker, to uint64){
		func(worker, _ uint64) { k.must("drain", worker) },
		func(worker, to uint64) { k.must("move 0", to) },
		func(worker, _ uint64) { syscall.Kill(k.pid(&worker), syscall.SIGTERM) },
	} {
		for _, r := range players {
			r.play(n)
			r.rests()
		}
		was := k.shard(0, 0)
		leave(*was.Worker, k.another(*was.Worker))
		for _, r := range players {
			r.travels()
			r.isAsBefore()
		}
		var now clusterview.Shard
		players[0].has("another worker has the map", func() bool {
			now = k.shard(0, 0)
			return now.State == registry.Runs && now.Epoch > was.Epoch && now.Players >= clients
		})
		if *now.Worker == *was.Worker {
			t.Errorf("the map was %+v, and is %+v", was, now)
		}
		if t.Failed() {
			t.Fatalf("this was %d", n)
		}
	}
	close(over)
	<-walked
	if said := p.stderr(); strings.Contains(said, "panic") || strings.Contains(said, "world_moved") {
		t.Error("a gateway has closed players")
	}
	p.stop(os.Interrupt, 1)
}

// another is a worker that does not drain, besides one.
func (k *keptCluster) another(than uint64) (id uint64) {
	k.t.Helper()
	for _, p := range k.list().Processes {
		if p.Role == registry.RoleWorker && p.ID != than && !p.Draining {
			id = p.ID
		}
	}
	return id
}

// rests has it have no target, as one has that comes to another world.
func (r *returning) rests() {
	r.g.t.Helper()
	r.say(msg.OpSetSelection, &msg.SetSelection{})
	r.has("has no target", func() bool { return r.target(r.guid) == 0 })
	self, _ := r.sight.Self()
	r.before = slices.Clone(self.Words)
}

// travels has it go to another world, as its client is told to, and know itself there.
func (r *returning) travels() {
	r.g.t.Helper()
	var pending msg.TransferPending
	r.await(msg.OpTransferPending, &pending)
	r.await(msg.OpNewWorld, &r.at)
	if pending.Map != r.was.Map {
		r.g.t.Errorf("%s is to go to map %d, want %d", r.account, pending.Map, r.was.Map)
	}
	r.coat, r.waits = 0, nil
	r.say(msg.OpMoveWorldportAck, &msg.Empty{})
	for !r.sight.Knows(r.guid) {
		r.next()
	}
}
