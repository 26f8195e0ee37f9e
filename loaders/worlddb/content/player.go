package content

import (
	"cmp"
	"math"
	"slices"

	"muster/components/defs"
)

// A startItemRow is a row of playercreateinfo_item.
type startItemRow struct {
	Race   int64 `column:"race" key:""`
	Class  int64 `column:"class" key:""`
	Item   int64 `column:"itemid" key:""`
	Amount int64 `column:"amount" or:"1"`
}

// maxStartStacks is how many stacks a row of playercreateinfo_item is at most.
const maxStartStacks = defs.MaxStartItems

// readStartItems has what characters begin with, besides what their class does. It comes after items.
func (l *loader) readStartItems() error {
	l.world.StartItems = nil
	return read(l, "playercreateinfo_item", func(r *startItemRow) string {
		switch {
		case r.Race < 0 || r.Race > math.MaxUint8 || r.Class < 0 || r.Class > math.MaxUint8:
			return noRaceOrClass
		case r.Item <= 0 || r.Item > maxItem || l.world.Item(uint32(r.Item)) == nil:
			return noLootItem
		case r.Amount <= 0:
			return "it takes an item away that a file of the client gives"
		}
		stack := int64(l.world.Item(uint32(r.Item)).Stack)
		left := min(r.Amount, stack*maxStartStacks)
		l.part("playercreateinfo_item", left < r.Amount, "as many as there is room for")
		for ; left > 0; left -= stack {
			l.world.StartItems = append(l.world.StartItems, defs.StartItem{
				Race: uint8(r.Race), Class: uint8(r.Class), Stack: defs.Stack{Entry: uint32(r.Item), Count: uint16(min(left, stack))},
			})
		}
		return ""
	})
}

const noRaceOrClass = "there is no race or class of that number"

// An xpRow is a row of player_xp_for_level.
type xpRow struct {
	Level int64 `column:"level lvl" key:""`
	XP    int64 `column:"experience xp_for_next_level"`
}

// A classLevelRow is a row of player_class_stats, or of player_classlevelstats, which has no stats.
type classLevelRow struct {
	Class     int64 `column:"class" key:""`
	Level     int64 `column:"level" key:""`
	Health    int64 `column:"basehp"`
	Mana      int64 `column:"basemana" or:"0"`
	Strength  int64 `column:"strength" or:"0"`
	Agility   int64 `column:"agility" or:"0"`
	Stamina   int64 `column:"stamina" or:"0"`
	Intellect int64 `column:"intellect" or:"0"`
	Spirit    int64 `column:"spirit" or:"0"`
}

// A raceRow is a row of player_race_stats: what characters of a race have more, or less.
type raceRow struct {
	Race      int64 `column:"race" key:""`
	Strength  int64 `column:"strength" or:"0"`
	Agility   int64 `column:"agility" or:"0"`
	Stamina   int64 `column:"stamina" or:"0"`
	Intellect int64 `column:"intellect" or:"0"`
	Spirit    int64 `column:"spirit" or:"0"`
}

// A levelRow is a row of player_levelstats.
type levelRow struct {
	Race      int64 `column:"race" key:""`
	Class     int64 `column:"class" key:""`
	Level     int64 `column:"level" key:""`
	Strength  int64 `column:"str"`
	Agility   int64 `column:"agi"`
	Stamina   int64 `column:"sta"`
	Intellect int64 `column:"inte"`
	Spirit    int64 `column:"spi"`
}

// Why rows of levels are not executed.
const (
	noLevel    = "characters do not reach its level, or it is 0"
	noClass    = "the class does not exist"
	noBaseRow  = "health and mana of its class and level are not there"
	noRaceBase = "there are no stats of classes"
)

// A calling is a race and a class.
type calling struct{ race, class uint8 }

