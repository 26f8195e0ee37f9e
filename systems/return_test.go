package systems

import (
	"reflect"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// stateOf is the state of a component of all entities that have it.
func stateOf[T any](w *World) map[ecs.Entity]T {
	all := make(map[ecs.Entity]T)
	for q := ecs.NewFilter1[T](w.ecs).Iter(); q.Next(); {
		all[q.Entity()] = *q.Get()
	}
	return all
}

// standing is what must stay as it is of players that fight, and of what fights them.
func standing(w *World) map[string]any {
	lists, auras := ecs.Shared[ecs.Slab[components.ThreatList]](w.ecs), ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	threat, on := make(map[ecs.Entity]components.ThreatList), make(map[ecs.Entity]components.Auras)
	for e, s := range stateOf[components.ThreatState](w) {
		if s.List != 0 {
			threat[e] = *lists.At(s.List)
		}
	}
	for e, s := range stateOf[components.UnitAuras](w) {
		if s.Block != 0 {
			on[e] = *auras.At(s.Block)
		}
	}
	return map[string]any{
		"threat": threat, "auras": on,
		"vitals": stateOf[components.Vitals](w), "target": stateOf[components.Target](w), "attack": stateOf[components.Attack](w),
		"swings": stateOf[components.SwingTimers](w), "combat": stateOf[components.CombatState](w), "cooldowns": stateOf[components.Cooldowns](w),
		"casting": stateOf[components.Casting](w), "units": stateOf[components.Unit](w), "positions": stateOf[components.Position](w),
		"items": stateOf[components.Inventory](w), "progress": stateOf[components.Progress](w), "spells": stateOf[components.Spellbook](w),
	}
}

// Players that come back in a fight, whose connections or whose gateways have ended, have what players have that never were away: health, targets,
// the lists of threat that they are on, auras, cooldowns, swings that are due.
func TestFightsGoOnWhenPlayersComeBack(t *testing.T) {
	d, err := synth.New(synth.Config{Seed: 1, Creatures: 1})
	if err != nil {
		t.Fatal(err)
	}
	var foe uint32
	for i := range d.Creatures {
		if c := &d.Creatures[i]; foe == 0 && c.MinLevel <= 3 && c.Faction == defs.FactionHostile && c.Type != defs.TypeCritter {
			foe = c.Entry
		}
	}
	classes := []uint8{1, 2, 3, 4, 5, 7, 8, 9, 11}
	duel := func(op, lost uint16, session func(i int) uint32, version uint64) (states []map[string]any) {
		a := newArena(*d, 7, len(classes), func(int) uint32 { return foe }, func(i int) uint8 { return classes[i] })
		a.live.Exchange.Post(&a.swings)
		for k := range 12 {
			var in frame.Inbox
			for i, class := range classes {
				if spells := d.Learnt(nil, class, 1); k < len(spells) {
					cast := &msg.CastSpell{Spell: spells[k]}
					cast.Targets = msg.Targets{Mask: msg.TargetUnit, Unit: a.foes[i]}
					in.Add(frame.Item{Session: uint32(i), Op: msg.OpCastSpell, Body: msg.Append(nil, wire.V12340, cast)})
				}
			}
			a.live.Exchange.Post(&in)
			for range 8 {
				a.step()
			}
		}
		if op != 0 {
			var in frame.Inbox
			for i := range classes {
				in.Add(frame.Item{Session: uint32(i), Op: lost})
			}
			a.live.Exchange.Post(&in)
		}
		for range 5 {
			a.step()
		}
		if op != 0 {
			var in frame.Inbox
			for i, class := range classes {
				in.Add(frame.Item{Session: session(i), Op: op, Body: msg.Append(nil, wire.V12340, &frame.Character{
					GUID: uint64(i + 1), Name: "Fighter", Race: 1, Class: class, Level: 1, Version: version, // as it was stored before all of that
				})})
			}
			a.live.Exchange.Post(&in)
		}
		for range 3 {
			for range 10 {
				a.step()
			}
			states = append(states, standing(a.live.World))
		}
		for e, r := range stateOf[components.Record](a.live.World) {
			if op == frame.OpEnter && r.Version <= version {
				t.Errorf("player %v is saved as version %d, which the store of version %d does not take", e, r.Version, version)
			}
		}
		return states
	}
	stayed := duel(0, 0, nil, 0)
	if n := len(stayed[0]["threat"].(map[ecs.Entity]components.ThreatList)); n < len(classes)/2 {
		t.Fatalf("%d fights go on", n)
	}
	waits := 0
	for _, c := range stayed[0]["cooldowns"].(map[ecs.Entity]components.Cooldowns) {
		waits += int(c.Waiting)
	}
	if auras := stayed[0]["auras"].(map[ecs.Entity]components.Auras); waits == 0 || len(auras) == 0 {
		t.Errorf("%d cooldowns run, and %d units have auras", waits, len(auras))
	}
	for name, came := range map[string][]map[string]any{
		"through their gateway": duel(frame.OpResume, frame.OpDrop, func(i int) uint32 { return uint32(i) }, 1),
		"through another one":   duel(frame.OpEnter, frame.OpAbandon, func(i int) uint32 { return uint32(i + 500) }, 1<<32),
	} {
		for at := range stayed {
			for what, want := range stayed[at] {
				if !reflect.DeepEqual(came[at][what], want) {
					t.Errorf("of players that came back %s, %s are not as of those that stayed, %d ticks later:\n%v\n%v", name, what, (at+1)*10, came[at][what], want)
				}
			}
		}
	}
}
