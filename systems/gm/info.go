package gm

import (
	"fmt"

	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/command"
)

// usage is answered with the syntax of the command.
var usage = command.ErrSyntax

func (s *System) guid(c *call) error {
	e, err := s.unit(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	guid := s.objects.Get(e).GUID
	s.say("%s has GUID %#016x, counter %d.", s.nameOf(e), guid, guid&components.MaxCounter)
	return nil
}

func (s *System) playerInfo(c *call) error {
	e, err := s.player(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	unit, v, r := s.units.Get(e), s.vitals.Get(e), s.records.Get(e)
	p := s.positions.Get(e)
	played, _ := r.Played(c.t.NowMs)
	s.say("%s, GUID %d, account %d, level of security %d", s.nameOf(e), s.objects.Get(e).GUID, r.Account, r.SecurityLevel)
	s.say("Race %d, class %d, level %d, %d copper", unit.Bytes0[components.ByteRace], unit.Bytes0[components.ByteClass],
		unit.Level, s.progress.Get(e).Coinage)
	s.say("Health %d of %d, map %d, zone %d, X: %f Y: %f Z: %f", v.Health, v.MaxHealth, s.place.Get().ID, s.place.Get().Zone(p.X, p.Y), p.X, p.Y, p.Z)
	s.say("Played for %d seconds", played)
	return nil
}

func (s *System) npcInfo(c *call) error {
	e, err := s.creature(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	o, unit, v := s.objects.Get(e), s.units.Get(e), s.vitals.Get(e)
	p := s.positions.Get(e)
	s.say("%s, entry %d, GUID %#016x, counter %d", s.nameOf(e), o.Entry, o.GUID, o.GUID&components.MaxCounter)
	s.say("Level %d, faction %d, display %d, health %d of %d", unit.Level, unit.Faction, unit.DisplayID, v.Health, v.MaxHealth)
	s.say("X: %f Y: %f Z: %f, flags %#x", p.X, p.Y, p.Z, unit.Flags)
	return nil
}

func (s *System) npcNear(c *call) error {
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
		if !s.entities.Alive(near) || !s.spawnInfos.Has(near) {
			return
		}
		n++
		o, at := s.objects.Get(near), s.positions.Get(near)
		s.say("%s, entry %d, counter %d, X: %.1f Y: %.1f", s.nameOf(near), o.Entry, o.GUID&components.MaxCounter, at.X, at.Y)
	})
	s.say("%d creatures are within %g yards.", n, yards)
	return nil
}

// look lists the names that contain the argument, with their numbers.
func (s *System) look(c *call, each func(found func(name string, what string))) error {
	part := c.args.Rest()
	if err := c.args.End(); err != nil || part == "" {
		return usage
	}
	n := 0
	each(func(name, what string) {
		if !contains(name, part) {
			return
		}
		if n++; n < maxLines {
			s.say("%s - %s", what, name)
		}
	})
	if n == 0 {
		s.say("There is nothing of that name.")
	}
	return nil
}

func (s *System) lookupCreature(c *call) error {
	return s.look(c, func(found func(string, string)) {
		for i := range s.defs.Get().Creatures {
			found(s.defs.Get().Creatures[i].Name, fmt.Sprint(s.defs.Get().Creatures[i].Entry))
		}
	})
}

func (s *System) lookupItem(c *call) error {
	return s.look(c, func(found func(string, string)) {
		for i := range s.defs.Get().Items {
			found(s.defs.Get().Items[i].Name, fmt.Sprint(s.defs.Get().Items[i].Entry))
		}
	})
}

func (s *System) lookupSpell(c *call) error {
	return s.look(c, func(found func(string, string)) {
		for i := range s.defs.Get().Spells {
			found(s.defs.Get().Spells[i].Name+" "+s.defs.Get().Spells[i].Rank, fmt.Sprint(s.defs.Get().Spells[i].ID))
		}
	})
}

func (s *System) lookupTeleport(c *call) error {
	return s.look(c, func(found func(string, string)) {
		for _, l := range s.locations("") {
			found(l.name, fmt.Sprint("map ", l.mapID))
		}
	})
}
