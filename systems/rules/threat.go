package rules

import (
	"muster/components"
	"muster/ecs"
)

// An Engage puts two units into combat with each other after a hostile act of the one. System threatsources takes it.
type Engage struct{ By, To ecs.Entity }

// An Engaged is a creature that has entered combat: it was attacked, or assists another. System defenses takes
// it when it runs next.
type Engaged struct{ Entity, By ecs.Entity }

// A ThreatChange changes a unit's threat on a creature's list. System threatsources takes it.
type ThreatChange struct {
	Entity, By ecs.Entity // the creature, and the unit on its list
	Amount     float32
	Raw        bool // without the modifiers of By's auras
}

// An Evade begins the evasion of a creature, with an empty threat list, or ends it. While a creature evades it is
// neither damaged nor in combat. System threatlists reads it, and scriptevents, since scripts act on it.
type Evade struct {
	Entity ecs.Entity
	On     bool // else it has come home
}

// A ClearThreat empties a creature's threat list. System threatlists takes it.
type ClearThreat struct{ Entity ecs.Entity }

// A LeaveCombat takes a unit out of all combat: attacks by it and on it stop, and all threat of it and against it
// is removed. System threatlists takes it.
type LeaveCombat struct {
	Entity ecs.Entity
	Gone   bool // and out of the world: nothing can affect it any more
}

// A VictimChanged is a creature that attacks another victim than before. System threatreports takes it.
type VictimChanged struct{ Entity, Victim ecs.Entity }

// A Gone is a unit that has left all combat because it leaves the world.
type Gone struct{ Entity ecs.Entity }

// A LootRecipientSet is a living creature that has become a player's to loot, or is so no longer: its
// Tapped.LootRecipient says which. System tappedflags, at the end of the same tick, sends the player the values that
// only the loot recipient sees.
type LootRecipientSet struct{ Entity, Player ecs.Entity }

// Threats reads the threat lists, as a part of the systems that ask.
type Threats struct {
	lists        ecs.Res[ecs.Slab[components.ThreatList]]
	threatStates ecs.Read[components.ThreatState]
}

// List returns a creature's threat list, nil out of combat. The slice is valid until the stage ends.
func (s *Threats) List(e ecs.Entity) []components.ThreatEntry {
	if block := s.threatStates.Get(e).List; block != 0 {
		list := s.lists.Get().At(block)
		return list.List[:list.Count]
	}
	return nil
}

// Against visits the creatures that have a unit on their threat lists.
func (s *Threats) Against(e ecs.Entity, visit func(creature ecs.Entity, amount float32)) {
	for n := s.threatStates.Get(e).ThreatenedBy; n != 0; {
		list := s.lists.Get().At((n-1)/components.MaxThreats + 1)
		h := &list.List[(n-1)%components.MaxThreats]
		visit(list.Owner, h.Amount)
		n = h.Next
	}
}
