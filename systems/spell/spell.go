// Package spell is how spells are cast, by players and creatures alike. A cast goes through its systems as events, in
// the order of the list in systems/tick.go:
//
//	castrequests                             what is asked for         an attempt to begin
//	casts, autoshots                         what takes its time       an attempt to end, to pulse, to shoot
//	casterchecks, targetchecks, castcosts    whether it is possible    a tried
//	caststarts                               SMSG_SPELL_START          an executed, or a wait in system casts
//	spelltargets, spellrolls                 SMSG_SPELL_GO             a launched for each target
//	missiles                                 its flight                a landed
//	spellhits                                each effect               a hit, for one of the systems of effects
//
// A spell that another one triggers takes the same way in the next round of reactions, within the tick. What ends or
// delays casts is found by system castinterrupts.
//
// Nothing is polled: casters wait in a timer wheel. There is no check of the line of sight, as the world has no
// obstacles. Auras belong to package aura.
package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// Casts keeps what units cast and channel: it times that, delays it and ends it. Whether a cast begins and is executed
// is decided by the systems after it.
type Casts struct {
	failures

	entities ecs.Entities
	defs     ecs.Res[defs.World]

	waits         ecs.Requests[castWait]
	ends          ecs.Requests[castEnd]
	outcomes      ecs.Requests[outcome]
	swingReplaced ecs.Events[rules.SwingReplaced]
	attempts      ecs.Emit[attempt]
	changes       ecs.Emit[limitChange]
	channels      ecs.Emit[rules.SetChannel]
	auraRemovals  ecs.Emit[rules.RemoveAuras]
	casting       ecs.Write[components.Casting]

	interrupted sched.Counter `name:"spell.interrupted"` // casts that were not ended
	timers      sched.Wheel[timer]
	late        []castEnd // of channels that have begun in the same tick

	delayed msg.SpellDelayed // these are kept here, since a packet takes its message by reference
	start   msg.ChannelStart
	update  msg.ChannelUpdate
}

// Run handles what ends and delays casts, then due timers and swings.
func (s *Casts) Run(t sched.Tick) {
	s.endLate(t)
	s.endCasts(t)
	s.fire(t)
	s.swing()
}

// React handles what has come of casts in this tick: which of them wait, which hit, and which others they end.
func (s *Casts) React(t sched.Tick) {
	for _, w := range s.waits.Take() {
		if s.entities.Exists(w.cast.by) {
			s.wait(t, &w)
		}
	}
	for _, o := range s.outcomes.Take() {
		if s.entities.Exists(o.by) {
			s.settle(t, &o)
		}
	}
	s.endCasts(t)
}

// spell returns the template of a spell that is known to exist.
func (s *Casts) spell(id uint32) *defs.Spell { return s.defs.Get().Spell(id) }
