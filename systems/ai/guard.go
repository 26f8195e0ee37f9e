package ai

import (
	"slices"

	"muster/components/defs"
	"muster/ecs"
)

// stationGuard notes a guard whose cell has woken.
func (s *System) stationGuard(e ecs.Entity) {
	if s.template(e).Temper == defs.Guard && !slices.Contains(s.guards, e) {
		s.guards = append(s.guards, e)
	}
}

// alarmGuards has guards near a creature that fights defend its victim, if that is not hostile to them: a player, or a
// creature of their own faction. It is called at each step of the fight, so a guard also joins a fight that comes near. It
// costs nothing where no guard is awake.
//
// Source: Creature::_IsTargetAcceptable and Creature::CanStartAttack, AzerothCore.
func (s *System) alarmGuards(e, victim ecs.Entity) {
	if len(s.guards) == 0 || victim == (ecs.Entity{}) {
		return
	}
	s.guards = slices.DeleteFunc(s.guards, func(g ecs.Entity) bool {
		return !s.Alive(g) || !s.space.Get().Awake(s.homeCells.Get(g).Cell)
	})
	for _, g := range s.guards {
		if g != e && g != victim && !s.Hostile(g, victim) && s.near(g, e) {
			s.assistOne(g, e)
		}
	}
}
