package rules

import (
	"muster/ecs"
	"muster/net/protocol/msg"
)

// A DamageKind is what causes damage. The packet that reports it to clients follows from it.
type DamageKind uint8

// The kinds of damage.
const (
	SpellDamage    DamageKind = iota // SMSG_SPELLNONMELEEDAMAGELOG
	WeaponDamage                     // a swing or shot of a weapon: SMSG_ATTACKERSTATEUPDATE
	PeriodicDamage                   // of an aura: SMSG_PERIODICAURALOG
	ShieldDamage                     // of the victim's damage shield: SMSG_SPELLNONMELEEDAMAGELOG
	FallDamage                       // SMSG_ENVIRONMENTALDAMAGELOG
	SilentDamage                     // a hit by a game master: no packet
)

// A Damage is damage to be dealt, after the attacker's modifiers, armour, resistance and block: system
// mitigation lets auras absorb their part, vitals takes the rest from the unit's health, and combatlog reports it. An amount of
// 0, as of a miss, is a hostile act and no more.
type Damage struct {
	By, To   ecs.Entity // By may be zero or gone: a fall, an aura that outlives its caster
	Caster   uint64     // GUID of By for PeriodicDamage, also of one that is gone
	Spell    uint32     // 0: a hit of a weapon, or environmental damage
	School   uint32     // mask
	Amount   uint32
	Resisted uint32 // what was taken from Amount before
	Blocked  uint32
	Kind     DamageKind
	Critical bool
	Quiet    bool // causes no threat and no combat
	Leech    bool // heals By by what is dealt
	Percent  bool // PeriodicDamage of a part of the maximum health

	Weapon WeaponHit // of WeaponDamage
}

// A WeaponHit is what SMSG_ATTACKERSTATEUPDATE and the attacker's rage depend on besides the damage.
type WeaponHit struct {
	Info    msg.HitInfo
	State   msg.VictimState
	SwingMs uint32 // of the weapon
	Rage    bool   // the attacker gains rage by it
}

// DamageResult is the result of a Damage.
type DamageResult struct {
	Dealt    uint32 // after absorption, overkill included
	Absorbed uint32
	Overkill uint32
	Killed   bool
	Immune   bool // the unit is immune to all of its schools
}

// A DamageDealt is a Damage that has been dealt, absorbed, or avoided: system vitals emits one for each that has
// reached a living unit.
type DamageDealt struct {
	Damage
	DamageResult
}

// Hit reports whether it has changed anything.
func (d *DamageDealt) Hit() bool { return d.Dealt > 0 || d.Absorbed > 0 }

// WithoutSpell reports whether a unit has dealt it without a spell: with a weapon, or as a game master's hit. A fall is no unit's.
func (d *DamageDealt) WithoutSpell() bool { return d.Spell == 0 && !d.Quiet }

// A Death is a unit whose health has reached 0 in this tick, once for each.
type Death struct {
	Entity ecs.Entity
	By     ecs.Entity // zero: the world
	Spell  uint32
}

// A Kill asks for the death of a living unit without damage. System vitals takes it.
type Kill struct{ Entity, By ecs.Entity }
