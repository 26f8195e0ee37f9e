package gm

import (
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
)

// A refusal is an error that is answered as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

// Why a command has no target.
const (
	errGone     refusal = "What is selected is not there any more."
	errNoName   refusal = "No player on this map has that name."
	errNoPlayer refusal = "Select a player, or nothing for yourself."
	errCreature refusal = "There is no such creature here."
	errWay      refusal = "It has no way of its own."
	errNoWay    refusal = "There is no such way on this map."
)

// unit is the target of a command: the selected unit, or the game master itself.
func (s *GMCommands) unit(c *call) (ecs.Entity, error) {
	guid := s.target(c.by)
	if guid == 0 || c.self {
		return c.by, nil
	}
	e := s.space.Get().Find(guid)
	if !s.entities.Exists(e) || !s.vitalsStates.Has(e) || !s.there(e) {
		return e, errGone
	}
	return e, nil
}

// player is the player that the next argument names, if it is neither a number nor a link nor a name in brackets, or
// else the selected player, or the game master itself.
func (s *GMCommands) player(c *call) (ecs.Entity, error) {
	if word := c.args.Peek(); word != "" && !strings.ContainsAny(word[:1], "-+0123456789|[") {
		return s.named(c.args.Word())
	}
	return s.selected(c)
}

// selected is the selected player, or the game master itself.
func (s *GMCommands) selected(c *call) (ecs.Entity, error) {
	e, err := s.unit(c)
	if err == nil && !s.names.Has(e) {
		err = errNoPlayer
	}
	return e, err
}

// named is a player by its name, whose case does not matter.
func (s *GMCommands) named(name string) (found ecs.Entity, err error) {
	err = errNoName
	for q := s.players.Iter(); q.Next(); {
		if strings.EqualFold(q.Get().UnsafeString(), name) {
			found, err = q.Entity(), nil
		}
	}
	return found, err
}

// namedOrUnit is the player that the next argument names, or else the target.
func (s *GMCommands) namedOrUnit(c *call) (ecs.Entity, error) {
	switch c.args.Len() {
	case 0:
		return s.unit(c)
	case 1:
		return s.named(c.args.Word())
	}
	return c.by, usage
}

// namedOrSelected is the player that the first of several arguments names, or else the selected one.
func (s *GMCommands) namedOrSelected(c *call) (ecs.Entity, error) {
	if c.args.Len() > 1 {
		return s.named(c.args.Word())
	}
	return s.selected(c)
}

// creature is the creature whose GUID, or its counter, is the next argument, or the selected one.
func (s *GMCommands) creature(c *call) (ecs.Entity, error) {
	if c.args.Len() > 0 {
		n := c.args.Int(1, 1<<62)
		if e := s.counted(uint64(n)); s.entities.Exists(e) && s.there(e) {
			return e, nil
		}
		return ecs.Entity{}, errCreature
	}
	return s.chosen(c)
}

// numbered is the creature whose GUID, or its counter, is the next argument, if it is a number, or the selected one.
func (s *GMCommands) numbered(c *call) (ecs.Entity, error) {
	if word := c.args.Peek(); word != "" && word[0] >= '0' && word[0] <= '9' {
		return s.creature(c)
	}
	return s.chosen(c)
}

// byGUID is the creature of this world whose GUID is the next argument, zero if it is in another one.
func (s *GMCommands) byGUID(c *call) (ecs.Entity, error) {
	guid, err := strconv.ParseUint(c.args.Word(), 0, 64) // more than a number of Args can be
	if err != nil {
		return ecs.Entity{}, usage
	}
	if e := s.space.Get().Find(guid); s.entities.Exists(e) && s.isCreature(e) && s.there(e) {
		return e, nil
	}
	return ecs.Entity{}, nil
}

// chosen is the selected creature.
func (s *GMCommands) chosen(c *call) (ecs.Entity, error) {
	e, err := s.unit(c)
	if err == nil && !s.isCreature(e) {
		err = errCreature
	}
	return e, err
}

// nameOf is the name of a unit.
func (s *GMCommands) nameOf(e ecs.Entity) string {
	if s.names.Has(e) {
		name := s.names.Get(e)
		return name.String()
	}
	return creatureName(s.defs.Get(), s.objects.Get(e).Entry)
}

func creatureName(d *defs.World, entry uint32) string {
	if template := d.Creature(entry); template != nil {
		return template.Name
	}
	return "a unit"
}

// creatures finds creatures, as a part of the systems that ask.
type creatures struct {
	entities   ecs.Entities
	space      ecs.Res[space.Space]
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]
}

// isCreature reports whether something is a creature. A player's corpse has spawn information, too.
func (s *creatures) isCreature(e ecs.Entity) bool {
	return s.spawnInfos.Has(e) && components.GUIDHigh(s.objects.Get(e).GUID) == components.HighCreature
}

// counted is the creature of a GUID, or of the counter in it, zero if there is none. Only awake ones are found by
// their counter.
func (s *creatures) counted(n uint64) ecs.Entity {
	if e := s.space.Get().Find(n); s.entities.Exists(e) && s.isCreature(e) {
		return e
	}
	for _, e := range s.space.Get().Order.All() {
		if s.entities.Exists(e) && s.isCreature(e) && s.objects.Get(e).GUID&components.MaxCounter == n {
			return e
		}
	}
	return ecs.Entity{}
}
