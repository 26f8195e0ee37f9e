package content

import (
	"cmp"
	"math"
	"slices"

	"muster/components/defs"
	"muster/loaders/worlddb"
)

// A fullConditionRow is a row of conditions.
type fullConditionRow struct {
	Source int64  `column:"sourcetypeorreferenceid" key:""`
	Group  int64  `column:"sourcegroup" key:""`
	Entry  int64  `column:"sourceentry" key:""`
	ID     int64  `column:"sourceid" or:"0" key:""`
	Else   int64  `column:"elsegroup" or:"0" key:""`
	Kind   int64  `column:"conditiontypeorreference" or:"-1" key:""`
	Target int64  `column:"conditiontarget" or:"0" key:""`
	Value1 int64  `column:"conditionvalue1" or:"0" key:""`
	Value2 int64  `column:"conditionvalue2" or:"0" key:""`
	Value3 int64  `column:"conditionvalue3" or:"0" key:""`
	Not    int64  `column:"negativecondition" or:"0"`
	Script string `column:"scriptname" or:""`
}

// A conditionKey is what conditions are for.
type conditionKey struct{ source, group, entry, id int64 }

// conditions are those of a database, by what they are for.
type conditions struct {
	loader *loader
	rows   map[conditionKey][]fullConditionRow
	made   map[conditionKey]uint32 // one more than the index of the list in World.Conditions
}

// readConditions reads the conditions of the families in whose table they name what they are for.
func (l *loader) readConditions() error {
	c := &conditions{l, make(map[conditionKey][]fullConditionRow), make(map[conditionKey]uint32)}
	l.conditions, l.world.Conditions = c, nil
	if !l.src.Has("conditions") {
		return nil
	}
	err := worlddb.Read(l.ctx, l.src, "conditions", func(r *fullConditionRow) error {
		switch r.Source {
		case conditionMenu, conditionOption, conditionScript, conditionVendor, creatureLoot.condition, objectLoot.condition, referenceLoot.condition:
			key := conditionKey{r.Source, r.Group, r.Entry, r.ID}
			c.rows[key] = append(c.rows[key], *r)
		default:
			if r.Source < 0 {
				key := conditionKey{source: r.Source}
				c.rows[key] = append(c.rows[key], *r)
			}
		}
		return nil
	})
	if isMissing(err) {
		return nil
	}
	return err
}

// noCondition is why something is refused whose conditions are not executed.
const noCondition = "it depends on a condition that is not executed"

// list is one more than the index of the conditions for something, 0 without any. It is refused as a whole if one of them is not executed.
func (c *conditions) list(key conditionKey) (list uint32, refused string) {
	if len(c.rows[key]) == 0 || c.made[key] != 0 {
		return c.made[key], ""
	}
	var referred []conditionKey
	groups, refused := c.groups(key, &referred, 0)
	if refused != "" {
		return 0, refused
	}
	made := slices.Concat(groups...)
	if len(made) > defs.MaxConditions {
		return 0, tooManyConditions
	}
	w := &c.loader.world
	w.Conditions = append(w.Conditions, made)
	c.made[key] = uint32(len(w.Conditions))
	for _, reference := range referred {
		c.made[reference] = c.made[key]
	}
	return c.made[key], ""
}

const tooManyConditions = "it depends on more than 32 conditions"

// maxReferences is how deep conditions refer to others, our own choice.
const maxReferences = 8

// groups are the conditions for something, group by group, with those that it refers to in their places: a group that refers to several groups
// becomes as many.
//
// Source: ConditionMgr::IsObjectMeetToConditionList, AzerothCore.
func (c *conditions) groups(key conditionKey, referred *[]conditionKey, depth int) (groups []defs.Conditions, refused string) {
	rows := slices.Clone(c.rows[key])
	switch {
	case len(rows) == 0 || depth > maxReferences:
		return nil, noCondition
	case len(rows) > defs.MaxConditions:
		return nil, tooManyConditions
	}
	slices.SortStableFunc(rows, func(a, b fullConditionRow) int { return cmp.Compare(a.Else, b.Else) })
	refers := slices.ContainsFunc(rows, func(r fullConditionRow) bool { return r.Kind < 0 })
	for i := 0; i < len(rows); {
		group, all := rows[i].Else, []defs.Conditions{nil}
		for ; i < len(rows) && rows[i].Else == group; i++ {
			var more []defs.Conditions
			if r := &rows[i]; r.Kind < 0 {
				of := conditionKey{source: r.Kind}
				if more, refused = c.groups(of, referred, depth+1); refused != "" || r.Not != 0 {
					return nil, cmp.Or(refused, noCondition)
				}
				*referred = append(*referred, of)
			} else if one, ok := c.condition(r); ok {
				more = []defs.Conditions{{one}}
			} else {
				return nil, noCondition
			}
			if all = product(all, more); len(slices.Concat(all...)) > defs.MaxConditions {
				return nil, tooManyConditions
			}
		}
		groups = append(groups, all...)
	}
	if refers || depth > 0 {
		for n, group := range groups {
			for k := range group {
				group[k].Group = uint32(n)
			}
		}
	}
	return groups, ""
}

