package ai

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/rules"
)

// The distance at which a creature attacks a target of its own level, yards; one yard more for each level that the
// creature is above its target, one less for each level below, within limits.
//
// Source: Creature::GetAttackDistance, AzerothCore.
const (
	aggroYards    = 20
	minAggroYards = 5
	maxAggroYards = 45
)

// aggroDistance is the distance at which a creature of a level attacks a target of another level, yards.
func aggroDistance(level, prey uint32) float32 {
	return min(max(aggroYards+float32(int32(level-prey)), minAggroYards), maxAggroYards)
}

// aggroHeight is the largest difference in height between a creature that walks and a target that it attacks, yards,
// without the combat reach of both.
//
// Source: CREATURE_Z_ATTACK_RANGE and Creature::CanStartAttack, WorldObject::GetDistanceZ, AzerothCore.
const aggroHeight = 3

// probeYards is the distance that a player moves between two searches for creatures that would attack it, our own
// choice.
const probeYards = 2

// A probe is the position of an entity's last search.
type probe struct {
	entity ecs.Entity
	at     components.Vec
}

// noticeMoved lets creatures notice a player, or a player's servant, that has moved. It is nearly free in a cell
// without aggressive creatures.
func (s *System) noticeMoved(e ecs.Entity) {
	if len(s.space.Get().Hunters.All()) == 0 || !s.Alive(e) || !s.isPrey(e) {
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

// look has an aggressive creature search its surroundings, and reports whether it attacks a target now.
func (s *System) look(e ecs.Entity) bool {
	if !s.space.Get().Hunts(e) || s.aiStates.Get(e).Mode != components.Idle {
		return false
	}
	p := s.positions.Get(e)
	s.hunter, s.found = e, false
	s.space.Get().Order.Within(p.X, p.Y, maxAggroYards, s.homeCells.Get(e).Cell.Layer(), s.see)
	return s.found
}

// notice starts an attack of a creature on its prey if that is near enough. The argument is a creature around the
// prey or, while one creature searches, an entity around that creature.
func (s *System) notice(near ecs.Entity) {
	e, prey := near, s.prey
	if s.hunter != (ecs.Entity{}) {
		if e, prey = s.hunter, near; s.found || !s.entities.Alive(prey) || !s.isPrey(prey) {
			return
		}
	}
	if !s.Alive(e) || s.aiStates.Get(e).Mode != components.Idle || s.auraStates.Get(e).States&components.StateIncapacitated != 0 {
		return
	}
	if !s.near(e, prey) || !s.Attackable(e, prey) {
		return
	}
	s.found = true
	s.why.aggro.Count()
	s.reaction = msg.AIReaction{GUID: s.objects.Get(e).GUID, Reaction: msg.AIAggro}
	s.out.Broadcast(e, msg.OpAIReaction, &s.reaction)
	s.engage(e, prey)
	s.rouse(e, prey)
	s.rouse(prey, e) // the prey may be a servant
}

// near reports whether a target is within the aggro distance of a creature.
func (s *System) near(e, prey ecs.Entity) bool {
	own, other := s.units.Get(e), s.units.Get(prey)
	from, to := s.positions.Get(e).Vec(), s.positions.Get(prey).Vec()
	return flat(from, to) <= aggroDistance(own.Level, other.Level) &&
		height(from, to) <= aggroHeight+own.CombatReach+other.CombatReach
}

// height is the difference in height between two points, yards.
func height(a, b components.Vec) float32 { return max(a.Z-b.Z, b.Z-a.Z) }

// engage puts a creature and its foe into combat with each other, at the end of the stage.
func (s *System) engage(e, foe ecs.Entity) { s.engages.Emit(rules.Engage{By: e, To: foe}) }

// rouse begins the fight of a creature that has just got a first threat entry, and calls for assistance unless the
// creature is a servant.
func (s *System) rouse(e, foe ecs.Entity) {
	if s.begin(e, foe) && !s.serves(e) {
		s.call(e, foe, s.template(e).CallYards)
		s.assistGroup(e, foe)
	}
}

// begin begins a creature's fight with a foe that it engages. It reports whether there was one to begin.
func (s *System) begin(e, foe ecs.Entity) bool {
	if !s.Alive(e) || s.Player(e) {
		return false
	}
	state, template := s.aiStates.Get(e), s.template(e)
	if state.Mode != components.Idle { // also while it returns: it evades
		return false
	}
	state.HomePosition = s.positions.Get(e)
	if legs, _ := s.walks.Get(e).Remaining(s.tick.NowMs); s.spawnInfos.Get(e).Path >= 0 {
		state.Node -= uint32(len(legs)) // it walks to the node afterwards
	}
	state.Mode, state.Fled = components.Fighting, 0
	state.SinceMs, state.ReachedMs = s.tick.NowMs, s.tick.NowMs
	for i := range template.Spells[:min(len(template.Spells), components.MaxCreatureSpells)] {
		state.SpellMs[i] = s.tick.NowMs + template.Spells[i].FirstMs
	}
	if s.serves(e) { // its owner enters combat, too
		s.engage(s.spawnInfos.Get(e).Owner, foe)
	}
	s.schedule(e, 0)
	return true
}

// call has aggressive creatures of the same faction within a distance assist a creature in its fight. Those that
// assist do not call in their turn.
//
// Source: Creature::CallAssistance and Creature::CanAssistTo, AzerothCore.
func (s *System) call(e, foe ecs.Entity, yards float32) {
	if yards > 0 {
		p := s.positions.Get(e)
		s.caller, s.enemy = e, foe
		s.space.Get().Hunters.Within(p.X, p.Y, yards, s.homeCells.Get(e).Cell.Layer(), s.onCall)
	}
}

func (s *System) assistCaller(e ecs.Entity) {
	if e != s.caller && s.Alive(e) && s.units.Get(e).Faction == s.units.Get(s.caller).Faction {
		s.assistOne(e, s.enemy)
	}
}

// assistGroup has the members of a creature's group assist it, aggressive or not.
func (s *System) assistGroup(e, foe ecs.Entity) {
	leader := s.formations.Get(e).Leader
	if !s.entities.Alive(leader) {
		leader = e
	}
	if leader != e {
		s.assistOne(leader, foe)
	}
	for f := s.formations.Get(leader).Follower; f != (ecs.Entity{}); f = s.formations.Get(f).Next {
		if f != e {
			s.assistOne(f, foe)
		}
	}
}

// assistOne has an idle creature fight the foe of another. One that is in combat already or cannot attack the foe does
// not.
func (s *System) assistOne(e, foe ecs.Entity) {
	if s.aiStates.Get(e).Mode != components.Idle || !s.Alive(e) || s.threatStates.Get(e).List != 0 || !s.Attackable(e, foe) {
		return
	}
	s.engage(foe, e)
	if s.begin(e, foe) {
		s.why.assist.Count()
	}
}
