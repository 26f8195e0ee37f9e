package gm

import (
	"math"

	"muster/components"
	"muster/components/life"
	"muster/systems/rules"
)

func (s *System) die(c *call) error {
	e, err := s.unit(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	if !s.Alive(e) {
		return refusal("The dead do not die.")
	}
	s.kills.Emit(rules.Kill{Entity: e, By: c.by})
	s.say("%s is dead.", s.nameOf(e))
	return nil
}

// revive resurrects a player where it is, with full health.
//
// Source: HandleReviveCommand, cs_misc.cpp, AzerothCore.
func (s *System) revive(c *call) error {
	e, err := s.selected(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	v := s.vitals.Get(e)
	if s.records.Get(e).Death.State == life.Alive && v.Health > 0 {
		return refusal("The living need not be revived.")
	}
	s.revives.Emit(rules.Revive{Entity: e, Health: v.MaxHealth, Mana: v.MaxPower[components.PowerMana]})
	s.say("%s lives.", s.nameOf(e))
	return nil
}

// damage damages a unit as a hit of the game master that is not mitigated. A percentage is one of the maximum health.
//
// Source: HandleDamageCommand, cs_misc.cpp, AzerothCore.
func (s *System) damage(c *call) error {
	e, err := s.unit(c)
	if err != nil {
		return err
	}
	amount, school := c.args.Int(1, math.MaxInt32), int64(0)
	if c.args.Is("pct") {
		amount = int64(s.vitals.Get(e).MaxHealth) * min(amount, 100) / 100
	} else if c.args.Len() > 0 {
		school = c.args.Int(0, 6)
		if c.args.Len() > 0 {
			c.args.ID()
		}
	}
	if err := c.args.End(); err != nil {
		return err
	}
	if !s.Alive(e) {
		return refusal("The dead cannot be hurt.")
	}
	s.damages.Emit(rules.Damage{
		By: c.by, To: e, School: 1 << school, Amount: uint32(amount), Kind: rules.SilentDamage, Quiet: e == c.by,
	})
	s.say("%s takes %d damage.", s.nameOf(e), amount)
	return nil
}

func (s *System) combatStop(c *call) error {
	e, err := s.player(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	s.departures.Emit(rules.LeaveCombat{Entity: e})
	s.say("%s is at peace.", s.nameOf(e))
	return nil
}

func (s *System) save(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.unsaved.MarkNow(c.by, life.All)
	s.say("%s is being saved.", s.nameOf(c.by))
	return nil
}

func (s *System) saveAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	n := 0
	for q := s.players.Query(); q.Next(); n++ {
		s.unsaved.MarkNow(q.Entity(), life.All)
	}
	s.say("%d players of map %d are being saved.", n, s.place.Get().ID)
	return nil
}
