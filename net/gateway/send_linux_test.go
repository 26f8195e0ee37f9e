package gateway

import (
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// BenchmarkSend sends a packet of 1,024 bytes to each of 32 connections over loopback: by Write of gnet, with a call of
// sendto for each, and with one call of io_uring for all. It reports the processor time of the thread for one packet,
// without what it takes the other ends to read.
func BenchmarkSend(b *testing.B) {
	engine, err := gnet.NewClient(new(gnet.BuiltinEventEngine), gnet.WithNumEventLoop(1))
	if err == nil {
		err = engine.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer engine.Stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	var theirs [mostPendingSends]net.Conn
	var ours [mostPendingSends]gnet.Conn
	sends, packet, trash := make([]pendingSend, mostPendingSends), make([]byte, 1024), make([]byte, 1024)
	for i := range theirs {
		if theirs[i], err = net.Dial("tcp", l.Addr().String()); err != nil {
			b.Fatal(err)
		}
		defer theirs[i].Close()
		socket, err := l.Accept()
		if err == nil {
			ours[i], err = engine.Enroll(socket)
		}
		if err != nil {
			b.Fatal(err)
		}
		sends[i] = pendingSend{to: &conn{fd: ours[i].Fd()}, sealed: packet}
	}
	many, refused := newBatch()
	if refused == nil {
		defer many.close()
	}
	for _, way := range []struct {
		name string
		send func() bool
	}{
		{"by=gnet", func() bool {
			for _, c := range ours {
				if n, err := c.Write(packet); n < len(packet) || err != nil {
					return false
				}
			}
			return true
		}},
		{"by=sendto", func() bool {
			for i := range sends {
				if n, err := send(sends[i].to.fd, packet); n < len(packet) || err != nil {
					return false
				}
			}
			return true
		}},
		{"by=io_uring", func() bool { return many.send(sends) }},
	} {
		if way.name == "by=io_uring" && refused != nil {
			b.Logf("the kernel refuses io_uring: %v", refused)
			continue
		}
		b.Run(way.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var took time.Duration
			for b.Loop() {
				began := threadTime(b)
				if !way.send() {
					b.Fatal("not all was sent")
				}
				took += threadTime(b) - began
				for _, c := range theirs {
					if _, err := c.Read(trash); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(took)/float64(b.N)/mostPendingSends, "cpu-ns/packet")
		})
	}
}

// threadTime is the processor time of the thread.
func threadTime(b *testing.B) time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		b.Fatal(err)
	}
	return time.Duration(at.Nano())
}
