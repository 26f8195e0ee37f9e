package components

import "muster/components/life"

// Kept is what a snapshot said of a player last, but for its lists, its map and zone, and the time it has played, which
// are zero: who differs from it has something to tell.
type Kept struct{ life.State }
