package components

import "math"

// MaxLegs is the longest path that a Walk holds, in legs.
const MaxLegs = 12

// Walk is a path in progress: straight legs at one speed, evaluated from its start time and never integrated. The
// zero Walk is none. Times are server milliseconds and wrap around.
//
// Source: linear splines, protocol.md 4.4.
type Walk struct {
	SplineID uint32 // another for each walk of a unit, increasing
	Flags    uint32 // spline flags: SplineWalk, or 0 to run
	StartMs  uint32
	Count    uint32 // legs in use
	Driven   uint32 // 1 if it is forced: a knock-back, a charge. AI and changes of speed wait for its end
	Start    Vec
	Legs     [MaxLegs]Leg
}

// A Leg is a straight piece of a walk.
type Leg struct {
	To    Vec
	EndMs uint32  // after Walk.StartMs
	O     float32 // where the walker faces, radians
}

// The spline flags that muster uses. Only SplineWalk is understood alike by every client.
//
// Source: protocol.md 4.4, 7.10; MoveSplineFlag.h, AzerothCore.
const (
	SplineParabolic  = 0x800
	SplineWalk       = 0x1000 // at walk speed, not running
	SplineFlying     = 0x2000
	SplineCatmullRom = 0x40000
	SplineCyclic     = 0x80000
	SplineAnimation  = 0x200000
)

// Begin starts a walk from a point through others at a speed in yards per second. Points where the
// walker already is are skipped, and points beyond MaxLegs are left out. It reports whether there is
// anywhere to go; if not, the walk is over at once and keeps its number.
func (w *Walk) Begin(from Vec, points []Vec, speed float32, nowMs uint32) bool {
	*w = Walk{SplineID: w.SplineID, Flags: w.Flags, StartMs: nowMs, Start: from}
	if !(speed > 0) {
		return false
	}
	var far float32
	for _, to := range points {
		step := length(Vec{to.X - from.X, to.Y - from.Y, to.Z - from.Z})
		if step == 0 {
			continue
		}
		if w.Count == MaxLegs {
			break
		}
		far += step
		end := uint32(float32(far/speed) * 1000)
		w.Legs[w.Count] = Leg{to, max(end, w.DurationMs()+1), heading(to.X-from.X, to.Y-from.Y)}
		w.Count++
		from = to
	}
	if w.Count == 0 {
		return false
	}
	w.SplineID++
	return true
}

// LegMs is the duration of a walk of one leg, as Begin has it: 0 if there is nowhere to go.
func LegMs(from, to Vec, speed float32) uint32 {
	var w Walk
	w.Begin(from, []Vec{to}, speed, 0)
	return w.DurationMs()
}

// Stop ends the walk.
func (w *Walk) Stop() { w.Count = 0 }

// Walking reports whether there is a walk, even if it is over.
func (w *Walk) Walking() bool { return w.Count > 0 }

// DurationMs is the duration of the whole walk.
func (w *Walk) DurationMs() uint32 {
	if w.Count == 0 {
		return 0
	}
	return w.Legs[w.Count-1].EndMs
}

// At is the position of the unit at a time, facing along its leg, and whether it has arrived. Call it only while
// Walking. A time before the start counts as the start.
func (w *Walk) At(nowMs uint32) (p Position, done bool) {
	leg, elapsed := w.leg(nowMs)
	from, beginMs := w.Start, uint32(0)
	if leg > 0 {
		from, beginMs = w.Legs[leg-1].To, w.Legs[leg-1].EndMs
	}
	to, endMs, o := w.Legs[leg].To, w.Legs[leg].EndMs, w.Legs[leg].O
	if elapsed >= endMs {
		return Position{to.X, to.Y, to.Z, o}, true
	}
	f := float32(elapsed-beginMs) / float32(endMs-beginMs)
	return Position{
		X: from.X + float32(f*(to.X-from.X)),
		Y: from.Y + float32(f*(to.Y-from.Y)),
		Z: from.Z + float32(f*(to.Z-from.Z)),
		O: o,
	}, false
}

// Forced reports whether at a time the unit is on a forced walk.
func (w *Walk) Forced(nowMs uint32) (leftMs uint32, on bool) {
	if w.Driven != 0 {
		_, leftMs = w.Remaining(nowMs)
	}
	return leftMs, leftMs > 0
}

// Remaining is what is left of the walk at a time: the legs not yet walked to their end, which alias
// *w, and the milliseconds to the end of the last. None are left when the walker has arrived.
func (w *Walk) Remaining(nowMs uint32) (legs []Leg, leftMs uint32) {
	if w.Count == 0 {
		return nil, 0
	}
	leg, elapsed := w.leg(nowMs)
	if elapsed >= w.DurationMs() {
		return nil, 0
	}
	return w.Legs[leg:w.Count], w.DurationMs() - elapsed
}

// leg is the leg that the unit is on, the last if it has arrived.
func (w *Walk) leg(nowMs uint32) (leg, elapsedMs uint32) {
	elapsedMs = uint32(max(int32(nowMs-w.StartMs), 0))
	last := min(w.Count, MaxLegs) - 1
	for leg < last && elapsedMs >= w.Legs[leg].EndMs {
		leg++
	}
	return leg, elapsedMs
}

func length(v Vec) float32 {
	x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
	return float32(math.Sqrt(float64(float64(x*x)+float64(y*y)) + float64(z*z)))
}

// heading is the orientation of a direction: 0 is north (x), growing to the left, within [0, 2π).
func heading(dx, dy float32) float32 {
	o := float32(math.Atan2(float64(dy), float64(dx)))
	if o < 0 {
		o += 2 * math.Pi
	}
	if o >= 2*math.Pi {
		o = 0
	}
	return o
}
