package swarm

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// A crowd is clients in one place, and what a server sends them: in each frame an eighth of them moves, and all the others
// are sent that, in the same order.
type crowd struct {
	run     *run
	ciphers []crypt.Cipher
	frames  []crowdFrame
	next    int // frame
}

// A crowdFrame is the relays of one frame.
type crowdFrame struct {
	movers  []int
	x       float32
	streams [][]byte // for each client, with encrypted headers
	packets []int    // in each stream
}

const crowdFrames = 16

// newCrowd makes a crowd. Packets are written by hand, from protocol.md 2.1 and 4.3.
func newCrowd(tb testing.TB, clients int) *crowd {
	r, err := newRun(Config{Clients: clients, Behaviour: Walk, Ramp: 1}.withDefaults(), netip.AddrPort{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.close)
	k := &crowd{run: r, ciphers: make([]crypt.Cipher, clients)}
	guid := func(i int) uint64 { return uint64(1000 + i) }
	for i := range r.clients {
		c := &r.clients[i]
		c.checker.Reset(r.decoder)
		c.guid, c.stage = guid(i), stageEntering
		c.checker.Enter(c.guid)
		r.packet(c, 0x1EE, []byte{0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2})
		r.packet(c, 0x236, make([]byte, 20))
		r.packet(c, 0x0A9, createBlock(&session{guid: guid(i)}, true))
		for j := range clients {
			if j != i {
				r.packet(c, 0x0A9, createBlock(&session{guid: guid(j)}, false))
			}
		}
		if c.stage != stageInWorld {
			tb.Fatalf("client %d is %v", i, c.stage)
		}
		c.encrypted = true
		k.ciphers[i] = crypt.ServerToClient([40]byte{byte(i), byte(i >> 8)})
	}
	r.timers, r.out = r.timers[:0], r.out[:0]
	r.measured.from = 1
	for f := range crowdFrames {
		frame := crowdFrame{x: float32(100 + f)}
		for i := f % 8; i < clients; i += 8 {
			frame.movers = append(frame.movers, i)
		}
		for to := range clients {
			cipher := k.ciphers[to]
			var stream []byte
			packets := 0
			for _, mover := range frame.movers {
				if mover == to {
					continue
				}
				body := wire.AppendPackedGUID(nil, guid(mover))
				body = append(body, 1, 0, 0, 0, 0, 0, byte(f), 0, 0, 0)
				body = appendFloats(body, frame.x, float32(mover), 50, 1)
				body = append(body, 0, 0, 0, 0)
				head := []byte{0, byte(2 + len(body)), 0xEE, 0}
				cipher.XOR(head)
				stream = append(append(stream, head...), body...)
				packets++
			}
			frame.streams, frame.packets = append(frame.streams, stream), append(frame.packets, packets)
		}
		k.frames = append(k.frames, frame)
	}
	return k
}

// receive has all clients read the next frame, and returns how many packets that were.
func (k *crowd) receive() (packets int) {
	r := k.run
	f := &k.frames[k.next%crowdFrames]
	k.next++
	r.now += moment(pause)
	for _, mover := range f.movers {
		r.trails[mover].add(0xEE, f.x, float32(mover), r.now-moment(pause)/2)
	}
	for i := range r.clients {
		c := &r.clients[i]
		c.fromThem = k.ciphers[i]
		n := copy(r.in, f.streams[i])
		r.consumeWorld(c, r.in[:n])
		packets += f.packets[i]
	}
	return packets
}

// What all clients of a crowd are sent is read, found valid, and timed, packet by packet, and nothing is allocated.
func TestReceiveDoesNotAllocate(t *testing.T) {
	const clients = 40
	k := newCrowd(t, clients)
	if n := testing.AllocsPerRun(2*crowdFrames, func() { k.receive() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	// Every frame five clients move, and all others are sent that.
	want := int64(k.next * 5 * (clients - 1))
	if got := k.run.movement.TotalCount(); got != want || k.run.report.Unmatched != 0 {
		t.Errorf("%d relays timed, %d unmatched, want %d", got, k.run.report.Unmatched, want)
	}
	if least, most := k.run.movement.Min(), k.run.movement.Max(); least < 49_950 || most > 50_050 {
		t.Errorf("latencies from %d to %d µs, want 50 ms", least, most)
	}
	for i := range k.run.clients {
		if tally := k.run.clients[i].checker.Violations(); tally.Total() != 0 {
			t.Fatalf("client %d: %q", i, k.run.clients[i].checker.Texts())
		}
	}
}

// A frame out of order of the bytes that others were sent is still held against what each client knows: a mover that only
// one of them was not shown is a violation there, and nowhere else.
func TestReceiveHoldsEachClientToItself(t *testing.T) {
	const clients, blind, hidden = 24, 7, 8
	k := newCrowd(t, clients)
	k.receive()
	r := k.run
	r.packet(&r.clients[blind], 0x0AA, append(binary.LittleEndian.AppendUint64(nil, 1000+hidden), 0))
	for range 8 {
		k.receive()
	}
	for i := range r.clients {
		want := uint64(0)
		if i == blind {
			want = 1
		}
		tally := r.clients[i].checker.Violations()
		if tally.Total() != want || tally[1] != uint32(want) { // a move of unknown
			t.Errorf("client %d: %v %q", i, tally, r.clients[i].checker.Texts())
		}
	}
}

// The cost of a relay from the bytes of a read to its latency, as clients are sent it that all see each other.
func BenchmarkReceive(b *testing.B) {
	k := newCrowd(b, 500)
	for range crowdFrames {
		k.receive()
	}
	b.ReportAllocs()
	packets := 0
	for b.Loop() {
		packets += k.receive()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packets), "ns/packet")
}
