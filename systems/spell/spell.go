// Package spell is how spells are cast, by players and creatures alike: a request is checked, begun, timed, perhaps
// delayed or interrupted, and executed; its effects follow at once, or when its missile arrives.
//
// Nothing is polled: casters wait in a timer wheel. There is no check of the line of sight, as the world has no
// obstacles. Auras belong to system aura.
package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System executes spells, from the request to the effect.
type System struct {
	rules.Units
	rules.Reach

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	out      change.Out
	unsaved  change.Unsaved
	auras    rules.Auras
	items    goods.Reader
	uses     ecs.Emit[goods.UseItem]

	requests ecs.Events[change.Sent[msg.CastSpell]]
	cancels  ecs.Events[change.Sent[msg.CancelCast]]
	unchosen ecs.Events[change.Sent[msg.CancelChannelling]]
	wishes   ecs.Events[change.Sent[msg.Empty]]
	moves    ecs.Events[change.Sent[msg.Move]]

	casts         ecs.Requests[rules.Cast]
	triggered     ecs.Emit[rules.Cast]
	interrupts    ecs.Requests[rules.InterruptCast]
	damageDealt   ecs.EventReader[rules.DamageDealt]
	deaths        ecs.EventReader[rules.Death]
	swingReplaced ecs.Events[rules.SwingReplaced]
	powers        ecs.Emit[rules.PowerChange]
	engages       ecs.Emit[rules.Engage]
	shots         ecs.Emit[rules.SwingChanged]
	channels      ecs.Emit[rules.SetChannel]
	auraRemovals  ecs.Emit[rules.RemoveAuras]
	aurasBroken   ecs.Emit[rules.AuraBroken]

	castResults ecs.Emit[rules.CastResult]

	damageHits ecs.Emit[damageHit]
	healHits   ecs.Emit[healHit]
	threatHits ecs.Emit[threatHit]
	moveHits   ecs.Emit[moveHit]
	callHits   ecs.Emit[callHit]
	auraHits   ecs.Emit[auraHit]

	objects      ecs.Read[components.Object]
	swings       ecs.Read[components.SwingTimers]
	auraStates   ecs.Read[components.AuraState]
	threatStates ecs.Read[components.ThreatState]
	cheats       ecs.Read[components.Cheats]
	vitals       ecs.View[components.Vitals]
	units        ecs.Read[components.Unit]
	stances      ecs.Read[components.Stance]
	positions    ecs.Read[components.Position]
	motions      ecs.View[components.Motion]
	walks        ecs.View[components.Walk]
	homeCells    ecs.Read[components.HomeCell]
	stats        ecs.View[components.Stats]

	combatStats ecs.View[components.CombatStats]

	casting   ecs.Write[components.Casting]
	spells    ecs.View[components.Spellbook]
	cooldowns ecs.Write[components.Cooldowns]

	timers   sched.Wheel[timer]
	missiles sched.Wheel[missile]
	gather   gather  `image:"-"` // within a cast
	hands    [8]cast `image:"-"` // see hand
	used     int
	said     said
	counters
}

// Run handles the delays and ends of casts that follow from damage and deaths since it ran last, then due timers, then
// requests. What a cast triggers at once is done in the same tick.
func (s *System) Run(t sched.Tick) {
	s.pushBack(t)
	s.cancelDead(t)
	s.interrupt(t)
	s.fire(t)
	s.swing(t)
	s.ask(t)
	for range maxTriggered + 1 {
		casts := s.casts.Take()
		for i := range casts {
			s.begin(t, &casts[i])
		}
	}
}

// Init implements ecs.Initializer.
func (s *System) Init() { s.gather.visit = s.gather.near }

// maxTriggered is how many spells in a row may trigger each other, with missiles in between or without, our own
// choice.
const maxTriggered = 4
