package rules

import (
	"muster/components/defs"
	"muster/ecs"
)

// A ShowGossip has a player shown a menu by a script of a creature, or its window closed. System gossip takes it.
type ShowGossip struct {
	Player, Creature ecs.Entity
	Menu             uint32
	Text             uint32 // instead of that of the menu; 0 that
	Close            bool
}

// A Gossip is a player that talks to a creature within its reach: it has asked for its menu, or has chosen an option that
// it was shown. System gossip emits it when it has sent what the option shows.
type Gossip struct {
	By, Creature ecs.Entity
	GUID         uint64 // of the creature
	Menu         uint32
	Option       uint32 // with Selected: the ID of the defs.GossipOption
	N            uint32 // the index of the message among all of the tick
	Opens        defs.GossipWindow
	Selected     bool // false: the menu was asked for
}
