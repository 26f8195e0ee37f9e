package rules

import (
	"fmt"
	"slices"
	"time"

	"muster/components/defs"
	"muster/sched"
)

// A PointChanged says that a spawn point to which others are linked has lost its creature or game object, or that it gets one again.
type PointChanged struct {
	Point defs.SpawnPoint
	Gone  bool
}

// Links hold back the respawns of creatures, or of game objects, while what they are linked to is gone. What has gone and come back both kinds are told as
// PointChanged.
type Links struct {
	to   map[defs.SpawnPoint]defs.SpawnPoint
	gone map[defs.SpawnPoint]bool // of those that others are linked to
	held []HeldRespawn
}

// A HeldRespawn is a respawn that waits for what its point is linked to.
type HeldRespawn struct {
	Point defs.SpawnPoint
	Era   uint32 // of the timer by which it was due
}

// Begin notes the links of a map, while nothing is gone. It panics, in the name of a system, if one is not valid.
func (l *Links) Begin(system string, m *defs.Map) {
	l.to, l.gone = make(map[defs.SpawnPoint]defs.SpawnPoint), make(map[defs.SpawnPoint]bool)
	for i, it := range m.Links {
		if !m.Has(it.Of) || !m.Has(it.To) {
			panic(fmt.Sprintf("%s: link %d of map %d %q is not valid: %+v", system, i, m.ID, m.Name, it))
		}
		l.to[it.Of], l.gone[it.To] = it.To, false
	}
}

// Counts reports whether anything is linked to a point.
func (l *Links) Counts(point defs.SpawnPoint) bool {
	_, ok := l.gone[point]
	return ok
}

// Follow notes what has changed, and has the respawns that waited for what is back be due again.
func (l *Links) Follow(changed []PointChanged, due func(HeldRespawn)) {
	for _, it := range changed {
		if l.gone[it.Point] = it.Gone; it.Gone {
			continue
		}
		l.held = slices.DeleteFunc(l.held, func(held HeldRespawn) bool {
			if l.to[held.Point] != it.Point {
				return false
			}
			due(held)
			return true
		})
	}
}

// Hold reports whether a respawn that is due has to wait. It is due again when Follow says so; one that is linked to itself never is.
func (l *Links) Hold(point defs.SpawnPoint, era uint32) bool {
	to, ok := l.to[point]
	if !ok || !l.gone[to] {
		return false
	}
	if held := (HeldRespawn{point, era}); to != point && !slices.Contains(l.held, held) {
		l.held = append(l.held, held)
	}
	return true
}

// How long a respawn comes after that for which it has waited, seconds.
//
// Source: Creature::Update and GameObject::Update, AzerothCore (urand(5, MINUTE)).
const leastLinkSec, mostLinkSec = 5, 60

// AfterLink is the tick of a respawn that has waited for one in this tick.
func AfterLink(t sched.Tick, point defs.SpawnPoint) uint64 {
	dice := t.Dice("respawn.link", uint64(point))
	return t.After(time.Duration(leastLinkSec+dice.Intn(mostLinkSec-leastLinkSec+1)) * time.Second)
}
