package gm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/sched"
	"muster/systems/rules"
)

// GMNPCs executes the commands that spawn, despawn and move creatures, and change what they do when idle.
type GMNPCs struct {
	group

	creatures

	defs             ecs.Res[defs.World]
	place            ecs.Res[defs.Map]
	ways             ecs.ResMut[rules.Ways]
	all              ecs.Query[components.Object]
	positions        ecs.Read[components.Position]
	posts            ecs.Write[components.SpawnInfo]
	summons          ecs.Emit[rules.Summon]
	teleports        ecs.Emit[move.Teleport]
	despawnRequests  ecs.Emit[rules.DespawnCreature]
	respawnRequests  ecs.Emit[rules.RespawnAll]
	spawnInfoChanges ecs.Emit[rules.SpawnInfoChanged]

	deleted []ecs.Entity `snapshot:"-"` // in this tick
}

// OnEvents executes the commands of this group.
func (s *GMNPCs) OnEvents(sched.Tick) {
	s.deleted = s.deleted[:0]
	execute(&s.group, s, npcs)
}

var npcs = []verb[GMNPCs]{
	{"npc add", nil, (*GMNPCs).npcAdd},
	{"npc add temp", nil, (*GMNPCs).npcAddTemp},
	{"npc delete", (*GMCommands).creature, (*GMNPCs).npcDelete},
	{"npc go", (*GMCommands).byGUID, (*GMNPCs).npcGo},
	{"npc move", (*GMCommands).creature, (*GMNPCs).npcMove},
	{"npc put", nil, (*GMNPCs).npcPut},
	{"npc remove", nil, (*GMNPCs).npcRemove},
	{"npc set movetype", (*GMCommands).numbered, (*GMNPCs).npcSetMoveType},
	{"respawn all", nil, (*GMNPCs).respawnAll},
	{"wp add", (*GMCommands).unit, (*GMNPCs).wayAdd},
	{"wp delete", (*GMCommands).chosen, (*GMNPCs).wayDelete},
	{"wp load", (*GMCommands).chosen, (*GMNPCs).wayLoad},
	{"wp modify", (*GMCommands).chosen, (*GMNPCs).wayModify},
	{"wp show", (*GMCommands).unit, (*GMNPCs).wayShow},
	{"wp unload", (*GMCommands).chosen, (*GMNPCs).wayUnload},
}

func (s *GMNPCs) npcAdd(c *call) error { return s.bring(c, 0) }

// tempMs is the time for which a temporary creature stays, milliseconds.
//
// Source: HandleNpcAddTempSpawnCommand, cs_npc.cpp, AzerothCore, leaves that to the body; five minutes are our own.
const tempMs = 5 * 60_000

func (s *GMNPCs) npcAddTemp(c *call) error { return s.bring(c, tempMs) }

// bring summons a creature where the game master is. What it does depends on its template.
func (s *GMNPCs) bring(c *call, forMs uint32) error {
	entry := c.args.ID()
	if err := c.args.End(); err != nil {
		return err
	}
	template := s.defs.Get().Creature(entry)
	if template == nil {
		return refusal("There is no such creature.")
	}
	s.summons.Emit(rules.Summon{Entry: entry, At: s.positions.Get(c.by), ForMs: forMs})
	c.say("%s is here.", template.Name)
	return nil
}

// place reads a place: x, y, z in yards, and a facing in radians, which may be missing.
func (c *call) place() (at components.Position) {
	at.X, at.Y = c.args.Float(-grid.Limit, grid.Limit), c.args.Float(-grid.Limit, grid.Limit)
	at.Z = c.args.Float(-components.MaxHeight, components.MaxHeight)
	if c.args.Len() > 0 {
		at.O, _ = components.Facing(c.args.Float(-maxTurn, maxTurn))
	}
	return at
}

// npcPut summons a creature at a place. The world of another map says nothing; GMSpawns says what has come.
func (s *GMNPCs) npcPut(c *call) error {
	entry, mapID := c.args.ID(), uint32(c.args.Int(0, math.MaxUint32))
	at := c.place()
	switch err := c.args.End(); {
	case err != nil:
		return err
	case s.defs.Get().Creature(entry) == nil:
		return refusal("There is no such creature.")
	case s.defs.Get().Map(mapID) == nil:
		return refusal(fmt.Sprintf("There is no map %d.", mapID))
	case s.place.Get().ID != mapID:
		return nil
	case c.id == 0 || !at.OnMap():
		return usage
	}
	s.summons.Emit(rules.Summon{Entry: entry, At: at, Command: c.id})
	c.elsewhere = true
	return nil
}

// npcRemove takes a creature out of this world, if it is here.
func (s *GMNPCs) npcRemove(c *call) error {
	guid, bad := strconv.ParseUint(c.args.Word(), 0, 64) // more than a number of Args can be
	if err := c.args.End(); err != nil || bad != nil {
		return usage
	}
	e := s.space.Get().Find(guid)
	if !s.entities.Exists(e) || !s.creatures.spawnInfos.Has(e) || slices.Contains(s.deleted, e) {
		return nil
	}
	s.deleted = append(s.deleted, e)
	s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
	c.say("%s is gone.", creatureName(s.defs.Get(), s.objects.Get(e).Entry))
	return nil
}

func (s *GMNPCs) npcDelete(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	e := c.of
	if slices.Contains(s.deleted, e) {
		return errCreature
	}
	s.deleted = append(s.deleted, e)
	s.despawnRequests.Emit(rules.DespawnCreature{Entity: e})
	c.say("%s is gone.", c.name)
	return nil
}

// npcMove moves a creature to the game master, and makes that its spawn position.
func (s *GMNPCs) npcMove(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.moveTo(c.of, s.positions.Get(c.by))
	c.say("%s is here.", c.name)
	return nil
}

// moveTo moves a creature, and makes the place its spawn position.
func (s *GMNPCs) moveTo(e ecs.Entity, at components.Position) {
	s.teleports.Emit(teleport(e, s.place.Get().ID, at))
	post := s.posts.Get(e)
	*post = components.SpawnInfo{At: at, Wander: post.Wander, Path: -1, Point: post.Point, Owner: post.Owner}
}

// npcGo moves a creature of this world to a place, and makes that its spawn position.
func (s *GMNPCs) npcGo(c *call) error {
	at := c.place()
	switch err := c.args.End(); {
	case err != nil:
		return err
	case !at.OnMap():
		return usage
	case c.of != (ecs.Entity{}):
		s.moveTo(c.of, at)
		c.say("%s is there.", c.name)
	}
	return nil
}

// strollYards is the wander distance of a creature whose spawn point has none, our own choice.
const strollYards = 5

// npcSetMoveType changes what a creature does at its spawn point, until it respawns: its path, which is kept with NODEL and
// without, is that of wp load, or else that of the spawn point.
//
// Source: HandleNpcSetMoveTypeCommand, cs_npc.cpp, AzerothCore, which changes the spawn point, too.
func (s *GMNPCs) npcSetMoveType(c *call) (err error) {
	e := c.of
	post := *s.posts.Get(e)
	wander, way := post.Wander, s.way(&post)
	if post.Point != 0 {
		wander = s.place.Get().Spawns[post.Point-1].Wander
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
	*s.posts.Get(e) = post
	s.spawnInfoChanges.Emit(rules.SpawnInfoChanged{Entity: e})
	c.say("%s has something else to do.", c.name)
	return nil
}

func (s *GMNPCs) respawnAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	s.respawnRequests.Emit(rules.RespawnAll{By: c.by})
	c.say("The creatures of map %d are coming.", s.place.Get().ID)
	return nil
}
