// Package natstest gives tests a NATS server of their own, on a free port of the loopback.
package natstest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Orphan is a goroutine of nats.go that tests which look for leaks allow for: that of an object's publisher ends never if the object is stored before it has begun
// (jetStream.resetPendingAcksOnReconnect, nats.go v1.55.0: it reads its channel after CleanupPublisher has removed that).
const Orphan = "github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"

// patience bounds how long a server takes to start, on a machine with too much to do.
const patience = 4 * time.Minute

// Start starts a server that ends with the test.
func Start(t testing.TB) *server.Server {
	t.Helper()
	return start(t, &server.Options{})
}

// StartStreams is Start with JetStream.
func StartStreams(t testing.TB) *server.Server {
	t.Helper()
	return start(t, &server.Options{JetStream: true, StoreDir: t.TempDir()})
}

func start(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(patience) {
		t.Fatal("NATS is not ready")
	}
	return s
}
