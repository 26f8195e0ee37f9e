package content

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"muster/components/defs"
)

// An immunityRow is a row of creature_immunities, of AzerothCore.
type immunityRow struct {
	ID        int64  `column:"id" key:""`
	Schools   int64  `column:"schoolmask" or:"0"`
	Dispels   int64  `column:"dispeltypemask" or:"0"`
	Mechanics int64  `column:"mechanicsmask"` // the bit n for mechanic n
	Effects   string `column:"effects" or:""`
	Auras     string `column:"auras" or:""`
	Areas     int64  `column:"immuneaoe" or:"0"`
	Chains    int64  `column:"immunechain" or:"0"`
}

// immunities are those of a database, by ID, and which of them creatures have.
type immunities struct {
	rows map[int64]immunityRow
	used map[int64]bool
}

const immunityTable = "creature_immunities"

// readImmunities reads the immunities that templates have by number.
func (l *loader) readImmunities() (*immunities, error) {
	all := &immunities{make(map[int64]immunityRow), make(map[int64]bool)}
	return all, read(l, immunityTable, func(r *immunityRow) string {
		all.rows[r.ID] = *r
		l.part(immunityTable, r.Areas != 0 || r.Chains != 0, "its immunities to areas and chains")
		return ""
	})
}

// of is what a template is immune to: by number, or by the masks of its row, where the bit n-1 is for mechanic n.
//
// Source: Creature::LoadSpellTemplateImmunity, AzerothCore.
func (all *immunities) of(t *templateRow) (im defs.Immunity) {
	mechanics, schools := t.Mechanics, t.Schools
	im.Entry = uint32(t.Entry)
	if r, ok := all.rows[t.Immunities]; ok && t.Immunities != 0 {
		all.used[r.ID] = true
		mechanics, schools = int64(uint64(r.Mechanics)>>1), r.Schools
		im.Dispels = uint32(r.Dispels & math.MaxUint32)
		im.Effects, im.Auras = kinds[defs.EffectKind](r.Effects), kinds[defs.AuraKind](r.Auras)
	}
	im.Schools, im.Mechanics = uint32(schools)&defs.SchoolAll, uint32(mechanics&math.MaxUint32)
	return im
}

// kinds are the numbers of a list with commas or spaces, ascending, each once; others are no kinds of effects.
func kinds[K ~uint8 | ~uint16](list string) (of []K) {
	for field := range strings.FieldsFuncSeq(list, func(c rune) bool { return c == ',' || c == ' ' }) {
		if n, err := strconv.ParseUint(field, 10, 16); err == nil && n > 0 && uint64(K(n)) == n {
			of = append(of, K(n))
		}
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// finish counts the rows that no creature has, and puts what templates are immune to in order.
func (all *immunities) finish(l *loader) {
	for id := range all.rows {
		if !all.used[id] {
			u := l.of(immunityTable)
			u.Executed--
			u.Not["no creature that is executed has it"]++
		}
	}
	slices.SortFunc(l.world.Immunities, func(a, b defs.Immunity) int { return cmp.Compare(a.Entry, b.Entry) })
}
