package components

import "muster/components/life"

// Unsaved has the changes of a player since its last snapshot that SavedState does not show. Systems write it with
// change.Unsaved.
type Unsaved struct {
	Lists life.Set
	Soon  uint32 // 1 if the snapshot is to be taken in this tick, and stored as soon as possible
}
