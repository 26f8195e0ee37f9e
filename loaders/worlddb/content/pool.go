package content

import (
	"maps"
	"slices"

	"muster/components/defs"
)

// A poolTemplateRow is a row of pool_template.
type poolTemplateRow struct {
	Pool  int64 `column:"entry" key:""`
	Limit int64 `column:"max_limit" or:"0"` // 0 is none
}

// A poolCreatureRow is a row of pool_creature.
type poolCreatureRow struct {
	GUID   int64   `column:"guid" key:""`
	Pool   int64   `column:"pool_entry"`
	Chance float64 `column:"chance" or:"0"`
}

// A poolMemberRow is a row of pool_members, in which TrinityCore has creatures, game objects and pools.
type poolMemberRow struct {
	Type   int64   `column:"type" key:""`
	ID     int64   `column:"spawnid" key:""`
	Pool   int64   `column:"poolspawnid"`
	Chance float64 `column:"chance" or:"0"`
}

// A poolPoolRow is a row of pool_pool.
type poolPoolRow struct {
	Pool   int64   `column:"pool_id" key:""`
	Mother int64   `column:"mother_pool"`
	Chance float64 `column:"chance" or:"0"`
}

// A pooled is where something is a member.
type pooled struct {
	pool   int64
	chance float32
}

// pools are those of a database.
type pools struct {
	limit   map[int64]int64
	of      map[int64]pooled // by GUID of a spawn point
	mother  map[int64]pooled // by pool
	table   map[int64]string // that has the spawn point, by GUID
	on      map[int64]uint32 // the map of an outermost pool
	members map[int64][]defs.PoolMember
	events  map[int64][]eventPoolRow // by pool
}

// An eventPoolRow is a row of game_event_pool: a pool that is there during an event, or if that is negative, but then.
type eventPoolRow struct {
	Pool  int64 `column:"pool_entry" key:""`
	Event int64 `column:"evententry event" key:""`
}

// Why pools and their members are not executed.
const (
	noPool    = "the pool is not there"
	emptyPool = "no creature of the pool is executed"
	apartPool = "its pool is on another map"
	deepPool  = "its pool lies too deep in others"
	unpooled  = "the creature is not executed"
	notPooled = "of pools creatures and pools are executed"
)

// readPools reads the pools. It comes after events.
func (l *loader) readPools() (*pools, error) {
	p := &pools{
		events: make(map[int64][]eventPoolRow),
		limit:  make(map[int64]int64), of: make(map[int64]pooled), mother: make(map[int64]pooled), table: make(map[int64]string),
		on: make(map[int64]uint32), members: make(map[int64][]defs.PoolMember),
	}
	if err := read(l, "pool_template", func(r *poolTemplateRow) string {
		p.limit[r.Pool] = r.Limit
		return ""
	}); err != nil {
		return nil, err
	}
	if err := read(l, "game_event_pool", func(r *eventPoolRow) string {
		if _, ok := p.limit[r.Pool]; !ok {
			return noPool
		}
		p.events[r.Pool] = append(p.events[r.Pool], *r)
		if _, ok := l.events.index[max(r.Event, -r.Event)]; !ok {
			return noEvent
		}
		return ""
	}); err != nil {
		return nil, err
	}
	add := func(to map[int64]pooled, id, pool int64, chance float64) string {
		if _, ok := p.limit[pool]; !ok {
			return noPool
		}
		to[id] = pooled{pool, float32(min(amount(chance), 100))}
		return ""
	}
	creature := func(table string, guid, pool int64, chance float64) string {
		p.table[guid] = table
		return add(p.of, guid, pool, chance)
	}
	if err := read(l, "pool_creature", func(r *poolCreatureRow) string { return creature("pool_creature", r.GUID, r.Pool, r.Chance) }); err != nil {
		return nil, err
	}
	if err := read(l, "pool_pool", func(r *poolPoolRow) string { return add(p.mother, r.Pool, r.Mother, r.Chance) }); err != nil {
		return nil, err
	}
	return p, read(l, "pool_members", func(r *poolMemberRow) string {
		switch r.Type {
		case 0:
			return creature("pool_members", r.ID, r.Pool, r.Chance)
		case 2:
			return add(p.mother, r.ID, r.Pool, r.Chance)
		}
		return notPooled
	})
}

