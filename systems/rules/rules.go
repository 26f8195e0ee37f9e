// Package rules is what the systems that make units fight share: damage, healing, power, threat and death,
// each of which has one way in. It is no system: whoever acts calls it, in the tick and on the tick's
// goroutine, and says in Writes that it touches what rules.Writes lists.
package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
)

// A Book is the rules of one world, as a part of each system that needs them: its fields are bound with those of the
// system.
type Book struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	dirty    change.Dirty

	timers         ecs.ResMut[CombatTimers]
	threats        ecs.ResMut[ecs.Slab[components.ThreatList]]
	auras          ecs.ResMut[ecs.Slab[components.Auras]]
	deaths         ecs.Emit[Death]
	damageDealt    ecs.Emit[DamageDealt]
	engaged        ecs.Emit[Engaged]
	statsDirty     ecs.Emit[StatsDirty]
	swingReplaced  ecs.Emit[SwingReplaced]
	lootRecipients ecs.Emit[LootRecipientSet]

	objects     ecs.Read[components.Object]
	vitals      ecs.Write[components.Vitals]
	units       ecs.Write[components.Unit]
	stances     ecs.Write[components.Stance]
	combats     ecs.Write[components.CombatState]
	combatStats ecs.Write[components.CombatStats]
	targets     ecs.Write[components.Target]
	positions   ecs.Read[components.Position]
	sessions    ecs.Read[components.Session]
	stats       ecs.Write[components.Stats]
	progress    ecs.Write[components.Progress]
	spawnInfos  ecs.Read[components.SpawnInfo]

	inventories ecs.View[components.Inventory]

	threatFull sched.Counter `name:"combat.threat_full"`

	packets packets `image:"-"` // written anew for each
}

// New returns the rules of a world by themselves, for tests.
func New(w *ecs.World) *Book {
	b := new(Book)
	ecs.Bind(w, b)
	return b
}

// Share gives a world what its books meet in.
func Share(w *ecs.World) {
	ecs.Share(w, new(CombatTimers))
	ecs.Share(w, new(ecs.Slab[components.ThreatList]))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
}

// Player reports whether a unit is a player's.
func (b *Book) Player(e ecs.Entity) bool { return b.sessions.Has(e) }

// Alive reports whether a unit is there, and to stay, and lives. A ghost does not.
func (b *Book) Alive(e ecs.Entity) bool {
	if !b.entities.Alive(e) || b.vitals.Get(e).Health == 0 {
		return false
	}
	bout := b.combats.Get(e)
	return bout.Gone == 0 && bout.States&components.StateGhost == 0
}
