// Package fightscene is the scene of the fights that are measured: players before creatures, one to one, half of them
// with weapons and half with spells, and three auras on each unit. It is only a script: the world's
// templates, and what clients send in each tick. The world that runs it decides the outcome.
//
// No unit dies, since a scene that empties is not steady: all have a billion health, of which an hour of hits takes
// less than a thousandth, and players begin with half of theirs, so that what heals them always finds something to
// heal.
package fightscene

import (
	"math"
	"slices"
	"strconv"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
)

// Where fights take place.
const (
	PerHub   = 50  // fights in one disc, whose players see each other and all creatures of it
	hubYards = 300 // from one disc to the next: no player sees two of them
	discYard = 35  // radius of a disc
	armYards = 2   // from a player to its creature
)

// When players do something.
const (
	// BeginTick is the tick from which on players fight: all have entered, and their clients have been sent that.
	BeginTick = 60
	// paceTicks is how often each player does something: every two seconds of 50 ms, in a phase of its own.
	paceTicks = 40
)

const (
	level  = 20
	health = 1_000_000_000
	mana   = 1_000_000_000
)

// The classes of players.
//
// Source: Classes, SharedDefines.h, AzerothCore.
const (
	warrior = 1
	mage    = 8
)

// The entries of creatures.
const (
	Bruiser = 1 // strikes
	Adept   = 2 // casts
)

// A Scene is so many fights.
type Scene struct {
	Defs   *defs.World // with one map
	Fights int

	body  []byte
	spell msg.CastSpell
	swing msg.AttackSwing
}

// New returns the scene of so many fights.
func New(fights int) *Scene {
	b := &Scene{Defs: World(), Fights: fights}
	m := &b.Defs.Maps[0]
	for i := range fights {
		x, y := b.At(i)
		m.Spawns = append(m.Spawns, defs.Spawn{Entry: entry(i), X: x + armYards, Y: y, O: math.Pi, Path: -1})
	}
	return b
}

// Casts reports whether the two of a fight cast; else they strike.
func Casts(fight int) bool { return fight%2 == 1 }

func entry(fight int) uint32 {
	if Casts(fight) {
		return Adept
	}
	return Bruiser
}

// Player is the GUID of a fight's player, and of the session that is one less.
func Player(fight int) uint64 { return uint64(fight + 1) }

// Foe is the GUID of a fight's creature, whose spawn point has the number of the fight.
func Foe(fight int) uint64 {
	return components.CreatureGUID(entry(fight), respawn.FirstCounter+uint32(fight))
}

// At is where the player of a fight stands, and looks along the x axis at its creature. The fights of a disc fill it
// evenly.
func (b *Scene) At(fight int) (x, y float32) {
	hub, n := fight/PerHub, float64(fight%PerHub)
	side := int(math.Ceil(math.Sqrt(float64(b.Fights) / PerHub)))
	sin, cos := math.Sincos(n * math.Pi * (3 - math.Sqrt(5))) // the golden angle
	far := discYard * math.Sqrt((n+0.5)/PerHub)
	return float32(float64(hubYards*(hub%side-side/2)) + far*cos), float32(float64(hubYards*(hub/side-side/2)) + far*sin)
}

// Enter is the player of a fight as it comes in.
func (b *Scene) Enter(fight int) frame.Character {
	x, y := b.At(fight)
	c := frame.Character{
		GUID: Player(fight), Name: "Fighter" + strconv.Itoa(fight), Race: 1, Class: warrior, Level: level,
		X: x, Y: y, Told: life.All,
		Life: life.Life{Begun: true, Health: health / 2, Spells: []uint32{Rend, Mend, Might}},
	}
	if Casts(fight) {
		c.Class = mage
		c.Power[components.PowerMana] = mana
		c.Spells = []uint32{Bolt, Mend, Might}
	}
	return c
}

// Say visits what clients send for a tick: in the first they enter. The item is good until the visit ends.
func (b *Scene) Say(tick uint64, visit func(frame.Item)) {
	if tick == 1 {
		for i := range b.Fights {
			c := b.Enter(i)
			b.post(visit, i, frame.OpEnter, &c)
		}
	}
	if tick < BeginTick {
		return
	}
	for i := int((tick - BeginTick) % paceTicks); i < b.Fights; i += paceTicks {
		b.act(visit, i, int((tick-BeginTick)/paceTicks))
	}
}

// act is what a player does in its n-th turn: of fifteen, in one it heals itself and in one it casts a buff on itself. In
// the others casters cast, and fighters ask to attack, and in every third turn make their target bleed.
func (b *Scene) act(visit func(frame.Item), fight, n int) {
	switch {
	case n%15 == 0:
		b.cast(visit, fight, Mend, Player(fight))
	case n%15 == 1:
		b.cast(visit, fight, Might, Player(fight))
	case Casts(fight):
		b.cast(visit, fight, Bolt, Foe(fight))
	case n%3 == 2:
		b.cast(visit, fight, Rend, Foe(fight))
	}
	if !Casts(fight) {
		b.swing.GUID = Foe(fight)
		b.post(visit, fight, msg.OpAttackSwing, &b.swing)
	}
}

