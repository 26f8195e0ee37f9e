// Package walkscene is the scene of the walks that are measured: players that run in circles, so many to a disc. Like
// fightscene it is only a script: what clients send in each tick. The world that runs it decides the outcome.
package walkscene

import (
	"math"
	"math/rand/v2"
	"strconv"

	"muster/bench/fightscene"
	"muster/components/defs"
	"muster/components/life"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

const (
	// EnterTicks is how long it takes all to come in: ten seconds, in which a server asks each client for its time once,
	// so that in no tick it asks all clients.
	EnterTicks = 200
	// runYards is how far a player runs in a tick of 50 ms.
	//
	// Source: playerBaseMoveSpeed, 7 yards per second, AzerothCore.
	runYards = 0.35
	stepMs   = 50
	class    = 1
	level    = 20
)

// Config is the number of players, and where they run.
type Config struct {
	Players   int
	PerDisc   int     // of them in each disc
	DiscYards float64 // its radius
	Apart     float64 // from one disc to the next, yards
	// BeatTicks is how many ticks lie between two reports of a player, each of which has a phase of its own; 1 is a
	// report in each tick.
	BeatTicks int
}

// A Scene is so many players on their way, in a world without creatures.
type Scene struct {
	Config
	Defs *defs.World // with one map

	walkers []Walker
	move    msg.Move
	body    []byte
}

// New returns the scene.
func New(c Config) *Scene {
	m := &Scene{Config: c, Defs: fightscene.World(), walkers: make([]Walker, c.Players)}
	dice := rand.New(rand.NewPCG(3, 0))
	side := int(math.Ceil(math.Sqrt(float64(c.Players) / float64(c.PerDisc))))
	for i := range m.walkers {
		disc := i / c.PerDisc
		m.walkers[i] = Circling(dice, c.Apart*float64(disc%side-side/2), c.Apart*float64(disc/side-side/2), c.DiscYards)
	}
	return m
}

// Player is the GUID of a player, whose session is one less.
func Player(n int) uint64 { return uint64(n + 1) }

// Enter is a player as it comes in.
func (m *Scene) Enter(n int) frame.Character {
	c := frame.Character{
		GUID: Player(n), Name: "Walker" + strconv.Itoa(n), Race: 1, Class: class, Level: level, Told: life.All,
		Life: life.Life{Begun: true, Health: uint32(m.Defs.Players.Classes[class].Health.First)},
	}
	c.X, c.Y, c.Z, c.O = m.walkers[n].At(&m.Defs.Maps[0])
	return c
}

// Say visits what clients send for a tick: those that have not entered yet do so in turn, the others report where they
// are when it is their turn. The item is good until the visit ends.
func (m *Scene) Say(tick uint64, visit func(frame.Item)) {
	perTick := (m.Players + EnterTicks - 1) / EnterTicks
	in := min(int(tick-1)*perTick, m.Players) // those that entered before
	for i := in; i < min(in+perTick, m.Players); i++ {
		c := m.Enter(i)
		m.body = msg.Append(m.body[:0], wire.V12340, &c)
		visit(frame.Item{Session: uint32(i), Op: frame.OpEnter, Body: m.body})
	}
	for i := int(tick) % m.BeatTicks; i < in; i += m.BeatTicks {
		m.beat(i, uint32(tick)*stepMs, visit)
	}
}

// beat is the report of a player after it has run on.
func (m *Scene) beat(n int, nowMs uint32, visit func(frame.Item)) {
	w := &m.walkers[n]
	w.Run(runYards * float64(m.BeatTicks))
	m.move = msg.Move{Mover: Player(n), Movement: msg.Movement{Flags: msg.MoveForward, Time: nowMs}}
	m.move.X, m.move.Y, m.move.Z, m.move.O = w.At(&m.Defs.Maps[0])
	c := wire.NewWriter(wire.V12340, m.body[:0])
	m.move.Wire(&c)
	m.body = c.Bytes()
	visit(frame.Item{Session: uint32(n), AtMs: nowMs, Op: msg.OpMoveHeartbeat, Body: m.body})
}
