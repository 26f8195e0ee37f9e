package conformance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/internal/testseed"
	"muster/net/protocol/msg"
)

// seen is a movement of which a client was told.
type seen struct {
	client int
	op     uint16
	mover  uint64
	x      float32
}

// Clients of one decoder that are told of repeated movements by Again count the same violations, and are told the same, as
// clients with decoders of their own to which every packet is new.
func TestAgainAgainstPlain(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 0))
	const clients, movers = 3, 8
	var fast, plain []seen
	var moves []seen // by note less one
	now := 0
	shared := NewDecoder(Config{
		Moved: func(op uint16, m *msg.Move) int64 {
			moves = append(moves, seen{now, op, m.Mover, m.X})
			fast = append(fast, moves[len(moves)-1])
			return int64(len(moves))
		},
		Again: func(note int64) {
			s := moves[note-1]
			s.client = now
			fast = append(fast, s)
		},
	})
	var pairs [clients][2]*Client
	for i := range pairs {
		pairs[i][0] = new(Client)
		pairs[i][0].Reset(shared)
		pairs[i][1] = New(Config{Moved: func(op uint16, m *msg.Move) int64 {
			plain = append(plain, seen{now, op, m.Mover, m.X})
			return 0
		}})
	}
	guid := func() uint64 { return 1 + r.Uint64N(movers) }
	for step := range 30_000 {
		now = r.IntN(clients)
		var p packet
		switch k := r.IntN(1000); {
		case k < 3:
			p = packet{0x04D, nil} // logout
		case k < 6:
			p = packet{0x03E, verified.body} // another map
		case k < 12:
			p = accepted
		case k < 24:
			p = verified
		case k < 150:
			p = blocks(create(3, guid(), 1, 1))
		case k < 180:
			p = blocks(outOfRange(guid()))
		case k < 200:
			p = packet{0x0AA, join(guid(), 0)}
		case k < 230: // torn, or too long
			p = move(0xEE, guid(), 1, 1)
			p.body = append(p.body, 0)[:len(p.body)-1+2*r.IntN(2)]
		case k < 260: // falling: longer than others, and torn where they end
			p = packet{0xEE, join(packed(guid()), uint32(0x1000), 0, 0, uint32(9), []float32{1, 2, 3, 4}, uint32(0), []float32{1, 2, 3, 4})}
			if r.IntN(2) == 0 {
				p.body = p.body[:mostRelay]
			}
		case k < 280: // a guid with a byte that is zero
			p = packet{0xEE, join(3, int(guid()), 0, movement(1, 1, 1))}
		case k < 300:
			p = bundle(move(0xEE, guid(), 1, 1), move(0xB7, guid(), 2, 1))
		case k < 320:
			p = packet{0x2CA, move(0xEE, guid(), 1, 1).body} // what clients alone send
		default:
			p = move([]uint16{0xEE, 0xB7}[r.IntN(2)], guid(), float32(r.IntN(2)), 1)
		}
		as := guid()
		for i, c := range pairs[now] {
			if p.op == verified.op {
				c.Enter(as)
			}
			c.Packet(p.op, p.body)
			if i == 1 && c.Violations() != pairs[now][0].Violations() {
				t.Fatalf("step %d, client %d: %#x % x: %v, want %v", step, now, p.op, p.body, pairs[now][0].Violations(), c.Violations())
			}
		}
		if !slices.Equal(fast, plain) {
			t.Fatalf("step %d, client %d: %#x % x: told of %v, want %v", step, now, p.op, p.body, fast, plain)
		}
		fast, plain = fast[:0], plain[:0]
	}
	var tally Tally
	for _, pair := range pairs {
		v := pair[1].Violations()
		v.Each(func(k Kind, n uint32) { tally[k] += n })
	}
	if tally[OwnMove] == 0 || tally[UnknownMove] == 0 || tally[Undecodable] == 0 || tally[Early] == 0 || len(moves) < 500 || len(moves) > 15_000 {
		t.Errorf("%v, %d movements were new: too few of some kind", tally, len(moves))
	}
}

// Movements of more movers than a word has bits are each told apart.
func TestAgainOfMany(t *testing.T) {
	notes := map[uint64]int64{}
	var again []int64
	d := NewDecoder(Config{
		Moved: func(_ uint16, m *msg.Move) int64 { notes[m.Mover] = int64(m.Mover); return notes[m.Mover] },
		Again: func(note int64) { again = append(again, note) },
	})
	var a, b Client
	for _, c := range []*Client{&a, &b} {
		c.Reset(d)
		show(c, accepted)
		c.Enter(self)
		show(c, verified, blocks(create(3, self, 0, 0)))
		for guid := uint64(100); guid < 300; guid++ {
			show(c, blocks(create(3, guid, 1, 1)))
			show(c, move(0xEE, guid, float32(guid), 1))
		}
	}
	want(t, &a)
	want(t, &b)
	// The second client learns of each mover by a movement that the first was sent: it is new to it once.
	if len(notes) != 200 || len(again) != 0 {
		t.Fatalf("%d movers, again %v", len(notes), again)
	}
	for guid := uint64(299); guid >= 100; guid-- {
		show(&b, move(0xEE, guid, float32(guid), 1))
	}
	if len(again) != 200 || again[0] != 299 || again[199] != 100 {
		t.Errorf("again %v", again)
	}
	show(&b, blocks(outOfRange(150)), move(0xEE, 150, 150, 1))
	want(t, &b, UnknownMove)
	want(t, &a)
}

// Movements that a mover sends together, a turn and a start, do not replace each other.
func TestAgainOfPairs(t *testing.T) {
	var moved, again []int64
	d := NewDecoder(Config{
		Moved: func(op uint16, _ *msg.Move) int64 { moved = append(moved, int64(op)); return int64(op) },
		Again: func(note int64) { again = append(again, note) },
	})
	var all [2]Client
	for i := range all {
		c := &all[i]
		c.Reset(d)
		show(c, accepted)
		c.Enter(self)
		show(c, verified, blocks(create(3, self, 0, 0), create(3, other, 1, 1)), move(0xEE, other, 0, 0))
	}
	moved, again = nil, nil
	for i := range all {
		show(&all[i], move(0xDA, other, 1, 1), move(0xB5, other, 1, 1))
		want(t, &all[i])
	}
	if !slices.Equal(moved, []int64{0xDA, 0xB5}) || !slices.Equal(again, []int64{0xDA, 0xB5}) {
		t.Errorf("moved %#x, again %#x", moved, again)
	}
}
