package spell

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// failures sends clients that casts have failed, as a part of the systems that find that out. Messages are kept here,
// since a packet takes its message by reference.
type failures struct {
	out     change.Out
	objects ecs.Read[components.Object]

	failed  msg.CastFailed
	failure msg.SpellFailure
	other   msg.SpellFailedOther
}

// fail sends the caster the reason for which a cast failed, and broadcasts the failure.
//
// Source: Spell::SendCastResult and Spell::SendInterrupted, AzerothCore.
func (f *failures) fail(c *castEvent, why msg.CastResult) {
	guid := f.objects.Get(c.by).GUID
	f.failed = msg.CastFailed{Count: c.count, Spell: c.id, Result: why}
	f.out.SendNow(c.by, msg.OpCastFailed, &f.failed)
	f.failure = msg.SpellFailure{Caster: guid, Count: c.count, Spell: c.id, Result: why}
	f.out.Broadcast(c.by, msg.OpSpellFailure, &f.failure)
	f.other = msg.SpellFailedOther(f.failure)
	f.out.Broadcast(c.by, msg.OpSpellFailedOther, &f.other)
	f.out.Happen(change.Happening{Kind: change.HappenedCastFailed, Subject: guid, ID: c.id, Amount: uint32(why)})
}

// refusals is failures, and refuses to begin casts.
type refusals struct {
	failures

	results ecs.Emit[rules.CastResult]
	refused sched.Counter `name:"spell.refused"` // casts that were not begun
}

// refuse sends the client that asked for a cast the reason of its refusal.
func (r *refusals) refuse(a *attempt, why msg.CastResult) {
	c := &a.cast
	r.refused.Count()
	if a.ticket != 0 {
		r.results.Emit(rules.CastResult{Ticket: a.ticket, Why: why})
	}
	if a.asked || c.item != 0 {
		r.failed = msg.CastFailed{Count: c.count, Spell: c.id, Result: why}
		r.out.SendNow(c.by, msg.OpCastFailed, &r.failed)
		r.out.Happen(change.Happening{Kind: change.HappenedCastFailed, Subject: r.objects.Get(c.by).GUID, ID: c.id, Amount: uint32(why)})
	}
}

// wireTargets returns the targets of a cast as the wire has them; guid is that of the unit that it is aimed at.
func wireTargets(c *cast, guid uint64) (to msg.Targets) {
	if guid != 0 && aimed(c.spell) {
		to.Mask |= msg.TargetUnit
		to.Unit = guid
	}
	if c.placed && placed(c.spell) {
		to.Mask |= msg.TargetDest
		to.Dst.Position = wire.Vec3(c.to)
	}
	return to
}
