package gm

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// GMHealth executes the commands that damage, kill and revive, end combat, and save characters.
type GMHealth struct {
	group
	rules.Living

	place      ecs.Res[defs.Map]
	unsaved    change.Unsaved
	players    ecs.Query[components.Name] // only players have one
	vitals     ecs.Read[components.Vitals]
	records    ecs.ReadRef[components.Record]
	damages    ecs.Emit[rules.Damage]
	kills      ecs.Emit[rules.Kill]
	revives    ecs.Emit[rules.Revive]
	departures ecs.Emit[rules.LeaveCombat]
}

// OnEvents executes the commands of this group.
func (s *GMHealth) OnEvents(sched.Tick) { execute(&s.group, s, health) }

var health = []verb[GMHealth]{
	{"combatstop", (*GMCommands).player, (*GMHealth).combatStop},
	{"damage", (*GMCommands).unit, (*GMHealth).damage},
	{"die", (*GMCommands).unit, (*GMHealth).die},
	{"npc kill", (*GMCommands).byGUID, (*GMHealth).npcKill},
	{"revive", (*GMCommands).selected, (*GMHealth).revive},
	{"save", nil, (*GMHealth).save},
	{"saveall", nil, (*GMHealth).saveAll},
}

func (s *GMHealth) die(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	if !s.Alive(e) {
		return refusal("The dead do not die.")
	}
	s.kills.Emit(rules.Kill{Entity: e, By: c.by})
	c.say("%s is dead.", c.name)
	return nil
}

// npcKill kills a creature of this world.
func (s *GMHealth) npcKill(c *call) error {
	if c.of == (ecs.Entity{}) {
		return c.args.End()
	}
	return s.die(c)
}

// revive resurrects a player where it is, with full health.
//
// Source: HandleReviveCommand, cs_misc.cpp, AzerothCore.
func (s *GMHealth) revive(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	v := s.vitals.Get(e)
	if s.records.Get(e).Death.State == life.Alive && v.Health > 0 {
		return refusal("The living need not be revived.")
	}
	s.revives.Emit(rules.Revive{Entity: e, Health: v.MaxHealth, Mana: v.MaxPower[components.PowerMana]})
	c.say("%s lives.", c.name)
	return nil
}

// damage damages a unit as a hit of the game master that is not mitigated. A percentage is one of the maximum health.
//
// Source: HandleDamageCommand, cs_misc.cpp, AzerothCore.
func (s *GMHealth) damage(c *call) error {
	e := c.of
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
	c.say("%s takes %d damage.", c.name, amount)
	return nil
}

func (s *GMHealth) combatStop(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	s.departures.Emit(rules.LeaveCombat{Entity: e})
	c.say("%s is at peace.", c.name)
	return nil
}

func (s *GMHealth) save(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.unsaved.MarkNow(c.by, life.All)
	c.say("%s is being saved.", c.name)
	return nil
}

func (s *GMHealth) saveAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	n := 0
	for q := s.players.Iter(); q.Next(); n++ {
		s.unsaved.MarkNow(q.Entity(), life.All)
	}
	c.say("%d players of map %d are being saved.", n, s.place.Get().ID)
	return nil
}