// product is each group of one list with each of another.
func product(all, more []defs.Conditions) (each []defs.Conditions) {
	for _, a := range all {
		for _, b := range more {
			each = append(each, slices.Concat(a, b))
		}
	}
	return each
}

// condition is a row as system condition executes it; ok is false for one that is not executed.
func (c *conditions) condition(r *fullConditionRow) (made defs.Condition, ok bool) {
	l := c.loader
	for _, v := range []int64{r.Else, r.Value1, r.Value2, r.Value3} {
		if v < 0 || v > math.MaxUint32 {
			return made, false
		}
	}
	if r.Kind < 0 || r.Kind > math.MaxUint8 || r.Target < 0 || r.Target > 1 || r.Script != "" {
		return made, false
	}
	made = defs.Condition{
		Group: uint32(r.Else), Kind: defs.ConditionKind(r.Kind), Target: uint8(r.Target), Not: r.Not != 0, Value: [3]uint32{uint32(r.Value1), uint32(r.Value2), uint32(r.Value3)},
	}
	switch made.Kind {
	case conditionTeam:
		made.Kind, made.Value[0] = defs.ConditionRace, racesOf[r.Value1]
		ok = made.Value[0] != 0
	case conditionSpawnMask, conditionPhaseMask: // there is one difficulty, and one phase
		made.Kind, made.Not, made.Value = defs.ConditionAlways, made.Not != (r.Value1&normal == 0), [3]uint32{}
		ok = true
	case defs.ConditionAura:
		ok = l.world.Spell(made.Value[0]) != nil && r.Value2 < defs.MaxEffects
	case defs.ConditionItem:
		ok = r.Value3 == 0 // a bank is another place
	case defs.ConditionEvent:
		_, ok = l.world.GameEvent(made.Value[0])
	case defs.ConditionLevel, defs.ConditionHealth, defs.ConditionHealthPct:
		ok = r.Value2 <= defs.CompareLowOrEqual
	case defs.ConditionEntry:
		ok = r.Value1 == objectCreature || r.Value1 == objectPlayer && r.Value2 == 0 && r.Value3 == 0
		if r.Value3 != 0 {
			point, there := l.points[r.Value3]
			if ok = ok && there; ok {
				made.Value[0], made.Value[2] = objectCreature|(point.on.ID+1)<<8, uint32(point.index+1)
			}
		}
	case defs.ConditionTypeMask:
		ok = r.Value1&^(maskUnit|maskPlayer) == 0
	case defs.ConditionAlways, defs.ConditionItemEquipped, defs.ConditionClass, defs.ConditionRace, defs.ConditionGender, defs.ConditionMap,
		defs.ConditionCreatureType, defs.ConditionNearCreature, defs.ConditionAlive:
		ok = true
	}
	return made, ok
}

// Kinds of conditions that are executed as others.
//
// Source: ConditionTypes, ConditionMgr.h, AzerothCore.
const (
	conditionTeam      defs.ConditionKind = 6
	conditionSpawnMask defs.ConditionKind = 19
	conditionPhaseMask defs.ConditionKind = 26
)

// racesOf are the races of sides, by the faction that conditions name.
//
// Source: RACEMASK_ALLIANCE and RACEMASK_HORDE, SharedDefines.h, AzerothCore.
var racesOf = map[int64]uint32{factionAlliance: 1101, factionHorde: 690}

// Types of objects that conditions name.
//
// Source: TypeID and TypeMask, ObjectGuid.h, AzerothCore.
const (
	objectCreature = 3
	objectPlayer   = 4
	maskUnit       = 0x8
	maskPlayer     = 0x10
)

// count says what became of the rows that were asked for.
func (c *conditions) count() {
	if len(c.rows) == 0 {
		return
	}
	u := c.loader.of("conditions")
	for key, rows := range c.rows {
		if c.made[key] != 0 {
			u.Executed += int64(len(rows))
		} else {
			u.Not["what depends on it is not executed"] += int64(len(rows))
		}
	}
}
