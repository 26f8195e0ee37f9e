package components

// ResurrectOffer is an offer of resurrection to a dead player. The zero ResurrectOffer is none.
type ResurrectOffer struct {
	By     uint64 // GUID of the offering caster; 0 none
	Health uint32 // after the resurrection
	Mana   uint32
	At     Position // where
}
