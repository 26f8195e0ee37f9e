package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// A Cast asks for a spell, of players and creatures alike: what a client asks for, what a creature has in mind,
// what a game master says and what one spell triggers all come to this. System spell takes them, in the order
// in which they were asked for; its queue outlives the tick.
type Cast struct {
	By, Target ecs.Entity     // Target may be zero: itself, or what the spell finds
	To         components.Vec // the place, if Placed
	Spell      uint32
	Item       uint32 // counter of what of By's casts it, and is used up by that: it need not be known, and costs nothing else
	Count      uint8  // the client's number for it
	Placed     bool
	Depth      uint8  // how many spells in a row have triggered it
	Triggered  bool   // by something that is no cast of its own: asks for nothing and costs nothing
	Asked      bool   // by the client of the player itself: it must know the spell, and hears why it cannot
	Ticket     uint32 // 0: nobody wants to know what becomes of it; else its Verdict has the same
}

// A CastResult is what became of a Cast with a ticket: it has begun, or Why it has not. System gm, which alone hands out
// tickets, takes it in the next tick.
type CastResult struct {
	Ticket uint32
	Begun  bool
	Why    msg.CastResult
}

// An InterruptCast ends what a unit casts or channels. System spell takes it; its queue outlives the tick.
type InterruptCast struct {
	Entity  ecs.Entity
	Schools uint32 // only a spell of these, 0 any; with LockMs they cannot be cast for so long
	LockMs  uint32
}

// An ApplyAura puts the auras of a spell on a unit: system aura's business, in the same tick if it is asked for
// before it. Its queue outlives the tick.
type ApplyAura struct {
	By, To  ecs.Entity
	Spell   uint32
	Effects uint32 // which of its effects, a bit each
	Level   uint8  // of the caster
	Amount  [3]int32
}

// A RemoveAuras takes auras off a unit. Those that fit all that is asked for go. Its queue outlives the tick.
type RemoveAuras struct {
	From   ecs.Entity
	By     ecs.Entity // whose; zero anybody's
	Spell  uint32     // of this spell; 0 of any
	Dispel uint8      // of this kind; 0 any
	Bad    bool       // with Dispel: the harmful ones, else the others
	Most   uint8      // so many, with Dispel of those that lie on each other; 0 all
}

// Takes reports whether a RemoveAuras that dispels takes the auras of a spell off.
func (s *RemoveAuras) Takes(sp *defs.Spell) bool {
	return sp.Dispel == s.Dispel && sp.Has(defs.SpellHarmful) == s.Bad
}

// A LearnSpell puts a spell into a player's book, or takes it out. Its queue outlives the tick.
type LearnSpell struct {
	Entity ecs.Entity
	Spell  uint32
	Forget bool
}

// A LevelChanged is a player that has reached another level in this tick: who changes levels says so, and system
// spell teaches it what its class learns with them. Its queue outlives the tick.
type LevelChanged struct {
	Entity   ecs.Entity
	From, To uint32
}

// A Resurrect asks a dead player whether it wants to live again here. Who handles death takes it. Its queue
// outlives the tick.
type Resurrect struct {
	Entity ecs.Entity
	By     ecs.Entity
	Health uint32 // with which
	Mana   uint32
	At     components.Position // of who offers it
}

// An AuraBroken says that a unit has done, or suffered, what ends some of its auras. Its queue outlives the tick.
type AuraBroken struct {
	Entity ecs.Entity
	Why    defs.Break
}
