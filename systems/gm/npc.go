package gm

import (
	"cmp"
	"strings"

	"muster/components"
	"muster/ecs"
	"muster/systems/rules"
)

func (s *System) npcAdd(c *call) error { return s.bring(c, 0) }

// tempMs is the time for which a temporary creature stays, milliseconds.
//
// Source: HandleNpcAddTempSpawnCommand, cs_npc.cpp, AzerothCore, leaves that to the body; five minutes are our own.
const tempMs = 5 * 60_000

func (s *System) npcAddTemp(c *call) error { return s.bring(c, tempMs) }

// bring summons a creature where the game master is. What it does depends on its template.
func (s *System) bring(c *call, forMs uint32) error {
	entry := c.args.ID()
	if err := c.args.End(); err != nil {
		return err
	}
	template := s.defs.Get().Creature(entry)
	if template == nil {
		return refusal("There is no such creature.")
	}
	s.summons.Emit(rules.Summon{Entry: entry, At: s.positions.Get(c.by), ForMs: forMs})
	s.say("%s is here.", template.Name)
	return nil
}

func (s *System) npcDelete(c *call) error {
	e, err := s.creature(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
	s.deleted = append(s.deleted, e)
	s.say("%s is gone.", s.nameOf(e))
	return nil
}

// npcMove moves a creature to the game master, and makes that its spawn position.
func (s *System) npcMove(c *call) error {
	e, err := s.creature(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	at := s.positions.Get(c.by)
	s.teleportTo(e, s.place.Get().ID, at)
	post := s.spawnInfos.Get(e)
	*post = components.SpawnInfo{At: at, Wander: post.Wander, Path: -1, Point: post.Point, Owner: post.Owner}
	s.say("%s is here.", s.nameOf(e))
	return nil
}

// strollYards is the wander distance of a creature whose spawn point has none, our own choice.
const strollYards = 5

// npcSetMoveType changes what a creature does at its spawn point, until it respawns. Its path is kept, with NODEL or
// without: it belongs to the map.
//
// Source: HandleNpcSetMoveTypeCommand, cs_npc.cpp, AzerothCore, which changes the spawn point, too.
func (s *System) npcSetMoveType(c *call) (err error) {
	var e ecs.Entity
	if word := c.args.Peek(); word != "" && word[0] >= '0' && word[0] <= '9' {
		e, err = s.creature(c)
	} else {
		e, err = s.chosen(c)
	}
	if err != nil {
		return err
	}
	post := *s.spawnInfos.Get(e)
	wander, way := post.Wander, post.Path
	if post.Point != 0 {
		at := &s.place.Get().Spawns[post.Point-1]
		wander, way = at.Wander, at.Path
	}
	post.Wander, post.Path = 0, -1
	switch strings.ToLower(c.args.Word()) {
	case "stay":
	case "random":
		post.Wander = cmp.Or(wander, strollYards)
	case "way":
		if post.Path = way; way < 0 {
			err = errWay
		}
	default:
		return usage
	}
	c.args.Is("NODEL")
	if err := cmp.Or(c.args.End(), err); err != nil {
		return err
	}
	*s.spawnInfos.Get(e) = post
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	s.say("%s has something else to do.", s.nameOf(e))
	return nil
}

func (s *System) respawnAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.respawnRequests.Emit(rules.RespawnAll{By: c.by})
	s.say("The creatures of map %d are coming.", s.place.Get().ID)
	return nil
}
