package bench

import (
	"context"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The floor keeps the pace it is given, to all its clients, and reads what they send.
func TestFloorKeepsItsPace(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const clients, perSecond, bytes = 10, 400, 300
	at := make(chan netip.AddrPort, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- Floor{Clients: clients, Flushes: perSecond, Bytes: bytes}.
			Serve(t.Context(), func(a netip.AddrPort) { at <- a })
	}()
	l, err := startLoad(t.Context(), (<-at).String(), clients, 1000, 40)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for l.received.Load() < perSecond*bytes && time.Since(start) < 2*time.Minute { // a second of it
		if err := sleep(t.Context(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(start)
	if n := l.received.Load(); n < perSecond*bytes || n%bytes != 0 {
		t.Errorf("%d bytes came, want at least %d in flushes of %d", n, perSecond*bytes, bytes)
	}
	if sent, err := segments(l.conns); err != nil || sent < perSecond/2 { // the kernel may put two into one
		t.Errorf("%d segments of at least %d flushes: %v", sent, perSecond, err)
	}
	if took < 900*time.Millisecond {
		t.Errorf("a second of flushes came in %v", took)
	}
	l.close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestFloorEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := (Floor{Clients: 1, Flushes: 1, Bytes: 1}).Serve(ctx, func(netip.AddrPort) { cancel() }); err != nil {
		t.Error(err)
	}
}

func TestProcess(t *testing.T) {
	p, groups, err := start(t.Context(), "sh", floorReady, "-c", "echo not yet; echo ready 1.2.3.4:5; while :; do :; done")
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 1 || groups[0] != "1.2.3.4:5" {
		t.Errorf("ready with %q", groups)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for {
		cpu, err := p.cpu()
		if err != nil {
			t.Fatal(err)
		}
		if cpu >= 20*time.Millisecond {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a busy loop took %v", cpu)
		}
	}
	if err := p.stop(); err == nil || err.Error() != "signal: terminated" {
		t.Errorf("it ended with %v", err)
	}

	_, _, err = start(t.Context(), "sh", floorReady, "-c", "echo no room >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "exit status 3\nno room\n") {
		t.Errorf("a process that is never ready: %v", err)
	}
	if _, _, err := start(t.Context(), "no such program", floorReady); !os.IsNotExist(err) && err == nil {
		t.Error("started what does not exist")
	}
}
