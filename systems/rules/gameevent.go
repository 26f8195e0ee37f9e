package rules

import (
	"maps"
	"slices"
	"time"

	"muster/components/defs"
)

// GameEvents is the date, and which game events are on: a resource. System gameevents writes it.
type GameEvents struct {
	DateMs int64            // Unix milliseconds; 0 while no date is known
	AtMs   uint32           // the time of the world then
	All    []GameEventState // by index into defs.World.GameEvents; none before the first tick
}

// A GameEventState is what an event does, and when: game masters change its calendar.
type GameEventState struct {
	ID       uint32
	On       bool
	Phase    EventPhase
	Calendar defs.Calendar
	EndsAt   int64 // of EventCounts and EventOver: when it ends, or has, Unix seconds
}

// An EventPhase is how far a world event has come.
//
// Source: GameEventState, GameEventMgr.h, AzerothCore.
type EventPhase uint8

// The phases, in order. All other events stay in the first.
const (
	EventWaits  EventPhase = iota // for those before it, or a game master
	EventNeeds                    // it is on, and what it needs is not done
	EventCounts                   // it is on until GameEventState.EndsAt
	EventOver                     // it has been on
)

// Date is the date at a time of the world, Unix seconds. It means nothing while none is known.
func (g *GameEvents) Date(nowMs uint32) int64 {
	return (g.DateMs + int64(nowMs-g.AtMs)) / int64(time.Second/time.Millisecond)
}

// On reports whether an event is on, by its index.
func (g *GameEvents) On(event uint32) bool { return int(event) < len(g.All) && g.All[event].On }

// A SetGameEvent asks for an event to begin or to end now, whatever its calendar says. System gameevents takes it.
type SetGameEvent struct {
	Event uint32 // index into defs.World.GameEvents
	On    bool
}

// A GameEventChanged is an event that has begun or ended. One that is Replaced is about all of them: they are others now, of which those are on
// that follow.
type GameEventChanged struct {
	Event    uint32 // index into defs.World.GameEvents
	On       bool
	Replaced bool
}

// EventPoints are the spawn points of a map that game events change.
type EventPoints struct {
	of     [][]uint32      // points by event, ascending
	on     []bool          // by event
	absent map[uint32]bool // points that have nothing now
}

// Begin notes which points so many events change, before any of them is on.
func (p *EventPoints) Begin(all []defs.EventSpawn, events int) { p.note(all, make([]bool, events)) }

func (p *EventPoints) note(all []defs.EventSpawn, on []bool) {
	p.of, p.on, p.absent = make([][]uint32, len(on)), on, make(map[uint32]bool)
	for _, it := range all {
		p.of[it.Event] = append(p.of[it.Event], it.Point)
		p.absent[it.Point] = !p.wanted(all, it.Point)
	}
}

// Absent reports whether a point has nothing now.
func (p *EventPoints) Absent(point uint32) bool { return p.absent[point] }

// wanted reports whether a point with events is to have something.
//
// Source: GameEventMgr::GameEventSpawn and GameEventMgr::GameEventUnspawn, AzerothCore.
func (p *EventPoints) wanted(all []defs.EventSpawn, point uint32) bool {
	first, _ := slices.BinarySearchFunc(all, point, func(it defs.EventSpawn, point uint32) int { return int(it.Point) - int(point) })
	brought, brings := false, false
	for _, it := range all[first:] {
		switch {
		case it.Point != point:
			return brought || !brings
		case it.Away && p.on[it.Event]:
			return false
		case !it.Away:
			brings = true
			brought = brought || p.on[it.Event]
		}
	}
	return brought || !brings
}

// Follow notes which events have begun and ended, and returns the points that have become absent, and those that are not any more. It costs nothing if
// no event has.
func (p *EventPoints) Follow(all []defs.EventSpawn, events int, changed []GameEventChanged) (turned []uint32) {
	if i := slices.IndexFunc(changed, func(c GameEventChanged) bool { return c.Replaced }); i >= 0 {
		return p.replace(all, events, changed[i+1:])
	}
	for _, c := range changed {
		p.on[c.Event] = c.On
	}
	for _, c := range changed {
		for _, point := range p.of[c.Event] {
			if absent := !p.wanted(all, point); absent != p.absent[point] {
				p.absent[point] = absent
				turned = append(turned, point)
			}
		}
	}
	return turned
}

// replace is Follow where all events are others, of which none is on yet.
func (p *EventPoints) replace(all []defs.EventSpawn, events int, begun []GameEventChanged) (turned []uint32) {
	was, on := p.absent, make([]bool, events)
	for _, c := range begun {
		on[c.Event] = c.On
	}
	p.note(all, on)
	points := slices.Concat(slices.Collect(maps.Keys(was)), slices.Collect(maps.Keys(p.absent)))
	slices.Sort(points)
	for _, point := range slices.Compact(points) {
		if was[point] != p.absent[point] {
			turned = append(turned, point)
		}
	}
	return turned
}
