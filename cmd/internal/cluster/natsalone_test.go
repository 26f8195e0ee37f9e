package cluster

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"muster/cmd/internal/credentials"
	"muster/net/replication/natsbus"
)

// A server by itself lets the roles of its realm do what they need, and no more; it ends with its context, and its credentials with it.
func TestNATSAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type place struct{ url, folder string }
	ready, ended := make(chan place, 1), make(chan error, 1)
	go func() { ended <- ServeNATS(ctx, "muster", func(url, folder string) { ready <- place{url, folder} }) }()
	var at place
	select {
	case at = <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	join := func(role natsbus.Role) *natsbus.Bus {
		bus, err := natsbus.Connect(natsbus.Config{URL: at.url, Name: "test", Role: role, Credentials: credentials.File(at.folder, role, "muster")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(bus.Close)
		return bus
	}
	const frames = "muster.muster.out.0.0"
	worker, gateway := join(natsbus.Worker), join(natsbus.Gateway)
	heard := make(chan string, 2)
	if _, err := gateway.Subscribe(frames, func(b []byte) { heard <- string(b) }); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gateway.Flush(), gateway.Publish(frames, []byte("of a gateway")), gateway.Flush()); err != nil {
		t.Fatal(err)
	}
	if gateway.LastError() == nil {
		t.Error("a gateway may publish a frame")
	}
	if err := worker.Publish(frames, []byte("of a worker")); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-heard:
		if got != "of a worker" {
			t.Errorf("a frame %s arrives", got)
		}
	case <-time.After(busTime):
		t.Error("the frame of a worker does not arrive")
	}
	worker.Close()
	gateway.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(at.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the credentials are still there: %v", err)
	}
}
