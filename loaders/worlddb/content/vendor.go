package content

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"muster/components"
	"muster/components/defs"
)

// A vendorRow is a row of npc_vendor, or of npc_vendor_template.
type vendorRow struct {
	Entry     int64 `column:"entry" key:""`
	Item      int64 `column:"item" key:""`
	Extended  int64 `column:"extendedcost" or:"0" key:""`
	Slot      int64 `column:"slot" or:"0"`
	Max       int64 `column:"maxcount" or:"0"`
	Restock   int64 `column:"incrtime" or:"0"`
	Condition int64 `column:"condition_id" or:"0"`
}

// conditionVendor is the source of conditions of what a vendor sells.
//
// Source: CONDITION_SOURCE_TYPE_NPC_VENDOR, ConditionMgr.h, AzerothCore.
const conditionVendor = 23

// maxVendorItems bounds what a creature sells.
//
// Source: MAX_VENDOR_ITEMS, Creature.h, AzerothCore.
const maxVendorItems = 150

// vendors are the lists of all vendors.
type vendors struct {
	loader    *loader
	lists     map[int64][]vendorRow // by entry of the creature
	templates map[int64][]vendorRow // by VendorTemplateId
	sold      map[int64]bool        // whose lists are used
}

// readVendors makes the lists of the creatures that are vendors. It comes after items, templates and conditions.
func (l *loader) readVendors() error {
	v := vendors{l, make(map[int64][]vendorRow), make(map[int64][]vendorRow), make(map[int64]bool)}
	if err := v.read("npc_vendor", v.lists); err != nil {
		return err
	}
	if err := v.read("npc_vendor_template", v.templates); err != nil {
		return err
	}
	l.world.Vendors = nil
	for _, entry := range slices.Sorted(maps.Keys(l.sellers)) {
		made := defs.Vendor{Entry: uint32(entry)}
		used := map[int64]bool{entry: true}
		v.add(&made, v.list(entry), used)
		v.add(&made, v.templates[l.sellers[entry]], used)
		if len(made.Items) > maxVendorItems {
			made.Items = made.Items[:maxVendorItems]
		}
		if len(made.Items) > 0 {
			l.world.Vendors = append(l.world.Vendors, made)
		}
	}
	for entry, rows := range v.lists {
		if u := l.of("npc_vendor"); !v.sold[entry] {
			u.Executed -= int64(len(rows))
			u.Not["no vendor that is executed sells it"] += int64(len(rows))
		}
	}
	return nil
}

// read reads one of the two tables.
func (v *vendors) read(table string, into map[int64][]vendorRow) error {
	l := v.loader
	return read(l, table, func(r *vendorRow) string {
		switch {
		case r.Extended != 0:
			return "it costs other things than money"
		case r.Condition != 0:
			return "it is sold under conditions"
		case r.Item >= 0 && (r.Item > maxItem || l.world.Item(uint32(r.Item)) == nil):
			return "its item is not there"
		case r.Max < 0, r.Max > math.MaxInt32, r.Restock < 0, r.Restock > math.MaxInt32, r.Max == 0 != (r.Restock == 0):
			return "it has a limit and no time after which there is more, or the reverse"
		}
		into[r.Entry] = append(into[r.Entry], *r)
		return ""
	})
}

// list is what npc_vendor has of an entry.
func (v *vendors) list(entry int64) []vendorRow {
	v.sold[entry] = true
	return v.lists[entry]
}

// add adds what rows sell to a vendor, in the order of their slots, and what the vendors sell to which they refer. Conditions are those of
// the creature that sells.
//
// Source: ObjectMgr::LoadVendors and LoadReferenceVendor, and WorldSession::SendListInventory, AzerothCore.
func (v *vendors) add(to *defs.Vendor, rows []vendorRow, used map[int64]bool) {
	slices.SortFunc(rows, func(a, b vendorRow) int { return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Item, b.Item)) })
	for _, r := range rows {
		if r.Item < 0 {
			if !used[-r.Item] {
				used[-r.Item] = true
				v.add(to, v.list(-r.Item), used)
			}
			continue
		}
		list, refused := v.loader.conditions.list(conditionKey{source: conditionVendor, group: int64(to.Entry), entry: r.Item})
		if refused == "" {
			to.Items = append(to.Items, defs.VendorItem{Item: uint32(r.Item), Max: uint32(r.Max), RestockSec: uint32(r.Restock), Conditions: list})
			continue
		}
		v.loader.part("npc_vendor", true, "a creature does not sell it: "+refused)
	}
}

// seller notes a creature that is a vendor.
func (l *loader) seller(t *templateRow) {
	if t.NPCFlags&components.NPCVendor != 0 {
		l.sellers[t.Entry] = t.VendorTemplate
	}
}
