package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// A Cast asks for a spell, of players and creatures alike: requests of clients, decisions of system aidispatch, commands of
// game masters and triggered spells are all Casts. System castrequests takes them in order; its queue outlives the tick.
type Cast struct {
	By, Target ecs.Entity     // Target may be zero: the caster, or what the spell finds
	To         components.Vec // the place, if Placed
	Spell      uint32
	Item       uint32 // counter of the item of By's that casts it and is used up: the spell need not be known, and costs nothing else
	Count      uint8  // the client's number for it
	Placed     bool
	Depth      uint8  // length of the chain of spells that triggered it
	Triggered  bool   // by another spell or aura: no requirements and no cost
	Asked      bool   // by the player's own client: it must know the spell, and is sent the reason of a refusal
	Ticket     uint32 // 0: no result is wanted; else its CastResult has the same
}

// A CastResult is the result of a Cast with a ticket: it has begun, or Why it has not. System gmcommands, the only one that
// gives out tickets, takes it in the same stage.
type CastResult struct {
	Ticket uint32
	Begun  bool
	Why    msg.CastResult
}

// An InterruptCast ends what a unit casts or channels. System castinterrupts takes it; its queue outlives the
// tick.
type InterruptCast struct {
	Entity  ecs.Entity
	Schools uint32 // only a spell of these schools, 0 any; with LockMs they are locked for so long
	LockMs  uint32
}

// An ApplyAura puts the auras of a spell on a unit. System appliedauras takes it, in the same tick if it was emitted before
// it ran. Its queue outlives the tick.
type ApplyAura struct {
	By, To  ecs.Entity
	Spell   uint32
	Effects uint32 // which of the spell's effects, a bit each
	Level   uint8  // of the caster
	Amount  [3]int32
	Hold    Hold // instead of a spell
}

// OwnAura puts the auras of a spell on a unit as its own; ok is false for a spell without any.
func OwnAura(e ecs.Entity, sp *defs.Spell, level uint32) (a ApplyAura, ok bool) {
	a = ApplyAura{By: e, To: e, Spell: sp.ID, Level: uint8(min(level, 255))}
	for i := range sp.Effects {
		if sp.Effects[i].Kind == defs.EffectApplyAura {
			a.Effects |= 1 << i
			a.Amount[i] = sp.Effects[i].Amount
		}
	}
	return a, a.Effects != 0
}

// A Hold has the script of a creature root it, or end that.
type Hold uint8

// The holds.
const (
	NoHold Hold = iota
	HoldRooted
	HoldEnds
)

// A RemoveAuras removes those auras of a unit that match all of its conditions. Its queue outlives the tick.
type RemoveAuras struct {
	From   ecs.Entity
	By     ecs.Entity // the caster; zero any
	Spell  uint32     // of this spell; 0 any
	Dispel uint8      // of this dispel type; 0 any
	Bad    bool       // with Dispel: the harmful ones, else the others
	Most   uint8      // at most so many, with Dispel counting stacks; 0 all
}

// Takes reports whether a RemoveAuras that dispels removes the auras of a spell.
func (s *RemoveAuras) Takes(sp *defs.Spell) bool {
	return sp.Dispel == s.Dispel && sp.Has(defs.SpellHarmful) == s.Bad
}

// A LearnSpell adds a spell to a player's spell book, or removes it. Its queue outlives the tick.
type LearnSpell struct {
	Entity ecs.Entity
	Spell  uint32
	Forget bool
}

// A TeachSpell adds a spell to a player's spell book that it has paid for. System lessons takes it within the stage.
type TeachSpell struct {
	Entity ecs.Entity
	Spell  uint32
}

// A ReleaseCooldown begins the cooldown of a spell that waited for its aura to end. System cooldowns takes it.
type ReleaseCooldown struct {
	Entity ecs.Entity
	Spell  uint32
}

// A ClearCooldowns ends a cooldown of a player, or all. System cooldowns takes it.
type ClearCooldowns struct {
	Entity ecs.Entity
	Spell  uint32 // 0 all
}

// A LevelChanged is a player whose level changed in this tick. System spellbooks teaches it what its class learns with the
// new level. Its queue outlives the tick.
type LevelChanged struct {
	Entity   ecs.Entity
	From, To uint32
}

// A Resurrect offers a dead player resurrection at a place. System playerdeaths takes it. Its queue outlives the tick.
type Resurrect struct {
	Entity ecs.Entity
	By     ecs.Entity
	Health uint32 // with which
	Mana   uint32
	At     components.Position // of the caster
}

// A DamageAbsorbed is damage that auras of a unit have absorbed, and that has not been dealt: its attacker has died before its
// swing. System appliedauras ends those that have absorbed all that they can.
type DamageAbsorbed struct{ Entity ecs.Entity }

// An AuraBroken is an act of a unit, or on it, that ends some of its auras. Its queue outlives the tick.
type AuraBroken struct {
	Entity ecs.Entity
	Why    defs.Break
}
