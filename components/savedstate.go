package components

import "muster/components/life"

// SavedState is a player's state in its last snapshot, without lists; its map and zone and the time played are zero.
// A player that differs from it is saved.
type SavedState struct{ life.State }
