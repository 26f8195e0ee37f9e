package combat

import (
	"encoding/hex"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A stage is a world of players and creatures with the systems of this package alone, in the order of a tick of 50 ms. The damage
// of their swings hurts nothing: a test reads it, and what else they ask of other systems, in a result.
type stage struct {
	*ecs.World
	plan  *sched.Plan
	log   *change.Log
	tick  sched.Tick // the next one
	count metric.Table
	space *space.Space
	slab  *ecs.Slab[components.Auras]

	swings *Swings

	player, beast, thing *ecs.Archetype
	objects              ecs.Accessor[components.Object]
	units                ecs.Accessor[components.Unit]
	vitals               ecs.Accessor[components.Vitals]
	stats                ecs.Accessor[components.CombatStats]
	stances              ecs.Accessor[components.Stance]
	positions            ecs.Accessor[components.Position]
	sessions             ecs.Accessor[components.Session]
	attacks              ecs.Accessor[components.Attack]
	ready                ecs.Accessor[components.SwingTimers]
	castings             ecs.Accessor[components.Casting]
	unitAuras            ecs.Accessor[components.UnitAuras]
	threatStates         ecs.Accessor[components.ThreatState]
}

// A result is what a tick has sent to clients and asked of other systems.
type result struct {
	ms       uint32 // the time of the tick
	packets  []packet
	damages  []rules.Damage
	stands   []rules.StandUp
	targets  []rules.SetTarget
	victims  []rules.VictimChanged
	replaced []rules.SwingReplaced
}

// A packet is one that was broadcast about a unit, or sent to a player.
type packet struct {
	op    uint16
	about ecs.Entity // zero: it was sent
	body  string     // in hexadecimal
}

func newStage() *stage {
	w := ecs.NewWorld(16)
	s := &stage{World: w, space: new(space.Space), tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6, Seed: 1}}
	ecs.Share(w, &defs.World{})
	ecs.Share(w, s.space)
	ecs.Share(w, &s.count)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.slab = ecs.Shared[ecs.Slab[components.Auras]](w)
	s.swings = new(Swings)
	var run []sched.System
	for _, system := range []any{new(AttackRequests), new(Attacks), s.swings, new(WeaponHits)} {
		run = append(run, sched.Bind(w, sched.Act, system))
	}
	s.plan = sched.NewPlan(w.EndStage, run...)
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.stats = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.CombatStats](w)
	s.stances, s.positions = ecs.NewAccessor[components.Stance](w), ecs.NewAccessor[components.Position](w)
	s.sessions, s.attacks = ecs.NewAccessor[components.Session](w), ecs.NewAccessor[components.Attack](w)
	s.ready, s.castings = ecs.NewAccessor[components.SwingTimers](w), ecs.NewAccessor[components.Casting](w)
	s.unitAuras, s.threatStates = ecs.NewAccessor[components.UnitAuras](w), ecs.NewAccessor[components.ThreatState](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.Dirty]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of[components.Session]())...)
	s.beast = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...)
	s.thing = ecs.NewArchetype(w, slices.Concat(components.GameObjectParts(), ecs.Of[components.Attack]())...)
	return s
}

// addPlayer spawns a player at the middle, facing east, that hits for 10 points every 2 s and always hits.
func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.player.Spawn()
	s.sessions.Get(e).ID = uint32(guid)
	return s.add(e, guid, defs.FactionFriendly)
}

// addBeast spawns a hostile creature at the middle.
func (s *stage) addBeast(guid uint64) ecs.Entity {
	return s.add(s.beast.Spawn(), guid, defs.FactionHostile)
}

func (s *stage) add(e ecs.Entity, guid uint64, faction uint32) ecs.Entity {
	s.objects.Get(e).GUID = guid
	s.space.Add(guid, e)
	*s.units.Get(e) = components.Unit{Level: 10, Faction: faction, CombatReach: 1.5}
	*s.vitals.Get(e) = components.Vitals{Health: 1000, MaxHealth: 1000}
	*s.stats.Get(e) = components.CombatStats{
		MinDamage: [3]float32{10, 10, 10}, MaxDamage: [3]float32{10, 10, 10}, SwingMs: [3]uint32{2000}, Hit: 100,
		DamageDone: 1, DamageTaken: 1, ThreatDone: 1,
	}
	return e
}

// emit appends events of which systems take each in the next tick.
func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

// attack has a unit attack another in the next tick.
func (s *stage) attack(e, victim ecs.Entity) {
	emit(s, rules.Attack{Entity: e, Victim: victim, How: components.SwingMelee})
}

// shoot has a unit shoot at another.
func (s *stage) shoot(e, victim ecs.Entity) {
	emit(s, rules.Attack{Entity: e, Victim: victim, How: components.SwingRanged})
}

// run runs a tick.
func (s *stage) run() (got result) {
	got.ms = s.tick.NowMs
	s.plan.Run(s.tick)
	all := s.log.Builder.Bytes
	for at := 0; at < len(all); {
		op, payload, header, _ := wire.ServerHeader(all[at:])
		p := packet{op: op, body: hex.EncodeToString(all[at+header : at+header+payload])}
		for _, b := range s.log.Broadcasts {
			if int(b.Span.Off) == at {
				p.about = b.Entity
			}
		}
		got.packets = append(got.packets, p)
		at += header + payload
	}
	got.damages, got.stands = events[rules.Damage](s), events[rules.StandUp](s)
	got.targets, got.victims = events[rules.SetTarget](s), events[rules.VictimChanged](s)
	got.replaced = events[rules.SwingReplaced](s)
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
	return got
}

// events are those of a type that no system of the stage has taken.
func events[T any](s *stage) []T { return slices.Clone(ecs.QueueOf[T](s.World).All()) }

// runUntil runs ticks up to and with the one at a time, and returns the times of those with a swing, for each swing.
func (s *stage) runUntil(ms uint32) (swings []uint32) {
	for s.tick.NowMs <= ms {
		got := s.run()
		for range got.damages {
			swings = append(swings, got.ms)
		}
	}
	return swings
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}