// outermost is the pool that a pool lies in, and that lies in none; ok is false if there are too many between.
func (p *pools) outermost(pool int64) (found int64, ok bool) {
	for range defs.MaxPoolDepth {
		m, ok := p.mother[pool]
		if !ok {
			return pool, true
		}
		pool = m.pool
	}
	return 0, false
}

// refuse says why a spawn point of a map has no creature, "" if its pool may give it one.
func (p *pools) refuse(e *events, guid int64, on uint32) string {
	m, ok := p.of[guid]
	if !ok {
		return ""
	}
	outer, ok := p.outermost(m.pool)
	if !ok {
		return deepPool
	}
	if at, known := p.on[outer]; known && at != on {
		return apartPool
	}
	brings, known := false, false
	for _, r := range p.events[outer] {
		_, there := e.index[r.Event]
		brings, known = brings || r.Event > 0, known || there
	}
	if brings && !known {
		return "its pool is there during an event only, and that is not there"
	}
	p.on[outer] = on
	return ""
}

// join makes a spawn point a member of its pool.
func (p *pools) join(guid int64, index int) {
	if m, ok := p.of[guid]; ok {
		p.members[m.pool] = append(p.members[m.pool], defs.PoolMember{Index: uint32(index), Chance: m.chance})
		delete(p.of, guid)
	}
}

// finish gives maps their pools, those that have a creature, and counts the rows of the others.
func (p *pools) finish(l *loader) {
	used := make(map[int64]bool)
	for pool := range p.members {
		for at, ok := pool, true; ok; {
			used[at] = true
			var m pooled
			m, ok = p.mother[at]
			at = m.pool
		}
	}
	index := make(map[int64]uint32)
	sorted := slices.Sorted(maps.Keys(used))
	for _, pool := range sorted {
		outer, _ := p.outermost(pool)
		on := l.maps[p.on[outer]]
		index[pool] = uint32(len(on.Pools))
		on.Pools = append(on.Pools, defs.Pool{Members: p.members[pool]})
	}
	for _, pool := range sorted {
		outer, _ := p.outermost(pool)
		on := l.maps[p.on[outer]]
		if m, ok := p.mother[pool]; ok {
			mother := &on.Pools[index[m.pool]]
			mother.Members = append(mother.Members, defs.PoolMember{Index: index[pool], Nested: true, Chance: m.chance})
		}
	}
	for _, pool := range sorted {
		outer, _ := p.outermost(pool)
		it := &l.maps[p.on[outer]].Pools[index[pool]]
		it.Limit = uint32(len(it.Members))
		if limit := p.limit[pool]; limit > 0 {
			it.Limit = uint32(min(limit, int64(len(it.Members))))
		}
	}
	for _, pool := range slices.Sorted(maps.Keys(p.events)) {
		p.follow(l, pool, index)
	}
	move := func(table, reason string) {
		u := l.of(table)
		u.Executed--
		u.Not[reason]++
	}
	for guid := range p.of {
		move(p.table[guid], unpooled)
	}
	for pool := range p.limit {
		if !used[pool] {
			move("pool_template", emptyPool)
		}
	}
	for pool := range p.mother {
		if !used[pool] {
			move(l.poolTable(), emptyPool)
		}
	}
}

// follow has a pool be there as its events say, and counts those rows of which it is none that does. Pools are known by their index in their map.
func (p *pools) follow(l *loader, pool int64, index map[int64]uint32) {
	at, used := index[pool]
	_, nested := p.mother[pool]
	for _, r := range p.events[pool] {
		event, known := l.events.index[max(r.Event, -r.Event)]
		why := ""
		switch {
		case !known:
			continue
		case !used:
			why = emptyPool
		case nested:
			why = "its pool lies in another, which chooses"
		}
		if why != "" {
			u := l.of("game_event_pool")
			u.Executed--
			u.Not[why]++
			continue
		}
		on := l.maps[p.on[pool]]
		on.EventPools = append(on.EventPools, defs.EventSpawn{Point: at, Event: event, Away: r.Event < 0})
		slices.SortFunc(on.EventPools, compareEventSpawns)
	}
}

// poolTable is the table that says which pools lie in others.
func (l *loader) poolTable() string {
	if l.src.Has("pool_members") {
		return "pool_members"
	}
	return "pool_pool"
}
