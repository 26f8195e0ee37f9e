package stats

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/combat"
	"muster/systems/rules"
	"muster/systems/vitals"
)

const (
	snare = 5 // a spell that slows by its amount,
	zeal  = 6 // and one that hastens swings by its amount
)

// A stage is a world of players whose stats change: vitals, combat and stats, in the order of a tick.
type stage struct {
	*ecs.World
	defs   *defs.World
	plan   *sched.Plan
	log    *change.Log
	tick   sched.Tick // the next one
	slab   *ecs.Slab[components.Auras]
	swings *ecs.Reader[rules.SetSwingTimes]
	speeds *ecs.Queue[move.SetSpeed]

	player      *ecs.Archetype
	units       ecs.Accessor[components.Unit]
	vitals      ecs.Accessor[components.Vitals]
	combatStats ecs.Accessor[components.CombatStats]
	shown       ecs.Accessor[components.Stats]
	records     ecs.Accessor[components.Record]
	inventories ecs.Accessor[components.Inventory]
	unitAuras   ecs.Accessor[components.UnitAuras]
	swingTimers ecs.Accessor[components.SwingTimers]
}

func newStage(d *defs.World) *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, defs: d, log: change.NewLog(w), tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6}}
	ecs.Share(w, d)
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(space.Space))
	ecs.Share(w, s.log)
	rules.Share(w)
	s.swings = ecs.QueueOf[rules.SetSwingTimes](w).Reader()
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(vitals.Mitigation)), sched.Bind(w, sched.Act, new(vitals.Vitals)), sched.Bind(w, sched.Act, new(vitals.CombatLog)), sched.Bind(w, sched.Act, new(combat.Swings)),
		sched.Bind(w, sched.Settle, new(Stats)), sched.Bind(w, sched.Settle, new(StatEffects)))
	s.slab, s.speeds = ecs.Shared[ecs.Slab[components.Auras]](w), ecs.QueueOf[move.SetSpeed](w).Lasting()
	s.units, s.vitals = ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	s.combatStats, s.shown = ecs.NewAccessor[components.CombatStats](w), ecs.NewAccessor[components.Stats](w)
	s.records = ecs.NewAccessor[components.Record](w)
	s.inventories = ecs.NewAccessor[components.Inventory](w)
	s.swingTimers = ecs.NewAccessor[components.SwingTimers](w)
	s.unitAuras = ecs.NewAccessor[components.UnitAuras](w)
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(),
		components.CombatParts(), ecs.Of2[components.Position, components.Dirty](),
		ecs.Of3[components.Session, components.Inventory, components.Record]())...)
	return s
}

// casters are a class with mana, and two spells.
func casters() *defs.World {
	d := &defs.World{Spells: []defs.Spell{
		{ID: snare, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraSlow}}},
		{ID: zeal, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraMeleeHaste}}},
	}}
	d.Players = defs.Players{MaxLevel: 3, NextXP: []uint32{0, 400, 900}}
	d.Players.Classes[1] = defs.Class{Health: defs.Growth{First: 50, PerLevel: 20}, Mana: defs.Growth{First: 30, PerLevel: 5}, SwingMs: 2000}
	return d
}

// addPlayer spawns a player that joins in the next tick.
func (s *stage) addPlayer() ecs.Entity {
	e := s.player.Spawn()
	*s.units.Get(e) = components.Unit{Bytes0: [4]uint8{components.ByteClass: 1}, Level: 1}
	ecs.QueueOf[change.Joined](s.World).Next().Entity = e
	return e
}

// mark has a unit's stats recomputed in the next tick.
func (s *stage) mark(e ecs.Entity) {
	*ecs.QueueOf[rules.StatsDirty](s.World).Next() = rules.StatsDirty{Entity: e}
}

// auras lists the auras on a unit.
func (s *stage) auras(e ecs.Entity) *components.Auras {
	state := s.unitAuras.Get(e)
	if state.Block == 0 {
		state.Block = s.slab.Alloc()
	}
	return s.slab.At(state.Block)
}

