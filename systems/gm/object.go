package gm

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// GMObjects executes the commands about game objects.
type GMObjects struct {
	group

	entities  ecs.Entities
	defs      ecs.Res[defs.World]
	place     ecs.Res[defs.Map]
	space     ecs.Res[space.Space]
	objects   ecs.Read[components.Object]
	values    ecs.Read[components.GameObject]
	states    ecs.Read[components.ObjectState]
	positions ecs.Read[components.Position]
	summons   ecs.Emit[rules.SummonObject]
	despawns  ecs.Emit[rules.DespawnObject]
	moves     ecs.Emit[rules.MoveObject]
	switches  ecs.Emit[rules.SwitchObject]

	changed map[ecs.Entity]bool `snapshot:"-"` // deleted or moved in this tick
}

// OnEvents executes the commands of this group.
func (s *GMObjects) OnEvents(sched.Tick) {
	if len(s.calls.All()) > 0 {
		s.changed = make(map[ecs.Entity]bool)
	}
	execute(&s.group, s, objects)
}

var objects = []verb[GMObjects]{
	{"gobject activate", nil, (*GMObjects).activate},
	{"gobject add", nil, (*GMObjects).add},
	{"gobject add temp", nil, (*GMObjects).addTemp},
	{"gobject delete", nil, (*GMObjects).remove},
	{"gobject info", nil, (*GMObjects).info},
	{"gobject move", nil, (*GMObjects).move},
	{"gobject near", nil, (*GMObjects).near},
	{"gobject target", nil, (*GMObjects).target},
	{"gobject turn", nil, (*GMObjects).turn},
}

// errObject is why a command has no game object.
const errObject refusal = "There is no such game object here."

// object takes the next argument: the GUID of a game object, or its counter, or the number of its row in gameobject.
func (s *GMObjects) object(c *call) (e ecs.Entity, err error) {
	n, bad := strconv.ParseUint(c.args.Word(), 0, 64) // more than a number of Args can be
	if bad != nil || n == 0 {
		return e, usage
	}
	if e := s.space.Get().Find(n); s.entities.Exists(e) && s.values.Has(e) && !s.changed[e] {
		return e, nil
	}
	for _, e := range s.space.Get().Order.All() {
		if s.entities.Exists(e) && s.values.Has(e) && !s.changed[e] && (s.objects.Get(e).GUID&components.MaxCounter == n || s.row(e) == n) {
			return e, nil
		}
	}
	return e, errObject
}

// row is the number of an object's row in gameobject, 0 if it has none.
func (s *GMObjects) row(e ecs.Entity) uint64 {
	if point := s.states.Get(e).Point; point != 0 {
		return uint64(s.place.Get().Objects[point-1].ID)
	}
	return 0
}

// one is the object that is the only argument.
func (s *GMObjects) one(c *call) (ecs.Entity, error) {
	e, bad := s.object(c)
	return e, cmp.Or(c.args.End(), bad)
}

func (s *GMObjects) name(e ecs.Entity) string { return s.template(e).Name }

func (s *GMObjects) template(e ecs.Entity) *defs.GameObject {
	return s.defs.Get().GameObject(s.objects.Get(e).Entry)
}

// activate uses a door, a button or a goober, in whatever state it is.
//
// Source: HandleGameObjectActivateCommand, cs_gobject.cpp, AzerothCore.
func (s *GMObjects) activate(c *call) error {
	e, err := s.one(c)
	if err != nil {
		return err
	}
	s.switches.Emit(rules.SwitchObject{Entity: e})
	c.say("%s is activated.", s.name(e))
	return nil
}

// add brings a game object that stays until it is deleted, or for so many seconds.
//
// Source: HandleGameObjectAddCommand, cs_gobject.cpp, AzerothCore, whose time is that of the respawn.
func (s *GMObjects) add(c *call) error { return s.bring(c, 0) }

// addTemp brings a game object for so many seconds, by default five minutes.
//
// Source: HandleGameObjectAddTempCommand, cs_gobject.cpp, AzerothCore.
func (s *GMObjects) addTemp(c *call) error { return s.bring(c, 300) }

// maxSeconds is the longest time that a game object is brought for, our own choice: a day.
const maxSeconds = 86_400

