package control

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"muster/net/replication/inspect"
)

// Which says which creatures are listed.
type Which struct {
	Map   uint32 `json:"map" in:"query"`
	Entry uint32 `json:"entry,omitempty" in:"query" doc:"of the template; without it, all"`
	Limit int    `json:"limit,omitempty" in:"query" doc:"how many at most, up to 1000; without it, 100"`
}

// Creatures are some of the creatures of a map.
type Creatures struct {
	Tick      uint64     `json:"tick" doc:"of the world, the last that was run"`
	Creatures []Creature `json:"creatures" doc:"those near players first"`
}

// A Creature is one of them. Its GUID has more digits than some numbers can have.
type Creature struct {
	GUID      string  `json:"guid" doc:"as in 0xf130000019000001"`
	Entry     uint32  `json:"entry"`
	Level     uint32  `json:"level"`
	X         float32 `json:"x"`
	Y         float32 `json:"y"`
	Z         float32 `json:"z"`
	O         float32 `json:"o"`
	Health    uint32  `json:"health"`
	MaxHealth uint32  `json:"max_health"`
	InCombat  bool    `json:"in_combat"`
	Asleep    bool    `json:"asleep" doc:"no player is near"`
}

// maxCreatures bounds the creatures of an answer.
const maxCreatures = 1000

func (c *Control) creatures(ctx context.Context, q *Which) (answer Creatures, err error) {
	of := c.world(q.Map)
	switch {
	case of == nil:
		return answer, errNoMap
	case q.Limit < 0 || q.Limit > maxCreatures:
		return answer, malformed("limit is from 1 to 1000")
	case q.Limit == 0:
		q.Limit = 100
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	l := inspect.Query{Most: q.Limit, Entry: q.Entry}
	if err := of.Inspector.Ask(ctx, &l); err != nil {
		return answer, err
	}
	answer = Creatures{Tick: l.Tick, Creatures: []Creature{}}
	for _, s := range l.Creatures {
		answer.Creatures = append(answer.Creatures, Creature{
			fmt.Sprintf("0x%x", s.GUID), s.Entry, s.Level, s.X, s.Y, s.Z, s.O, s.Health, s.MaxHealth,
			s.State&inspect.Fighting != 0, s.State&inspect.Asleep != 0,
		})
	}
	return answer, nil
}

var errNoMap = &Error{"there is no such map", "no_map", http.StatusNotFound}

// A NewCreature is to be brought to a place, until it dies.
type NewCreature struct {
	Entry uint32  `json:"entry" doc:"of the template"`
	Map   uint32  `json:"map"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	Z     float32 `json:"z"`
	O     float32 `json:"o,omitempty"`
}

// A CreatureGUID names a creature.
type CreatureGUID struct {
	GUID string `json:"guid" doc:"as in 0xf130000019000001"`
}

func (c *Control) spawn(ctx context.Context, q *NewCreature) (made CreatureGUID, err error) {
	said, err := c.command(ctx, fmt.Sprintf("npc put %d %d %f %f %f %f", q.Entry, q.Map, q.X, q.Y, q.Z, q.O))
	if err != nil {
		return made, refusal(err)
	}
	return CreatureGUID{strings.Join(said, "")}, nil
}

// A CreaturePath names a creature to remove.
type CreaturePath struct {
	GUID string `json:"guid" in:"path" doc:"as in 0xf130000019000001"`
}

func (c *Control) remove(ctx context.Context, q *CreaturePath) (n Nothing, err error) {
	guid, err := strconv.ParseUint(q.GUID, 0, 64)
	if err != nil {
		return n, malformed("a GUID is a number of 64 bits")
	}
	said, err := c.command(ctx, fmt.Sprintf("npc remove %d", guid))
	if err == nil && len(said) == 0 {
		return n, &Error{"no world has such a creature", "no_creature", http.StatusNotFound}
	}
	return n, refusal(err)
}
