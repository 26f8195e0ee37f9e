package database

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"muster/components/life"
)

// Auras and cooldowns change in nearly every save, for time passes. Each list is a column of characters: a JSON array of
// arrays of numbers, of which the views character_aura and character_spell_cooldown make rows.

// Numbers of an aura and of a cooldown, in their order. A view names them.
//
// A caster is a signed number: that is what the databases have for 64 bits.
var (
	auraLimits = []limits{
		any8, any32, {math.MinInt64, math.MaxInt64}, any8, any8, any8, any32, any32, signed32, signed32, signed32,
	}
	cooldownLimits = []limits{any32, any32, any32}
)

// limits are the smallest and the largest number in a place.
type limits struct{ low, high int64 }

var (
	any8     = limits{0, math.MaxUint8}
	any32    = limits{0, math.MaxUint32}
	signed32 = limits{math.MinInt32, math.MaxInt32}
)

func auraNumbers(a *life.Aura) []int64 {
	return []int64{
		int64(a.Slot), int64(a.Spell), int64(a.Caster), int64(a.CasterLevel), int64(a.Stacks), int64(a.Charges),
		int64(a.MaxMs), int64(a.LeftMs), int64(a.Amount[0]), int64(a.Amount[1]), int64(a.Amount[2]),
	}
}

func auraOf(n []int64) life.Aura {
	return life.Aura{
		Slot: uint8(n[0]), Spell: uint32(n[1]), Caster: uint64(n[2]), CasterLevel: uint8(n[3]), Stacks: uint8(n[4]), Charges: uint8(n[5]),
		MaxMs: uint32(n[6]), LeftMs: uint32(n[7]), Amount: [3]int32{int32(n[8]), int32(n[9]), int32(n[10])},
	}
}

func cooldownNumbers(c *life.Cooldown) []int64 {
	return []int64{int64(c.Spell), int64(c.Category), int64(c.LeftMs)}
}

func cooldownOf(n []int64) life.Cooldown {
	return life.Cooldown{Spell: uint32(n[0]), Category: uint32(n[1]), LeftMs: uint32(n[2])}
}

// numbersText is a list as JSON.
func numbersText[T any](list []T, numbers func(*T) []int64) string {
	b := make([]byte, 0, 2+48*len(list))
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		for n, v := range numbers(&list[i]) {
			b = append(b, "[,"[min(n, 1)])
			b = strconv.AppendInt(b, v, 10)
		}
		b = append(b, ']')
	}
	return string(append(b, ']'))
}

func parseNumbers[T any](text []byte, most int, each []limits, of func(n []int64) T) ([]T, error) {
	var rows [][]int64
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%w: %w", errLife, err)
	}
	if len(rows) > most {
		return nil, fmt.Errorf("%w: %d rows of %d", errLife, len(rows), most)
	}
	var list []T
	for _, row := range rows {
		if len(row) != len(each) {
			return nil, fmt.Errorf("%w: a row of %d numbers, want %d", errLife, len(row), len(each))
		}
		for i, v := range row {
			if v < each[i].low || v > each[i].high {
				return nil, fmt.Errorf("%w: a row with %d", errLife, v)
			}
		}
		list = append(list, of(row))
	}
	return list, nil
}

func aurasText(list []life.Aura) string { return numbersText(list, auraNumbers) }

func cooldownsText(list []life.Cooldown) string { return numbersText(list, cooldownNumbers) }

// aurasInto and cooldownsInto return what scans the columns.
func aurasInto(list *[]life.Aura, torn *error) rowsValue {
	return rowsValue{func(text []byte) (err error) {
		*list, err = parseNumbers(text, life.MaxAuras, auraLimits, auraOf)
		return err
	}, torn}
}

func cooldownsInto(list *[]life.Cooldown, torn *error) rowsValue {
	return rowsValue{func(text []byte) (err error) {
		*list, err = parseNumbers(text, life.MaxCooldowns, cooldownLimits, cooldownOf)
		return err
	}, torn}
}
