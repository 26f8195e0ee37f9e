package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/net/replication/natsbus"
)

// startThree starts a cluster of three servers of NATS with JetStream, and waits until it has a leader.
func startThree(t *testing.T) []*nats.Server {
	t.Helper()
	var ports [3]int
	var routes []*url.URL
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		l.Close()
	}
	var three []*nats.Server
	for i, port := range ports {
		s, err := nats.NewServer(&nats.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
			Cluster: nats.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: port}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		three = append(three, s)
	}
	eventually(t, "the three have a leader", func() bool {
		for _, s := range three {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == 3 {
				return true
			}
		}
		return false
	})
	return three
}

// appendUntil appends a message to a log that has others, again and again until that is done.
func appendUntil(t *testing.T, s *natsbus.Stream, subject, text string, last uint64) (number uint64) {
	t.Helper()
	eventually(t, text+" is appended", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var err error
		if number, err = s.Append(ctx, subject, []byte(text), last); err == nil {
			return true
		}
		// It may have been appended all the same.
		m, err := s.Last(ctx, subject)
		number = m.Number
		return err == nil && string(m.Body) == text
	})
	return number
}

// With three replicas what was acknowledged outlives any one of the servers, in memory too, and appends go on without it. So do snapshots.
func TestReplicasOutliveAServer(t *testing.T) {
	waits(t)
	for _, memory := range []bool{false, true} {
		three := startThree(t)
		bus, err := natsbus.Connect(natsbus.Config{URL: three[0].ClientURL() + "," + three[1].ClientURL() + "," + three[2].ClientURL(), Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		defer bus.Close()
		var stream *natsbus.Stream
		eventually(t, "there is a stream", func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			stream, err = bus.Stream(ctx, natsbus.StreamConfig{Realm: "r", Replicas: 3, Memory: memory})
			return err == nil
		})
		const subject = "muster.r.log.0.0"
		last := appendUntil(t, stream, subject, "one", 0)
		eventually(t, "there is a snapshot", func() bool { return stream.Put(t.Context(), "0.0.1", strings.NewReader("state")) == nil })
		var leader *nats.Server
		for _, s := range three {
			if s.JetStreamIsStreamLeader("$G", "muster-r") {
				leader = s
			}
		}
		if leader == nil {
			t.Fatal("the stream has no leader")
		}
		leader.Shutdown()
		leader.WaitForShutdown()
		if next := appendUntil(t, stream, subject, "two", last); next <= last {
			t.Errorf("memory %t: the second has the number %d after %d", memory, next, last)
		}
		eventually(t, "the snapshot is read", func() bool {
			b, err := stream.Get(t.Context(), "0.0.1")
			return err == nil && string(b) == "state"
		})
		m, err := stream.Last(t.Context(), subject)
		if err != nil || string(m.Body) != "two" {
			t.Errorf("memory %t: the last is %q, %v", memory, m.Body, err)
		}
	}
}

// A log in memory with one replica ends with its server, one in files does not: that is what the table of docs/durability.md says.
func TestStorage(t *testing.T) {
	for _, memory := range []bool{false, true} {
		folder := t.TempDir()
		start := func() (*nats.Server, *natsbus.Bus) {
			s, err := nats.NewServer(&nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: folder, SyncAlways: true})
			if err != nil {
				t.Fatal(err)
			}
			s.Start()
			if !s.ReadyForConnections(patience) {
				t.Fatal("NATS is not ready")
			}
			bus, err := natsbus.Connect(natsbus.Config{URL: s.ClientURL(), Name: "test"})
			if err != nil {
				t.Fatal(err)
			}
			return s, bus
		}
		s, bus := start()
		stream, err := bus.Stream(t.Context(), natsbus.StreamConfig{Realm: "r", Replicas: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Append(t.Context(), "muster.r.log.0.0", []byte("one"), 0); err != nil {
			t.Fatal(err)
		}
		bus.Close()
		s.Shutdown()
		s.WaitForShutdown()
		s, bus = start()
		stream, err = bus.OpenStream(t.Context(), "r")
		if memory != (err != nil) {
			t.Errorf("memory %t: after the end of the server there is a stream: %v", memory, err)
		}
		if err == nil {
			if m, err := stream.Last(t.Context(), "muster.r.log.0.0"); err != nil || string(m.Body) != "one" {
				t.Errorf("its last message is %q, %v", m.Body, err)
			}
		}
		bus.Close()
		s.Shutdown()
		s.WaitForShutdown()
	}
}
