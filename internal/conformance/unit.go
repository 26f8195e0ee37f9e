package conformance

import (
	"iter"

	"muster/net/protocol/update"
)

// Type ids of creates. Source: protocol.md 4.1.
const (
	typeItem      = 1
	typeContainer = 2
	typeUnit      = 3
	typePlayer    = 4

	typeGameObject = 5
)

// Numbers of the fields that are kept of units, and of the client itself.
//
// Source: protocol.md appendix A.
const (
	fieldItemOwner   = 0x006
	fieldHealth      = 0x018
	fieldMaxHealth   = 0x020
	fieldLevel       = 0x036
	fieldFaction     = 0x037
	fieldUnitFlags   = 0x03B
	fieldDynamic     = 0x04F
	fieldNPCFlags    = 0x052
	fieldPlayerFlags = 0x096
	fieldXP          = 0x27A
	fieldNextXP      = 0x27B
	fieldCoinage     = 0x492
	playerFlagGhost  = 0x10
	dynamicLootable  = 0x01
	dynamicDead      = 0x20
)

// Unit is the state of a creature or a player that matters in a fight.
type Unit struct {
	GUID         uint64
	Creature     bool // else a player
	X, Y, Z      float32
	GoalX, GoalY float32 // where its last path ends; else where it is
	Health       uint32  // less the damage announced since its last values
	MaxHealth    uint32
	Level        uint8
	Faction      uint16
	Flags        uint32 // of the unit
	NPCFlags     uint32
	Lootable     bool // for this client
	Dead         bool // it appears dead, or has no health
	Ghost        bool
}

// Unit is one unit that the client knows.
func (c *Client) Unit(guid uint64) (Unit, bool) {
	e := c.objects.find(guid)
	if e == nil || e.typeID != typeUnit && e.typeID != typePlayer {
		return Unit{}, false
	}
	return e.unit(), true
}

// Creatures yields all creatures that the client knows, in an order that depends only on their guids and on
// earlier insertions and removals.
func (c *Client) Creatures() iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		for i := range c.objects.slots {
			if e := &c.objects.slots[i]; e.guid != 0 && e.typeID == typeUnit && !yield(e.unit()) {
				return
			}
		}
	}
}

func (e *entry) unit() Unit {
	return Unit{
		GUID: e.guid, Creature: e.typeID == typeUnit, X: e.x, Y: e.y, Z: e.z, GoalX: e.goalX, GoalY: e.goalY,
		Health: e.left(), MaxHealth: e.maxHealth, Level: e.level, Faction: e.faction,
		Flags: e.unitFlags, NPCFlags: e.npcFlags, Lootable: e.dynamic&dynamicLootable != 0,
		Ghost: e.state&stateGhost != 0,
		Dead:  e.health == 0 || e.dynamic&(dynamicLootable|dynamicDead) != 0,
	}
}

// A book is the client's own experience and money.
type book struct {
	level  uint32
	notice uint32 // the level of the last LEVELUP_INFO
	xp     uint32
	next   uint32
	copper uint32
}

// Copper is how much money the client has.
func (c *Client) Copper() uint32 { return c.book.copper }

// Level is the client's own level.
func (c *Client) Level() uint32 { return c.book.level }

// XP is the client's own experience, of its level.
func (c *Client) XP() uint32 { return c.book.xp }

// live applies a block to a unit, and checks what must be true after it.
func (c *Client) live(e *entry, b *update.Block) {
	before, given := e.health, false
	for _, f := range b.Fields {
		switch f.Index {
		case fieldHealth:
			e.health, given = f.Value, true
		case fieldMaxHealth:
			e.maxHealth = f.Value
		case fieldLevel:
			e.level = uint8(f.Value)
		case fieldFaction:
			e.faction = uint16(f.Value)
		case fieldUnitFlags:
			e.unitFlags = f.Value
		case fieldDynamic:
			e.dynamic = uint8(f.Value)
		case fieldNPCFlags:
			e.npcFlags = f.Value
		case fieldPlayerFlags:
			if e.state &^= stateGhost; e.typeID == typePlayer && f.Value&playerFlagGhost != 0 {
				e.state |= stateGhost
			}
		}
	}
	if given {
		e.settle(before, b.Type == update.Values)
	}
	if e.maxHealth > 0 && e.health > e.maxHealth {
		c.violation(Overfull, e.guid)
	}
	if e.health > 0 && e.dynamic&(dynamicLootable|dynamicDead) != 0 {
		c.violation(LivingBody, e.guid)
	}
	if e.state&stateGhost != 0 && e.health > 1 {
		c.violation(LivingGhost, e.guid)
	}
	if e.guid == c.self {
		c.learn(b)
	}
}

// learn applies a block to the client itself.
func (c *Client) learn(b *update.Block) {
	k := &c.book
	for _, f := range b.Fields {
		switch f.Index {
		case fieldLevel:
			if b.Type == update.Values && f.Value != k.level && f.Value != k.notice {
				c.violation(Unlevelled, c.self)
			}
			k.level = f.Value
		case fieldXP:
			k.xp = f.Value
		case fieldNextXP:
			k.next = f.Value
		case fieldCoinage:
			k.copper = f.Value
		}
	}
	if k.next > 0 && k.xp >= k.next {
		c.violation(Overlearnt, c.self)
	}
}

// checkOwner checks that the client knows no items but its own.
func (c *Client) checkOwner(b *update.Block) {
	if b.Type == update.Values {
		return
	}
	if !c.owns(b) {
		c.violation(ForeignItem, b.GUID)
	}
}

// owns reports whether a create is of the client itself or of an item of its own.
func (c *Client) owns(b *update.Block) bool {
	if b.TypeID != typeItem && b.TypeID != typeContainer {
		return b.GUID == c.self
	}
	low, _ := b.Value(fieldItemOwner)
	high, _ := b.Value(fieldItemOwner + 1)
	return uint64(high)<<32|uint64(low) == c.self
}
