package swarm

import (
	"fmt"
	"math"
	"time"

	"muster/net/protocol/msg"
)

// A Behaviour is what the clients do in the world.
type Behaviour string

const (
	Idle  Behaviour = "idle"  // stands; a heartbeat every 5 s, as bots do
	Walk  Behaviour = "walk"  // keeps within 40 yards of where it started
	Crowd Behaviour = "crowd" // gathers with all the others in one disc of 60 yards
	Roam  Behaviour = "roam"  // walks legs of 200 to 600 yards
	Grind Behaviour = "grind" // fights creatures, loots them, dies and comes back
	Trade Behaviour = "trade" // stands, and hands items and money to another one, and back
)

const (
	walkRadius  = 40.0 // yards
	crowdRadius = 60.0 // yards
	roamLeast   = 200.0
	roamMost    = 600.0

	// roamBorder keeps legs on the map, with room to spare.
	//
	// Source: maps are 64 x 64 squares of 533.33 yards; MAP_HALFSIZE, GridDefines.h, AzerothCore.
	roamBorder = 17066.0 - 66

	// defaultRunSpeed is a player's run speed in yards per second. Source: playerBaseMoveSpeed, AzerothCore.
	defaultRunSpeed = 7.0

	// idlePeriod and walkPeriod are the times between heartbeats. Source: protocol.md 3.1.1 and 3.1.3, AzerothGhost.
	idlePeriod = 5 * time.Second
	walkPeriod = 500 * time.Millisecond
)

// UnmarshalText reads a behaviour's name.
func (b *Behaviour) UnmarshalText(text []byte) error {
	switch v := Behaviour(text); v {
	case Idle, Walk, Crowd, Roam, Grind, Trade:
		*b = v
		return nil
	}
	return fmt.Errorf("no behaviour %q: want idle, walk, crowd, roam, grind or trade", text)
}

// stands reports whether clients of it stay where they are.
func (b Behaviour) stands() bool { return b == Idle || b == Trade }

// scatters reports whether clients of it go apart, so that none may see another one.
func (b Behaviour) scatters() bool { return b == Roam || b == Grind }

// reads reports whether what clients of it do depends on what they read.
func (b Behaviour) reads() bool { return b == Grind || b == Trade }

// period is the time between two steps of the schedule.
func (b Behaviour) period() time.Duration {
	switch b {
	case Idle:
		return idlePeriod
	case Grind:
		return grindStep
	case Trade:
		return tradeStep
	}
	return walkPeriod
}

// A stride is one movement packet of a walker.
type stride struct {
	op         uint16
	flags      msg.MoveFlags
	x, y, z, o float32
	fresh      bool // the position has not been sent before
}

// A walker decides where a client walks. It is stepped once per period, and the packets of a step depend on nothing but
// the steps before it: being late changes when they leave, never what they say.
//
// Walking goes in legs: SET_FACING and START_FORWARD, a HEARTBEAT each period, STOP at the end, and one period of rest.
type walker struct {
	behaviour    Behaviour
	random       random
	homeX, homeY float64 // centre of the disc to keep to
	x, y, z, o   float32 // as last sent
	fromX, fromY float64 // start of the leg
	dirX, dirY   float64
	step, steps  int // of the leg; steps == 0: standing
	stepLength   float64
}

// place puts the walker where the server says it is: at the start, or after a teleport.
func (w *walker) place(x, y, z, o float32) {
	w.x, w.y, w.z, w.o = x, y, z, o
	w.steps = 0
	if w.behaviour != Crowd {
		w.homeX, w.homeY = float64(x), float64(y)
	}
}

// setSpeed says how fast the server lets the client run, in yards per second. A leg under way keeps its speed.
func (w *walker) setSpeed(speed float32) {
	if !(speed > 0) {
		speed = defaultRunSpeed
	}
	w.stepLength = float64(speed) * walkPeriod.Seconds()
}

// speed is how fast the client runs, in yards per second.
func (w *walker) speed() float64 { return w.stepLength / walkPeriod.Seconds() }

// next takes one step and returns its packets: strides[:n].
func (w *walker) next() (strides [2]stride, n int) {
	if w.behaviour == Idle {
		strides[0] = w.stride(msg.OpMoveHeartbeat, 0)
		return strides, 1
	}
	if w.steps > 0 {
		w.step++
		along := w.stepLength * float64(w.step)
		w.x, w.y = float32(w.fromX+w.dirX*along), float32(w.fromY+w.dirY*along)
		op, flags := uint16(msg.OpMoveHeartbeat), msg.MoveForward
		if w.step == w.steps {
			op, flags, w.steps = msg.OpMoveStop, 0, 0
		}
		strides[0] = w.stride(op, flags)
		strides[0].fresh = true
		return strides, 1
	}
	w.turn()
	if w.steps == 0 {
		return strides, 0
	}
	strides[0] = w.stride(msg.OpMoveSetFacing, 0)
	strides[1] = w.stride(msg.OpMoveStartForward, msg.MoveForward)
	return strides, 2
}

func (w *walker) stride(op uint16, flags msg.MoveFlags) stride {
	return stride{op: op, flags: flags, x: w.x, y: w.y, z: w.z, o: w.o}
}

// turn begins a leg, if one of at least one step comes up within a few tries.
func (w *walker) turn() {
	x, y := float64(w.x), float64(w.y)
	for range 8 {
		toX, toY := w.goal(x, y)
		distance := math.Hypot(toX-x, toY-y)
		steps := int(distance / w.stepLength)
		if steps < 1 || math.Abs(toX) > roamBorder || math.Abs(toY) > roamBorder {
			continue
		}
		w.fromX, w.fromY = x, y
		w.dirX, w.dirY = (toX-x)/distance, (toY-y)/distance
		w.step, w.steps = 0, steps
		angle := math.Atan2(w.dirY, w.dirX)
		if angle < 0 {
			angle += 2 * math.Pi
		}
		w.o = float32(angle)
		return
	}
}

func (w *walker) goal(x, y float64) (toX, toY float64) {
	switch w.behaviour {
	case Roam:
		length := roamLeast + (roamMost-roamLeast)*w.random.unit()
		sin, cos := math.Sincos(2 * math.Pi * w.random.unit())
		return x + length*cos, y + length*sin
	case Crowd:
		dx, dy := w.random.inDisc(crowdRadius)
		return w.homeX + dx, w.homeY + dy
	default:
		dx, dy := w.random.inDisc(walkRadius)
		return w.homeX + dx, w.homeY + dy
	}
}