// wear puts an aura on a unit.
func (s *stage) wear(e ecs.Entity, spell uint32, amount int32) {
	*s.auras(e) = components.Auras{Count: 1, List: [life.MaxAuras]components.Aura{
		{Spell: spell, Effects: 1, Stacks: 1, Amount: [3]int32{amount}},
	}}
}

// swingMs is when a unit's main hand may swing next.
func (s *stage) swingMs(e ecs.Entity) *uint32 {
	return &s.swingTimers.Get(e).NextMs[components.MainHand]
}

func (s *stage) run() {
	s.plan.Run(s.tick)
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	s.tick.NowMs += 50
}

// A new player has full health and power; a returning one what it was saved with, up to the maxima; the dead stay
// dead.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name   string
		was    components.Vitals
		state  uint32
		health uint32
		mana   uint32
	}{
		{"new", components.Vitals{}, life.Alive, 50, 30},
		{"hurt", components.Vitals{Health: 20, Power: [7]uint32{4}}, life.Alive, 20, 4},
		{"once larger", components.Vitals{Health: 500, Power: [7]uint32{400}}, life.Alive, 50, 30},
		{"dead", components.Vitals{}, life.Dead, 0, 0},
	} {
		s := newStage(casters())
		e := s.addPlayer()
		*s.vitals.Get(e), s.records.Get(e).Death.State = c.was, c.state
		s.run()
		if v := s.vitals.Get(e); v.MaxHealth != 50 || v.MaxPower[0] != 30 || v.Health != c.health || v.Power[0] != c.mana {
			t.Errorf("%s: %+v", c.name, *v)
		}
	}
}

// A faster weapon does not change the remaining time to the next swing, and haste does.
func TestWeaponKeepsSwingTimer(t *testing.T) {
	s := newStage(casters())
	e := s.addPlayer()
	s.run()
	*s.swingMs(e) = s.tick.NowMs + 1600
	s.defs.Players.Classes[1].SwingMs = 1000
	s.mark(e)
	s.run()
	if left := *s.swingMs(e) - (s.tick.NowMs - 50); left != 1600 {
		t.Errorf("with another weapon the next swing comes in %d ms, want 1600", left)
	}
	*s.swingMs(e) = s.tick.NowMs + 800
	s.wear(e, zeal, 100)
	s.mark(e)
	s.run()
	if left := *s.swingMs(e) - (s.tick.NowMs - 50); left != 400 {
		t.Errorf("twice as quick the next swing comes in %d ms, want 400", left)
	}
}

// A unit marked twice is recomputed once, and runs as fast as its stats say.
func TestRecompute(t *testing.T) {
	s := newStage(casters())
	e := s.addPlayer()
	s.run()
	s.wear(e, snare, -50)
	s.units.Get(e).Level = 2
	s.mark(e)
	s.mark(e)
	s.run()
	want := []move.SetSpeed{{Entity: e, Which: components.SpeedRun, Speed: 3.5}, {Entity: e, Which: components.SpeedSwim, Speed: 2.361111}}
	if got := s.speeds.Take(); !slices.Equal(got, want) {
		t.Errorf("asks for %+v, want %+v", got, want)
	}
	if v := s.vitals.Get(e); v.MaxHealth != 70 || v.Health != 50 {
		t.Errorf("after a level: %+v", *v)
	}
	s.auras(e).Count = 0
	s.mark(e)
	s.run()
	if got := s.speeds.Take(); len(got) != 2 || got[0].Speed != 7 {
		t.Errorf("then it asks for %+v", got)
	}
	s.run()
	if got := s.speeds.Take(); len(got) != 0 {
		t.Errorf("without a reason it asks for %+v", got)
	}
}

// A player that logs in with a snare is slow from the beginning.
func TestJoinSnared(t *testing.T) {
	s := newStage(casters())
	e := s.addPlayer()
	s.vitals.Get(e).Health = 20
	s.wear(e, snare, -50)
	s.run()
	want := []move.SetSpeed{{Entity: e, Which: components.SpeedRun, Speed: 3.5}, {Entity: e, Which: components.SpeedSwim, Speed: 2.361111}}
	if got := s.speeds.Take(); !slices.Equal(got, want) {
		t.Errorf("asks for %+v, want %+v", got, want)
	}
}
