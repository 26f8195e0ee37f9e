package cluster

import (
	"context"
	"fmt"
	"testing"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/net/replication/natsbus"
)

// NATS of a cluster is told when to wait for the disk.
func TestLogSync(t *testing.T) {
	for sync, always := range map[string]bool{"interval": false, "always": true} {
		o, remove, err := (&Config{Durable: "world", Ephemeral: true, LogSync: sync}).natsOptions()
		if err != nil {
			t.Fatal(err)
		}
		remove()
		if !o.JetStream || o.SyncAlways != always {
			t.Errorf("%s: JetStream %t, sync always %t", sync, o.JetStream, o.SyncAlways)
		}
	}
}

// Three servers of NATS in one process are a cluster that keeps a stream in three replicas, and takes no server without its password.
func TestThreeServers(t *testing.T) {
	o := &nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()}
	urls, stop, err := startNATS(t.Context(), o, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	bus, err := natsbus.Connect(natsbus.Config{URL: urls, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	ctx, cancel := context.WithTimeout(t.Context(), busTime)
	defer cancel()
	stream, err := bus.Stream(ctx, natsbus.StreamConfig{Realm: "r", Replicas: 3})
	if err != nil {
		t.Fatal(err)
	}
	number, err := stream.Append(ctx, "muster.r.log.0.0", []byte("one"), 0)
	if m, last := stream.Last(ctx, "muster.r.log.0.0"); err != nil || last != nil || m.Number != number || string(m.Body) != "one" {
		t.Errorf("message %d is %q, number %d: %v, %v", number, m.Body, m.Number, err, last)
	}
	all, err := clusterOptions(o, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if all[i].Cluster.Password == "" || all[i].Routes[i].Host != fmt.Sprintf("127.0.0.1:%d", all[i].Cluster.Port) {
			t.Errorf("server %d: %+v", i, all[i].Cluster)
		}
	}
}
