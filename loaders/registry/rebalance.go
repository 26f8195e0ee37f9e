package registry

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A Move is a shard that is to go from the worker that has it to another one, so that the greater load of the two is less. Loads are in cores, with what players count.
type Move struct {
	Shard    Shard
	To       uint64
	Cost     float32 // of the shard
	FromLoad float32 // of the worker that has it
	ToLoad   float32 // of the other one, before
}

// When a shard is moved, in cores. Our own choice.
const (
	HighLoad  = 0.7  // of a worker that gives one to a worker that has some, too
	LoadGap   = 0.25 // by which the load of that one is then to be lower, with the shard
	LeastGain = 0.05 // by which each move is to make the greater of the two loads lower: the load of a worker without any is then lower by twice that at least
)

// greater is the greater load of the two workers after the move.
func (m *Move) greater() float32 { return max(m.FromLoad-m.Cost, m.ToLoad+m.Cost) }

// compare orders moves: first those from the worker with the greatest load, and of those the ones after which the greater load is the least, to a hundredth of a core. Of moves
// alike in that, one of a shard that costs less has fewer players notice it.
func (m *Move) compare(o *Move) int {
	hundredths := func(load float32) float64 { return math.Round(float64(load) * 100) }
	return cmp.Or(
		-cmp.Compare(m.FromLoad, o.FromLoad), cmp.Compare(hundredths(m.greater()), hundredths(o.greater())), cmp.Compare(m.Cost, o.Cost),
		cmp.Compare(m.To, o.To), cmp.Compare(m.Shard.Map, o.Shard.Map), cmp.Compare(m.Shard.Instance, o.Shard.Instance),
	)
}

// pair is what a move is between.
type pair struct{ from, to uint64 }

func (m *Move) pair() pair { return pair{m.Shard.Worker, m.To} }

// Rebalance lists the moves that even out loads, one at most between two workers, the best first. A worker that has one shard keeps it, and a shard that was moved a short time ago stays. None goes from or to a worker that
// drains, is silent or superseded, nor to one that Assign would not give it, or that follows it: that one steps it already, and the other would follow it in turn.
//
// Each move lowers the sum of the squares of the loads by 2 · LeastGain² at least. So while those of the shards stay as they are, there is an end to moves.
func Rebalance(workers []Process, shards []Shard, standbys ...Standby) []Move {
	type place struct {
		Process
		shards int
	}
	durable := slices.ContainsFunc(workers, func(w Process) bool { return w.Durable })
	places := make(map[uint64]*place)
	for _, w := range workers {
		places[w.ID] = &place{Process: w}
	}
	for _, s := range shards {
		if p := places[s.Worker]; p != nil {
			p.shards++
			p.Load += s.cost()
		}
	}
	takesPart := func(p *place) bool { return !p.Draining && !p.Silent && !p.Superseded && p.Durable == durable }
	var moves []Move
	for _, s := range shards {
		from := places[s.Worker]
		if from == nil || !takesPart(from) || from.shards < 2 || s.State != Runs || s.Moved {
			continue
		}
		for _, w := range workers {
			to := places[w.ID]
			if to == from || !takesPart(to) || to.shards >= to.Capacity || !to.takes(s.Map) || !to.continues(s) || rank(standbys, s, to.ID) < noStandby {
				continue
			}
			m := Move{Shard: s, To: to.ID, Cost: s.Load + s.cost(), FromLoad: from.Load, ToLoad: to.Load}
			overloaded := m.FromLoad >= HighLoad && m.FromLoad-(m.ToLoad+m.Cost) >= LoadGap
			if (overloaded || to.shards == 0) && m.greater() <= m.FromLoad-LeastGain {
				moves = append(moves, m)
			}
		}
	}
	slices.SortFunc(moves, func(a, b Move) int { return a.compare(&b) })
	best := make(map[pair]bool)
	return slices.DeleteFunc(moves, func(m Move) bool {
		had := best[m.pair()]
		best[m.pair()] = true
		return had
	})
}

// Times of moves, our own choice.
const (
	HoldTime   = 30 * time.Second // for which the loads of two workers are to be such that a shard should be moved between them
	MovePause  = time.Minute      // between two moves
	smoothTime = 10 * time.Second // the time constant of the mean of loads
)

// A Balancer decides when a shard is moved, by the loads of some time. The zero Balancer is ready. One goroutine owns it.
type Balancer struct {
	Hold time.Duration // default HoldTime

	at      time.Time
	workers map[uint64]float32     // mean loads
	shards  map[shardEpoch]float32 // of each at its worker
	since   map[pair]time.Time     // since when there is something to move between two workers
	moved   time.Time
}

// A shardEpoch names a shard while one worker has it.
type shardEpoch struct {
	id, instance uint32
	epoch        uint64
}

// Next is the shard that is to be moved now, if one is, by what State says. It is called several times in smoothTime. None is moved while one is on its way, or Assign has one to give.
func (b *Balancer) Next(now time.Time, workers []Process, shards []Shard, standbys ...Standby) (m Move, ok bool) {
	weight := float32(1 - math.Exp(-float64(now.Sub(b.at))/float64(smoothTime)))
	b.at = now
	means, shares := make(map[uint64]float32), make(map[shardEpoch]float32)
	workers, shards = slices.Clone(workers), slices.Clone(shards)
	settled := len(Assign(workers, shards, standbys...)) == 0
	for i := range workers {
		w := &workers[i]
		w.Load = mean(b.workers, means, w.ID, w.Load, weight)
	}
	for i := range shards {
		s := &shards[i]
		s.Load = mean(b.shards, shares, shardEpoch{s.Map, s.Instance, s.Epoch}, s.Load, weight)
		settled = settled && s.State != Given
	}
	b.workers, b.shards = means, shares
	since := make(map[pair]time.Time)
	for _, move := range Rebalance(workers, shards, standbys...) {
		began, held := b.since[move.pair()]
		if !held {
			began = now
		}
		since[move.pair()] = began
		if !ok && now.Sub(began) >= cmp.Or(b.Hold, HoldTime) {
			m, ok = move, true
		}
	}
	b.since = since
	if !ok || !settled || now.Sub(b.moved) < MovePause {
		return Move{}, false
	}
	b.moved = now
	return m, true
}

// mean is the mean after a value, of such a weight: the value if there was none before. It is read from last, and noted in next.
func mean[K comparable](last, next map[K]float32, of K, value, weight float32) float32 {
	if was, ok := last[of]; ok {
		value = was + (value-was)*weight
	}
	next[of] = value
	return value
}
