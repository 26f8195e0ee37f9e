package ai

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
	"muster/systems/threat"
)

// A stage is a world in which creatures decide about units that have threat with them.
type stage struct {
	*ecs.World
	victims *Victims
	sources *threat.ThreatSources
	threat  *threat.ThreatLists
	log     *change.Log

	player, beast *ecs.Archetype
	objects       ecs.Accessor[components.Object]
	positions     ecs.Accessor[components.Position]
	units         ecs.Accessor[components.Unit]
	vitals        ecs.Accessor[components.Vitals]
	attacks       ecs.Accessor[components.Attack]
}

func newStage() *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, victims: new(Victims), sources: new(threat.ThreatSources), threat: new(threat.ThreatLists), log: change.NewLog(w)}
	ecs.Share(w, new(defs.World))
	ecs.Share(w, new(defs.Map))
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(space.Space))
	ecs.Share(w, s.log)
	rules.Share(w)
	ecs.Bind(w, s.sources)
	ecs.Bind(w, s.threat)
	ecs.Bind(w, s.victims)
	s.objects, s.positions = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Position](w)
	s.units, s.vitals = ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	s.attacks = ecs.NewAccessor[components.Attack](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.Dirty]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of[components.Session]())...)
	s.beast = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...)
	return s
}

func (s *stage) add(a *ecs.Archetype, guid uint64, faction uint32) ecs.Entity {
	e := a.Spawn()
	s.objects.Get(e).GUID = guid
	*s.units.Get(e) = components.Unit{Level: 1, Faction: faction, CombatReach: 1.5}
	*s.vitals.Get(e) = components.Vitals{Health: 50, MaxHealth: 50}
	return e
}

// attack has a unit attack a victim, or none.
func (s *stage) attack(e, victim ecs.Entity) { s.attacks.Get(e).Victim = victim }

// A victim is kept until another unit has a tenth more threat within reach, or three tenths more beyond it.
func TestChoose(t *testing.T) {
	s := newStage()
	b := s.add(s.beast, 1, defs.FactionHostile)
	near, far := s.add(s.player, 2, defs.FactionFriendly), s.add(s.player, 3, defs.FactionFriendly)
	s.positions.Get(far).X = 30
	if got := s.victims.choose(b); got != (ecs.Entity{}) {
		t.Errorf("out of combat it attacks %v", got)
	}
	clears, changes := ecs.QueueOf[rules.ClearThreat](s.World), ecs.QueueOf[rules.ThreatChange](s.World)
	for _, c := range []struct {
		near, far float32 // threat
		has       ecs.Entity
		want      ecs.Entity
	}{
		{100, 0, near, near}, {100, 129, near, near}, {100, 131, near, far},
		{109, 100, far, far}, {111, 100, far, near}, {5, 4, ecs.Entity{}, near}, {0, 0, near, near},
	} {
		clears.Next().Entity = b
		*changes.Next() = rules.ThreatChange{Entity: b, By: far, Amount: c.far, Raw: true}
		*changes.Next() = rules.ThreatChange{Entity: b, By: near, Amount: c.near, Raw: true}
		tick := sched.Tick{N: 1, NowMs: 50, Quantum: 50e6}
		s.sources.React(tick)
		s.threat.React(tick)
		s.attack(b, c.has)
		if got := s.victims.choose(b); got != c.want {
			t.Errorf("%+v: chooses %v", c, got)
		}
	}
	s.vitals.Get(near).Health = 0
	if got := s.victims.choose(b); got != far {
		t.Errorf("when its victim is dead it chooses %v, want %v", got, far)
	}
	s.units.Get(far).Flags |= components.UnitNotSelectable
	if got := s.victims.choose(b); got != (ecs.Entity{}) {
		t.Errorf("of units that it cannot attack it chooses %v", got)
	}
}
