package defs

import "slices"

// A Spell is the template of a spell: its requirements, cast time, targets and effects.
type Spell struct {
	ID         uint32 // not 0
	Name, Rank string
	Class      uint8  // that learns it; 0 no particular one
	Level      uint8  // at which its class learns it, and from which it grows; 0 it is not learnt with a level
	MaxLevel   uint8  // at which it stops growing; 0 never
	Replaces   uint32 // the lower rank that it replaces in a spell book; 0 none

	School   uint32    // a set: SchoolPhysical and following
	Dispel   uint8     // dispel type of its auras: DispelMagic, …; 0 none
	Mechanic uint8     // what its auras do to the unit that has them in one word: MechanicStun, …; 0 nothing
	Flags    SpellFlag // SpellPassive and following
	Breaks   Break     // what ends its auras: BreakDamage and following

	CastMs     uint32 // 0 is at once
	DurationMs uint32 // of its auras and of its channel; 0 until something takes them away
	CooldownMs uint32
	GlobalMs   uint32 // during which nothing else can be cast; 0 none
	Category   uint32 // of spells that wait together; 0 none
	CategoryMs uint32

	Power       uint8  // what it costs: components.PowerMana, …
	Cost        uint32 // of it; rage and runic power times ten
	CostPercent uint32 // of the caster's base mana, besides Cost

	MinRange, MaxRange float32 // yards; MaxRange 0 is hand to hand
	MissileSpeed       float32 // yards per second; 0 is there at once
	MaxTargets         uint8   // of an area; 0 all

	Stacks  uint8 // how often its auras lie on each other; 0 is 1
	Charges uint8 // of its auras; 0 they have none to lose
	Spent   Spent // what takes one of them: SpentStruck and following

	Effects [MaxEffects]Effect // in the order in which they happen; those without a Kind are none
}

// MaxEffects is how many effects a spell has at most.
//
// Source: MAX_SPELL_EFFECTS, SharedDefines.h, AzerothCore.
const MaxEffects = 3

// An Effect is one thing that a spell does.
type Effect struct {
	Kind   EffectKind
	Aura   AuraKind // with EffectApplyAura
	Target Target   // the units that it applies to

	Amount      int32   // the least
	Dice        int32   // so much more at most
	PerLevel    float32 // so much more for each level of the caster above the spell's
	Coefficient float32 // how much of the caster's spell power it has besides

	PulseMs     uint32  // between two pulses of an aura; 0 it has none
	Radius      float32 // of an area or cone, yards
	Chain       uint8   // how many it meets in a row, the first among them; 0 is 1
	ChainFactor float32 // from one of them to the next; 0 is 1

	Misc    int32  // what Kind and Aura say: a set of schools, a stat, a power, an entry, …
	Trigger uint32 // the spell that is cast or learnt
}

// Spell is the template of an ID, or nil if there is none. It aliases the World. The cost is logarithmic in the
// number of spells.
func (w *World) Spell(id uint32) *Spell {
	i, ok := find(len(w.Spells), id, func(i int) uint32 { return w.Spells[i].ID })
	if !ok {
		return nil
	}
	return &w.Spells[i]
}

// A SpellFlag is a property of a spell.
type SpellFlag uint32

// The flags of spells.
//
// Source: SpellAttr0 to SpellAttr7 and SpellInterruptFlags, SharedDefines.h and SpellInfo.h, AzerothCore, for
// what each of them has to be obeyed.
const (
	SpellPassive       SpellFlag = 1 << iota // applied to units that know it, and never cast
	SpellHarmful                             // is aimed at enemies; its auras are bad to have
	SpellChannelled                          // goes on for as long as the caster attends to it
	SpellNextSwing                           // replaces the caster's next swing
	SpellAutoRepeat                          // repeated until it is stopped
	SpellMelee                               // a melee attack: it can be dodged and parried, and not resisted
	SpellRanged                              // is a shot: needs a ranged weapon
	SpellOnDead                              // is aimed at the dead
	SpellOutOfCombat                         // cannot be cast in combat
	SpellOutlivesDeath                       // its auras stay when the unit that has them dies
	SpellCannotCancel                        // its auras are not given up by a click
	SpellWaitsForAura                        // its cooldown begins when its aura ends
	SpellStill                               // its cast ends when the caster moves
	SpellPushedBack                          // its cast is pushed back by damage
	SpellInterruptible                       // its cast can be interrupted
	SpellBackTurned                          // can be cast with the target behind the caster
	SpellWhileStunned                        // can be cast by the helpless
	SpellAlwaysHits
	SpellNeverCrits
	SpellNoThreat
	SpellBinary // is resisted as a whole or not at all
)

// A Break is a set of what ends an aura early.
//
// Source: SpellAuraInterruptFlags, SpellDefines.h, AzerothCore.
type Break uint8

