package control

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/components"
	"muster/net/replication/inspect"
)

// Which says which creatures are listed.
type Which struct {
	Map   uint32 `json:"map" in:"query"`
	Entry uint32 `json:"entry,omitempty" in:"query" doc:"of the template; without it, all"`
	Near  string `json:"near,omitempty" in:"query" doc:"x,y,radius in yards: those within, the nearest first, of more than 1,000 any 1,001; without it, those of the whole map"`
	Limit int    `json:"limit,omitempty" in:"query" doc:"how many at most, up to 1000; without it, 100"`
}

// Creatures are some of the creatures of a map.
type Creatures struct {
	Tick      uint64     `json:"tick" doc:"of the world, the last that was run"`
	Creatures []Creature `json:"creatures" doc:"those near players first, or the nearest to a place"`
	More      bool       `json:"more" doc:"there are others, which were left out"`
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
	l := inspect.Query{Most: q.Limit + 1, Entry: q.Entry}
	if q.Near != "" {
		if err := nearby(q.Near, &l.Near); err != nil {
			return answer, err
		}
		l.Most = maxCreatures + 1 // of which the nearest are taken
	}
	if err := of.ask(ctx, &l); err != nil {
		return answer, err
	}
	if q.Near != "" {
		slices.SortStableFunc(l.Creatures, func(a, b inspect.CreatureSeen) int {
			return cmp.Compare(l.Near.Squared(a.X, a.Y), l.Near.Squared(b.X, b.Y))
		})
	}
	answer = Creatures{Tick: l.Tick, Creatures: []Creature{}, More: len(l.Creatures) > q.Limit}
	for _, s := range l.Creatures[:min(q.Limit, len(l.Creatures))] {
		answer.Creatures = append(answer.Creatures, Creature{
			guidText(s.GUID), s.Entry, s.Level, s.X, s.Y, s.Z, s.O, s.Health, s.MaxHealth,
			s.State&inspect.Fighting != 0, s.State&inspect.Asleep != 0,
		})
	}
	return answer, nil
}

var (
	errNoMap      = &Error{Text: "there is no such map", Reason: "no_map", status: http.StatusNotFound}
	errNoCreature = &Error{Text: "no world has such a creature", Reason: "no_creature", status: http.StatusNotFound}
)

// nearby reads x,y,radius.
func nearby(text string, into *inspect.Circle) error {
	parts := strings.Split(text, ",")
	for i, to := range []*float32{&into.X, &into.Y, &into.Radius} {
		if len(parts) != 3 {
			break
		}
		v, err := strconv.ParseFloat(parts[i], 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return malformed("near is x,y,radius, in yards")
		}
		*to = float32(v)
	}
	if len(parts) != 3 || into.Radius <= 0 {
		return malformed("near is x,y,radius, in yards")
	}
	return nil
}

// A CreatureState is the state of a creature, as its world has it between two ticks.
type CreatureState struct {
	GUID      string     `json:"guid" doc:"as in 0xf130000019000001"`
	Entry     uint32     `json:"entry"`
	Level     uint32     `json:"level"`
	Map       uint32     `json:"map"`
	X         float32    `json:"x"`
	Y         float32    `json:"y"`
	Z         float32    `json:"z"`
	O         float32    `json:"o"`
	Health    uint32     `json:"health"`
	MaxHealth uint32     `json:"max_health"`
	Alive     bool       `json:"alive"`
	InCombat  bool       `json:"in_combat"`
	Target    string     `json:"target" doc:"GUID of what it fights, 0x0 nothing"`
	Auras     []HeldAura `json:"auras"`
	Tick      uint64     `json:"tick" doc:"of its world, the last that was run"`
}

func (c *Control) creature(ctx context.Context, q *CreaturePath) (s CreatureState, err error) {
	guid, err := q.guid()
	if err != nil {
		return s, err
	}
	found, err := c.findCreature(ctx, guid)
	switch {
	case err != nil:
		return s, err
	case found == nil:
		return s, errNoCreature
	}
	return *found, nil
}

// findCreature is the state of a creature, nil if no world has it.
func (c *Control) findCreature(ctx context.Context, guid uint64) (*CreatureState, error) {
	for i := range c.config.Worlds {
		of := &c.config.Worlds[i]
		l := inspect.Query{GUID: guid}
		if err := of.ask(ctx, &l); err != nil {
			return nil, err
		}
		if l.Found && l.At.Kind == inspect.Creature {
			return ofCreature(of.Map, &l), nil
		}
	}
	return nil, nil
}

// ofCreature is the state of a creature that was found.
func ofCreature(mapID uint32, l *inspect.Query) *CreatureState {
	s := &CreatureState{GUID: guidText(l.GUID), Map: mapID, Target: guidText(0), Auras: heldAuras(l.Auras), Tick: l.Tick, InCombat: l.At.State&inspect.Fighting != 0}
	for _, component := range l.Row.Components() {
		switch it := component.Addr().Interface().(type) {
		case *components.Object:
			s.Entry = it.Entry
		case *components.Position:
			s.X, s.Y, s.Z, s.O = it.X, it.Y, it.Z, it.O
		case *components.Unit:
			s.Level = it.Level
		case *components.Vitals:
			s.Health, s.MaxHealth, s.Alive = it.Health, it.MaxHealth, it.Health > 0
		case *components.Target:
			s.Target = guidText(it.GUID)
		}
	}
	return s
}

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

// A CreaturePath names a creature.
type CreaturePath struct {
	GUID string `json:"guid" in:"path" doc:"as in 0xf130000019000001"`
}

// guid is the number.
func (q *CreaturePath) guid() (uint64, error) {
	guid, err := strconv.ParseUint(q.GUID, 0, 64)
	if err != nil {
		return 0, malformed("a GUID is a number of 64 bits")
	}
	return guid, nil
}

func (c *Control) remove(ctx context.Context, q *CreaturePath) (n Nothing, err error) {
	guid, err := q.guid()
	if err != nil {
		return n, err
	}
	said, err := c.command(ctx, fmt.Sprintf("npc remove %d", guid))
	if err == nil && len(said) == 0 {
		return n, errNoCreature
	}
	return n, refusal(err)
}