// readLevels has what characters are like level by level, and what it takes to leave one. What is not there is as in the base.
//
// Source: ObjectMgr::LoadPlayerInfo and Player::InitStatsForLevel, AzerothCore; the same of CMaNGOS.
func (l *loader) readLevels() error {
	p := &l.world.Players
	p.NextXP, p.Levels = slices.Clone(p.NextXP), nil
	if err := read(l, "player_xp_for_level", func(r *xpRow) string {
		if r.Level <= 0 || r.Level >= int64(len(p.NextXP)) || r.XP <= 0 || r.XP > math.MaxInt32 {
			return noLevel
		}
		p.NextXP[r.Level] = uint32(r.XP)
		return ""
	}); err != nil {
		return err
	}
	refuse := func(class, level int64) string {
		switch {
		case class < 0 || class > defs.MaxClass || p.Class(uint8(class)) == nil:
			return noClass
		case level < 1 || level > int64(p.MaxLevel):
			return noLevel
		}
		return ""
	}
	levels := make(map[calling][]defs.LevelStats)
	at := func(of calling, level int64) *defs.LevelStats {
		if levels[of] == nil {
			levels[of] = make([]defs.LevelStats, p.MaxLevel)
		}
		return &levels[of][level-1]
	}
	for _, table := range []string{"player_class_stats", "player_classlevelstats"} {
		if err := read(l, table, func(r *classLevelRow) string {
			if refused := refuse(r.Class, r.Level); refused != "" {
				return refused
			}
			*at(calling{0, uint8(r.Class)}, r.Level) = defs.LevelStats{
				Health: whole32(r.Health), Mana: float32(number(r.Mana)),
				Stats: stats5(r.Strength, r.Agility, r.Stamina, r.Intellect, r.Spirit),
			}
			return ""
		}); err != nil {
			return err
		}
	}
	plain := make(map[uint8][]defs.LevelStats) // by class
	for of, all := range levels {
		plain[of.class] = all
	}
	if err := read(l, "player_race_stats", func(r *raceRow) string {
		switch {
		case r.Race <= 0 || r.Race > math.MaxUint8:
			return noRaceOrClass
		case len(plain) == 0:
			return noRaceBase
		}
		more := [5]int64{r.Strength, r.Agility, r.Stamina, r.Intellect, r.Spirit}
		if more == [5]int64{} {
			return ""
		}
		for class, all := range plain {
			own := slices.Clone(all)
			for i := range own {
				for k, m := range more {
					own[i].Stats[k] = max(own[i].Stats[k]+float32(min(max(m, -1e6), 1e6)), 0)
				}
			}
			levels[calling{uint8(r.Race), class}] = own
		}
		return ""
	}); err != nil {
		return err
	}
	if err := read(l, "player_levelstats", func(r *levelRow) string {
		refused := refuse(r.Class, r.Level)
		base := plain[uint8(r.Class)]
		switch {
		case refused != "":
			return refused
		case r.Race <= 0 || r.Race > math.MaxUint8:
			return noRaceOrClass
		case base == nil || base[r.Level-1].Health == 0:
			return noBaseRow
		}
		own := base[r.Level-1]
		own.Stats = stats5(r.Strength, r.Agility, r.Stamina, r.Intellect, r.Spirit)
		*at(calling{uint8(r.Race), uint8(r.Class)}, r.Level) = own
		return ""
	}); err != nil {
		return err
	}
	for of, all := range levels {
		for i := range all { // health without stats is nothing
			if all[i].Stats == [5]float32{} {
				all[i] = defs.LevelStats{}
			}
		}
		p.Levels = append(p.Levels, defs.ClassLevels{Race: of.race, Class: of.class, Levels: all})
	}
	slices.SortFunc(p.Levels, func(a, b defs.ClassLevels) int {
		return cmp.Or(cmp.Compare(a.Race, b.Race), cmp.Compare(a.Class, b.Class))
	})
	return nil
}

func whole32(v int64) float32 { return max(float32(number(v)), 1) }

func stats5(all ...int64) (s [5]float32) {
	for i, v := range all {
		s[i] = float32(number(v))
	}
	return s
}
