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
	"muster/sched"
)

// GMPlaces executes the commands that teleport players and tell where units are.
type GMPlaces struct {
	group
	creatures

	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	positions ecs.Read[components.Position]
	homeCells ecs.Read[components.HomeCell]
	teleports ecs.Emit[move.Teleport]

	camps []location // named places
}

// OnEvents executes the commands of this group.
func (s *GMPlaces) OnEvents(sched.Tick) { execute(&s.group, s, places) }

var places = []verb[GMPlaces]{
	{"appear", (*GMCommands).player, (*GMPlaces).appear},
	{"go", nil, (*GMPlaces).goHere},
	{"go creature", nil, (*GMPlaces).goCreature},
	{"go creature id", nil, (*GMPlaces).goCreatureID},
	{"go xyz", nil, (*GMPlaces).goXYZ},
	{"gps", (*GMCommands).namedOrUnit, (*GMPlaces).gps},
	{"lookup teleport", nil, (*GMPlaces).lookupTeleport},
	{"summon", (*GMCommands).player, (*GMPlaces).summon},
	{"teleport", nil, (*GMPlaces).sendTo},
	{"teleport del", nil, (*GMPlaces).teleportDel},
	{"teleport name", (*GMCommands).namedOrSelected, (*GMPlaces).sendTo},
	{"teleport put", nil, (*GMPlaces).teleportPut},
}

// gps answers the position of a unit. Bots wait for it as the sign that all commands before it are done.
//
// Source: protocol.md 3.1.6.
func (s *GMPlaces) gps(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	p := s.positions.Get(c.of)
	c.say("%s is on map %d (%s), zone %d.", c.name, s.place.Get().ID, s.place.Get().Name, s.place.Get().Zone(p.X, p.Y))
	c.say("X: %f Y: %f Z: %f Orientation: %f", p.X, p.Y, p.Z, p.O)
	c.say("The ground is at %f, the cell is %v.", s.place.Get().Height(p.X, p.Y), s.homeCells.Get(c.of).Cell)
	return nil
}

// teleportTo teleports a unit, from the next tick on.
func (s *GMPlaces) teleportTo(e ecs.Entity, mapID uint32, at components.Position) {
	s.teleports.Emit(teleport(e, mapID, at))
}

func teleport(e ecs.Entity, mapID uint32, at components.Position) move.Teleport {
	return move.Teleport{Entity: e, To: life.Place{Map: mapID, X: at.X, Y: at.Y, Z: at.Z, O: at.O}}
}

// point takes x, y and an optional z, by default that of the ground.
func (s *GMPlaces) point(c *call) (at components.Position) {
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

func (s *GMPlaces) turn(c *call, at *components.Position) {
	if c.args.Len() > 0 {
		at.O, _ = components.Facing(c.args.Float(-maxTurn, maxTurn))
	}
}

func (s *GMPlaces) goXYZ(c *call) error {
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

func (s *GMPlaces) goHere(c *call) error {
	at := s.point(c)
	s.turn(c, &at)
	if err := c.args.End(); err != nil {
		return err
	}
	s.teleportTo(c.by, s.place.Get().ID, at)
	return nil
}

// goCreature teleports to the creature with a GUID, or to the spawn point with its counter.
func (s *GMPlaces) goCreature(c *call) error {
	n := uint64(c.args.Int(0, math.MaxInt64))
	if err := c.args.End(); err != nil {
		return err
	}
	if e := s.counted(n); s.entities.Exists(e) {
		s.teleportTo(c.by, s.place.Get().ID, s.positions.Get(e))
		return nil
	}
	if n < uint64(len(s.place.Get().Spawns)) {
		s.sendToSpawn(c, int(n))
		return nil
	}
	return errCreature
}

func (s *GMPlaces) sendToSpawn(c *call, point int) {
	at := &s.place.Get().Spawns[point]
	s.teleportTo(c.by, s.place.Get().ID, components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O})
}

// goCreatureID teleports to the n-th spawn point of an entry, from 1 on.
func (s *GMPlaces) goCreatureID(c *call) error {
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

func (s *GMPlaces) appear(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.teleportTo(c.by, s.place.Get().ID, s.positions.Get(c.of))
	return nil
}

func (s *GMPlaces) summon(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.teleportTo(c.of, s.place.Get().ID, s.positions.Get(c.by))
	c.say("%s is on the way.", c.name)
	return nil
}

// A location is a named place.
type location struct {
	name  string
	mapID uint32
	at    components.Position
}

// sendTo teleports a player to the place that the rest of the arguments names.
func (s *GMPlaces) sendTo(c *call) error {
	name := c.args.Rest()
	if err := c.args.End(); err != nil || name == "" {
		return cmp.Or(err, usage)
	}
	found := s.locations(name)
	switch {
	case len(found) == 0:
		return refusal("There is no such place.")
	case len(found) > 1 && !strings.EqualFold(found[0].name, name):
		c.say("That could be:")
		for _, l := range found {
			c.say("%s, map %d", l.name, l.mapID)
		}
		return nil
	}
	s.teleportTo(c.of, found[0].mapID, found[0].at)
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
func (s *GMPlaces) teleportPut(c *call) error {
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
	c.say("%s is a place now.", l.name)
	return nil
}

// teleportDel removes a place that teleportPut has named.
//
// Source: HandleTeleDelCommand, cs_tele.cpp, AzerothCore.
func (s *GMPlaces) teleportDel(c *call) error {
	name := c.args.Rest()
	if err := c.args.End(); err != nil || name == "" {
		return cmp.Or(err, usage)
	}
	at := slices.IndexFunc(s.camps, func(l location) bool { return strings.EqualFold(l.name, name) })
	if at < 0 {
		return refusal("No such place was given its name.")
	}
	c.say("%s is forgotten.", s.camps[at].name)
	s.camps = slices.Delete(s.camps, at, at+1)
	return nil
}

// locations are the places whose name contains part: Hub0 and following, the zones by their middle, those of the definitions, and those named
// by teleportPut. An exact match comes first.
func (s *GMPlaces) locations(part string) (found []location) {
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
	for i := range s.defs.Get().Teleports {
		t := &s.defs.Get().Teleports[i]
		add(location{t.Name, t.Map, components.Position{X: t.X, Y: t.Y, Z: t.Z, O: t.O}})
	}
	for _, l := range s.camps {
		add(l)
	}
	return found
}

func (s *GMPlaces) lookupTeleport(c *call) error {
	return c.look(func(found func(string, string)) {
		for _, l := range s.locations("") {
			found(l.name, fmt.Sprint("map ", l.mapID))
		}
	})
}

func middle(m *defs.Map, z *defs.Zone) (at components.Position) {
	at.X, at.Y = (z.MinX+z.MaxX)/2, (z.MinY+z.MaxY)/2
	at.Z = m.Height(at.X, at.Y)
	return at
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
