package naive_test

import (
	"bytes"
	"testing"
	"time"

	"muster/bench/fightscene"
	"muster/bench/naive"
	"muster/bench/walkscene"
	"muster/components/defs"
	"muster/internal/conformance"
	"muster/net/replication/frame"
	"muster/sched"
)

// A script is what clients send in each tick.
type script interface {
	Say(tick uint64, visit func(frame.Item))
}

// sameBytes runs a script in a plain world, in one that lists, and in one that begins and ends to every hundred ticks, and
// compares what each client is sent, byte for byte. It returns how much that is.
func sameBytes(t *testing.T, s script, d *defs.World, ticks uint64, set func(w *naive.World)) (sent int) {
	var worlds [3]*naive.World
	for i := range worlds {
		worlds[i] = naive.New(d, &d.Maps[0], seed)
		set(worlds[i])
	}
	worlds[1].List(true)
	players := uint32(0)
	for n := uint64(1); n <= ticks; n++ {
		if n%100 == 0 {
			worlds[2].List(n%200 == 0)
		}
		s.Say(n, func(it frame.Item) {
			if it.Op == frame.OpEnter {
				players = max(players, it.Session+1)
			}
			for _, w := range worlds {
				w.Receive(it)
			}
		})
		for _, w := range worlds {
			w.Tick(sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50 * time.Millisecond})
		}
		for session := range players {
			want := worlds[0].Sent(session)
			sent += len(want)
			for i, w := range worlds[1:] {
				if got := w.Sent(session); !bytes.Equal(got, want) {
					t.Fatalf("tick %d, world %d, client %d is sent\n% x\nand by the plain one\n% x", n, i+1, session, got, want)
				}
			}
		}
	}
	return sent
}

// A world that lists, and shares what it encodes, sends every client the same bytes as one that looks for receivers and
// encodes for each of them: of fights, and of walks in which some come in sight and others go.
func TestListedSendsTheSame(t *testing.T) {
	fights := fightscene.New(30)
	if sent := sameBytes(t, fights, fights.Defs, 1500, func(*naive.World) {}); sent < 10_000_000 {
		t.Errorf("fights: %d bytes, too little to compare", sent)
	}
	for _, thrifty := range []bool{false, true} {
		walk := walkscene.New(walkscene.Config{Players: 40, PerDisc: 10, DiscYards: 250, Apart: 150, BeatTicks: 3})
		sent := sameBytes(t, walk, walk.Defs, walkscene.EnterTicks+400, func(w *naive.World) { w.Thrifty, w.Phases, w.Encipher = thrifty, 2, true })
		if sent < 500_000 {
			t.Errorf("thrifty %v: %d bytes, too little to compare", thrifty, sent)
		}
	}
}

// A player that looks around once in six ticks knows the same then as one that does so in each, and meets and forgets
// nothing in between.
func TestLooksInTurns(t *testing.T) {
	const lookTicks = 6
	m := walkscene.New(walkscene.Config{Players: 40, PerDisc: 10, DiscYards: 250, Apart: 150, BeatTicks: 3})
	often, seldom := naive.New(m.Defs, &m.Defs.Maps[0], seed), naive.New(m.Defs, &m.Defs.Maps[0], seed)
	seldom.LookTicks = lookTicks
	var eyes [2][]*conformance.Client
	late, compared := 0, 0
	for n := uint64(1); n <= walkscene.EnterTicks+300; n++ {
		m.Say(n, func(it frame.Item) {
			if it.Op == frame.OpEnter {
				for i := range eyes {
					eyes[i] = append(eyes[i], newEye(walkscene.Player(int(it.Session))))
				}
			}
			often.Receive(it)
			seldom.Receive(it)
		})
		for i, w := range []*naive.World{often, seldom} {
			w.Tick(sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50 * time.Millisecond})
			for session, e := range eyes[i] {
				known := e.Len()
				walks(e, w.Sent(uint32(session)))
				if i == 1 && (n+uint64(session))%lookTicks != 0 && known > 0 && e.Len() != known {
					t.Fatalf("tick %d: client %d comes to know %d objects instead of %d out of its turn", n, session, e.Len(), known)
				}
			}
		}
		for session := range eyes[0] {
			a, b := eyes[0][session], eyes[1][session]
			if (n+uint64(session))%lookTicks == 0 {
				sameObjects(t, n, a.Objects(), b.Objects())
				compared++
			} else if a.Len() != b.Len() {
				late++
			}
		}
	}
	if late < 100 || compared < 1000 {
		t.Errorf("%d times late, %d compared: too little", late, compared)
	}
}

// The players of a circle are sent the same bytes of its units, themselves among them, by a world that lists and by one that does
// not.
func TestCircleSharesTheSame(t *testing.T) {
	const fights = 6
	var worlds [2]*naive.World
	var circles [2]*naive.Circle
	for i := range worlds {
		b := fightscene.New(fights)
		worlds[i] = naive.New(b.Defs, &b.Defs.Maps[0], seed)
		b.Say(1, worlds[i].Receive)
		worlds[i].Tick(sched.Tick{N: 1, NowMs: 50, Quantum: 50 * time.Millisecond})
		var sessions []uint32
		var guids []uint64
		for fight := range fights {
			sessions, guids = append(sessions, uint32(fight)), append(guids, fightscene.Foe(fight), fightscene.Player(fight))
		}
		circles[i] = worlds[i].Circle(sessions, guids)
	}
	worlds[1].List(true)
	for n := range uint32(3) {
		var sent [2][fights][]byte
		for i, c := range circles {
			c.Resend(1000+n, 50+n, func(player int, packets []byte) { sent[i][player] = bytes.Clone(packets) })
		}
		for player := range fights {
			if a, b := sent[0][player], sent[1][player]; len(a) < 2*fights*20 || !bytes.Equal(a, b) {
				t.Errorf("player %d is sent\n% x\nand by the plain world\n% x", player, b, a)
			}
		}
	}
}