func (s *GMObjects) bring(c *call, seconds int64) error {
	entry := c.args.ID()
	if c.args.Len() > 0 {
		seconds = c.args.Int(1, maxSeconds)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	template := s.defs.Get().GameObject(entry)
	if template == nil {
		return errNoObject
	}
	at := s.positions.Get(c.by)
	s.summons.Emit(rules.SummonObject{Entry: entry, At: at, Rotation: turned(at.O), ForMs: uint32(seconds) * 1000})
	c.say("%s is here.", template.Name)
	return nil
}

// errNoObject is why no game object is brought.
const errNoObject refusal = "There is no such game object."

// turned is the rotation of an object that is turned about its vertical axis, radians.
func turned(o float32) [4]float32 {
	return [4]float32{2: float32(math.Sin(float64(o) / 2)), 3: float32(math.Cos(float64(o) / 2))}
}

func (s *GMObjects) remove(c *call) error {
	e, err := s.one(c)
	if err != nil {
		return err
	}
	s.changed[e] = true
	s.despawns.Emit(rules.DespawnObject{Entity: e})
	c.say("%s is gone.", s.name(e))
	return nil
}

// info says what a game object is, or the kind of one.
func (s *GMObjects) info(c *call) error {
	if c.args.Len() > 1 && c.args.Is("entry") {
		entry := c.args.ID()
		if err := c.args.End(); err != nil {
			return err
		}
		template := s.defs.Get().GameObject(entry)
		if template == nil {
			return errNoObject
		}
		s.sayKind(c, template)
		return nil
	}
	e, err := s.one(c)
	if err != nil {
		return err
	}
	s.sayOne(c, e)
	s.sayKind(c, s.template(e))
	v := s.values.Get(e)
	c.say("State %d, flags %#x, faction %d, %d uses", v.Bytes1[components.ByteObjectState], v.Flags, v.Faction, s.states.Get(e).Uses)
	return nil
}

func (s *GMObjects) sayKind(c *call, o *defs.GameObject) {
	c.say("%s, entry %d, type %d, display %d, size %g", o.Name, o.Entry, o.Type, o.DisplayID, o.Size)
}

// sayOne says which object one is, and where.
func (s *GMObjects) sayOne(c *call, e ecs.Entity) {
	o, p := s.objects.Get(e), s.positions.Get(e)
	c.say("%s, entry %d, GUID %#016x, row %d, X: %.1f Y: %.1f Z: %.1f", s.name(e), o.Entry, o.GUID, s.row(e), p.X, p.Y, p.Z)
}

// move brings a game object to a place, or to the game master.
func (s *GMObjects) move(c *call) error {
	e, bad := s.object(c)
	at := s.positions.Get(c.by)
	if c.args.Len() > 0 {
		at = components.Position{
			X: c.args.Float(-grid.Limit, grid.Limit), Y: c.args.Float(-grid.Limit, grid.Limit),
			Z: c.args.Float(-components.MaxHeight, components.MaxHeight),
		}
	}
	if err := cmp.Or(c.args.End(), bad); err != nil {
		return err
	}
	at.O = s.positions.Get(e).O
	s.put(c, e, at, turned(at.O))
	return nil
}

// turn turns a game object to an orientation, or to that of the game master.
func (s *GMObjects) turn(c *call) error {
	e, bad := s.object(c)
	o := s.positions.Get(c.by).O
	if c.args.Len() > 0 {
		o, _ = components.Facing(c.args.Float(-maxTurn, maxTurn))
	}
	if err := cmp.Or(c.args.End(), bad); err != nil {
		return err
	}
	at := s.positions.Get(e)
	at.O = o
	s.put(c, e, at, turned(o))
	return nil
}

func (s *GMObjects) put(c *call, e ecs.Entity, at components.Position, rotation [4]float32) {
	s.changed[e] = true
	s.moves.Emit(rules.MoveObject{Entity: e, At: at, Rotation: rotation})
	c.say("%s has another place.", s.name(e))
}

// near lists the game objects around.
func (s *GMObjects) near(c *call) error {
	yards := float32(10)
	if c.args.Len() > 0 {
		yards = c.args.Float(1, grid.MustSeeYards)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	n := 0
	p := s.positions.Get(c.by)
	s.space.Get().Order.Within(p.X, p.Y, yards, grid.Living, func(e ecs.Entity) {
		if s.entities.Exists(e) && s.values.Has(e) {
			n++
			s.sayOne(c, e)
		}
	})
	c.say("%d game objects are within %g yards.", n, yards)
	return nil
}

// target says which game object is nearest: of all, of an entry, or of those whose name contains a word.
func (s *GMObjects) target(c *call) error {
	entry, part := uint32(0), ""
	if word := c.args.Peek(); word != "" && word[0] >= '0' && word[0] <= '9' {
		entry = c.args.ID()
	} else {
		part = strings.ToLower(c.args.Rest())
	}
	if err := c.args.End(); err != nil {
		return err
	}
	var nearest ecs.Entity
	best := float32(math.Inf(1))
	p := s.positions.Get(c.by)
	s.space.Get().Order.Within(p.X, p.Y, grid.MustSeeYards, grid.Living, func(e ecs.Entity) {
		if !s.entities.Exists(e) || !s.values.Has(e) || entry != 0 && s.objects.Get(e).Entry != entry || !contains(s.name(e), part) {
			return
		}
		q := s.positions.Get(e)
		dx, dy, dz := p.X-q.X, p.Y-q.Y, p.Z-q.Z
		if d := float32(dx*dx) + float32(dy*dy) + float32(dz*dz); d < best {
			nearest, best = e, d
		}
	})
	if math.IsInf(float64(best), 1) {
		return refusal(fmt.Sprintf("There is none within %d yards.", grid.MustSeeYards))
	}
	s.sayOne(c, nearest)
	return nil
}
