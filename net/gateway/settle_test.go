package gateway

import (
	"context"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// publish is bench.step without the flush.
func (b *bench) publish() {
	b.tick++
	b.notice(&b.builder)
	f := b.port.Write()
	b.builder.Build(f, b.tick)
	b.port.Publish(f)
}

// settling calls Settle, and returns a channel that is closed when it returns. The loop counts as one with connections.
func (b *bench) settling(ctx context.Context) (settled chan struct{}) {
	b.loop.work.Store(1)
	settled = make(chan struct{})
	go func() {
		b.gate.Settle(ctx)
		close(settled)
	}()
	return settled
}

func closed(c chan struct{}) bool {
	synctest.Wait()
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// fill leaves a player's socket without room.
func (b *bench) fill(player int) (bytes int) {
	var some [64 << 10]byte
	for {
		n, err := send(b.loop.players[player+1].fd, some[:])
		if n == 0 || err != nil {
			break
		}
		bytes += n
	}
	return bytes
}

// Settle returns when what was published has been sent.
func TestSettleFlushes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 2, 1)
		b.publish()
		settled := b.settling(t.Context())
		if closed(settled) || b.read(0)+b.read(1) != 0 {
			t.Error("settled before the loop has flushed")
		}
		b.loop.readMail()
		if !closed(settled) || b.read(0) != 14 || b.read(1) != 14 {
			t.Error("not settled after the loop has flushed, or not all are sent the packet of 14 bytes")
		}

		b.loop.work.Store(0)
		b.gate.Settle(t.Context()) // does not ask a loop without connections, which is not held

		ctx, stop := context.WithCancel(t.Context())
		settled = b.settling(ctx)
		if stop(); !closed(settled) {
			t.Error("not settled when ctx is done")
		}
		settled = b.settling(t.Context())
		if close(b.gate.done); !closed(settled) {
			t.Error("not settled when the gateway has closed")
		}
	})
}

// Settle waits for a client that has not taken what it was sent. In that time it is not overrun, and when it reads on it
// has all. One that does not read is closed after Stall, which ends the wait.
func TestSettleWaitsForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 2, 1)
		held := func() {
			for len(b.loop.bell) > 0 {
				<-b.loop.bell
				b.loop.readMail()
				synctest.Wait()
			}
		}
		room := b.fill(0)
		b.publish()
		settled := b.settling(t.Context())
		for range 5000 {
			synctest.Wait()
			held()
			time.Sleep(settlePause)
		}
		if closed(settled) || b.read(1) != 14 {
			t.Fatal("settled with a client that does not read, or the other was not sent its packet")
		}
		got := 0
		for n := b.read(0); n > 0; n = b.read(0) {
			got += n
			held()
			time.Sleep(settlePause)
		}
		if !closed(settled) || got != room+14 {
			t.Errorf("settled: %v; the client has read %d bytes of %d", closed(settled), got, room+14)
		}

		for _, c := range b.loop.players[1:] {
			c.since = time.Now()
			b.loop.conns = append(b.loop.conns, c)
		}
		b.fill(0)
		b.publish()
		settled = b.settling(t.Context())
		began := time.Now()
		for !closed(settled) && time.Since(began) < time.Minute {
			held()
			b.loop.sweep(time.Now())
			time.Sleep(settlePause)
		}
		if c := b.loop.players[1]; c.reason != SlowReader || len(b.loop.marked) != 1 {
			t.Errorf("%d are closed, the one that does not read for %q", len(b.loop.marked), c.reason)
		}
		if took := time.Since(began).Round(time.Second); took < 10*time.Second || took > 12*time.Second {
			t.Errorf("the wait took %v, want 10 s and the time until the deadlines are looked at", took)
		}
		syscall.Shutdown(b.ends[0], syscall.SHUT_RDWR)
	})
}

// Settle waits for a client that is to be told that its character has left, which it is when that is saved: a world that went on would overwrite the frame.
func TestSettleWaitsForSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 1, 1)
		p := b.loop.players[1].player
		b.step(func(d *frame.Builder) {
			d.Bytes = msg.Append(d.Bytes, wire.V12340, &p.character)
			d.PlayerLeft(p.session, d.Cut())
		})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		settled := b.settling(ctx)
		for range 3 {
			b.loop.readMail()
			if closed(settled) {
				t.Fatal("settled before the character is saved")
			}
			time.Sleep(settlePause) // of the bubble
			synctest.Wait()
		}
		p.safe.Store(true)
		p.conn.flushLast(p)
		b.loop.readMail()
		time.Sleep(settlePause)
		synctest.Wait()
		b.loop.readMail()
		if !closed(settled) {
			t.Error("not settled after that")
		}
	})
}
