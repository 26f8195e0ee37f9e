package ai

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
)

// Guards has guards near a creature that fights defend its victim, if that is not hostile to them: a player, or a
// creature of their own faction. It costs little where no guard is awake.
//
// Source: Creature::_IsTargetAcceptable and Creature::CanStartAttack, AzerothCore.
type Guards struct {
	assistant
	defs      ecs.Res[defs.World]
	space     ecs.Res[space.Space]
	woken     ecs.Events[change.Woken]
	alarms    ecs.Events[alarm]
	objects   ecs.Read[components.Object]
	homeCells ecs.Read[components.HomeCell]

	guards []ecs.Entity // in cells that are awake, and some that no longer are
}

// An alarm is each step of a creature that fights a victim, so that guards also join a fight that comes near. System
// guards takes it.
type alarm struct{ entity, victim ecs.Entity }

// OnEvents implements sched.Handler.
func (s *Guards) OnEvents(t sched.Tick) {
	for _, it := range s.woken.All() {
		if s.Alive(it.Entity) && s.defs.Get().Creature(s.objects.Get(it.Entity).Entry).ReactState == defs.Guard && !slices.Contains(s.guards, it.Entity) {
			s.guards = append(s.guards, it.Entity)
		}
	}
	alarms := s.alarms.All()
	if len(s.guards) == 0 || len(alarms) == 0 {
		return
	}
	s.guards = slices.DeleteFunc(s.guards, func(g ecs.Entity) bool {
		return !s.Alive(g) || !s.space.Get().Awake(s.homeCells.Get(g).Cell)
	})
	for _, it := range alarms {
		for _, g := range s.guards {
			if g != it.entity && g != it.victim && !s.Hostile(g, it.victim) && s.inRange(g, it.entity) {
				s.assist(t, g, it.entity)
			}
		}
	}
}

func (s *Guards) inRange(g, e ecs.Entity) bool {
	return inAggroRange(s.units.Get(g), s.units.Get(e), s.positions.Get(g).Vec(), s.positions.Get(e).Vec())
}
