package systems

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/death"
	"muster/systems/loot"
	"muster/systems/rules"
)

// componentValues are the values that all entities have of one component.
type componentValues interface {
	of() reflect.Type
	changed() bool // since the last call
}

type column[T comparable] struct {
	all       *ecs.Filter1[T]
	last, now []row[T] // in the order in which entities are visited
}

type row[T any] struct {
	entity ecs.Entity
	value  T
}

func componentValuesOf[T comparable](w *ecs.World) componentValues {
	return &column[T]{all: ecs.NewFilter1[T](w)}
}

func (c *column[T]) of() reflect.Type { return reflect.TypeFor[T]() }

func (c *column[T]) changed() bool {
	c.now = c.now[:0]
	for q := c.all.Iter(); q.Next(); {
		c.now = append(c.now, row[T]{q.Entity(), *q.Get()})
	}
	c.last, c.now = c.now, c.last
	return !slices.Equal(c.last, c.now) && !sameRows(c.last, c.now)
}

// sameRows reports whether two lists have the same rows, in any order: an entity that gets or loses another component is visited at another
// place.
func sameRows[T comparable](a, b []row[T]) bool {
	values := make(map[ecs.Entity]T, len(a))
	for _, r := range a {
		values[r.entity] = r.value
	}
	for _, r := range b {
		if v, ok := values[r.entity]; !ok || v != r.value {
			return false
		}
	}
	return len(a) == len(b)
}

// blockValuesOf are the values of a slab S, of which components of type C have the numbers.
func blockValuesOf[S any, C any, T comparable](w *ecs.World, at func(*S, uint32) *T, number func(*C) uint32) componentValues {
	slab := ecs.Shared[S](w)
	return &blocks[S, C, T]{all: ecs.NewFilter1[C](w), at: func(c *C) *T {
		if number(c) == 0 {
			return nil
		}
		return at(slab, number(c))
	}}
}

// blocks are the blocks of a slab S that components of type C refer to.
type blocks[S any, C any, T comparable] struct {
	all       *ecs.Filter1[C]
	at        func(*C) *T // nil: none
	last, now []row[T]
}

func (b *blocks[S, C, T]) of() reflect.Type { return reflect.TypeFor[S]() }

func (b *blocks[S, C, T]) changed() bool {
	b.now = b.now[:0]
	for q := b.all.Iter(); q.Next(); {
		if v := b.at(q.Get()); v != nil {
			b.now = append(b.now, row[T]{q.Entity(), *v})
		}
	}
	b.last, b.now = b.now, b.last
	return !slices.Equal(b.last, b.now) && !sameRows(b.last, b.now)
}

func allComponentValues(w *ecs.World) []componentValues {
	return []componentValues{
		blockValuesOf(w, (*ecs.Slab[components.Auras]).At, func(c *components.UnitAuras) uint32 { return c.Block }),
		blockValuesOf(w, (*ecs.Slab[components.ThreatList]).At, func(c *components.ThreatState) uint32 { return c.List }),
		blockValuesOf(w, (*ecs.Slab[components.ScriptState]).At, func(c *components.Scripted) uint32 { return c.Block }),
		blockValuesOf(w, (*loot.Bodies).At, func(c *components.CorpseLoot) uint32 { return c.Loot }),
		componentValuesOf[components.Object](w), componentValuesOf[components.Vitals](w), componentValuesOf[components.Unit](w),
		componentValuesOf[components.Stance](w), componentValuesOf[components.Target](w), componentValuesOf[components.Stats](w),
		componentValuesOf[components.PlayerAppearance](w), componentValuesOf[components.VisibleItems](w), componentValuesOf[components.Progress](w),
		componentValuesOf[components.Session](w), componentValuesOf[components.Record](w), componentValuesOf[components.SavedState](w), componentValuesOf[components.Unsaved](w), componentValuesOf[components.Name](w),
		componentValuesOf[components.Position](w), componentValuesOf[components.Motion](w), componentValuesOf[components.Clock](w),
		componentValuesOf[components.HomeCell](w), componentValuesOf[components.Observer](w), componentValuesOf[components.Speeds](w),
		componentValuesOf[components.Logout](w), componentValuesOf[components.Dirty](w), componentValuesOf[components.PlayerImage](w),
		componentValuesOf[components.CreatureImage](w), componentValuesOf[components.Walk](w), componentValuesOf[components.SpawnInfo](w),
		componentValuesOf[components.AIState](w), componentValuesOf[components.Formation](w), componentValuesOf[components.Sleep](w), componentValuesOf[components.StepTimer](w), componentValuesOf[components.SpellTimers](w), componentValuesOf[components.Errand](w), componentValuesOf[components.Route](w), componentValuesOf[components.ChatThrottle](w),
		componentValuesOf[components.PendingMoveAcks](w), componentValuesOf[components.MoveValidation](w), componentValuesOf[components.MapTransfer](w),
		componentValuesOf[components.Carried](w), componentValuesOf[components.Attack](w), componentValuesOf[components.SwingTimers](w), componentValuesOf[components.ThreatState](w), componentValuesOf[components.CombatState](w), componentValuesOf[components.Tapped](w), componentValuesOf[components.UnitAuras](w), componentValuesOf[components.VitalsState](w),
		componentValuesOf[components.Cheats](w), componentValuesOf[components.CombatStats](w),
		componentValuesOf[components.Casting](w), componentValuesOf[components.AutoRepeat](w), componentValuesOf[components.CastLimits](w), componentValuesOf[components.Spellbook](w), componentValuesOf[components.Cooldowns](w), componentValuesOf[components.Inventory](w),
		componentValuesOf[components.Looting](w), componentValuesOf[components.Buyback](w), componentValuesOf[components.Dialog](w), componentValuesOf[components.CorpseLoot](w), componentValuesOf[components.ResurrectOffer](w), componentValuesOf[components.Corpse](w), componentValuesOf[components.CorpseImage](w), componentValuesOf[components.Actions](w),
		componentValuesOf[components.Scripted](w), componentValuesOf[components.ScriptWay](w), componentValuesOf[components.GameObject](w), componentValuesOf[components.GameObjectImage](w), componentValuesOf[components.ObjectState](w),
	}
}

