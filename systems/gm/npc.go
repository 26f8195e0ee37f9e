package gm

import (
	"muster/components"
	"muster/systems/rules"
)

func (s *system) npcAdd(c *call) error { return s.bring(c, 0) }

// tempMs is how long a creature stays that was added for a while.
//
// Source: HandleNpcAddTempSpawnCommand, cs_npc.cpp, AzerothCore, leaves that to the body; five minutes are our own.
const tempMs = 5 * 60_000

func (s *system) npcAddTemp(c *call) error { return s.bring(c, tempMs) }

// bring has a creature be where the asker is. What it is there for is its template's.
func (s *system) bring(c *call, forMs uint32) error {
	entry := c.args.ID()
	if err := c.args.End(); err != nil {
		return err
	}
	template := s.defs.Creature(entry)
	if template == nil {
		return refusal("There is no such creature.")
	}
	*s.summons.Next() = rules.Summon{Entry: entry, At: *s.positions.Get(c.by), ForMs: forMs}
	s.say("%s is here.", template.Name)
	return nil
}

func (s *system) npcDelete(c *call) error {
	e, err := s.creature(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	s.book.Depart(c.t, e)
	*s.dismissals.Next() = rules.Dismiss{Entity: e}
	s.say("%s is gone.", s.nameOf(e))
	return nil
}

// npcMove has a creature be where the asker is, and be at home there.
func (s *system) npcMove(c *call) error {
	e, err := s.creature(c)
	if err == nil {
		err = c.args.End()
	}
	if err != nil {
		return err
	}
	at := *s.positions.Get(c.by)
	s.send(e, s.place.ID, at)
	post := s.posts.Get(e)
	*post = components.Post{At: at, Wander: post.Wander, Path: -1, Point: post.Point}
	s.say("%s is here.", s.nameOf(e))
	return nil
}

func (s *system) respawnAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	*s.refills.Next() = rules.Refill{By: c.by}
	s.say("The creatures of map %d are coming.", s.place.ID)
	return nil
}
