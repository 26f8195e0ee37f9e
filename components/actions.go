package components

import "muster/components/life"

// Actions are the buttons of a player's action bars, as its client packs them; 0 is an empty one.
type Actions [life.MaxActions]uint32
