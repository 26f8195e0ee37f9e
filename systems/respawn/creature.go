package respawn

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs/grid"
	"muster/sched"
	"muster/systems/rules"
)

// FirstCounter is the counter of the first creature's GUID. Those of players are smaller, so that no client takes a
// creature for its own player.
//
// Source: protocol.md 7.9.
const FirstCounter = rules.FirstCreature

// MaxCreatures is the most creatures of one map: counters have 24 bits.
const MaxCreatures = components.MaxCounter - FirstCounter + 1

// layerOf is the layer of creatures of a template: spirit healers are in that of ghosts, which living players do not
// see.
//
// Source: Creature::LoadCreatureFromDB and Creature::InitEntry, AzerothCore (GHOST_VISIBILITY_GHOST for a spirit
// service).
func layerOf(template *defs.Creature) int {
	if template.NPCFlags&(components.NPCSpiritHealer|components.NPCSpiritGuide) != 0 {
		return grid.Ghosts
	}
	return grid.Living
}

// level rolls the level of a creature.
func level(template *defs.Creature, dice *sched.Dice) uint32 {
	return uint32(template.MinLevel) + uint32(dice.Intn(int(template.MaxLevel-template.MinLevel)+1))
}
