// Package rules is what the systems of combat share: damage, healing, power, threat and death, each of which has one
// way in. It is no system: systems call it in the tick, on the tick's goroutine.
package rules

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
)

// A Book is the combat rules of one world, as a part of each system that needs them: its fields are bound with those
// of the system.
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

	packets packets `image:"-"` // rewritten for each message
}

// New returns the rules of a world without systems, for tests.
func New(w *ecs.World) *Book {
	b := new(Book)
	ecs.Bind(w, b)
	return b
}

// Share adds the resources of a world that its books share.
func Share(w *ecs.World) {
	ecs.Share(w, new(CombatTimers))
	ecs.Share(w, new(ecs.Slab[components.ThreatList]))
	ecs.Share(w, new(ecs.Slab[components.Auras]))
}

// Player reports whether a unit is a player.
func (b *Book) Player(e ecs.Entity) bool { return b.sessions.Has(e) }

// Alive reports whether a unit exists, is not being despawned, and is alive. A ghost is not.
func (b *Book) Alive(e ecs.Entity) bool {
	if !b.entities.Alive(e) || b.vitals.Get(e).Health == 0 {
		return false
	}
	combat := b.combats.Get(e)
	return combat.Gone == 0 && combat.States&components.StateGhost == 0
}
