package defs

// A Vendor is what the creatures of an entry sell, in the order of their lists.
type Vendor struct {
	Entry uint32 // of the creatures; not 0
	Items []VendorItem
}

// A VendorItem is one item of a Vendor. It is sold at its BuyPrice, BuyCount pieces at a time.
type VendorItem struct {
	Item       uint32
	Max        uint32 // how many there are when none was sold; 0 without a limit
	RestockSec uint32 // after which BuyCount more are there; not 0 with a Max
	Conditions uint32 // one more than an index into World.Conditions, of the player and the vendor; 0 none
}

// Vendor is what creatures of an entry sell, or nil if there is no such vendor. It aliases the World. The cost is
// logarithmic in the number of vendors.
func (w *World) Vendor(entry uint32) *Vendor {
	i, ok := find(len(w.Vendors), entry, func(i int) uint32 { return w.Vendors[i].Entry })
	if !ok {
		return nil
	}
	return &w.Vendors[i]
}
