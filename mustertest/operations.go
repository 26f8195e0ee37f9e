package mustertest

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A Character is the state of a character: as its world has it, or, of one that is in none, as it is stored.
type Character struct {
	Online    bool    `json:"online"`
	Name      string  `json:"name"`
	GUID      uint64  `json:"guid"`
	Account   uint32  `json:"account"`
	Race      uint8   `json:"race"`
	Class     uint8   `json:"class"`
	Gender    uint8   `json:"gender"`
	Level     uint32  `json:"level"`
	XP        uint32  `json:"xp"`
	Money     uint32  `json:"money"` // copper
	Map       uint32  `json:"map"`
	X         float32 `json:"x"` // yards
	Y         float32 `json:"y"`
	Z         float32 `json:"z"`
	O         float32 `json:"o"` // radians
	Health    uint32  `json:"health"`
	MaxHealth uint32  `json:"max_health"` // 0 of a character that is in no world
	// Power is indexed by type: mana, rage times ten, focus, energy, happiness, runes, runic power times ten.
	Power    [7]uint32 `json:"power"`
	MaxPower [7]uint32 `json:"max_power"`
	Alive    bool      `json:"alive"`
	Ghost    bool      `json:"ghost"`
	InCombat bool      `json:"in_combat"`
	Target   uint64    `json:"target"` // GUID
	Tick     uint64    `json:"tick"`
	Items    []Item    `json:"items"`
	Auras    []Aura    `json:"auras"`
	Spells   []uint32  `json:"spells"`
}

// An Item is a stack of items.
type Item struct {
	GUID  uint64 `json:"guid"`
	Entry uint32 `json:"entry"`
	Count uint32 `json:"count"`
	Bag   uint8  `json:"bag"` // 255: on the body, or in the backpack
	Slot  uint8  `json:"slot"`
}

// An Aura is an aura on a unit.
type Aura struct {
	Spell   uint32 `json:"spell"`
	Caster  uint64 `json:"caster"`
	Stacks  uint8  `json:"stacks"`
	Charges uint8  `json:"charges"`
}

// Count is how many items of an entry the character has.
func (c *Character) Count(entry uint32) (n uint32) {
	for _, it := range c.Items {
		if it.Entry == entry {
			n += it.Count
		}
	}
	return n
}

// A Place is a place of a map, in yards and radians.
type Place struct {
	Map uint32  `json:"map"`
	X   float32 `json:"x"`
	Y   float32 `json:"y"`
	Z   float32 `json:"z"`
	O   float32 `json:"o"`
}

// A NewCharacter is the character to create.
type NewCharacter struct {
	Account string `json:"account"`
	Name    string `json:"name"`
	Race    uint8  `json:"race"`  // as clients number them; 1 human
	Class   uint8  `json:"class"` // 1 warrior, 2 paladin, 4 rogue, 8 mage …
	Gender  uint8  `json:"gender,omitempty"`
	Level   uint8  `json:"level,omitempty"` // default 1
	At      *Place `json:"at,omitempty"`    // default where those of clients begin
}

// must calls an operation, and ends the test if it is not executed.
func (s *Server) must(method, path string, body, into any) {
	s.t.Helper()
	if err := s.Call(method, path, body, into); err != nil {
		s.t.Fatal(err)
	}
}

// CreateAccount makes an account of a player. The server has no others: unknown names are refused.
func (s *Server) CreateAccount(name, password string) {
	s.t.Helper()
	s.createAccount(name, password, 0)
}

// CreateMaster makes an account whose characters may do all that game masters may.
func (s *Server) CreateMaster(name, password string) {
	s.t.Helper()
	s.createAccount(name, password, 3)
}

func (s *Server) createAccount(name, password string, level uint8) {
	s.t.Helper()
	s.must("POST", "/api/accounts", map[string]any{"name": name, "password": password, "level": level}, nil)
}

// CreateCharacter makes a character without a client, and returns where it begins.
func (s *Server) CreateCharacter(c NewCharacter) (at Place) {
	s.t.Helper()
	s.must("POST", "/api/characters", c, &at)
	return at
}

// Character is the state of a character.
func (s *Server) Character(name string) (c Character) {
	s.t.Helper()
	s.must("GET", character(name, ""), nil, &c)
	return c
}

func character(name, operation string) string {
	return "/api/characters/" + url.PathEscape(name) + operation
}

// change has something done to a character in a world, and returns its state after that.
func (s *Server) change(method, name, operation string, body any) (c Character) {
	s.t.Helper()
	s.must(method, character(name, operation), body, &c)
	return c
}

// Teleport moves a character in a world, from the next tick on.
func (s *Server) Teleport(name string, to Place) {
	s.t.Helper()
	s.must("POST", character(name, "/teleport"), to, nil)
}

