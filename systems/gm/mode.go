package gm

import (
	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/systems/rules"
)

// gm sets or clears the game master flag of a player, which creatures do not attack.
//
// Source: Player::SetGameMaster, AzerothCore; there it is a faction that creatures are friendly to.
func (s *System) gm(c *call) error {
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
	s.say("GM mode is %s.", onOff(on))
	return nil
}

func (s *System) fly(c *call) error {
	e, err := s.selected(c)
	if err != nil {
		return err
	}
	on := c.args.Switch(s.pendingAcks.Get(e).MayFly != 0)
	if err := c.args.End(); err != nil {
		return err
	}
	s.flights.Emit(move.Fly{Entity: e, On: on})
	s.say("%s can fly: %s.", s.nameOf(e), onOff(on))
	return nil
}

// visible moves a player into a layer that only players in it see, or back.
//
// Source: Player::SetGMVisible, AzerothCore.
func (s *System) visible(c *call) error {
	hidden := s.homeCells.Get(c.by).Cell.Layer() == grid.Invisible
	on := c.args.Switch(!hidden)
	if err := c.args.End(); err != nil {
		return err
	}
	if on == hidden && s.homeCells.Get(c.by).Cell != grid.None {
		s.layer(c, c.by, on, s.appearances.Get(c.by).Flags&components.PlayerGM != 0)
	}
	s.say("You are visible: %s.", onOff(on))
	return nil
}

// layer moves a player into the layer of the living, or that of ghosts if it is one that walks, or that of hidden
// players. A ghost that walks counts as far from its corpse, until system death checks.
func (s *System) layer(c *call, e ecs.Entity, visible, master bool) {
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

// The cheats, as bits of components.Cheats.
const (
	cheatGod      = components.CheatGod
	cheatCastTime = components.CheatInstantCast
	cheatCooldown = components.CheatNoCooldown
	cheatPower    = components.CheatNoCost
)

var cheats = [...]struct {
	state uint16
	name  string
}{{cheatGod, "God mode"}, {cheatCastTime, "Casting at once"}, {cheatCooldown, "Casting without cooldowns"}, {cheatPower, "Casting for nothing"}}

// cheat returns the handler that sets or clears a bit.
func cheat(state uint16) handler {
	name := ""
	for _, known := range cheats {
		if known.state == state {
			name = known.name
		}
	}
	return func(s *System, c *call) error {
		own := s.cheats.Get(c.by)
		on := c.args.Switch(own.Set&state != 0)
		if err := c.args.End(); err != nil {
			return err
		}
		if own.Set &^= state; on {
			own.Set |= state
		}
		s.say("%s is %s.", name, onOff(on))
		return nil
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
