package control

import (
	"context"
	"time"

	"muster/components"
	"muster/components/life"
	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/replication/inspect"
)

// A Character is the state of a character: as its world has it between two ticks, or as it is stored.
type Character struct {
	Online    bool       `json:"online" doc:"it is in a world; otherwise this is what is stored"`
	Name      string     `json:"name"`
	GUID      uint64     `json:"guid"`
	Account   uint32     `json:"account" doc:"the ID of its account"`
	Race      uint8      `json:"race"`
	Class     uint8      `json:"class"`
	Gender    uint8      `json:"gender"`
	Level     uint32     `json:"level"`
	XP        uint32     `json:"xp" doc:"towards the next level"`
	Money     uint32     `json:"money" doc:"copper"`
	Map       uint32     `json:"map"`
	X         float32    `json:"x" doc:"yards"`
	Y         float32    `json:"y"`
	Z         float32    `json:"z"`
	O         float32    `json:"o" doc:"radians"`
	Health    uint32     `json:"health"`
	MaxHealth uint32     `json:"max_health" doc:"0 of a character that is not in a world"`
	Power     [7]uint32  `json:"power" doc:"by type: mana, rage times ten, focus, energy, happiness, runes, runic power times ten"`
	MaxPower  [7]uint32  `json:"max_power"`
	Alive     bool       `json:"alive"`
	Ghost     bool       `json:"ghost"`
	InCombat  bool       `json:"in_combat"`
	Target    uint64     `json:"target" doc:"GUID of what it has selected, 0 nothing"`
	Tick      uint64     `json:"tick" doc:"of its world, the last that was run"`
	Items     []HeldItem `json:"items"`
	Auras     []HeldAura `json:"auras"`
	Spells    []uint32   `json:"spells" doc:"known, ascending"`
}

// A HeldItem is a stack that a character wears or carries.
type HeldItem struct {
	GUID  uint64 `json:"guid"`
	Entry uint32 `json:"entry"`
	Count uint32 `json:"count"`
	Bag   uint8  `json:"bag" doc:"255: on the body, or in the backpack"`
	Slot  uint8  `json:"slot"`
}

// A HeldAura is an aura on a character.
type HeldAura struct {
	Spell   uint32 `json:"spell"`
	Caster  uint64 `json:"caster" doc:"GUID"`
	Stacks  uint8  `json:"stacks"`
	Charges uint8  `json:"charges"`
}

func (c *Control) character(ctx context.Context, q *StoredName) (s Character, err error) {
	if p, err := c.online(q.Name); err == nil {
		if s, err := c.state(ctx, p); err != errOffline {
			return s, err
		}
	}
	found, err := c.stored(ctx, q)
	if err != nil {
		return s, err
	}
	return ofStored(&found), nil
}

// inspectTime bounds the time that a world takes to answer.
const inspectTime = 2 * time.Second

// ask has a world answer a query.
func (w *World) ask(ctx context.Context, l *inspect.Query) error {
	ctx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	return w.Inspector.Ask(ctx, l)
}

// state is the state of a character in a world. It is errOffline between two worlds.
func (c *Control) state(ctx context.Context, p gateway.OnlinePlayer) (s Character, err error) {
	of := c.world(p.Map)
	if of == nil {
		return s, errOffline
	}
	l := inspect.Query{GUID: p.GUID}
	if err := of.ask(ctx, &l); err != nil {
		return s, err
	}
	if !l.Found {
		return s, errOffline
	}
	s = Character{Online: true, Name: p.Name, GUID: p.GUID, Account: p.Account, Map: p.Map, Tick: l.Tick}
	s.Ghost, s.InCombat = l.At.State&inspect.Ghost != 0, l.At.State&inspect.Fighting != 0
	s.lists()
	for _, component := range l.Row.Components() {
		switch it := component.Addr().Interface().(type) {
		case *components.Position:
			s.X, s.Y, s.Z, s.O = it.X, it.Y, it.Z, it.O
		case *components.Unit:
			s.Level, s.Race, s.Class, s.Gender = it.Level, it.Bytes0[0], it.Bytes0[1], it.Bytes0[2]
		case *components.Vitals:
			s.Health, s.MaxHealth, s.Power, s.MaxPower = it.Health, it.MaxHealth, it.Power, it.MaxPower
		case *components.Progress:
			s.XP, s.Money = it.XP, it.Coinage
		case *components.Target:
			s.Target = it.GUID
		case *components.Spellbook:
			s.Spells = append(s.Spells, it.Spells[:it.Count]...)
		case *components.Inventory:
			for place := range it.Items {
				if item := &it.Items[place]; item.Counter != 0 {
					bag, slot := components.Slot(place)
					s.Items = append(s.Items, HeldItem{item.GUID(), item.Entry, uint32(item.Count), bag, slot})
				}
			}
		}
	}
	s.Auras = heldAuras(l.Auras)
	s.Alive = s.Health > 0 && !s.Ghost
	return s, nil
}

// heldAuras are the auras that were seen on a unit.
func heldAuras(seen []inspect.AuraSeen) []HeldAura {
	all := []HeldAura{}
	for _, a := range seen {
		all = append(all, HeldAura(a))
	}
	return all
}

// lists makes the lists empty ones.
func (s *Character) lists() { s.Items, s.Auras, s.Spells = []HeldItem{}, []HeldAura{}, []uint32{} }

// ofStored is the state of a character that is in no world.
func ofStored(c *store.Character) Character {
	s := Character{
		Name: c.Name, GUID: c.GUID, Account: c.Account, Race: c.Race, Class: c.Class, Gender: c.Gender,
		Level: uint32(c.Level), XP: c.XP, Money: c.MoneyCopper, Map: c.Map, X: c.X, Y: c.Y, Z: c.Z, O: c.O,
		Health: c.Health, Power: c.Power, Alive: c.Death.State == life.Alive, Ghost: c.Death.State == life.Ghost,
	}
	s.lists()
	s.Spells = append(s.Spells, c.Spells...)
	for _, a := range c.Auras {
		s.Auras = append(s.Auras, HeldAura{a.Spell, a.Caster, a.Stacks, a.Charges})
	}
	for _, it := range c.Items {
		s.Items = append(s.Items, HeldItem{it.GUID, it.Entry, it.Count, it.Bag, it.Slot})
	}
	return s
}
