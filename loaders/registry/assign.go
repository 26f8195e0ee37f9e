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

// Assign decides which workers are to be given the shards that no worker has, or that one has that is not among them or drains. Each is given to the worker with the
// least load, of several to the one with the fewest shards. A shard stays where it is if no worker has room for it and its map.
func Assign(workers []Process, shards []Shard) (gifts []Gift) {
	type place struct {
		Process
		shards int
	}
	places := make(map[uint64]*place)
	var takes []*place
	for _, w := range workers {
		p := &place{Process: w}
		places[w.ID] = p
		if !w.Draining {
			takes = append(takes, p)
		}
	}
	for _, s := range shards {
		if p := places[s.Worker]; p != nil {
			if p.shards++; s.State != Runs {
				p.Load += startCost
			}
		}
	}
	for _, s := range shards {
		if p := places[s.Worker]; p != nil && !p.Draining {
			continue
		}
		with := slices.DeleteFunc(slices.Clone(takes), func(p *place) bool { return p.shards >= p.Capacity || p.Maps != nil && !slices.Contains(p.Maps, s.Map) })
		if len(with) == 0 {
			continue
		}
		least := slices.MinFunc(with, func(a, b *place) int {
			return cmp.Or(cmp.Compare(a.Load, b.Load), cmp.Compare(a.shards, b.shards), cmp.Compare(a.ID, b.ID))
		})
		least.shards++
		least.Load += startCost
		gifts = append(gifts, Gift{s, least.ID})
	}
	return gifts
}
