package natsbus

import (
	"context"
	"log/slog"
	"net"
	"testing"

	server "github.com/nats-io/nats-server/v2/server"
)

// A lineHandler sends each line of a log.
type lineHandler chan string

func (h lineHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	h <- r.Message
	return nil
}
func (h lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h lineHandler) WithGroup(string) slog.Handler      { return h }

// A bus is away from the end of its server until that is there again.
func TestAway(t *testing.T) {
	t.Parallel()
	begin := func(port int) *server.Server {
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(s.WaitForShutdown)
		t.Cleanup(s.Shutdown)
		if !s.ReadyForConnections(patience) {
			t.Fatal("NATS is not ready")
		}
		return s
	}
	s := begin(server.RANDOM_PORT)
	lines := make(lineHandler, 100)
	bus, err := Connect(Config{URL: s.ClientURL(), Name: "test", Log: slog.New(lines)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	if away := bus.Away(); away != 0 {
		t.Errorf("it is away for %v while it is connected", away)
	}
	port := s.Addr().(*net.TCPAddr).Port
	s.Shutdown()
	s.WaitForShutdown()
	if line := <-lines; line != "the bus is gone" || bus.Away() == 0 {
		t.Errorf("it is away for %v after %q", bus.Away(), line)
	}
	begin(port)
	for line := range lines {
		if line == "the bus is back" {
			break
		}
	}
	if away := bus.Away(); away != 0 {
		t.Errorf("it is away for %v when it is back", away)
	}
}