// No system changes a component that is not among its writes.
func TestSystemsWriteWhatTheySay(t *testing.T) {
	t.Parallel()
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 1))
	d := meadow(r, 100, 100)
	d.Maps = append(d.Maps, defs.Map{ID: 1, Half: grid.Limit})
	d.Scripts = []defs.Script{{Rows: []defs.ScriptRow{{Event: defs.ScriptUpdate, When: [6]uint32{0, 0, 500, 500}, Action: defs.ScriptEmote, Do: [6]uint32{1}, Target: defs.ScriptSelf},
		{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 9000, 9000}, Action: defs.ScriptWaypointStart, Do: [6]uint32{1, 1}, Target: defs.ScriptSelf}}}}
	d.ScriptPaths = []defs.ScriptPath{{ID: 1, Patrols: true, Nodes: []defs.Node{{X: 1}, {X: 9, PauseMs: 500}}}}
	d.Creatures[0].Script, d.Creatures[0].MaxMoney = 1, 5
	d.GameObjects = []defs.GameObject{{Entry: 1, Type: defs.ObjectChest, Size: 1, MaxMoney: 5}}
	d.Maps[0].Objects = []defs.ObjectSpawn{{Entry: 1, Rotation: [4]float32{3: 1}}}
	w := build(Config{Defs: d, Map: &d.Maps[0], Seed: seed, Reclaim: death.AtCorpse})
	all, systems := allComponentValues(w.ecs), bindSystems(w.ecs)
	wrote := make(map[reflect.Type]bool)
	for i := range systems {
		s := &systems[i]
		writes := make(map[reflect.Type]bool)
		for _, a := range s.Access {
			known := slices.ContainsFunc(all, func(c componentValues) bool { return c.of() == a.Type })
			if !known && a.Mode >= ecs.ModeSpawn && isData(a.Type) {
				t.Errorf("the test knows nothing of %v", a.Type)
			}
			writes[a.Type] = writes[a.Type] || a.Mode != ecs.ModeRead
		}
		watched := func(run func(sched.Tick)) func(sched.Tick) {
			return func(tick sched.Tick) {
				for _, c := range all {
					c.changed()
				}
				run(tick)
				for _, c := range all {
					if !c.changed() {
						continue
					}
					wrote[c.of()] = true
					if !writes[c.of()] {
						t.Errorf("tick %d: %s changes %v, and does not say so", tick.N, s.Name, c.of())
					}
				}
			}
		}
		if s.Run = watched(s.Run); s.React != nil {
			s.React = watched(s.React)
		}
	}
	w.start(systems)
	crowd := newCrowd(r, 20, 100)
	sessions, spawned := ecs.NewAccessor[components.Session](w.ecs), ecs.NewAccessor[components.SpawnInfo](w.ecs)
	w.Inbox().Add(frame.Item{Session: 99, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
		GUID: 99, Name: "Ghost", Race: 1, Class: 1, Level: 1, Told: life.All,
		Life: life.Life{Begun: true, Health: 1, Death: life.Death{State: life.Ghost}},
	})})
	for n := uint64(1); n <= 150 && !t.Failed(); n++ {
		crowd.unrest(w, n)
		crowd.emigrate(w)
		crowd.act(w.Inbox(), n, func(*player) {})
		w.Inbox().Seal()
		if n%20 == 0 { // a player kills a creature, whose body has money
			var player, creature ecs.Entity
			for _, e := range w.space.Order.All() {
				switch {
				case !w.ecs.Exists(e):
				case sessions.Has(e):
					player = e
				case spawned.Has(e):
					creature = e
				}
			}
			w.Damage(rules.Damage{By: player, To: creature, Amount: 1e6})
		}
		var f frame.Frame
		w.Tick(n, &f)
		for _, left := range f.Left {
			crowd.players[left.Session].here = false
		}
	}
	for _, c := range all {
		if !wrote[c.of()] {
			t.Errorf("nothing has changed %v: too quiet a world", c.of())
		}
	}
}
