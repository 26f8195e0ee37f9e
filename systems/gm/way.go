package gm

import (
	"cmp"
	"math"

	"muster/systems/rules"
)

// The paths of a map are fixed: they can be shown, and assigned to creatures, but not edited.

// wayLoad assigns a path to a creature.
//
// Source: HandleWpLoadCommand, cs_wp.cpp, AzerothCore, whose paths have numbers of their own.
func (s *System) wayLoad(c *call) error {
	e, err := s.chosen(c)
	n := c.args.Int(0, math.MaxInt32)
	if err := cmp.Or(c.args.End(), err); err != nil {
		return err
	}
	if n >= int64(len(s.place.Get().Paths)) {
		return errNoWay
	}
	s.spawnInfos.Get(e).Path = int32(n)
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	s.say("%s goes way %d.", s.nameOf(e), n)
	return nil
}

// wayUnload removes a creature's path.
func (s *System) wayUnload(c *call) error {
	e, err := s.chosen(c)
	if err := cmp.Or(c.args.End(), err); err != nil {
		return err
	}
	post := s.spawnInfos.Get(e)
	if post.Path < 0 {
		return errWay
	}
	post.Path = -1
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	s.say("%s goes no way.", s.nameOf(e))
	return nil
}

// wayShow lists the nodes of a creature's path. AzerothCore spawns a creature at each node instead.
//
// Source: HandleWpShowCommand, cs_wp.cpp, AzerothCore.
func (s *System) wayShow(c *call) error {
	e, err := s.chosen(c)
	if err := cmp.Or(c.args.End(), err); err != nil {
		return err
	}
	post := s.spawnInfos.Get(e)
	if post.Path < 0 {
		return errWay
	}
	nodes := s.place.Get().Paths[post.Path].Nodes
	s.say("%s goes way %d, which has %d nodes.", s.nameOf(e), post.Path, len(nodes))
	for i, n := range nodes {
		s.say("%d: X: %.1f Y: %.1f Z: %.1f, waits %d ms", i+1, n.X, n.Y, n.Z, n.PauseMs)
	}
	return nil
}
