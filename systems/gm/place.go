package gm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
)

// gps answers the position of a unit. Bots wait for it as the sign that all commands before it are done.
//
// Source: protocol.md 3.1.6.
func (s *System) gps(c *call) (err error) {
	var e ecs.Entity
	if c.args.Len() > 0 {
		e, err = s.named(c.args.Word())
	} else {
		e, err = s.unit(c)
	}
	if err = cmp.Or(c.args.End(), err); err != nil {
		return err
	}
	p := s.positions.Get(e)
	s.say("%s is on map %d (%s), zone %d.", s.nameOf(e), s.place.Get().ID, s.place.Get().Name, s.place.Get().Zone(p.X, p.Y))
	s.say("X: %f Y: %f Z: %f Orientation: %f", p.X, p.Y, p.Z, p.O)
	s.say("The ground is at %f, the cell is %v.", s.place.Get().Height(p.X, p.Y), s.homeCells.Get(e).Cell)
	return nil
}

// teleportTo teleports a unit, from the next tick on.
func (s *System) teleportTo(e ecs.Entity, mapID uint32, at components.Position) {
	s.teleports.Emit(move.Teleport{Entity: e, To: life.Place{Map: mapID, X: at.X, Y: at.Y, Z: at.Z, O: at.O}})
}

// point takes x, y and an optional z, by default that of the ground.
func (s *System) point(c *call) (at components.Position) {
	at.X = c.args.Float(-grid.Limit, grid.Limit)
	at.Y = c.args.Float(-grid.Limit, grid.Limit)
	if c.args.Len() > 0 {
		at.Z = c.args.Float(-components.MaxHeight, components.MaxHeight)
	} else {
		at.Z = s.place.Get().Height(at.X, at.Y)
	}
	at.O = s.positions.Get(c.by).O
	return at
}

// maxTurn limits an orientation in arguments, radians.
const maxTurn = 100

func (s *System) turn(c *call, at *components.Position) {
	if c.args.Len() > 0 {
		at.O, _ = components.Facing(c.args.Float(-maxTurn, maxTurn))
	}
}

func (s *System) goXYZ(c *call) error {
	at, mapID := s.point(c), s.place.Get().ID
	if c.args.Len() > 0 {
		mapID = uint32(c.args.Int(0, math.MaxUint32))
	}
	s.turn(c, &at)
	if err := c.args.End(); err != nil {
		return err
	}
	if s.defs.Get().Map(mapID) == nil {
		return refusal(fmt.Sprintf("There is no map %d.", mapID))
	}
	s.teleportTo(c.by, mapID, at)
	return nil
}

func (s *System) goHere(c *call) error {
	at := s.point(c)
	s.turn(c, &at)
	if err := c.args.End(); err != nil {
		return err
	}
	s.teleportTo(c.by, s.place.Get().ID, at)
	return nil
}

// goCreature teleports to the creature with a GUID, or to the spawn point with its counter.
func (s *System) goCreature(c *call) error {
	n := uint64(c.args.Int(0, math.MaxInt64))
	if err := c.args.End(); err != nil {
		return err
	}
	if e := s.counted(n); s.entities.Alive(e) {
		s.teleportTo(c.by, s.place.Get().ID, s.positions.Get(e))
		return nil
	}
	if n < uint64(len(s.place.Get().Spawns)) {
		s.sendToSpawn(c, int(n))
		return nil
	}
	return errCreature
}

func (s *System) sendToSpawn(c *call, point int) {
	at := &s.place.Get().Spawns[point]
	s.teleportTo(c.by, s.place.Get().ID, components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O})
}

