package gm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/systems/rules"
)

// way is the number of the path that a creature goes if it goes any, -1 if it has none.
func (s *GMNPCs) way(post *components.SpawnInfo) int32 {
	switch {
	case post.Path >= 0:
		return post.Path
	case post.Way > 0:
		return int32(post.Way - 1)
	case post.Point > 0:
		return s.place.Get().Spawns[post.Point-1].Path
	}
	return -1
}

// wayAdd appends the position of the game master to a path: to the one with a number, or to that of the selected creature,
// or to a new one if no creature is selected. A selected creature that goes it begins anew.
//
// Source: HandleWpAddCommand, cs_wp.cpp, AzerothCore.
func (s *GMNPCs) wayAdd(c *call) error {
	way := int32(-1)
	creature := s.creatures.spawnInfos.Has(c.of)
	if creature {
		way = s.way(s.posts.Get(c.of))
	}
	number, named := way, c.args.Len() > 0
	switch {
	case named:
		number = int32(c.args.Int(0, math.MaxInt32))
	case !creature:
		number = s.ways.Get().Next(s.place.Get())
	}
	if err := c.args.End(); err != nil {
		return err
	}
	switch {
	case number < 0:
		return errWay
	case named && s.ways.Get().Find(s.place.Get(), number) == nil:
		return errNoWay
	}
	at := s.positions.Get(c.by)
	nodes, err := s.ways.Get().Append(s.place.Get(), number, defs.Node{X: at.X, Y: at.Y, Z: at.Z})
	if err != nil {
		return wayError(err, number)
	}
	c.say("Node %d of way %d is here.", nodes, number)
	if creature {
		s.sendAnew(c, number)
	}
	return nil
}

// wayError is what a game master is told when a path cannot be edited.
func wayError(err error, number int32) error {
	if errors.Is(err, rules.ErrWays) {
		return refusal(fmt.Sprintf("%d ways are edited, and no more can be.", rules.MaxWays))
	}
	return refusal(fmt.Sprintf("Way %d has %d nodes, and no more can be.", number, rules.MaxWayNodes))
}

// sendAnew has the creature of a command that goes a path begin anew.
func (s *GMNPCs) sendAnew(c *call, number int32) {
	if s.posts.Get(c.of).Path == number {
		s.send(c, number)
	}
}

// maxWaitMs is how long a creature may wait at a node, milliseconds. It is our own choice.
const maxWaitMs = 3_600_000

// wayModify changes a node of a creature's path: how long the creature waits there, or where it is, or that it is there at all.
//
// Source: HandleWpModifyCommand, cs_wp.cpp, AzerothCore, where the node is that of a creature that shows it.
func (s *GMNPCs) wayModify(c *call) error {
	n := c.args.Int(1, math.MaxInt32)
	switch option := strings.ToLower(c.args.Word()); option {
	case "delay":
		ms := c.args.Int(0, maxWaitMs)
		return s.changeNode(c, n, func(node *defs.Node) string {
			node.PauseMs = uint32(ms)
			return fmt.Sprintf("waits %d ms", ms)
		})
	case "move":
		at := s.positions.Get(c.by)
		return s.changeNode(c, n, func(node *defs.Node) string {
			node.X, node.Y, node.Z = at.X, at.Y, at.Z
			return "is here"
		})
	case "del":
		return s.removeNode(c, n)
	}
	return usage
}

// wayDelete removes a node from a creature's path.
func (s *GMNPCs) wayDelete(c *call) error { return s.removeNode(c, c.args.Int(1, math.MaxInt32)) }

// changeNode changes a node of the creature's path, and says what it does then.
func (s *GMNPCs) changeNode(c *call, n int64, change func(*defs.Node) string) error {
	number, nodes, err := s.node(c, n)
	if err != nil {
		return err
	}
	node := nodes[n-1]
	does := change(&node)
	if err := s.ways.Get().Change(s.place.Get(), number, int(n-1), node); err != nil {
		return wayError(err, number)
	}
	c.say("Node %d of way %d %s.", n, number, does)
	s.sendAnew(c, number)
	return nil
}

func (s *GMNPCs) removeNode(c *call, n int64) error {
	number, nodes, err := s.node(c, n)
	switch {
	case err != nil:
		return err
	case len(nodes) == 1:
		return refusal(fmt.Sprintf("Way %d has no other node.", number))
	}
	if err := s.ways.Get().Remove(s.place.Get(), number, int(n-1)); err != nil {
		return wayError(err, number)
	}
	c.say("Node %d of way %d is gone. It has %d.", n, number, len(nodes)-1)
	s.sendAnew(c, number)
	return nil
}

