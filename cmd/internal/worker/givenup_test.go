package worker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"muster/cmd/internal/process"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/registry"
)

// A deafRegistry is told nothing while it is away, and gives a worker one world, anew whenever that is given up.
type deafRegistry struct {
	given registry.Shard
	away  bool
	asked int // how often it is told that a world is given up
}

func (d *deafRegistry) Report(context.Context, registry.Work) (registry.Orders, error) {
	return registry.Orders{Own: []registry.Shard{d.given}}, nil
}

func (d *deafRegistry) Take(context.Context, registry.Shard) (uint64, error) {
	return 0, registry.ErrOlder
}

func (d *deafRegistry) GiveUp(_ context.Context, s registry.Shard) error {
	d.asked++
	switch {
	case d.away:
		return errors.New("it is away")
	case s.Epoch != d.given.Epoch:
		return registry.ErrOlder
	}
	d.given.Epoch++
	return nil
}

// A world that cannot run is given up after a pause that doubles from 0.1 s to 10 s. Until the registry has been told, no other begins with its epoch.
func TestGivenUpWorld(t *testing.T) {
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	config := &Config{Settings: worldspec.Settings{Clock: "real", Tick: 50 * time.Millisecond, Phases: 2}}
	base, err := worldset.New(&config.Settings, &defs.World{}, new(metric.Table), log) // it has no maps
	if err != nil {
		t.Fatal(err)
	}
	place := &deafRegistry{given: registry.Shard{Map: 7, Epoch: 1}, away: true}
	w := &shardWorker{config: config, base: base, place: place, running: make(map[shardKey]*shardWorld), pauses: make(map[shardKey]time.Duration)}
	now, seven := time.Now(), shardKey{id: 7}
	step := func() { // as run does
		t.Helper()
		if work := w.report(ctx, now); len(work.Runs) != 0 {
			t.Errorf("%+v are said to run", work.Runs)
		}
		orders, _ := place.Report(ctx, registry.Work{})
		w.follow(ctx, orders)
		w.tell(ctx, now)
	}
	step()
	first := w.running[seven]
	<-first.ended
	for range 3 {
		step()
		now = now.Add(100 * time.Millisecond)
	}
	if w.running[seven] != first || place.asked != 2 {
		t.Fatalf("the registry is told %d times, want 2, and the world is %+v, was %+v", place.asked, w.running[seven], first)
	}
	place.away = false
	for i, pause := range []time.Duration{0, 200, 400, 800, 1600, 3200, 6400, 10000, 10000} {
		epoch, asked := uint64(1+i), place.asked
		if s := w.running[seven]; s.Epoch != epoch {
			t.Fatalf("the world has epoch %d, want %d", s.Epoch, epoch)
		}
		<-w.running[seven].ended
		step()
		if pause > 0 {
			now = now.Add(pause*time.Millisecond - 1)
			if step(); place.asked != asked {
				t.Fatalf("it is given up before %v are over", pause*time.Millisecond)
			}
			now = now.Add(1)
			step()
		}
		if place.asked != asked+1 {
			t.Fatalf("it is told %d times after %v, want once", place.asked-asked, pause*time.Millisecond)
		}
		step() // which begins the next
	}
	now = now.Add(process.SoundTime + time.Second)
	<-w.running[seven].ended
	step()
	if w.pauses[seven] != process.LeastPause {
		t.Errorf("after it ran for long the pause is %v, want %v", w.pauses[seven], process.LeastPause)
	}
	for _, s := range w.running {
		<-s.ended
	}
}
