package control

import (
	"maps"
	"slices"
	"strings"

	"muster/components"
)

// A fieldOf is a field of something that a condition can name.
type fieldOf[T any] struct {
	kind kind
	// takes is set if the field has an argument, as in item(25).
	takes bool
	// always is set if it has a value also of what there is not: of is called with nil then.
	always bool
	of     func(is *T, argument uint32) value
}

func amount[N uint8 | uint32 | int | float32 | float64](n N) value {
	return value{kind: number, number: float64(n)}
}

func fact(holds bool) (v value) {
	if holds {
		v.number = 1
	}
	return v
}

// numeric is a field that is a number.
func numeric[T any, N uint8 | uint32 | float32 | float64](of func(*T) N) fieldOf[T] {
	return fieldOf[T]{kind: number, of: func(is *T, _ uint32) value { return amount(of(is)) }}
}

// logical is a field that is true or false.
func logical[T any](of func(*T) bool) fieldOf[T] {
	return fieldOf[T]{kind: truth, of: func(is *T, _ uint32) value { return fact(of(is)) }}
}

// present is the field that says whether there is something.
func present[T any]() fieldOf[T] {
	return fieldOf[T]{kind: truth, always: true, of: func(is *T, _ uint32) value { return fact(is != nil) }}
}

// counted is a field with an argument, whose value is a number.
func counted[T any](of func(*T, uint32) uint32) fieldOf[T] {
	return fieldOf[T]{kind: number, takes: true, of: func(is *T, argument uint32) value { return amount(of(is, argument)) }}
}

// textual is a field that is a text.
func textual[T any](of func(*T) string) fieldOf[T] {
	return fieldOf[T]{kind: text, of: func(is *T, _ uint32) value { return value{kind: text, text: of(is)} }}
}

// tenth is a power that is stored times ten.
const tenth = 10

// sessionFields are those of session("Name"): a character in a world.
var sessionFields = map[string]fieldOf[Character]{
	"online":      present[Character](),
	"level":       numeric(func(c *Character) uint32 { return c.Level }),
	"xp":          numeric(func(c *Character) uint32 { return c.XP }),
	"money":       numeric(func(c *Character) uint32 { return c.Money }),
	"map":         numeric(func(c *Character) uint32 { return c.Map }),
	"x":           numeric(func(c *Character) float32 { return c.X }),
	"y":           numeric(func(c *Character) float32 { return c.Y }),
	"z":           numeric(func(c *Character) float32 { return c.Z }),
	"o":           numeric(func(c *Character) float32 { return c.O }),
	"health":      numeric(func(c *Character) uint32 { return c.Health }),
	"max_health":  numeric(func(c *Character) uint32 { return c.MaxHealth }),
	"mana":        numeric(func(c *Character) uint32 { return c.Power[components.PowerMana] }),
	"rage":        numeric(func(c *Character) uint32 { return c.Power[components.PowerRage] / tenth }),
	"energy":      numeric(func(c *Character) uint32 { return c.Power[components.PowerEnergy] }),
	"runic_power": numeric(func(c *Character) uint32 { return c.Power[components.PowerRunic] / tenth }),
	"alive":       logical(func(c *Character) bool { return c.Alive }),
	"ghost":       logical(func(c *Character) bool { return c.Ghost }),
	"in_combat":   logical(func(c *Character) bool { return c.InCombat }),
	"target":      textual(func(c *Character) string { return guidText(c.Target) }),
	"item": counted(func(c *Character, entry uint32) (n uint32) {
		for i := range c.Items {
			if c.Items[i].Entry == entry {
				n += c.Items[i].Count
			}
		}
		return n
	}),
	"aura":  counted(func(c *Character, spell uint32) uint32 { return stacks(c.Auras, spell) }),
	"spell": {kind: truth, takes: true, of: func(c *Character, spell uint32) value { return fact(slices.Contains(c.Spells, spell)) }},
}

// creatureFields are those of creature("0xf130…").
var creatureFields = map[string]fieldOf[CreatureState]{
	"exists":     present[CreatureState](),
	"entry":      numeric(func(c *CreatureState) uint32 { return c.Entry }),
	"level":      numeric(func(c *CreatureState) uint32 { return c.Level }),
	"map":        numeric(func(c *CreatureState) uint32 { return c.Map }),
	"x":          numeric(func(c *CreatureState) float32 { return c.X }),
	"y":          numeric(func(c *CreatureState) float32 { return c.Y }),
	"z":          numeric(func(c *CreatureState) float32 { return c.Z }),
	"o":          numeric(func(c *CreatureState) float32 { return c.O }),
	"health":     numeric(func(c *CreatureState) uint32 { return c.Health }),
	"max_health": numeric(func(c *CreatureState) uint32 { return c.MaxHealth }),
	"alive":      logical(func(c *CreatureState) bool { return c.Health > 0 }),
	"in_combat":  logical(func(c *CreatureState) bool { return c.InCombat }),
	"target":     textual(func(c *CreatureState) string { return c.Target }),
	"aura":       counted(func(c *CreatureState, spell uint32) uint32 { return stacks(c.Auras, spell) }),
}

// mapFields are those of map(0).
var mapFields = map[string]fieldOf[mapState]{
	"exists":  present[mapState](),
	"tick":    numeric(func(m *mapState) float64 { return m.tick }),
	"players": numeric(func(m *mapState) float64 { return m.players }),
	"awake":   numeric(func(m *mapState) float64 { return m.awake }),
	"asleep":  numeric(func(m *mapState) float64 { return m.asleep }),
}

// stacks is how many of the auras of a spell there are, one on top of the other.
func stacks(of []HeldAura, spell uint32) (n uint32) {
	for i := range of {
		if of[i].Spell == spell {
			n += max(uint32(of[i].Stacks), 1)
		}
	}
	return n
}

// field reads the argument of a field, if it has one, and makes the operand.
func field[T any](p *parser, into *operand, all map[string]fieldOf[T], name string, find func(*moment) (*T, error)) error {
	f, ok := all[name]
	if !ok {
		return p.fail("there is no field %q, but %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	var argument uint32
	if f.takes {
		err := p.expect("(")
		if err == nil {
			argument, err = p.whole()
		}
		if err == nil {
			err = p.expect(")")
		}
		if err != nil {
			return err
		}
	}
	*into = operand{kind: f.kind, read: func(m *moment) (value, error) {
		is, err := find(m)
		if err != nil || is == nil && !f.always {
			return value{kind: f.kind, absent: true}, err
		}
		return f.of(is, argument), nil
	}}
	return nil
}
