package stats

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// A computed is that a unit's stats were computed, and what other systems make of them. Of two values the first is the
// one before.
type computed struct {
	entity              ecs.Entity
	maxHealth, maxPower uint32
	power               uint8
	kind                uint8
	speed, haste        [2]float32
	swings              [2][3]uint32
}

// The kinds of computed.
const (
	changes uint8 = iota // of a unit that had stats before
	enters               // of a player that has not joined yet: the rest follows once it has
	joins                // of a player that joins
)

// StatEffects lets other systems know what depends on stats: maxima of health and power, speeds and swings.
type StatEffects struct {
	defs     ecs.Res[defs.World]
	computed ecs.Requests[computed]
	maxima   ecs.Emit[rules.MaxVitals]
	hastes   ecs.Emit[rules.HasteChanged]
	speeds   ecs.Emit[move.SetSpeed]
	swings   ecs.Emit[rules.SetSwingTimes]
	objects  ecs.Read[components.Object]
	records  ecs.ReadRef[components.Record]
	vitals   ecs.Read[components.Vitals]
}

// React follows system stats.
func (s *StatEffects) React(sched.Tick) {
	for i, all := 0, s.computed.Take(); i < len(all); i++ {
		c := &all[i]
		s.showSwings(c)
		if c.kind == enters {
			continue
		}
		s.maxima.Emit(rules.MaxVitals{
			Entity: c.entity, Health: c.maxHealth, Max: c.maxPower, Power: c.power, Fill: c.kind == joins && s.isNew(c.entity),
		})
		if c.speed[0] != c.speed[1] {
			s.setSpeed(c.entity, c.speed[1])
		}
		if c.haste[0] != c.haste[1] {
			s.hastes.Emit(rules.HasteChanged{
				Entity: c.entity, Before: c.haste[0], After: c.haste[1], SwingMs: [2]uint32(c.swings[0][:2]),
			})
		}
	}
}

// isNew reports whether a player has never been in a world: it gets full health and power. Others keep what they were
// saved with, and go on regenerating.
func (s *StatEffects) isNew(e ecs.Entity) bool {
	return s.vitals.Get(e).Health == 0 && s.records.Get(e).Death.State == life.Alive
}

// showSwings has a unit show its swing times: the main hand's for a weapon that it does not have.
func (s *StatEffects) showSwings(c *computed) {
	swings := c.swings[1]
	for hand := range swings {
		if swings[hand] == 0 {
			swings[hand] = swings[components.MainHand]
		}
	}
	s.swings.Emit(rules.SetSwingTimes{Entity: c.entity, Ms: swings})
}

// setSpeed sets a unit's run and swim speeds by their factor.
//
// Source: Unit::UpdateSpeed, AzerothCore.
func (s *StatEffects) setSpeed(e ecs.Entity, factor float32) {
	normal := components.NormalSpeeds()
	if c := s.defs.Get().Creature(s.objects.Get(e).Entry); c != nil {
		normal[components.SpeedRun] = c.RunSpeed
	}
	for _, which := range [...]uint32{components.SpeedRun, components.SpeedSwim} {
		s.speeds.Emit(move.SetSpeed{Entity: e, Which: which, Speed: float32(normal[which] * factor)})
	}
}
