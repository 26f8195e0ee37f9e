package components

import "muster/components/life"

// SavedState is what a snapshot said of a player last, but for its lists, its map and zone, and the time it has played, which
// are zero: who differs from it has something to tell.
type SavedState struct{ life.State }
