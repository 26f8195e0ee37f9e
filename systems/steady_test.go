package systems

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/persist"
)

// A steady world has all entities moving: players walk in circles of 20 yards around their hubs, 200 yards apart, and
// report twice a second; creatures wander between them.
type steady struct {
	live    *Live
	inboxes []*frame.Inbox // what arrives, again and again
	saves   frame.Saves    // its snapshots of players
	n       uint64
}

const (
	perHub  = 50
	hubs    = 200 // yards apart
	reports = 10  // ticks between two of a player
	round   = 360 // ticks in which a player is back where it was
)

func newSteady(players, creatures int) *steady {
	r := rand.New(rand.NewPCG(1, 1))
	side := int(math.Ceil(math.Sqrt(float64(players) / perHub)))
	d := meadow(r, 0, 0)
	m := &d.Maps[0]
	for range creatures {
		x, y := r.Float32()*float32(side)*hubs, r.Float32()*float32(side)*hubs
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: 7, X: x, Y: y, Wander: 10, Path: -1})
	}
	s := &steady{live: &Live{World: New(Config{Defs: d, Map: m, Seed: 1}), Exchange: frame.NewExchange()}}
	s.live.Exchange.Saving = true
	for i := range round {
		s.inboxes = append(s.inboxes, new(frame.Inbox))
		for p := i % reports; p < players; p += reports {
			hub := p / perHub
			angle := 2 * math.Pi * (float64(i)/round + float64(p%perHub)/perHub)
			m := msg.Move{Mover: uint64(p + 1), Movement: msg.Movement{
				Flags: msg.MoveForward,
				X:     float32(float64(hub%side*hubs+hubs/2) + 20*math.Cos(angle)),
				Y:     float32(float64(hub/side*hubs+hubs/2) + 20*math.Sin(angle)),
			}}
			op := uint16(msg.OpMoveHeartbeat)
			if (i/reports+p)%7 == 0 {
				op = msg.OpMoveStartForward
			}
			s.inboxes[i].Add(frame.Item{Session: uint32(p), Op: op, Body: msg.Append(nil, wire.V12340, &m)})
		}
	}
	var in frame.Inbox
	for p := range players {
		hub := p / perHub
		in.Add(frame.Item{Session: uint32(p), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: uint64(p + 1), Name: "Walker", Race: 1, Class: 1, Level: 1,
			X: float32(hub%side*hubs + hubs/2), Y: float32(hub/side*hubs + hubs/2),
		})})
	}
	s.live.Exchange.Post(&in)
	return s
}

func (s *steady) tick() {
	s.n++
	s.live.Exchange.Post(s.inboxes[s.n%round])
	s.live.Step(s.n)
	s.live.Exchange.Saves(&s.saves)
}

// A tick of a world in which everything moves allocates nothing.
func TestSteadyTickAllocatesNothing(t *testing.T) {
	s := newSteady(2000, 4000)
	for range 2 * round {
		s.tick()
	}
	if n := s.live.World.Players(); n != 2000 {
		t.Fatalf("%d players", n)
	}
	if n := testing.AllocsPerRun(200, s.tick); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
	told := 0
	const rounds = int(persist.Period / (50 * time.Millisecond)) // after as many rounds of reports the turns are the same again
	for range rounds * reports {
		s.tick()
		told += s.saves.Len()
	}
	if told != rounds*2000 {
		t.Errorf("%d snapshots, want one of each report of a player: %d", told, rounds*2000)
	}
}
