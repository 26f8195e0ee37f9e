package gm

import (
	"fmt"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
)

// GMInfo executes the commands that tell about units and templates.
type GMInfo struct {
	group

	entities   ecs.Entities
	defs       ecs.Res[defs.World]
	place      ecs.Res[defs.Map]
	space      ecs.Res[space.Space]
	objects    ecs.Read[components.Object]
	units      ecs.Read[components.Unit]
	vitals     ecs.Read[components.Vitals]
	records    ecs.ReadRef[components.Record]
	progress   ecs.Read[components.Progress]
	positions  ecs.Read[components.Position]
	spawnInfos ecs.Read[components.SpawnInfo]
}

// OnEvents executes the commands of this group.
func (s *GMInfo) OnEvents(sched.Tick) { execute(&s.group, s, info) }

var info = []verb[GMInfo]{
	{"guid", (*GMCommands).unit, (*GMInfo).guid},
	{"lookup creature", nil, (*GMInfo).lookupCreature},
	{"lookup item", nil, (*GMInfo).lookupItem},
	{"lookup spell", nil, (*GMInfo).lookupSpell},
	{"npc info", (*GMCommands).creature, (*GMInfo).npcInfo},
	{"npc near", nil, (*GMInfo).npcNear},
	{"pinfo", (*GMCommands).player, (*GMInfo).playerInfo},
}

func (s *GMInfo) guid(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	guid := s.objects.Get(e).GUID
	c.say("%s has GUID %#016x, counter %d.", c.name, guid, guid&components.MaxCounter)
	return nil
}

func (s *GMInfo) playerInfo(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	unit, v, r := s.units.Get(e), s.vitals.Get(e), s.records.Get(e)
	p := s.positions.Get(e)
	played, _ := r.Played(c.t.NowMs)
	c.say("%s, GUID %d, account %d, level of security %d", c.name, s.objects.Get(e).GUID, r.Account, r.SecurityLevel)
	c.say("Race %d, class %d, level %d, %d copper", unit.Bytes0[components.ByteRace], unit.Bytes0[components.ByteClass],
		unit.Level, s.progress.Get(e).Coinage)
	c.say("Health %d of %d, map %d, zone %d, X: %f Y: %f Z: %f", v.Health, v.MaxHealth, s.place.Get().ID, s.place.Get().Zone(p.X, p.Y), p.X, p.Y, p.Z)
	c.say("Played for %d seconds", played)
	return nil
}

func (s *GMInfo) npcInfo(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	o, unit, v := s.objects.Get(e), s.units.Get(e), s.vitals.Get(e)
	p := s.positions.Get(e)
	c.say("%s, entry %d, GUID %#016x, counter %d", c.name, o.Entry, o.GUID, o.GUID&components.MaxCounter)
	c.say("Level %d, faction %d, display %d, health %d of %d", unit.Level, unit.Faction, unit.DisplayID, v.Health, v.MaxHealth)
	c.say("X: %f Y: %f Z: %f, flags %#x", p.X, p.Y, p.Z, unit.Flags)
	return nil
}

func (s *GMInfo) npcNear(c *call) error {
	yards := float32(10)
	if c.args.Len() > 0 {
		yards = c.args.Float(1, grid.MustSeeYards)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	n := 0
	p := s.positions.Get(c.by)
	s.space.Get().Order.Within(p.X, p.Y, yards, grid.Living, func(near ecs.Entity) {
		if !s.entities.Exists(near) || !s.spawnInfos.Has(near) {
			return
		}
		n++
		o, at := s.objects.Get(near), s.positions.Get(near)
		c.say("%s, entry %d, counter %d, X: %.1f Y: %.1f", creatureName(s.defs.Get(), o.Entry), o.Entry, o.GUID&components.MaxCounter, at.X, at.Y)
	})
	c.say("%d creatures are within %g yards.", n, yards)
	return nil
}

func (s *GMInfo) lookupCreature(c *call) error {
	return c.look(func(found func(string, string)) {
		for i := range s.defs.Get().Creatures {
			found(s.defs.Get().Creatures[i].Name, fmt.Sprint(s.defs.Get().Creatures[i].Entry))
		}
	})
}

func (s *GMInfo) lookupItem(c *call) error {
	return c.look(func(found func(string, string)) {
		for i := range s.defs.Get().Items {
			found(s.defs.Get().Items[i].Name, fmt.Sprint(s.defs.Get().Items[i].Entry))
		}
	})
}

func (s *GMInfo) lookupSpell(c *call) error {
	return c.look(func(found func(string, string)) {
		for i := range s.defs.Get().Spells {
			found(s.defs.Get().Spells[i].Name+" "+s.defs.Get().Spells[i].Rank, fmt.Sprint(s.defs.Get().Spells[i].ID))
		}
	})
}