// node is the number of the path of the creature of a command, and its nodes. There is the nth of them, from 1 on.
func (s *GMNPCs) node(c *call, n int64) (number int32, nodes []defs.Node, err error) {
	if err := c.args.End(); err != nil {
		return 0, nil, err
	}
	number = s.way(s.posts.Get(c.of))
	if number < 0 {
		return 0, nil, errWay
	}
	nodes = s.ways.Get().Find(s.place.Get(), number).Nodes
	if n > int64(len(nodes)) {
		return 0, nil, refusal(fmt.Sprintf("Way %d has %d nodes.", number, len(nodes)))
	}
	return number, nodes, nil
}

// send has the creature of a command go a path, from its beginning.
func (s *GMNPCs) send(c *call, number int32) {
	post := s.posts.Get(c.of)
	post.Path, post.Way = number, uint32(number)+1
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: c.of})
}

// wayLoad assigns a path to a creature.
//
// Source: HandleWpLoadCommand, cs_wp.cpp, AzerothCore, whose paths have numbers of their own.
func (s *GMNPCs) wayLoad(c *call) error {
	n := c.args.Int(0, math.MaxInt32)
	if err := c.args.End(); err != nil {
		return err
	}
	if s.ways.Get().Find(s.place.Get(), int32(n)) == nil {
		return errNoWay
	}
	s.send(c, int32(n))
	c.say("%s goes way %d.", c.name, n)
	return nil
}

// wayUnload removes a creature's path.
func (s *GMNPCs) wayUnload(c *call) error {
	e := c.of
	if err := c.args.End(); err != nil {
		return err
	}
	post := s.posts.Get(e)
	if post.Path < 0 {
		return errWay
	}
	post.Path, post.Way = -1, 0
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	c.say("%s goes no way.", c.name)
	return nil
}

// wayShow lists the nodes of a creature's path, brings a creature to each, or takes those creatures away.
//
// Source: HandleWpShowCommand, cs_wp.cpp, AzerothCore, which tells by info about the one creature that is selected.
func (s *GMNPCs) wayShow(c *call) error {
	option := "info"
	if c.args.Len() > 0 {
		option = strings.ToLower(c.args.Word())
	}
	if err := c.args.End(); err != nil {
		return err
	}
	if option == "off" {
		return s.hideWays(c)
	}
	if !s.creatures.spawnInfos.Has(c.of) {
		return errCreature
	}
	number := s.way(s.posts.Get(c.of))
	if number < 0 {
		return errWay
	}
	nodes := s.ways.Get().Find(s.place.Get(), number).Nodes
	switch option {
	case "info":
		c.say("%s has way %d, which has %d nodes.", c.name, number, len(nodes))
		for i, n := range nodes {
			c.say("%d: X: %.1f Y: %.1f Z: %.1f, waits %d ms", i+1, n.X, n.Y, n.Z, n.PauseMs)
		}
	case "on":
		return s.showWay(c, number, nodes)
	default:
		return usage
	}
	return nil
}

// showWay brings a creature to each node of a path, for a time.
func (s *GMNPCs) showWay(c *call, number int32, nodes []defs.Node) error {
	marker := s.defs.Get().Marker
	if marker == 0 {
		return refusal("There is nothing in this world to show it with.")
	}
	s.takeMarkers()
	for _, n := range nodes {
		s.summons.Emit(rules.Summon{Entry: marker, At: components.Position{X: n.X, Y: n.Y, Z: n.Z}, ForMs: tempMs})
	}
	c.say("Way %d is shown by %d of %s.", number, len(nodes), creatureName(s.defs.Get(), marker))
	return nil
}

// hideWays takes away the creatures of showWay.
func (s *GMNPCs) hideWays(c *call) error {
	c.say("%d of them are gone.", s.takeMarkers())
	return nil
}

// takeMarkers takes away the creatures that show ways, and returns how many there were.
func (s *GMNPCs) takeMarkers() (n int) {
	marker := s.defs.Get().Marker
	for q := s.all.Iter(); q.Next(); {
		if e := q.Entity(); marker != 0 && q.Get().Entry == marker && !slices.Contains(s.deleted, e) {
			s.deleted = append(s.deleted, e)
			s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
			n++
		}
	}
	return n
}
