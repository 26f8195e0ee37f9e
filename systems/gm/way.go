package gm

import (
	"math"

	"muster/systems/rules"
)

// The paths of a map are fixed: they can be shown, and assigned to creatures, but not edited.

// wayLoad assigns a path to a creature.
//
// Source: HandleWpLoadCommand, cs_wp.cpp, AzerothCore, whose paths have numbers of their own.
func (s *GMNPCs) wayLoad(c *call) error {
	e := c.of
	n := c.args.Int(0, math.MaxInt32)
	if err := c.args.End(); err != nil {
		return err
	}
	if n >= int64(len(s.place.Get().Paths)) {
		return errNoWay
	}
	s.spawnInfos.Get(e).Path = int32(n)
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	c.say("%s goes way %d.", c.name, n)
	return nil
}

// wayUnload removes a creature's path.
func (s *GMNPCs) wayUnload(c *call) error {
	e := c.of
	if err := c.args.End(); err != nil {
		return err
	}
	post := s.spawnInfos.Get(e)
	if post.Path < 0 {
		return errWay
	}
	post.Path = -1
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	c.say("%s goes no way.", c.name)
	return nil
}

// wayShow lists the nodes of a creature's path. AzerothCore spawns a creature at each node instead.
//
// Source: HandleWpShowCommand, cs_wp.cpp, AzerothCore.
func (s *GMNPCs) wayShow(c *call) error {
	e := c.of
	if err := c.args.End(); err != nil {
		return err
	}
	post := s.spawnInfos.Get(e)
	if post.Path < 0 {
		return errWay
	}
	nodes := s.place.Get().Paths[post.Path].Nodes
	c.say("%s goes way %d, which has %d nodes.", c.name, post.Path, len(nodes))
	for i, n := range nodes {
		c.say("%d: X: %.1f Y: %.1f Z: %.1f, waits %d ms", i+1, n.X, n.Y, n.Z, n.PauseMs)
	}
	return nil
}
