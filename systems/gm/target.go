package gm

import (
	"strings"

	"muster/components"
	"muster/ecs"
)

// A refusal is an error that is answered as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

// Why a command has no target.
const (
	errGone     refusal = "Whoever is selected is not there any more."
	errNoName   refusal = "There is nobody of that name on this map."
	errNoPlayer refusal = "Select a player, or nobody for yourself."
	errCreature refusal = "There is no such creature here."
	errWay      refusal = "It has no way of its own."
	errNoWay    refusal = "There is no such way on this map."
)

// unit is the target of a command: the selected unit, or the game master itself.
func (s *System) unit(c *call) (ecs.Entity, error) {
	guid := s.target(c.by)
	if guid == 0 {
		return c.by, nil
	}
	e := s.space.Get().Find(guid)
	if !s.entities.Alive(e) || !s.vitalsStates.Has(e) || !s.there(e) {
		return e, errGone
	}
	return e, nil
}

// player is the player that the next argument names, if it is neither a number nor a link nor a name in brackets, or
// else the selected player, or the game master itself.
func (s *System) player(c *call) (ecs.Entity, error) {
	if word := c.args.Peek(); word != "" && !strings.ContainsAny(word[:1], "-+0123456789|[") {
		return s.named(c.args.Word())
	}
	return s.selected(c)
}

// selected is the selected player, or the game master itself.
func (s *System) selected(c *call) (ecs.Entity, error) {
	e, err := s.unit(c)
	if err == nil && !s.sessions.Has(e) {
		err = errNoPlayer
	}
	return e, err
}

// named is a player by its name, whose case does not matter.
func (s *System) named(name string) (found ecs.Entity, err error) {
	err = errNoName
	for q := s.players.Query(); q.Next(); {
		if strings.EqualFold(q.Get().View(), name) {
			found, err = q.Entity(), nil
		}
	}
	return found, err
}

// creature is the creature whose GUID, or its counter, is the next argument, or the selected one.
func (s *System) creature(c *call) (ecs.Entity, error) {
	if c.args.Len() > 0 {
		n := c.args.Int(1, 1<<62)
		if e := s.counted(uint64(n)); s.entities.Alive(e) && s.there(e) {
			return e, nil
		}
		return ecs.Entity{}, errCreature
	}
	return s.chosen(c)
}

// chosen is the selected creature.
func (s *System) chosen(c *call) (ecs.Entity, error) {
	e, err := s.unit(c)
	if err == nil && !s.spawnInfos.Has(e) {
		err = errCreature
	}
	return e, err
}

// counted is the creature of a GUID, or of the counter in it, zero if there is none. Only awake ones are found by
// their counter.
func (s *System) counted(n uint64) ecs.Entity {
	if e := s.space.Get().Find(n); s.entities.Alive(e) && s.spawnInfos.Has(e) {
		return e
	}
	for _, e := range s.space.Get().Order.All() {
		if s.entities.Alive(e) && s.spawnInfos.Has(e) && s.objects.Get(e).GUID&components.MaxCounter == n {
			return e
		}
	}
	return ecs.Entity{}
}

// nameOf is the name of a unit.
func (s *System) nameOf(e ecs.Entity) string {
	if s.names.Has(e) {
		return s.names.Get(e).String()
	}
	if template := s.defs.Get().Creature(s.objects.Get(e).Entry); template != nil {
		return template.Name
	}
	return "somebody"
}
