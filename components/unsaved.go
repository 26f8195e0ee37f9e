package components

import "muster/components/life"

// Unsaved is what changed of a player since its last snapshot and is not seen in Kept. Systems write it with
// change.Log.
type Unsaved struct {
	Lists life.Set
	Soon  uint32 // 1 if the snapshot is to be taken in this tick, and to be safe as soon as possible
}
