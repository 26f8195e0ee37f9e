package defs

import "sort"

// A GameEvent is a season or an occasion during which some creatures are there, and others are not.
//
// Source: GameEventMgr::LoadFromDB, AzerothCore.
type GameEvent struct {
	ID      uint32 // not 0
	Name    string
	Holiday uint32 // as the calendar of clients has it; 0 none
	Calendar

	World bool     `json:",omitempty"` // it has no calendar, but goes through phases, and lasts as long as its Calendar says
	After []uint32 `json:",omitempty"` // IDs of world events that must be over before it begins by itself; without any it begins on request
	Needs uint32   `json:",omitempty"` // what players would have to do before its time begins; nothing counts it
}

// A Calendar is when an event is on: at its start and whenever it has occurred since, for its length. The zero Calendar has no such
// times.
type Calendar struct {
	Start, End int64  // Unix seconds; no End is 0
	EveryMin   uint32 // minutes from one beginning to the next; 0: the event begins on request alone
	ForMin     uint32 // minutes that it lasts
}

// On reports whether the event is on at a time of Unix seconds.
//
// Source: GameEventMgr::CheckOneGameEvent, AzerothCore.
func (c *Calendar) On(at int64) bool {
	return c.EveryMin != 0 && at >= c.Start && !c.ended(at) && c.since(at) < int64(c.ForMin)*60
}

// Next is the first time after another at which the event begins or ends; ok is false if it does neither any more.
//
// Source: GameEventMgr::NextCheck, AzerothCore.
func (c *Calendar) Next(at int64) (next int64, ok bool) {
	every, length := int64(c.EveryMin)*60, int64(c.ForMin)*60
	switch on := c.On(at); {
	case every == 0 || length == 0 || c.ended(at):
		return 0, false
	case at < c.Start:
		return c.Start, !c.ended(c.Start)
	case on && length >= every:
		return c.End, c.End != 0
	case on:
		next = at - c.since(at) + length
		if c.ended(next) {
			next = c.End
		}
		return next, true
	}
	next = at - c.since(at) + every
	return next, !c.ended(next)
}

// since is the time since the last beginning, seconds. The first must be over.
func (c *Calendar) since(at int64) int64 { return (at - c.Start) % (int64(c.EveryMin) * 60) }

func (c *Calendar) ended(at int64) bool { return c.End != 0 && at >= c.End }

// GameEvent is the index of an event in World.GameEvents.
func (w *World) GameEvent(id uint32) (index int, ok bool) {
	return find(len(w.GameEvents), id, func(i int) uint32 { return w.GameEvents[i].ID })
}

// An EventSpawn is that an event changes whether a spawn point has a creature or a game object. A point with several has one while one of those that
// bring it is on, or if none does always, and none of those that take it away is on.
type EventSpawn struct {
	Point uint32 // index into Map.Spawns, of no pool, or into Map.Objects or Map.Pools
	Event uint32 // index into World.GameEvents
	Away  bool   // it is missing during the event
}

// An EventLook is what the creature of a spawn point shows during an event.
//
// Source: GameEventMgr::UpdateEventNPCFlags and GameEventMgr::ChangeEquipOrModel, AzerothCore.
type EventLook struct {
	Point    uint32 // index into Map.Spawns
	Event    uint32 // index into World.GameEvents
	NPCFlags uint32 // services that it offers besides its own
	Display  uint32 // its model; 0 its own
	Armed    bool   // it holds Items instead of its own
	Items    [3]uint32
}

// An EventWare is what the vendors of an entry sell besides during an event.
//
// Source: GameEventMgr::UpdateEventNPCVendor, AzerothCore.
type EventWare struct {
	Entry uint32 // of the creatures
	Event uint32 // index into World.GameEvents
	VendorItem
}

// EventWaresOf is what the vendors of an entry sell during events. It aliases the World. The cost is logarithmic in the number of them.
func (w *World) EventWaresOf(entry uint32) []EventWare {
	first := sort.Search(len(w.EventWares), func(i int) bool { return w.EventWares[i].Entry >= entry })
	end := first
	for end < len(w.EventWares) && w.EventWares[end].Entry == entry {
		end++
	}
	return w.EventWares[first:end]
}
