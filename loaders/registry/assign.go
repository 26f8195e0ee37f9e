package registry

import (
	"cmp"
	"slices"
)

// A Gift is a shard that a worker is to be given.
type Gift struct {
	Shard  Shard
	Worker uint64
}

// startCost is what a shard counts of which the load is not known yet, in cores.
const startCost = 0.1

// playerCost is what a player counts besides what the ticks of its world take at the moment, in cores: those that stand about may begin to fight, and those that have just come
// are in no load yet. A thousand count as much as a world that is about to start, and as three times of what a thousand take that walk.
//
// Source: docs/cluster.md, "What it costs": a worker takes 3.3 % of a core for 1,000 walking clients.
const playerCost = startCost / 1000

// Assign decides which workers are to be given the shards that no worker has, or that one has that is not among them or drains. Each is given to a worker that can go on
// with its log, if there is one; of several to one of its standbys, to one that is ready if there is one; else, or of several, to the worker with the least load, its players
// counted in, and then to the one with the fewest shards. A superseded worker is given a shard that another one hands over only if no other one has room for it, and one whose log it cannot go on
// with only if it is handed that, and no worker lives that is neither superseded nor drains: then the upgrade was given up. A silent worker
// is given none, and what it does not run yet is given to another one. A shard stays where it is if no worker has room for it and its map, or the one that is to
// have it is silent. Where some workers keep their worlds in logs, only those are given any.
func Assign(workers []Process, shards []Shard, standbys ...Standby) (gifts []Gift) {
	type place struct {
		Process
		shards int
	}
	places := make(map[uint64]*place)
	var takes []*place
	durable := slices.ContainsFunc(workers, func(w Process) bool { return w.Durable })
	for _, w := range workers {
		p := &place{Process: w}
		places[w.ID] = p
		if w.Durable == durable {
			takes = append(takes, p)
		}
	}
	for _, s := range shards {
		if p := places[s.Worker]; p != nil {
			p.shards++
			p.Load += s.cost()
		}
	}
	upgrades := slices.ContainsFunc(takes, func(p *place) bool { return !p.Superseded && !p.Draining })
	for _, s := range shards {
		had := places[s.Worker]
		unheard := had != nil && had.Silent && s.State == Given // it may never have heard of it
		if had != nil && !had.Draining && !unheard {
			continue
		}
		handed := had != nil && !unheard // by one that drains, also to a worker that could not go on with the log
		with := slices.DeleteFunc(slices.Clone(takes), func(p *place) bool {
			return p.shards >= p.Capacity || !p.takes(s.Map) || p.Superseded && !p.continues(s) && (!handed || upgrades)
		})
		if len(with) == 0 {
			continue
		}
		least := slices.MinFunc(with, func(a, b *place) int {
			return cmp.Or(
				compareBool(handed && a.Superseded, handed && b.Superseded),
				compareBool(!a.continues(s), !b.continues(s)), compareBool(a.Superseded, b.Superseded), compareBool(a.Silent, b.Silent), cmp.Compare(rank(standbys, s, a.ID), rank(standbys, s, b.ID)),
				cmp.Compare(a.Load, b.Load), cmp.Compare(a.shards, b.shards), cmp.Compare(a.ID, b.ID),
			)
		})
		if least.Silent {
			continue // until it is heard, or its lease is over
		}
		if had != nil {
			had.shards--
		}
		gifts = append(gifts, Gift{s, least.ID})
		s.State = Given
		least.shards++
		least.Load += s.cost()
	}
	return gifts
}

// cost is what a shard counts of its worker, besides the load that the worker says that it has.
func (s *Shard) cost() (cores float32) {
	if s.State != Runs {
		cores = startCost
	}
	return cores + playerCost*float32(s.Players)
}

// continues reports whether a worker can go on with the log of a shard, if it has one; one that keeps no logs can. Another worker waits until it is handed the world.
func (p *Process) continues(s Shard) bool {
	return !p.Durable || s.Release == "" || p.Release == s.Release && p.Settings == s.Settings
}

// noStandby is the rank of a worker that is no standby.
const noStandby = 2

// rank is 0 for a standby of a shard that is ready, 1 for another one, and noStandby for other workers.
func rank(standbys []Standby, s Shard, worker uint64) int {
	i := slices.IndexFunc(standbys, func(o Standby) bool { return o.Map == s.Map && o.Instance == s.Instance && o.Worker == worker })
	switch {
	case i < 0:
		return noStandby
	case standbys[i].Ready:
		return 0
	}
	return 1
}
