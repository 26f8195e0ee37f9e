package experience

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
)

// Two kills in one tick are worth what they are one after the other, with a level in between: the second counts for the
// new level. What a kill is worth is pinned by TestBaseGain.
func TestTwoKillsInATick(t *testing.T) {
	w := ecs.NewWorld(8)
	d := &defs.World{Creatures: []defs.Creature{{Entry: 7, XP: 1}}}
	d.Players = defs.Players{MaxLevel: 9, NextXP: []uint32{0, 44, 60, 1000}}
	rate, all := Rate(1), new(space.Space)
	ecs.Share(w, d)
	ecs.Share(w, all)
	ecs.Share(w, &rate)
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, change.NewLog(w))
	kills, s := new(KillExperience), new(Experience)
	ecs.Bind(w, kills)
	ecs.Bind(w, s)
	levels := ecs.QueueOf[rules.LevelChanged](w).Reader()
	both := ecs.Of4[components.VitalsState, components.Tapped, components.Position, components.Dirty]()
	player := ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both,
		ecs.Of3[components.Session, components.Unsaved, components.Record]())...).Spawn()
	kind := ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...)
	objects, vitals := ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Vitals](w)
	units, threats := ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Tapped](w)
	objects.Get(player).GUID, vitals.Get(player).Health, units.Get(player).Level = 1, 1, 1
	all.Add(1, player)
	deaths := ecs.QueueOf[rules.Death](w)
	for range 2 {
		e := kind.Spawn()
		objects.Get(e).Entry, units.Get(e).Level, threats.Get(e).LootRecipient = 7, 1, 1
		*deaths.Next() = rules.Death{Entity: e}
	}
	kills.OnEvents(sched.Tick{N: 1})
	s.OnEvents(sched.Tick{N: 1})
	first, second := BaseGain(1, 1), BaseGain(2, 1)
	if first != 50 || second == first {
		t.Fatalf("the kills are worth %d and %d", first, second)
	}
	if got, want := levels.Next(), []rules.LevelChanged{{Entity: player, From: 1, To: 2}}; !slices.Equal(got, want) {
		t.Errorf("levels %+v, want %+v", got, want)
	}
	if p := s.progress.Get(player); p.XP != first-44+second || p.NextXP != 60 {
		t.Errorf("it has %d of %d, want %d of 60", p.XP, p.NextXP, first-44+second)
	}
	for _, level := range []uint32{5, 2} { // asked for in one tick, the last counts
		*ecs.QueueOf[rules.SetLevel](w).Next() = rules.SetLevel{Entity: player, Level: level}
	}
	units.Get(player).Level = 2
	w.EndTick()
	s.OnEvents(sched.Tick{N: 2})
	if got, want := levels.Next(), []rules.LevelChanged{{Entity: player, From: 2, To: 5}, {Entity: player, From: 5, To: 2}}; !slices.Equal(got, want) {
		t.Errorf("levels %+v, want %+v", got, want)
	}
}
