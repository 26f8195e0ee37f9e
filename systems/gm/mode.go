package gm

import (
	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// GMModes executes the commands that change how a game master is seen, and let characters fly.
type GMModes struct {
	group

	out         change.Out
	cells       change.Cells
	appearances ecs.Read[components.PlayerAppearance]
	records     ecs.ReadRef[components.Record]
	vitals      ecs.Read[components.Vitals]
	pendingAcks ecs.ReadRef[components.PendingMoveAcks]
	observers   ecs.Write[components.Observer]
	homeCells   ecs.Read[components.HomeCell]
	unitFlags   ecs.Emit[rules.SetUnitFlags]
	playerFlags ecs.Emit[rules.SetPlayerFlags]
	departures  ecs.Emit[rules.LeaveCombat]
	flights     ecs.Emit[move.Fly]
}

// OnEvents executes the commands of this group.
func (s *GMModes) OnEvents(sched.Tick) { execute(&s.group, s, modes) }

var modes = []verb[GMModes]{
	{"gm", nil, (*GMModes).gm},
	{"gm fly", (*GMCommands).selected, (*GMModes).fly},
	{"gm visible", nil, (*GMModes).visible},
}

// gm sets or clears the game master flag of a player, which creatures do not attack.
//
// Source: Player::SetGameMaster, AzerothCore; there it is a faction that creatures are friendly to.
func (s *GMModes) gm(c *call) error {
	was := s.appearances.Get(c.by).Flags&components.PlayerGM != 0
	on := c.args.Switch(was)
	if err := c.args.End(); err != nil {
		return err
	}
	if on {
		s.playerFlags.Emit(rules.SetPlayerFlags{Entity: c.by, Set: components.PlayerGM})
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: c.by, Set: components.UnitImmuneToNPC})
		s.departures.Emit(rules.LeaveCombat{Entity: c.by})
	} else {
		s.playerFlags.Emit(rules.SetPlayerFlags{Entity: c.by, Clear: components.PlayerGM})
		s.unitFlags.Emit(rules.SetUnitFlags{Entity: c.by, Clear: components.UnitImmuneToNPC})
	}
	s.out.SetGM(c.by, on)
	if cell := s.homeCells.Get(c.by).Cell; cell != grid.None {
		s.layer(c, c.by, cell.Layer() != grid.Invisible, on)
	}
	c.say("GM mode is %s.", onOff(on))
	return nil
}

func (s *GMModes) fly(c *call) error {
	e := c.of
	on := c.args.Switch(s.pendingAcks.Get(e).MayFly != 0)
	if err := c.args.End(); err != nil {
		return err
	}
	s.flights.Emit(move.Fly{Entity: e, On: on})
	c.say("%s can fly: %s.", c.name, onOff(on))
	return nil
}

// visible moves a player into a layer that only players in it see, or back.
//
// Source: Player::SetGMVisible, AzerothCore.
func (s *GMModes) visible(c *call) error {
	hidden := s.homeCells.Get(c.by).Cell.Layer() == grid.Invisible
	on := c.args.Switch(!hidden)
	if err := c.args.End(); err != nil {
		return err
	}
	if on == hidden && s.homeCells.Get(c.by).Cell != grid.None {
		s.layer(c, c.by, on, s.appearances.Get(c.by).Flags&components.PlayerGM != 0)
	}
	c.say("You are visible: %s.", onOff(on))
	return nil
}

// layer moves a player into the layer of the living, or that of ghosts if it is one that walks, or that of hidden
// players. A ghost that walks counts as far from its corpse, until system playerdeaths checks.
func (s *GMModes) layer(c *call, e ecs.Entity, visible, master bool) {
	layer := grid.Living
	ghost, walks := s.records.Get(e).Death.State == life.Ghost, s.vitals.Get(e).Health > 0
	switch {
	case !visible:
		layer = grid.Invisible
	case ghost && walks:
		layer = grid.Ghosts
	}
	seen := components.VisibleLayers(master, ghost, !walks, !visible)
	s.observers.Get(e).Set(uint32(c.t.N), seen)
	s.cells.Set(c.t, e, s.homeCells.Get(e).Cell.InLayer(layer))
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
