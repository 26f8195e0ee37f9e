package vendor

import (
	"cmp"
	"slices"

	"muster/components/defs"
)

// A stock is how many of an item a vendor has left, of which there is a limit, and of which some were sold.
type stock struct {
	Vendor uint64 // GUID
	Item   uint32
	Left   uint32
	AtMs   uint32 // when Left was right
}

// row is where the stock of an item is, or would be, in the order of vendors and items.
func (s *Vendor) row(vendor uint64, item uint32) (at int, found bool) {
	return slices.BinarySearchFunc(s.stocks, stock{Vendor: vendor, Item: item}, func(a, b stock) int {
		return cmp.Or(cmp.Compare(a.Vendor, b.Vendor), cmp.Compare(a.Item, b.Item))
	})
}

// left is how many of an item with a limit a vendor has.
//
// Source: Creature::GetVendorItemCurrentCount, AzerothCore.
func (s *Vendor) left(nowMs uint32, vendor uint64, sold *defs.VendorItem, buyCount uint32) uint32 {
	at, found := s.row(vendor, sold.Item)
	if !found {
		return sold.Max
	}
	row := &s.stocks[at]
	if times := (nowMs - row.AtMs) / 1000 / sold.RestockSec; times > 0 {
		more := uint64(row.Left) + uint64(times)*uint64(buyCount)
		if more >= uint64(sold.Max) {
			s.stocks = slices.Delete(s.stocks, at, at+1)
			return sold.Max
		}
		row.Left, row.AtMs = uint32(more), nowMs
	}
	return row.Left
}

// take takes items with a limit from a vendor that has them, and returns how many are left.
//
// Source: Creature::UpdateVendorItemCurrentCount, AzerothCore.
func (s *Vendor) take(nowMs uint32, vendor uint64, sold *defs.VendorItem, buyCount, count uint32) uint32 {
	left := s.left(nowMs, vendor, sold, buyCount) - count
	at, found := s.row(vendor, sold.Item)
	if !found {
		s.stocks = slices.Insert(s.stocks, at, stock{Vendor: vendor, Item: sold.Item})
	}
	s.stocks[at].Left, s.stocks[at].AtMs = left, nowMs
	return left
}

// putBack gives a vendor back what was taken and not sold.
func (s *Vendor) putBack(vendor uint64, item, count uint32) {
	if at, found := s.row(vendor, item); found {
		s.stocks[at].Left += count
	}
}
