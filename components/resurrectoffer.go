package components

// ResurrectOffer is what a dead player has been offered and what it has left behind. The zero ResurrectOffer is of nothing.
type ResurrectOffer struct {
	By     uint64 // GUID of who offers it a new life; 0 nobody
	Health uint32 // that it would have
	Mana   uint32
	At     Position // where
}
