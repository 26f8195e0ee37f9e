package gm

import (
	"muster/components"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
)

// GMCheats executes the commands that change which rules apply to a game master.
type GMCheats struct {
	group

	pendingAcks ecs.ReadRef[components.PendingMoveAcks]
	cheats      ecs.Write[components.Cheats]
	waters      ecs.Emit[move.WaterWalk]
}

// OnEvents executes the commands of this group.
func (s *GMCheats) OnEvents(sched.Tick) { execute(&s.group, s, cheatCommands) }

var cheatCommands = cheatVerbs()

// A cheat is a mode that is a bit of components.Cheats, with its command.
type cheat struct {
	word string // of the command, after cheat
	name string
	bit  uint16
	of   subject
}

// Source: cs_cheat.cpp, AzerothCore, where taxis alone are about the selected player.
var cheats = []cheat{
	{"casttime", "Casting at once", components.CheatInstantCast, nil},
	{"cooldown", "Casting without cooldowns", components.CheatNoCooldown, nil},
	{"god", "God mode", components.CheatGod, nil},
	{"power", "Casting for nothing", components.CheatNoCost, nil},
	{"taxi", "Knowing all taxi paths", components.CheatTaxi, (*GMCommands).selected},
}

func cheatVerbs() []verb[GMCheats] {
	all := []verb[GMCheats]{{"cheat status", nil, (*GMCheats).status}, {"cheat waterwalk", nil, (*GMCheats).waterWalk}}
	for _, mode := range cheats {
		all = append(all, verb[GMCheats]{"cheat " + mode.word, mode.of, mode.set})
	}
	return all
}

// set switches a mode on or off.
func (mode cheat) set(s *GMCheats, c *call) error {
	own := s.cheats.Get(c.of)
	on := c.args.Switch(own.Set&mode.bit != 0)
	if err := c.args.End(); err != nil {
		return err
	}
	if own.Set &^= mode.bit; on {
		own.Set |= mode.bit
	}
	c.say("%s is %s.", mode.name, onOff(on))
	return nil
}

// status says which modes are on.
//
// Source: HandleCheatStatusCommand, cs_cheat.cpp, AzerothCore.
func (s *GMCheats) status(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	for _, mode := range cheats {
		c.say("%s is %s.", mode.name, onOff(s.cheats.Get(c.by).Set&mode.bit != 0))
	}
	c.say("Waterwalking is %s.", onOff(s.pendingAcks.Get(c.by).WaterWalks != 0))
	return nil
}

// waterWalk lets a game master walk on water, or no longer.
//
// Source: HandleWaterWalkCheatCommand, cs_cheat.cpp, AzerothCore.
func (s *GMCheats) waterWalk(c *call) error {
	on := c.args.Switch(s.pendingAcks.Get(c.by).WaterWalks != 0)
	if err := c.args.End(); err != nil {
		return err
	}
	s.waters.Emit(move.WaterWalk{Entity: c.by, On: on})
	c.say("Waterwalking is %s.", onOff(on))
	return nil
}
