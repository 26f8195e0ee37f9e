package systems

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
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
)

// A snapshot is all that there is of one component.
type snapshot interface {
	of() reflect.Type
	changed() bool // since the last call
}

type column[T comparable] struct {
	all  *ecs.Filter1[T]
	last map[ecs.Entity]T
}

func snapshotOf[T comparable](w *ecs.World) snapshot {
	return &column[T]{all: ecs.NewFilter1[T](w)}
}

func (c *column[T]) of() reflect.Type { return reflect.TypeFor[T]() }

func (c *column[T]) changed() bool {
	now := make(map[ecs.Entity]T)
	same := true
	for q := c.all.Query(); q.Next(); {
		v := *q.Get()
		old, was := c.last[q.Entity()]
		same = same && was && old == v
		now[q.Entity()] = v
	}
	same = same && len(now) == len(c.last)
	c.last = now
	return !same
}

func snapshots(w *ecs.World) []snapshot {
	return []snapshot{
		snapshotOf[components.Object](w), snapshotOf[components.Vitals](w), snapshotOf[components.Unit](w),
		snapshotOf[components.Stance](w), snapshotOf[components.Target](w), snapshotOf[components.Stats](w),
		snapshotOf[components.PlayerAppearance](w), snapshotOf[components.VisibleItems](w), snapshotOf[components.Progress](w),
		snapshotOf[components.Session](w), snapshotOf[components.Record](w), snapshotOf[components.SavedState](w), snapshotOf[components.Unsaved](w), snapshotOf[components.Name](w),
		snapshotOf[components.Position](w), snapshotOf[components.Motion](w), snapshotOf[components.Clock](w),
		snapshotOf[components.HomeCell](w), snapshotOf[components.Observer](w), snapshotOf[components.Speeds](w),
		snapshotOf[components.Logout](w), snapshotOf[components.Dirty](w), snapshotOf[components.PlayerImage](w),
		snapshotOf[components.CreatureImage](w), snapshotOf[components.Walk](w), snapshotOf[components.SpawnInfo](w),
		snapshotOf[components.AIState](w), snapshotOf[components.Formation](w), snapshotOf[components.Sleep](w), snapshotOf[components.StepTimer](w), snapshotOf[components.SpellTimers](w), snapshotOf[components.Errand](w), snapshotOf[components.Route](w), snapshotOf[components.ChatThrottle](w),
		snapshotOf[components.PendingMoveAcks](w), snapshotOf[components.MoveValidation](w), snapshotOf[components.MapTransfer](w),
		snapshotOf[components.Carried](w), snapshotOf[components.Attack](w), snapshotOf[components.SwingTimers](w), snapshotOf[components.ThreatState](w), snapshotOf[components.CombatState](w), snapshotOf[components.Tapped](w), snapshotOf[components.UnitAuras](w), snapshotOf[components.VitalsState](w),
		snapshotOf[components.Cheats](w), snapshotOf[components.CombatStats](w),
		snapshotOf[components.Casting](w), snapshotOf[components.AutoRepeat](w), snapshotOf[components.CastLimits](w), snapshotOf[components.Spellbook](w), snapshotOf[components.Cooldowns](w), snapshotOf[components.Inventory](w),
		snapshotOf[components.Looting](w), snapshotOf[components.Buyback](w), snapshotOf[components.Dialog](w), snapshotOf[components.CorpseLoot](w), snapshotOf[components.ResurrectOffer](w), snapshotOf[components.Corpse](w), snapshotOf[components.CorpseImage](w), snapshotOf[components.Actions](w),
		snapshotOf[components.Scripted](w), snapshotOf[components.ScriptWay](w), snapshotOf[components.GameObject](w), snapshotOf[components.GameObjectImage](w), snapshotOf[components.ObjectState](w),
	}
}

// No system changes a component that is not among its writes.
func TestSystemsWriteWhatTheySay(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 1))
	d := meadow(r, 100, 100)
	d.Maps = append(d.Maps, defs.Map{ID: 1, Half: grid.Limit})
	d.Scripts = []defs.Script{{Rows: []defs.ScriptRow{{Event: defs.ScriptUpdate, When: [6]uint32{0, 0, 500, 500}, Action: defs.ScriptEmote, Do: [6]uint32{1}, Target: defs.ScriptSelf},
		{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 9000, 9000}, Action: defs.ScriptWaypointStart, Do: [6]uint32{1, 1}, Target: defs.ScriptSelf}}}}
	d.ScriptPaths = []defs.ScriptPath{{ID: 1, Patrols: true, Nodes: []defs.Node{{X: 1}, {X: 9, PauseMs: 500}}}}
	d.Creatures[0].Script = 1
	d.GameObjects = []defs.GameObject{{Entry: 1, Type: defs.ObjectChest, Size: 1, MaxMoney: 5}}
	d.Maps[0].Objects = []defs.ObjectSpawn{{Entry: 1, Rotation: [4]float32{3: 1}}}
	w := build(Config{Defs: d, Map: &d.Maps[0], Seed: seed, Reclaim: death.AtCorpse})
	all, systems := snapshots(w.ecs), bindSystems(w.ecs)
	wrote := make(map[reflect.Type]bool)
	for i := range systems {
		s := &systems[i]
		writes := make(map[reflect.Type]bool)
		for _, a := range s.Access {
			known := slices.ContainsFunc(all, func(c snapshot) bool { return c.of() == a.Type })
			if !known && a.Mode >= ecs.ModeSpawn && strings.HasSuffix(a.Type.PkgPath(), "/components") {
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
	w.Inbox().Add(frame.Item{Session: 99, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
		GUID: 99, Name: "Ghost", Race: 1, Class: 1, Level: 1, Told: life.All,
		Life: life.Life{Begun: true, Health: 1, Death: life.Death{State: life.Ghost}},
	})})
	for n := uint64(1); n <= 150 && !t.Failed(); n++ {
		crowd.unrest(w, n)
		crowd.emigrate(w)
		crowd.act(w.Inbox(), n, func(*player) {})
		w.Inbox().Seal()
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