// goCreatureID teleports to the n-th spawn point of an entry, from 1 on.
func (s *System) goCreatureID(c *call) error {
	entry, nth := c.args.ID(), int64(1)
	if c.args.Len() > 0 {
		nth = c.args.Int(1, math.MaxInt32)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	for i := range s.place.Get().Spawns {
		if s.place.Get().Spawns[i].Entry == entry {
			if nth--; nth == 0 {
				s.sendToSpawn(c, i)
				return nil
			}
		}
	}
	return errCreature
}

func (s *System) appear(c *call) error {
	e, err := s.player(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	s.teleportTo(c.by, s.place.Get().ID, s.positions.Get(e))
	return nil
}

func (s *System) summon(c *call) error {
	e, err := s.player(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	s.teleportTo(e, s.place.Get().ID, s.positions.Get(c.by))
	s.say("%s is on the way.", s.nameOf(e))
	return nil
}

func (s *System) teleport(c *call) error { return s.sendTo(c, c.by) }

func (s *System) teleportName(c *call) (err error) {
	var e ecs.Entity
	if c.args.Len() > 1 {
		e, err = s.named(c.args.Word())
	} else {
		e, err = s.selected(c)
	}
	if err != nil {
		return err
	}
	return s.sendTo(c, e)
}

// A location is a named place.
type location struct {
	name  string
	mapID uint32
	at    components.Position
}

// sendTo teleports a player to the place that the rest of the arguments names.
func (s *System) sendTo(c *call, e ecs.Entity) error {
	name := c.args.Rest()
	if err := c.args.End(); err != nil || name == "" {
		return cmp.Or(err, usage)
	}
	found := s.locations(name)
	switch {
	case len(found) == 0:
		return refusal("There is no such place.")
	case len(found) > 1 && !strings.EqualFold(found[0].name, name):
		s.say("That could be:")
		for _, l := range found {
			s.say("%s, map %d", l.name, l.mapID)
		}
		return nil
	}
	s.teleportTo(e, found[0].mapID, found[0].at)
	return nil
}

// Limits of named places.
const (
	maxCamps    = 1000
	maxNameLong = 100 // bytes. Source: game_tele.name, AzerothCore.
)

// teleportPut names a place. All worlds get the command in the same order, so all have the same places.
//
// Source: HandleTeleAddCommand, cs_tele.cpp, AzerothCore, which keeps them in game_tele.
func (s *System) teleportPut(c *call) error {
	l := location{mapID: uint32(c.args.Int(0, math.MaxUint32))}
	l.at.X = c.args.Float(-grid.Limit, grid.Limit)
	l.at.Y = c.args.Float(-grid.Limit, grid.Limit)
	l.at.Z = c.args.Float(-components.MaxHeight, components.MaxHeight)
	s.turn(c, &l.at)
	l.name = c.args.Rest()
	switch err := c.args.End(); {
	case err != nil || l.name == "":
		return cmp.Or(err, usage)
	case len(l.name) > maxNameLong:
		return refusal(fmt.Sprintf("A name of a place has at most %d bytes.", maxNameLong))
	case s.defs.Get().Map(l.mapID) == nil:
		return refusal(fmt.Sprintf("There is no map %d.", l.mapID))
	case len(s.camps) == maxCamps:
		return refusal(fmt.Sprintf("There are %d such places, and no more can be.", maxCamps))
	}
	if found := s.locations(l.name); len(found) > 0 && strings.EqualFold(found[0].name, l.name) {
		return refusal(fmt.Sprintf("There is a place %s already.", found[0].name))
	}
	s.camps = append(s.camps, l)
	s.say("%s is a place now.", l.name)
	return nil
}

// teleportDel removes a place that teleportPut has named.
//
// Source: HandleTeleDelCommand, cs_tele.cpp, AzerothCore.
func (s *System) teleportDel(c *call) error {
	name := c.args.Rest()
	if err := c.args.End(); err != nil || name == "" {
		return cmp.Or(err, usage)
	}
	at := slices.IndexFunc(s.camps, func(l location) bool { return strings.EqualFold(l.name, name) })
	if at < 0 {
		return refusal("No such place was given its name.")
	}
	s.say("%s is forgotten.", s.camps[at].name)
	s.camps = slices.Delete(s.camps, at, at+1)
	return nil
}

// locations are the places whose name contains part: Hub0 and following, the zones by their middle, and those named
// by teleportPut. An exact match comes first.
func (s *System) locations(part string) (found []location) {
	add := func(l location) {
		switch {
		case strings.EqualFold(l.name, part):
			found = append([]location{l}, found...)
		case contains(l.name, part):
			found = append(found, l)
		}
	}
	for i := range s.defs.Get().Hubs {
		h := &s.defs.Get().Hubs[i]
		add(location{fmt.Sprintf("Hub%d", i), h.Map, components.Position{X: h.X, Y: h.Y, Z: h.Z, O: h.O}})
	}
	for i := range s.defs.Get().Maps {
		m := &s.defs.Get().Maps[i]
		for k := range m.Zones {
			add(location{m.Zones[k].Name, m.ID, middle(m, &m.Zones[k])})
		}
	}
	for _, l := range s.camps {
		add(l)
	}
	return found
}

func middle(m *defs.Map, z *defs.Zone) (at components.Position) {
	at.X, at.Y = (z.MinX+z.MaxX)/2, (z.MinY+z.MaxY)/2
	at.Z = m.Height(at.X, at.Y)
	return at
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
