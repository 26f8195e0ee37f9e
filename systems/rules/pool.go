package rules

import (
	"fmt"

	"muster/components/defs"
	"muster/sched"
)

// Pools choose which spawn points of a map are in use: those of creatures, or those of game objects.
type Pools struct {
	dice    string            // their purpose
	ofPoint map[uint32]uint32 // one more than the pool of a point; absent for most
	ofPool  []uint32          // one more than the pool of a pool; 0 none
	used    [][]bool          // by pool and member
	count   []uint32          // how many of a pool's members are used
}

// Begin notes what lies in which pool, while nothing is in use. It panics, in the name of a system, if a pool is invalid: it would spawn nothing, or
// contain itself.
func (p *Pools) Begin(system string, m *defs.Map, all []defs.Pool, points int) {
	bad := func(i int, what string) {
		panic(fmt.Sprintf("%s: pool %d of map %d %q %s", system, i, m.ID, m.Name, what))
	}
	p.dice, p.ofPoint, p.ofPool = system+".pool", make(map[uint32]uint32), make([]uint32, len(all))
	p.count, p.used = make([]uint32, len(all)), make([][]bool, len(all))
	for i, pool := range all {
		p.used[i] = make([]bool, len(pool.Members))
		if pool.Limit == 0 {
			bad(i, "has no limit")
		}
		for _, m := range pool.Members {
			switch {
			case m.Nested && m.Index >= uint32(len(all)), !m.Nested && m.Index >= uint32(points):
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
	for i := range all {
		depth := 0
		for at := p.ofPool[i]; at != 0; at = p.ofPool[at-1] {
			if depth++; depth == defs.MaxPoolDepth {
				bad(i, fmt.Sprintf("lies in %d others", depth))
			}
		}
	}
}

// Pooled reports whether a point is of a pool.
func (p *Pools) Pooled(point uint32) bool { return p.ofPoint[point] != 0 }

// Nested reports whether a pool lies in another.
func (p *Pools) Nested(pool uint32) bool { return p.ofPool[pool] != 0 }

// Outermost is the pool around the pools of a point; ok is false if it is of none.
func (p *Pools) Outermost(point uint32) (pool uint32, ok bool) {
	at := p.ofPoint[point]
	for at != 0 && p.ofPool[at-1] != 0 {
		at = p.ofPool[at-1]
	}
	return at - 1, at != 0
}

// Fill uses members of a pool up to its limit, and has their points spawn.
func (p *Pools) Fill(t sched.Tick, all []defs.Pool, pool uint32, spawn func(point uint32)) {
	dice := t.Dice(p.dice, uint64(pool))
	for p.count[pool] < all[pool].Limit {
		i := p.choose(all[pool].Members, pool, dice.Between(0, 100), &dice)
		if i < 0 {
			return
		}
		p.used[pool][i] = true
		p.count[pool]++
		if m := all[pool].Members[i]; m.Nested {
			p.Fill(t, all, m.Index, spawn)
		} else {
			spawn(m.Index)
		}
	}
}

// Drain ends the use of all members of a pool, and of those in it, and has their points despawn.
//
// Source: PoolMgr::DespawnPool, AzerothCore.
func (p *Pools) Drain(all []defs.Pool, pool uint32, despawn func(point uint32)) {
	for i, m := range all[pool].Members {
		switch {
		case !p.used[pool][i]:
		case m.Nested:
			p.Drain(all, m.Index, despawn)
		default:
			despawn(m.Index)
		}
		p.used[pool][i] = false
	}
	p.count[pool] = 0
}

// choose picks a member that is not used, -1 if there is none: those with a chance of their own first, and the others
// share the rest evenly.
//
// Source: PoolGroup::RollOne, AzerothCore.
func (p *Pools) choose(members []defs.PoolMember, pool uint32, roll float32, dice *sched.Dice) int {
	used := p.used[pool]
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

// Leave ends the use of a point, whose respawn is due, and picks anew. A pool within another waits until all of its members are gone; then
// the outer pool picks.
//
// Source: PoolMgr::UpdatePool, AzerothCore, where the pools within pools use one member at a time.
func (p *Pools) Leave(t sched.Tick, all []defs.Pool, point uint32, spawn func(point uint32)) {
	p.leave(t, all, p.ofPoint[point]-1, defs.PoolMember{Index: point}, spawn)
}

func (p *Pools) leave(t sched.Tick, all []defs.Pool, pool uint32, member defs.PoolMember, spawn func(point uint32)) {
	for i, m := range all[pool].Members {
		if m.Index == member.Index && m.Nested == member.Nested && p.used[pool][i] {
			p.used[pool][i] = false
			p.count[pool]--
		}
	}
	switch above := p.ofPool[pool]; {
	case above == 0:
		p.Fill(t, all, pool, spawn)
	case p.count[pool] == 0:
		p.leave(t, all, above-1, defs.PoolMember{Index: pool, Nested: true}, spawn)
	}
}
