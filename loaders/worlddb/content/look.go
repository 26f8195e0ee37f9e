package content

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/loaders/worlddb"
)

// An equipRow is a row of creature_equip_template. That of CMaNGOS has no creature, but a number.
type equipRow struct {
	Entry int64 `column:"creatureid entry" key:""`
	ID    int64 `column:"id" or:"1" key:""`
	Item1 int64 `column:"itemid1 equipentry1" or:"0"`
	Item2 int64 `column:"itemid2 equipentry2" or:"0"`
	Item3 int64 `column:"itemid3 equipentry3" or:"0"`
}

// The number of a spawn point that has any of the equipments of its creature: it has the first.
//
// Source: docs/worlds.md.
const anyEquipment = -1

// melee is how creatures hold weapons of which nothing is said.
//
// Source: SheathState, UnitDefines.h, AzerothCore.
const melee = 1

// An equipment is a creature, or a number, and which of its equipments.
type equipment struct{ entry, id int64 }

// looks are what creatures look like besides their models.
type looks struct {
	items       map[equipment][3]uint32
	first       map[int64]int64 // the smallest ID of equipments, by entry
	ofPoint     map[int64]addonRow
	ofTemplate  map[int64]addonRow
	byTemplates bool // equipments are those of templates, by number: CMaNGOS
}

// readEquipment reads what creatures hold.
func (l *loader) readEquipment(k *looks) error {
	k.items, k.first, k.byTemplates = make(map[equipment][3]uint32), make(map[int64]int64), l.src.Family == worlddb.CMaNGOS
	return read(l, "creature_equip_template", func(r *equipRow) string {
		k.items[equipment{r.Entry, r.ID}] = [3]uint32{number(r.Item1), number(r.Item2), number(r.Item3)}
		if _, ok := k.first[r.Entry]; !ok { // they come by ascending IDs
			k.first[r.Entry] = r.ID
		}
		return ""
	})
}

// of is the look of a spawn point of an entry, with its equipment: 0 none, but that of the template for CMaNGOS.
//
// Source: Creature::GetCreatureAddon and Creature::LoadEquipment, AzerothCore.
func (k *looks) of(guid, entry, template, number int64) (look defs.Look) {
	a, ok := k.ofPoint[guid]
	if !ok {
		a, ok = k.ofTemplate[entry]
	}
	key := equipment{entry, number}
	switch {
	case k.byTemplates:
		key = equipment{cmp.Or(max(number, 0), template), 1}
	case number == anyEquipment:
		key.id = k.first[entry]
	}
	look = a.look()
	look.Items = k.items[key]
	if look.Items != [3]uint32{} && !(ok && a.sheathed()) {
		look.Sheath = melee
	}
	return look
}

// sheathed reports whether an addon says how weapons are held.
func (r *addonRow) sheathed() bool { return r.Bytes2 >= 0 || r.Sheath >= 0 }

// look is what an addon says about the look of its creature.
//
// Source: Creature::LoadCreaturesAddon, AzerothCore.
func (r *addonRow) look() defs.Look {
	octet := func(one, packed int64, shift uint) uint8 {
		if one >= 0 {
			return uint8(min(one, math.MaxUint8))
		}
		return uint8(max(packed, 0) >> shift)
	}
	look := defs.Look{
		Mount: number(r.Mount), Emote: number(r.Emote),
		Stand: octet(r.Stand, r.Bytes1, 0), Visibility: octet(r.Visibility, r.Bytes1, 16), AnimTier: octet(r.AnimTier, r.Bytes1, 24),
		Sheath: octet(r.Sheath, r.Bytes2, 0), PvP: octet(r.PvP, r.Bytes2, 8),
	}
	for i, field := range strings.Fields(r.Auras) { // which loader.auras has written
		id, _ := strconv.ParseUint(field, 10, 32)
		look.Auras[i] = uint32(id)
	}
	if look.Stand > components.Submerged {
		look.Stand = components.Standing
	}
	if look.Sheath > 2 {
		look.Sheath = 0
	}
	return look
}

// wear gives a map a look, and returns one more than its index; 0 is the look of the template.
func (p *place) wear(look, template defs.Look) uint32 {
	if look == template {
		return 0
	}
	n, ok := p.looks[look]
	if !ok {
		p.Looks = append(p.Looks, look)
		n = uint32(len(p.Looks))
		p.looks[look] = n
	}
	return n
}