func (b *Scene) cast(visit func(frame.Item), fight int, spell uint32, at uint64) {
	b.spell = msg.CastSpell{Spell: spell, Targets: msg.Targets{Mask: msg.TargetUnit, Unit: at}}
	b.post(visit, fight, msg.OpCastSpell, &b.spell)
}

func (b *Scene) post(visit func(frame.Item), fight int, op uint16, m msg.Message) {
	b.body = msg.Append(b.body[:0], wire.V12340, m)
	visit(frame.Item{Session: uint32(fight), Op: op, Body: b.body})
}

// The spells.
const (
	Bolt  = 1 + iota // takes a second and a half, does damage, and then periodic damage
	Mend             // heals its caster over time
	Might            // raises its caster's damage
	Rend             // instant, does periodic damage
)

// World has the templates of the scene, and one empty map.
func World() *defs.World {
	aura := func(kind defs.AuraKind, to defs.Target, amount, misc int32, pulseMs uint32) defs.Effect {
		return defs.Effect{Kind: defs.EffectApplyAura, Aura: kind, Target: to, Amount: amount, Misc: misc, PulseMs: pulseMs}
	}
	d := &defs.World{
		Maps: []defs.Map{{Half: grid.Limit}},
		Players: defs.Players{
			DisplayID: [2]uint32{6, 7}, Faction: defs.FactionFriendly, BoundingRadius: 0.5, CombatReach: 1.5,
			NextXP: slices.Repeat([]uint32{1000}, level+1), MaxLevel: level,
		},
		Spells: []defs.Spell{
			{
				ID: Bolt, Name: "Bolt", School: defs.SchoolFire, Flags: defs.SpellHarmful | defs.SpellInterruptible,
				CastMs: 1500, GlobalMs: 1500, DurationMs: 12_000, MaxRange: 30, Power: components.PowerMana, Cost: 10,
				Effects: [defs.MaxEffects]defs.Effect{
					{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 20, Dice: 10},
					aura(defs.AuraPeriodicDamage, defs.TargetEnemy, 5, 0, 3000),
				},
			},
			{
				ID: Mend, Name: "Mend", School: defs.SchoolNature, DurationMs: 40_000,
				Effects: [defs.MaxEffects]defs.Effect{aura(defs.AuraPeriodicHeal, defs.TargetCaster, 6, 0, 3000)},
			},
			{
				ID: Might, Name: "Might", School: defs.SchoolArcane, DurationMs: 40_000,
				Effects: [defs.MaxEffects]defs.Effect{aura(defs.AuraAttackPower, defs.TargetCaster, 28, 0, 0)},
			},
			{
				ID: Rend, Name: "Rend", School: defs.SchoolPhysical, Flags: defs.SpellHarmful | defs.SpellMelee,
				DurationMs: 15_000,
				Effects:    [defs.MaxEffects]defs.Effect{aura(defs.AuraPeriodicDamage, defs.TargetEnemy, 4, 0, 3000)},
			},
		},
	}
	class := defs.Class{
		Health: defs.Growth{First: health}, Damage: defs.Growth{First: 20}, Spread: 0.25, SwingMs: 2000, Crit: 5, Dodge: 5,
	}
	d.Players.Classes[warrior], d.Players.Classes[mage] = class, class
	d.Players.Classes[warrior].Power = components.PowerRage
	d.Players.Classes[mage].Mana = defs.Growth{First: mana}
	on := func(spell, cooldownMs uint32) defs.CreatureSpell {
		return defs.CreatureSpell{Spell: spell, CooldownMs: cooldownMs, OnSelf: true}
	}
	beast := defs.Creature{
		Faction: defs.FactionHostile, DisplayID: 5, Type: defs.TypeBeast, Class: defs.ClassWarrior, MinLevel: level, MaxLevel: level,
		Scale: 1, BoundingRadius: 0.5, CombatReach: 1.5, WalkSpeed: 2.5, RunSpeed: 7, MinHealth: health, MaxHealth: health,
		AttackTimeMs: 2000, MinDamage: 15, MaxDamage: 25, Armor: 300,
	}
	bruiser, adept := beast, beast
	bruiser.Entry, bruiser.Name = Bruiser, "Bruiser"
	bruiser.Spells = []defs.CreatureSpell{
		on(Mend, 20_000), on(Might, 20_000), {Spell: Rend, CooldownMs: 6000, MaxYards: 5},
	}
	adept.Entry, adept.Name, adept.Mana = Adept, "Adept", mana
	adept.Spells = []defs.CreatureSpell{
		on(Mend, 20_000), on(Might, 20_000), {Spell: Bolt, CooldownMs: 1500, MaxYards: 30},
	}
	d.Creatures = []defs.Creature{bruiser, adept}
	return d
}
