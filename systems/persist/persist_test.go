package persist

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/record"
)

// A room is a world with players and the systems that save them alone.
type room struct {
	world   *ecs.World
	log     *change.Log
	unsaved change.Unsaved
	systems []sched.System
	players []ecs.Entity
	tick    uint64
}

// A player is the archetype of players: what a loader fills in, and what is saved.
type player struct{}

func (player) Components() []ecs.Type {
	return slices.Concat(components.PlayerParts(),
		ecs.Of4[components.Record, components.Name, components.Position, components.Inventory](),
		ecs.Of4[components.Spellbook, components.Actions, components.UnitAuras, components.Cheats](),
		ecs.Of4[components.SavedState, components.Unsaved, components.Session, components.Cooldowns]())
}

const step = 50 * time.Millisecond

func newRoom(players int, rate Rate) *room {
	w := ecs.NewWorld(16)
	d := &defs.World{Maps: []defs.Map{{ID: 571}}, Spells: []defs.Spell{{ID: 133}}}
	ecs.Share(w, d)
	ecs.Share(w, &d.Maps[0])
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, &rate)
	log := change.NewLog(w)
	ecs.Share(w, log)
	ecs.Share(w, new(ecs.Slab[components.Auras]))
	r := &room{world: w, log: log}
	r.unsaved.BindParam(w, "")
	for _, s := range []any{new(SaveTurns), new(SaveLists), new(CharacterSaves)} {
		r.systems = append(r.systems, sched.Bind(w, sched.Keep, s))
	}
	made := new(struct {
		spawn  ecs.Spawn[player]
		loader record.Loader
	})
	ecs.Bind(w, made)
	for i := range players {
		e := made.spawn.Spawn()
		made.loader.Put(sched.Tick{}, e, &frame.Character{
			GUID: uint64(i + 1), Map: 571, Version: 10, Life: life.Life{Begun: true, Spells: []uint32{133}},
		})
		r.players = append(r.players, e)
	}
	joined := ecs.QueueOf[change.Joined](w)
	for _, e := range r.players {
		joined.Next().Entity = e
	}
	return r
}

// run runs a tick and returns the snapshots in its frame.
func (r *room) run(skip uint64) []frame.Save {
	r.tick += 1 + skip
	for _, s := range r.systems {
		s.Run(sched.Tick{N: r.tick, NowMs: uint32(r.tick * 50), Quantum: step})
	}
	f := new(frame.Frame)
	r.log.Builder.Build(f, r.tick)
	r.log.Reset()
	r.world.EndTick()
	return slices.Clone(f.Saves)
}

func (r *room) walk(e ecs.Entity, x float32) {
	positions := ecs.NewAccessor[components.Position](r.world)
	positions.Get(e).X = x
}

// Every player that changes is saved once in a period, one that stands still is not, and a tick has its share of all.
func TestTurns(t *testing.T) {
	const players = 3 * 8 * block // three blocks in each turn
	r := newRoom(players, Rate{})
	ticks := int(Period / step)
	saved := make(map[uint64]int)
	for range ticks { // none has been saved yet
		saves := r.run(0)
		if len(saves) != players/ticks {
			t.Errorf("%d are saved in a tick, want %d", len(saves), players/ticks)
		}
		for _, s := range saves {
			saved[s.GUID]++
		}
	}
	if len(saved) != players {
		t.Fatalf("%d are saved in a period, want %d", len(saved), players)
	}
	for range 2 * ticks {
		if saves := r.run(0); len(saves) != 0 {
			t.Fatalf("%d that stand still are saved", len(saves))
		}
	}
	r.walk(r.players[7], 5)
	var got []frame.Save
	for range 2 * ticks {
		got = append(got, r.run(0)...)
	}
	if len(got) != 1 || got[0].GUID != 8 || got[0].Version != 12 || got[0].State.At.X != 5 || got[0].State.At.Map != 571 ||
		got[0].Told != 0 || got[0].Soon {
		t.Errorf("%+v is saved of one that walked", got)
	}
}

// In a world that keeps nothing each player is saved every Glance if it has changed, and none before its turn.
func TestSeldom(t *testing.T) {
	const players = 10
	r := newRoom(players, Rate{Seldom: true})
	ticks := int(Glance / step)
	saved := 0
	for range ticks {
		saved += len(r.run(0))
	}
	if saved != players {
		t.Errorf("%d are saved in the first %v, want %d", saved, Glance, players)
	}
	e := r.players[0]
	units := ecs.NewAccessor[components.Unit](r.world)
	units.Get(e).Level = 7
	r.unsaved.MarkNow(e, life.Items)
	var got []frame.Save
	at := 0
	for n := range ticks {
		if saves := r.run(0); len(saves) > 0 {
			got, at = append(got, saves...), n
		}
	}
	if len(got) != 1 || got[0].State.Level != 7 || at == 0 {
		t.Errorf("%+v is saved of one with a new level, in tick %d", got, at)
	}
}

// Skipped ticks leave out no player's turn.
func TestSkippedTicks(t *testing.T) {
	for _, skip := range []uint64{1, 4, 9, 10, 25} {
		const players = 3 * 8 * block // three blocks in each turn
		r := newRoom(players, Rate{})
		saved := 0
		for passed := time.Duration(0); passed < Period; passed += time.Duration(skip+1) * step {
			saved += len(r.run(skip))
		}
		if saved != players {
			t.Errorf("with %d ticks skipped each time %d are saved in a period, want %d", skip, saved, players)
		}
	}
}

// An urgent player is saved at once, with its lists; a player that has left is not saved.
func TestUrgent(t *testing.T) {
	r := newRoom(40, Rate{})
	for range Period / step {
		r.run(0)
	}
	r.unsaved.MarkNow(r.players[3], life.Spells)
	r.unsaved.MarkNow(r.players[3], 0)
	r.unsaved.MarkNow(r.players[4], life.Items)
	r.world.Despawn(r.players[4])
	r.world.EndStage()
	r.tick++
	for _, s := range r.systems {
		s.Run(sched.Tick{N: r.tick, NowMs: uint32(r.tick * 50), Quantum: step})
	}
	f := new(frame.Frame)
	r.log.Builder.Build(f, r.tick)
	r.log.Reset()
	r.world.EndTick()
	if len(f.Saves) != 1 {
		t.Fatalf("saved %+v, want one", f.Saves)
	}
	s := &f.Saves[0]
	lists := frame.Lists{Told: s.Told}
	if err := msg.Decode(wire.V12340, f.In(s.Lists), &lists); err != nil {
		t.Fatal(err)
	}
	if s.GUID != 4 || !s.Soon || s.Told != life.Spells || !reflect.DeepEqual(lists.Life.Spells, []uint32{133}) {
		t.Errorf("saved %+v with %+v", s, lists)
	}
	for range 2 * Period / step {
		if more := r.run(0); len(more) != 0 {
			t.Fatalf("saved again: %+v", more)
		}
	}
}
