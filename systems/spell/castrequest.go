package spell

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// CastRequests reads the casts that clients and other systems ask for, and attempts those of known spells at existing
// targets.
type CastRequests struct {
	refusals

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	casts    ecs.Requests[rules.Cast]
	sent     ecs.Events[change.Sent[msg.CastSpell]]
	spells   ecs.ReadRef[components.Spellbook]
	units    ecs.Read[components.Unit]
	attempts ecs.Emit[attempt]

	unknown   sched.Counter `name:"spell.unknown"`    // spells that do not exist
	notKnown  sched.Counter `name:"spell.not_known"`  // spells that the player does not know
	badTarget sched.Counter `name:"spell.bad_target"` // targets that do not exist
	badPlace  sched.Counter `name:"spell.bad_place"`  // places that do not exist
}

// OnEvents implements sched.Handler.
//
// Source: WorldSession::HandleCastSpellOpcode, AzerothCore.
func (s *CastRequests) OnEvents(sched.Tick) {
	casts := s.casts.Take()
	for i := range casts {
		ask := &casts[i]
		a := newAttempt(atBegin, castEvent{
			by: ask.By, target: ask.Target, to: ask.To, id: ask.Spell, item: ask.Item, count: ask.Count, depth: ask.Depth,
			placed: ask.Placed, triggered: ask.Triggered,
		})
		a.asked, a.ticket = ask.Asked, ask.Ticket
		if s.entities.Exists(ask.By) {
			s.begin(&a)
		}
	}
	for i, all := 0, s.sent.All(); i < len(all); i++ {
		m := &all[i].Msg
		a := newAttempt(atBegin, castEvent{by: all[i].By, id: m.Spell, count: m.Count})
		a.asked = true
		if s.aim(&a.cast, &m.Targets) {
			s.begin(&a)
		} else {
			s.refuse(&a, msg.CastBadTargets)
		}
	}
}

// aim sets the target of a cast, and its place, and reports whether they exist.
func (s *CastRequests) aim(c *castEvent, at *msg.Targets) bool {
	if at.Mask&(msg.TargetUnit|msg.TargetAllyCorpse|msg.TargetEnemyCorpse) != 0 {
		if c.target = s.space.Get().Find(at.Unit); !s.entities.Exists(c.target) || !s.units.Has(c.target) {
			c.target = ecs.Entity{}
		}
		if c.target == (ecs.Entity{}) && at.Unit != 0 {
			s.badTarget.Count()
			return false
		}
	}
	if at.Mask&msg.TargetDest != 0 {
		c.placed = true
		c.to = components.Vec(at.Dst.Position)
		if !onMap(c.to) || at.Dst.Transport != 0 {
			s.badPlace.Count()
			return false
		}
	}
	return true
}

// onMap reports whether a place is on the map.
func onMap(v components.Vec) bool {
	return grid.Inside(v.X, v.Y) && math.Abs(float64(v.Z)) <= components.MaxHeight
}

func (s *CastRequests) begin(a *attempt) {
	c := &a.cast
	switch sp := s.defs.Get().Spell(c.id); {
	case sp == nil:
		s.unknown.Count()
		s.refuse(a, msg.CastNotKnown)
	case a.asked && (sp.Has(defs.SpellPassive) || !s.spells.Get(c.by).Knows(sp.ID)):
		s.notKnown.Count()
		s.refuse(a, msg.CastNotKnown)
	default:
		if c.target == (ecs.Entity{}) && friendly(sp) {
			c.target = c.by
		}
		s.attempts.Emit(*a)
	}
}

// friendly reports whether a spell cast without a target is cast on its caster.
func friendly(sp *defs.Spell) bool {
	if sp.Has(defs.SpellHarmful) {
		return false
	}
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind != defs.EffectNone && e.Target.Aimed() {
			return e.Target != defs.TargetEnemy
		}
	}
	return false
}
