package components

// Dialog is the gossip menu that a player was shown last, of which it can choose an option. It ends with the player's visit.
type Dialog struct {
	Creature uint64 // the GUID of who showed it; 0 none
	Menu     uint32
	Unused   uint32
}
