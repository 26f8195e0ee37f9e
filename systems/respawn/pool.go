package respawn

import (
	"fmt"

	"muster/components/defs"
	"muster/sched"
)

// pools are the map's, by number.
type pools struct {
	ofPoint map[uint32]uint32 // one more than the pool of a point; absent for most
	ofPool  []uint32          // one more than the pool of a pool; 0 none
	used    [][]bool          // by pool and member
	count   []uint32          // how many of a pool's members are used
}

// checkPools panics if a pool is invalid: it would spawn nothing, or contain itself.
func (s *Respawn) checkPools() {
	bad := func(i int, what string) {
		panic(fmt.Sprintf("respawn: pool %d of map %d %q %s", i, s.place.Get().ID, s.place.Get().Name, what))
	}
	p := &s.pools
	p.ofPoint = make(map[uint32]uint32)
	p.ofPool = make([]uint32, len(s.place.Get().Pools))
	for i, pool := range s.place.Get().Pools {
		if pool.Limit == 0 {
			bad(i, "has no limit")
		}
		for _, m := range pool.Members {
			switch {
			case m.Nested && m.Index >= uint32(len(s.place.Get().Pools)), !m.Nested && m.Index >= uint32(len(s.place.Get().Spawns)):
				bad(i, fmt.Sprintf("has a member %d that is not there", m.Index))
			case m.Nested && p.ofPool[m.Index] != 0, !m.Nested && p.ofPoint[m.Index] != 0:
				bad(i, fmt.Sprintf("has a member %d of another", m.Index))
			case !(m.Chance >= 0 && m.Chance <= 100):
				bad(i, fmt.Sprintf("has a member %d with a chance of %v", m.Index, m.Chance))
			case m.Nested:
				p.ofPool[m.Index] = uint32(i) + 1
			default:
				p.ofPoint[m.Index] = uint32(i) + 1
			}
		}
	}
	for i := range s.place.Get().Pools {
		depth := 0
		for at := p.ofPool[i]; at != 0; at = p.ofPool[at-1] {
			if depth++; depth == defs.MaxPoolDepth {
				bad(i, fmt.Sprintf("lies in %d others", depth))
			}
		}
	}
}

func (s *Respawn) beginPools() {
	s.pools.count = make([]uint32, len(s.place.Get().Pools))
	s.pools.used = make([][]bool, len(s.place.Get().Pools))
	for i := range s.place.Get().Pools {
		s.pools.used[i] = make([]bool, len(s.place.Get().Pools[i].Members))
	}
}

// fill uses members of a pool up to its limit.
func (s *Respawn) fill(t sched.Tick, pool uint32) {
	def := &s.place.Get().Pools[pool]
	dice := t.Dice("respawn.pool", uint64(pool))
	for s.pools.count[pool] < def.Limit {
		i := s.choose(pool, dice.Between(0, 100), &dice)
		if i < 0 {
			return
		}
		s.pools.used[pool][i] = true
		s.pools.count[pool]++
		if m := def.Members[i]; m.Nested {
			s.fill(t, m.Index)
		} else {
			s.offer(m.Index)
		}
	}
}

// choose picks a member that is not used, -1 if there is none: those with a chance of their own first, and the others
// share the rest evenly.
//
// Source: PoolGroup::RollOne, AzerothCore.
func (s *Respawn) choose(pool uint32, roll float32, dice *sched.Dice) int {
	members, used := s.place.Get().Pools[pool].Members, s.pools.used[pool]
	rest, spare := 0, -1
	for i, m := range members {
		switch {
		case used[i]:
		case m.Chance == 0:
			rest++
		default:
			if roll -= m.Chance; roll < 0 {
				return i
			}
			spare = i
		}
	}
	if rest == 0 {
		return spare
	}
	nth := dice.Intn(rest)
	for i, m := range members {
		if !used[i] && m.Chance == 0 {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	return -1
}

// leave ends the use of a member, and picks anew. A pool within another waits until all of its members are gone; then
// the outer pool picks.
//
// Source: PoolMgr::UpdatePool, AzerothCore, where the pools within pools use one member at a time.
func (s *Respawn) leave(t sched.Tick, pool uint32, member defs.PoolMember) {
	for i, m := range s.place.Get().Pools[pool].Members {
		if m.Index == member.Index && m.Nested == member.Nested && s.pools.used[pool][i] {
			s.pools.used[pool][i] = false
			s.pools.count[pool]--
		}
	}
	switch above := s.pools.ofPool[pool]; {
	case above == 0:
		s.fill(t, pool)
	case s.pools.count[pool] == 0:
		s.leave(t, above-1, defs.PoolMember{Index: pool, Nested: true})
	}
}
