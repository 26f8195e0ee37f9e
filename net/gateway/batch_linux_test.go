package gateway

import (
	"bytes"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"muster/net/replication/frame"
)

// refused reports whether the kernel has no io_uring for us, as in many containers. Any other failure is ours.
func refused(t *testing.T) bool {
	b, err := newBatch()
	switch err {
	case nil:
		b.close()
		return false
	case syscall.ENOSYS, syscall.EPERM, syscall.EACCES:
		t.Logf("the kernel refuses io_uring (%v): here nothing but a call for each is tested", err)
		return true
	default:
		t.Fatal(err)
		return true
	}
}

// TestBatch sends to 100 players in the three ways that there are: each with a call, many with one call, and many with a
// call that fails in the end. One of them does not read for a while, and one has disconnected. All get the same bytes.
func TestBatch(t *testing.T) {
	alone := refused(t)
	const players, slow, left = 100, 7, 70
	var want [][]byte
	for _, way := range []struct {
		name  string
		begin func(*loop)
		fail  func(*loop)
	}{
		{"a call for each", func(l *loop) {
			if l.batch != nil {
				l.batch.close()
				l.batch = nil
			}
		}, func(*loop) {}},
		{"one call for many", func(*loop) {}, func(*loop) {}},
		{"a call that fails", func(*loop) {}, func(l *loop) {
			unix.Close(l.batch.fd)
			l.batch.fd, _ = unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
		}},
	} {
		if alone && way.name != "a call for each" {
			break
		}
		t.Run(way.name, func(t *testing.T) {
			b := newBench(t, players, 2)
			if (b.loop.batch == nil) != alone {
				t.Fatalf("the loop has the batch %v, though the kernel refuses one: %v", b.loop.batch, alone)
			}
			way.begin(b.loop)
			got := make([][]byte, players)
			read := func() {
				var buf [64 << 10]byte
				for i, fd := range b.ends {
					for i != left {
						n, err := syscall.Read(fd, buf[:])
						if n <= 0 || err != nil {
							break
						}
						got[i] = append(got[i], buf[:n]...)
					}
				}
			}
			read()
			slowly, gone := b.loop.players[slow+1], b.loop.players[left+1]
			syscall.SetsockoptInt(slowly.fd, syscall.SOL_SOCKET, syscall.SO_SNDBUF, 4<<10)
			syscall.Shutdown(b.ends[left], syscall.SHUT_RD)
			before := b.gate.Stats()
			for n := range 60 {
				if n == 50 {
					way.fail(b.loop)
				}
				b.step(func(d *frame.Builder) {
					for range 10 {
						b.beat(d)
					}
				})
			}
			if len(slowly.rest) == 0 {
				t.Error("nothing was kept for the client that does not read")
			}
			if gone.reason != Peer || len(b.loop.marked) != 1 {
				t.Errorf("the disconnected client is closed for %q, and %d are closed", gone.reason, len(b.loop.marked))
			}
			for range 1000 {
				read()
				b.loop.retry()
				b.loop.flushAll()
			}
			for range 2 { // the players that waited
				b.step(nil)
				read()
			}
			after := b.gate.Stats()
			if n := after.Flushes - before.Flushes; n < 50*(players-2)/2 || n > 62*players/2 {
				t.Errorf("%d flushes", n)
			}
			if want == nil {
				want = got
			}
			for i := range got {
				if len(got[i]) < 1000 && i != left || !bytes.Equal(got[i], want[i]) {
					t.Errorf("player %d read %d bytes, and %d of the first way", i, len(got[i]), len(want[i]))
				}
			}
			failed := b.gate.config.Metric.Value(BatchFailed)
			if wanted := way.name == "a call that fails"; (failed == 1) != wanted || wanted && b.loop.batch != nil {
				t.Errorf("failed %d times", failed)
			}
		})
	}
}

// TestBatchResults: each send has its own outcome, with room or without.
func TestBatchResults(t *testing.T) {
	if refused(t) {
		return
	}
	b, err := newBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	open, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	full, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	broken, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, fd := range []int{open[0], open[1], full[0], full[1], broken[0]} {
			syscall.Close(fd)
		}
	}()
	syscall.Close(broken[1])
	for n := 1; n > 0; n, err = send(full[0], make([]byte, 64<<10)) {
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // the rings go round
		sends := []pendingSend{
			{to: &conn{fd: full[0]}, sealed: []byte("full")},
			{to: &conn{fd: -1}, sealed: []byte("none")},
			{to: &conn{fd: open[0]}, sealed: []byte("open")},
			{to: &conn{fd: broken[0]}, sealed: []byte("broken")},
		}
		if !b.send(sends) {
			t.Fatal("the batch failed")
		}
		for i, want := range []pendingSend{{taken: 0}, {err: syscall.EBADF}, {taken: 4}, {err: syscall.EPIPE}} {
			if sends[i].taken != want.taken || sends[i].err != want.err {
				t.Fatalf("%s: %d bytes taken, %v", sends[i].sealed, sends[i].taken, sends[i].err)
			}
		}
		var got [8]byte
		if n, err := syscall.Read(open[1], got[:]); err != nil || string(got[:n]) != "open" {
			t.Fatalf("read %q, %v", got[:n], err)
		}
	}
}
