package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
)

// From how far a creature attacks whom it sees: so many yards from one of its own level, a yard more for each
// level that it is above, within limits.
//
// Source: Creature::GetAttackDistance, AzerothCore.
const (
	aggroYards    = 20
	minAggroYards = 5
	maxAggroYards = 45
)

// aggroDistance is from how far a creature of a level attacks somebody of another.
func aggroDistance(level, prey uint32) float32 {
	return min(max(aggroYards+float32(int32(level-prey)), minAggroYards), maxAggroYards)
}

// aggroHeight is how far above or below itself a creature that walks attacks whom it sees, yards, besides the reach of
// both.
//
// Source: CREATURE_Z_ATTACK_RANGE and Creature::CanStartAttack, WorldObject::GetDistanceZ, AzerothCore.
const aggroHeight = 3

// probeYards is how far a player goes between two looks for creatures that would attack it, our own choice.
const probeYards = 2

// A probe is where an entity last looked for them.
type probe struct {
	entity ecs.Entity
	at     components.Vec
}

// tread has creatures notice a player, or who serves one, that has moved. Where nothing hunts it costs next to nothing.
func (s *System) tread(e ecs.Entity) {
	if len(s.space.Get().Hunters.All()) == 0 || !s.book.Alive(e) || !s.prized(e) {
		return
	}
	id := int(e.ID())
	if id >= len(s.probed) {
		s.probed = append(s.probed, make([]probe, id+1-len(s.probed))...)
	}
	at := s.positions.Get(e).Vec()
	if last := &s.probed[id]; last.entity != e || max(flat(last.at, at), height(last.at, at)) >= probeYards {
		*last = probe{e, at}
		s.prey, s.hunter = e, ecs.Entity{}
		s.space.Get().Hunters.Within(at.X, at.Y, maxAggroYards, s.homeCells.Get(e).Cell.Layer(), s.see)
	}
}

// look has a creature that hunts look around by itself, and reports whether it attacks somebody now.
func (s *System) look(e ecs.Entity) bool {
	if !s.space.Get().Hunts(e) || s.aiStates.Get(e).Mode != components.Idle {
		return false
	}
	p := s.positions.Get(e)
	s.hunter, s.found = e, false
	s.space.Get().Order.Within(p.X, p.Y, maxAggroYards, s.homeCells.Get(e).Cell.Layer(), s.see)
	return s.found
}

// notice has a creature attack the prey, if it is near enough. It is shown either the creatures around the prey
// or what is around the creature.
func (s *System) notice(near ecs.Entity) {
	e, prey := near, s.prey
	if s.hunter != (ecs.Entity{}) {
		if e, prey = s.hunter, near; s.found || !s.entities.Alive(prey) || !s.prized(prey) {
			return
		}
	}
	if !s.book.Alive(e) || s.aiStates.Get(e).Mode != components.Idle || s.combats.Get(e).States&components.StateIncapacitated != 0 {
		return
	}
	if !s.near(e, prey) || !s.book.Attackable(e, prey) {
		return
	}
	s.found = true
	s.why.aggro.Count()
	s.growl = msg.AIReaction{GUID: s.objects.Get(e).GUID, Reaction: msg.AIAggro}
	s.out.Broadcast(e, msg.OpAIReaction, &s.growl)
	s.book.Engage(s.tick, e, prey)
	s.rouse(e)
	s.rouse(prey) // if it is a servant
}

// near reports whether a creature attacks somebody from where it is.
func (s *System) near(e, prey ecs.Entity) bool {
	own, other := s.units.Get(e), s.units.Get(prey)
	from, to := s.positions.Get(e).Vec(), s.positions.Get(prey).Vec()
	return flat(from, to) <= aggroDistance(own.Level, other.Level) &&
		height(from, to) <= aggroHeight+own.CombatReach+other.CombatReach
}

// height is how far one point is above or below another.
func height(a, b components.Vec) float32 { return max(a.Z-b.Z, b.Z-a.Z) }

// rouse begins a fight of a creature that has begun to hate, and has others come to its help, if it serves nobody.
func (s *System) rouse(e ecs.Entity) {
	if s.begin(e) && !s.serves(e) {
		s.call(e, s.template(e).CallYards)
		s.gather(e)
	}
}

// begin begins a fight. It reports whether there is one to begin.
func (s *System) begin(e ecs.Entity) bool {
	if !s.book.Alive(e) || s.book.Player(e) || len(s.book.ThreatList(e)) == 0 {
		return false
	}
	mind, template := s.aiStates.Get(e), s.template(e)
	if mind.Mode == components.Fighting || mind.Mode == components.Fleeing {
		return false
	}
	if mind.Mode == components.Idle {
		mind.HomePosition = s.positions.Get(e)
		if legs, _ := s.walks.Get(e).Remaining(s.tick.NowMs); s.spawnInfos.Get(e).Path >= 0 {
			mind.Node -= uint32(len(legs)) // it goes there afterwards
		}
	}
	mind.Mode, mind.Fled = components.Fighting, 0
	mind.SinceMs, mind.ReachedMs = s.tick.NowMs, s.tick.NowMs
	for i := range template.Spells[:min(len(template.Spells), components.MaxCreatureSpells)] {
		mind.SpellMs[i] = s.tick.NowMs + template.Spells[i].FirstMs
	}
	if s.serves(e) { // its owner is part of the fight
		s.book.Engage(s.tick, s.spawnInfos.Get(e).Owner, s.book.Choose(e))
	}
	s.schedule(e, 0)
	return true
}

// call has creatures around stand up for one that fights: those that attack first themselves, and have its
// faction. They do not call others in their turn.
//
// Source: Creature::CallAssistance and Creature::CanAssistTo, AzerothCore.
func (s *System) call(e ecs.Entity, yards float32) {
	if yards > 0 {
		p := s.positions.Get(e)
		s.caller = e
		s.space.Get().Hunters.Within(p.X, p.Y, yards, s.homeCells.Get(e).Cell.Layer(), s.hear)
	}
}

func (s *System) answer(e ecs.Entity) {
	if e != s.caller && s.book.Alive(e) && s.units.Get(e).Faction == s.units.Get(s.caller).Faction {
		s.stand(e, s.caller)
	}
}

// gather has those with whom a creature walks stand up for it, whatever their temper.
func (s *System) gather(e ecs.Entity) {
	leader := s.aiStates.Get(e).Leader
	if !s.entities.Alive(leader) {
		leader = e
	}
	if leader != e {
		s.stand(leader, e)
	}
	for f := s.aiStates.Get(leader).Follower; f != (ecs.Entity{}); f = s.aiStates.Get(f).Next {
		if f != e {
			s.stand(f, e)
		}
	}
}

// stand has a creature stand up for another.
func (s *System) stand(e, friend ecs.Entity) {
	if s.aiStates.Get(e).Mode == components.Idle && s.book.Assist(s.tick, e, friend) && s.begin(e) {
		s.why.assist.Count()
	}
}
