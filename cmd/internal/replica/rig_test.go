package replica

import (
	"testing"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"muster/internal/natstest"
	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
)

// TestMain allows for natstest.Orphan.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction(natstest.Orphan))
}

// patience is how long a test waits for what must come.
const patience = 4 * time.Minute

// eventually waits until something is so.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// startStreams starts a server of NATS with JetStream.
func startStreams(t *testing.T) *nats.Server {
	t.Helper()
	return natstest.StartStreams(t)
}

// startRealm starts NATS with the stream of realm r, and connects to it.
func startRealm(t *testing.T) (server *nats.Server, bus *natsbus.Bus, stream *natsbus.Stream) {
	t.Helper()
	server = startStreams(t)
	bus, err := natsbus.Connect(natsbus.Config{URL: server.ClientURL(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	if stream, err = bus.Stream(t.Context(), natsbus.StreamConfig{Realm: "r", Replicas: 1, Memory: true}); err != nil {
		t.Fatal(err)
	}
	return server, bus, stream
}

// newcomer is a character as the store has its first version, without belongings.
func newcomer(session uint32) *frame.Character {
	return &frame.Character{GUID: uint64(session), Name: "Anna", Race: 1, Class: 1, Level: 1, Version: 1}
}
