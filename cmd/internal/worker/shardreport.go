package worker

import (
	"context"
	"errors"
	"time"

	"muster/cmd/internal/process"
	"muster/loaders/registry"
)

// load is how many cores the ticks of the worlds took in the time since it was last called. It notes that of each.
func (w *shardWorker) load(since time.Duration) (cores float32) {
	for _, s := range w.running {
		if s.set == nil || s.over {
			continue
		}
		var spent time.Duration
		for _, p := range s.set.TickStats {
			spent += p.Spent()
		}
		if s.replica != nil {
			spent += time.Duration(s.replica.Spent.Load())
		}
		if since > 0 {
			s.Load = float32(spent-s.spent) / float32(since)
			cores += s.Load
		}
		s.spent = spent
	}
	return cores
}

// report is what there is to say of the worlds. One that has ended by itself, or cannot be made, is given up.
func (w *shardWorker) report(ctx context.Context, now time.Time) (work registry.Work) {
	for id, s := range w.running {
		if s.over {
			if s.hasEnded() && !s.owed && !now.Before(s.due) {
				delete(w.running, id)
			}
			continue
		}
		failed := s.hasEnded()
		if failed && s.moved {
			w.finish(s) // what the registry says then is begun anew
			continue
		}
		if s.set == nil && !failed {
			select {
			case s.madeWorld = <-s.made:
				failed = s.set == nil
				w.show()
			default:
				continue
			}
		}
		if failed || s.replica == nil && s.set.GivenUp() != nil {
			if ctx.Err() == nil { // else it ends because this process does
				w.giveUp(s, now)
			}
			continue
		}
		if s.replica != nil && !s.replica.Has() {
			if !s.Own.Load() {
				work.Follows = append(work.Follows, registry.Standby{Map: s.Map, Instance: s.Instance, Ready: s.replica.IsBehind(), Tick: s.replica.At.Load()})
			}
			continue
		}
		if t, ok := s.set.TickStats[0].Latest(); ok {
			s.Tick, s.Players = t.N, t.Load.Players
		}
		if s.replica != nil { // one without players may not have stepped since it was given
			s.Tick = max(s.Tick, s.replica.At.Load())
		}
		work.Runs = append(work.Runs, s.Shard)
	}
	return work
}

// giveUp ends a world, for another worker to have it, or this one anew: after a pause, which doubles while the worlds of the map do not run for long.
func (w *shardWorker) giveUp(s *shardWorld, now time.Time) {
	pause := nextPause(w.pauses[keyOf(s.Shard)], now.Sub(s.began))
	w.pauses[keyOf(s.Shard)] = pause
	s.owed, s.due = s.Own.Load(), now.Add(pause)
	w.base.Log.Error("a world is given up", "map", s.Map, "instance", s.Instance, "epoch", s.Epoch, "after", pause)
	w.finish(s)
}

// maxPauses is of how many worlds that have ended by themselves the last pause is kept.
const maxPauses = 1024

// nextPause is the pause after something has ended that ran for a time, and the last time had a pause of so much, 0 for none.
func nextPause(last, ran time.Duration) time.Duration {
	if last == 0 || ran > process.SoundTime {
		return process.LeastPause
	}
	return min(2*last, process.MostPause)
}

// tell tells the registry which worlds are given up. A world that it is not told of, as it is away, stays among those that run: the registry
// lists it with the same epoch, with which no second one begins.
func (w *shardWorker) tell(ctx context.Context, now time.Time) {
	for _, s := range w.running {
		if !s.owed || now.Before(s.due) {
			continue
		}
		if err := w.place.GiveUp(ctx, s.Shard); err != nil && !errors.Is(err, registry.ErrOlder) {
			return // the next report says that the registry is away
		}
		s.owed = false
	}
}
