package components

// MapTransfer is the destination of a player that leaves for another map.
type MapTransfer struct {
	Going     uint32 // 1 if it does
	Map, Zone uint32
	At        Position
}