// SetLevel gives a character in a world a level.
func (s *Server) SetLevel(name string, level uint8) Character {
	s.t.Helper()
	return s.change("POST", name, "/level", map[string]any{"level": level})
}

// SetHealth sets the health of a living character in a world.
func (s *Server) SetHealth(name string, health uint32) Character {
	s.t.Helper()
	return s.change("POST", name, "/health", map[string]any{"amount": health})
}

// SetPower sets the mana, rage, energy or runic_power of a character in a world.
func (s *Server) SetPower(name, power string, amount uint32) Character {
	s.t.Helper()
	return s.change("POST", name, "/power", map[string]any{"power": power, "amount": amount})
}

// SetMoney has a character in a world own so much copper.
func (s *Server) SetMoney(name string, copper uint32) Character {
	s.t.Helper()
	return s.change("PUT", name, "/money", map[string]any{"copper": copper})
}

// GiveItem gives a character in a world items, or takes them if the count is less than 0.
func (s *Server) GiveItem(name string, entry uint32, count int32) Character {
	s.t.Helper()
	return s.change("POST", name, "/items", map[string]any{"entry": entry, "count": count})
}

// Learn teaches a character in a world a spell.
func (s *Server) Learn(name string, spell uint32) Character {
	s.t.Helper()
	return s.change("POST", name, "/spells", map[string]any{"spell": spell})
}

// AddAura puts the auras of a spell on a character in a world.
func (s *Server) AddAura(name string, spell uint32) Character {
	s.t.Helper()
	return s.change("POST", name, "/auras", map[string]any{"spell": spell})
}

// Kill kills a character in a world.
func (s *Server) Kill(name string) Character {
	s.t.Helper()
	return s.change("POST", name, "/kill", nil)
}

// Revive brings a character in a world back to life.
func (s *Server) Revive(name string) Character {
	s.t.Helper()
	return s.change("POST", name, "/revive", nil)
}

// Kick closes the connection of a character in a world.
func (s *Server) Kick(name string) { s.t.Helper(); s.must("POST", character(name, "/kick"), nil, nil) }

// A Creature is the state of a creature.
type Creature struct {
	GUID      GUID    `json:"guid"`
	Entry     uint32  `json:"entry"`
	Level     uint32  `json:"level"`
	Map       uint32  `json:"map"`
	X         float32 `json:"x"`
	Y         float32 `json:"y"`
	Z         float32 `json:"z"`
	O         float32 `json:"o"`
	Health    uint32  `json:"health"`
	MaxHealth uint32  `json:"max_health"`
	Alive     bool    `json:"alive"`
	InCombat  bool    `json:"in_combat"`
	Target    GUID    `json:"target"`
	Auras     []Aura  `json:"auras"`
	Tick      uint64  `json:"tick"`
}

// A GUID is one that JSON has as text, since it has more digits than some numbers can have.
type GUID uint64

// String is the GUID as conditions have it, as in 0xf130000019000001.
func (g GUID) String() string { return fmt.Sprintf("0x%x", uint64(g)) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *GUID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	*g = GUID(n)
	return err
}

// Spawn brings a creature of an entry to a place, until it dies.
func (s *Server) Spawn(entry uint32, at Place) GUID {
	s.t.Helper()
	var made struct{ GUID GUID }
	s.must("POST", "/api/creatures", map[string]any{"entry": entry, "map": at.Map, "x": at.X, "y": at.Y, "z": at.Z, "o": at.O}, &made)
	return made.GUID
}

// Remove takes a creature out of its world.
func (s *Server) Remove(creature GUID) {
	s.t.Helper()
	s.must("DELETE", "/api/creatures/"+creature.String(), nil, nil)
}

// Creature is the state of a creature. It is not there if no world has it any more.
func (s *Server) Creature(guid GUID) (c Creature, there bool) {
	s.t.Helper()
	err := s.Call("GET", "/api/creatures/"+guid.String(), nil, &c)
	if e, ok := err.(*StatusError); ok && e.Status == http.StatusNotFound && strings.Contains(e.Text, "no_creature") {
		return c, false
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return c, true
}

// Near lists creatures within some yards of a place, the nearest first. It ends the test if there are more than 1,000. Their maps, targets and auras are left out.
func (s *Server) Near(at Place, radius float32) []Creature {
	s.t.Helper()
	var list struct {
		Creatures []Creature
		More      bool
	}
	s.must("GET", fmt.Sprintf("/api/creatures?map=%d&near=%g,%g,%g&limit=1000", at.Map, at.X, at.Y, radius), nil, &list)
	if list.More {
		s.t.Fatalf("mustertest: there are more than 1,000 creatures within %g yards", radius)
	}
	return list.Creatures
}