// The breaks.
const (
	BreakDamage Break = 1 << iota // whatever hurts the unit that has it
	BreakMove                     // the unit goes somewhere
	BreakCast                     // the unit casts
	BreakAttack                   // the unit that has it attacks
	BreakStand                    // the unit stands up
)

// A Spent is a set of what takes a charge off an aura. With its last charge it ends.
//
// Source: ProcFlags, SpellMgr.h, and Aura::DropCharge, AzerothCore.
type Spent uint8

// What takes charges.
const (
	SpentStruck Spent = 1 << iota // a hit on the unit that has it
	SpentHurt                     // any damage to the unit that has it
	SpentStrike                   // a hit by the unit that has it
	SpentCast                     // a spell or shot of the unit that has it
)

// The schools of spells, as a set has them. School n of components.CombatStats is the bit 1<<n.
//
// Source: SpellSchoolMask, SharedDefines.h, AzerothCore.
const (
	SchoolPhysical uint32 = 1 << iota
	SchoolHoly
	SchoolFire
	SchoolNature
	SchoolFrost
	SchoolShadow
	SchoolArcane

	SchoolAll   = 0x7F
	SchoolMagic = SchoolAll &^ SchoolPhysical
)

// The dispel types.
//
// Source: DispelType, SharedDefines.h, AzerothCore.
const (
	DispelMagic   = 1
	DispelCurse   = 2
	DispelDisease = 3
	DispelPoison  = 4
)

// What auras do to the units that have them, in one word.
//
// Source: Mechanics, SharedDefines.h, AzerothCore.
const (
	MechanicFear    = 5
	MechanicRoot    = 7
	MechanicSilence = 9
	MechanicSleep   = 10
	MechanicSnare   = 11
	MechanicStun    = 12
	MechanicBleed   = 15
	MechanicShield  = 19
)

// A Target says which units an effect applies to.
//
// Source: Targets, SharedDefines.h, AzerothCore.
type Target uint8

// The targets.
const (
	TargetCaster       Target = 1
	TargetEnemy        Target = 6  // the one that was aimed at
	TargetHome         Target = 9  // the caster, at the place to which it is bound
	TargetAreaEnemies  Target = 15 // enemies around the caster
	TargetPlaceEnemies Target = 16 // enemies around the place that was aimed at
	TargetFriend       Target = 21 // the one that was aimed at, or the caster
	TargetConeEnemies  Target = 24 // enemies in front of the caster
	TargetAny          Target = 25 // the one that was aimed at, friend or foe
	TargetAreaFriends  Target = 30 // friends around the caster, and itself
	TargetPlaceFriends Target = 31 // friends around the place that was aimed at
	TargetChainFriends Target = 45 // the one that was aimed at, and the worst hurt around it
)

// Aimed reports whether the effect meets the one that the spell was aimed at.
func (t Target) Aimed() bool {
	return t == TargetEnemy || t == TargetFriend || t == TargetAny || t == TargetChainFriends
}

// Known reports whether a target is one of those above.
func (t Target) Known() bool {
	return t.Friendly() || t.Placed() || t.Aimed() || t == TargetAreaEnemies || t == TargetConeEnemies
}

// Placed reports whether the effect needs a place that the spell was aimed at.
func (t Target) Placed() bool { return t == TargetPlaceEnemies || t == TargetPlaceFriends }

// Friendly reports whether the effect is for friends.
func (t Target) Friendly() bool {
	switch t {
	case TargetCaster, TargetHome, TargetFriend, TargetAreaFriends, TargetPlaceFriends, TargetChainFriends:
		return true
	}
	return false
}

// Has reports whether a spell has a flag.
func (s *Spell) Has(flag SpellFlag) bool { return s.Flags&flag != 0 }

// Grown is how many levels a caster of a level is above the spell, as far as it grows.
//
// Source: SpellEffectInfo::CalcValue, SpellInfo.cpp, AzerothCore.
func (s *Spell) Grown(level uint32) uint32 {
	if s.MaxLevel != 0 {
		level = min(level, uint32(s.MaxLevel))
	}
	return level - min(level, uint32(max(s.Level, 1)))
}

// Learnt appends what a class has learnt up to a level, ascending: of each spell the highest rank.
func (w *World) Learnt(dst []uint32, class, level uint8) []uint32 {
	has := func(s *Spell) bool { return s.Class == class && s.Level > 0 && s.Level <= level && class != 0 }
	for i := range w.Spells {
		s := &w.Spells[i]
		if has(s) && !slices.ContainsFunc(w.Spells, func(o Spell) bool { return o.Replaces == s.ID && has(&o) }) {
			dst = append(dst, s.ID)
		}
	}
	return dst
}
