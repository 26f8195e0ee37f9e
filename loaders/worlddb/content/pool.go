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

// A pooledRow is a row of pool_creature or pool_gameobject.
type pooledRow struct {
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
	limit  map[int64]int64
	mother map[int64]pooled         // by pool
	events map[int64][]eventPoolRow // by pool
	used   map[int64]bool           // those with a spawn point, and those around them

	creatures, objects pooledPoints
}

// pooledPoints are the spawn points of one kind that are of pools.
type pooledPoints struct {
	of      map[int64]pooled // by GUID
	table   map[int64]string // that says so, by GUID
	on      map[int64]uint32 // the map of an outermost pool
	members map[int64][]defs.PoolMember
}

func newPooledPoints() pooledPoints {
	return pooledPoints{make(map[int64]pooled), make(map[int64]string), make(map[int64]uint32), make(map[int64][]defs.PoolMember)}
}

// An eventPoolRow is a row of game_event_pool: a pool that is there during an event, or if that is negative, but then.
type eventPoolRow struct {
	Pool  int64 `column:"pool_entry" key:""`
	Event int64 `column:"evententry event" key:""`
}

// Why pools and their members are not executed.
const (
	noPool    = "the pool is not there"
	emptyPool = "nothing of the pool is executed"
	apartPool = "its pool is on another map"
	deepPool  = "its pool lies too deep in others"
	unpooled  = "the creature is not executed"
	notPooled = "nothing else than creatures, game objects and pools is of pools"
)

// readPools reads the pools. It comes after events.
func (l *loader) readPools() (*pools, error) {
	p := &pools{
		limit: make(map[int64]int64), mother: make(map[int64]pooled), events: make(map[int64][]eventPoolRow), used: make(map[int64]bool),
		creatures: newPooledPoints(), objects: newPooledPoints(),
	}
	l.pools = p
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
	point := func(to *pooledPoints, table string, guid, pool int64, chance float64) string {
		to.table[guid] = table
		return add(to.of, guid, pool, chance)
	}
	for _, of := range []struct {
		table string
		to    *pooledPoints
	}{{"pool_creature", &p.creatures}, {"pool_gameobject", &p.objects}} {
		if err := read(l, of.table, func(r *pooledRow) string { return point(of.to, of.table, r.GUID, r.Pool, r.Chance) }); err != nil {
			return nil, err
		}
	}
	if err := read(l, "pool_pool", func(r *poolPoolRow) string { return add(p.mother, r.Pool, r.Mother, r.Chance) }); err != nil {
		return nil, err
	}
	return p, read(l, "pool_members", func(r *poolMemberRow) string {
		switch r.Type {
		case 0:
			return point(&p.creatures, "pool_members", r.ID, r.Pool, r.Chance)
		case 1:
			return point(&p.objects, "pool_members", r.ID, r.Pool, r.Chance)
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

// refuse says why a spawn point of a map has nothing, "" if its pool may give it something.
func (p *pools) refuse(k *pooledPoints, e *events, guid int64, on uint32) string {
	m, ok := k.of[guid]
	if !ok {
		return ""
	}
	outer, ok := p.outermost(m.pool)
	if !ok {
		return deepPool
	}
	if at, known := k.on[outer]; known && at != on {
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
	if k == &p.objects { // they come after creatures
		if _, mixed := p.creatures.on[outer]; mixed {
			return "its pool has creatures, too"
		}
		if known {
			return "its pool is there during an event, and pools of game objects follow none"
		}
	}
	k.on[outer] = on
	return ""
}

// join makes a spawn point a member of its pool.
func (k *pooledPoints) join(guid int64, index int) {
	if m, ok := k.of[guid]; ok {
		k.members[m.pool] = append(k.members[m.pool], defs.PoolMember{Index: uint32(index), Chance: m.chance})
		delete(k.of, guid)
	}
}

// place gives maps the pools of spawn points of one kind, those that have any, and returns their places there. Rows of spawn points that are not executed are
// counted by their reason.
func (p *pools) place(l *loader, k *pooledPoints, unpooled string, of func(*place) *[]defs.Pool) (index map[int64]uint32) {
	used := make(map[int64]bool)
	for pool := range k.members {
		for at, ok := pool, true; ok; {
			used[at], p.used[at] = true, true
			var m pooled
			m, ok = p.mother[at]
			at = m.pool
		}
	}
	index = make(map[int64]uint32)
	sorted := slices.Sorted(maps.Keys(used))
	all := func(pool int64) *[]defs.Pool {
		outer, _ := p.outermost(pool)
		return of(l.maps[k.on[outer]])
	}
	for _, pool := range sorted {
		to := all(pool)
		index[pool] = uint32(len(*to))
		*to = append(*to, defs.Pool{Members: k.members[pool]})
	}
	for _, pool := range sorted {
		if m, ok := p.mother[pool]; ok {
			mother := &(*all(pool))[index[m.pool]]
			mother.Members = append(mother.Members, defs.PoolMember{Index: index[pool], Nested: true, Chance: m.chance})
		}
	}
	for _, pool := range sorted {
		it := &(*all(pool))[index[pool]]
		it.Limit = uint32(len(it.Members))
		if limit := p.limit[pool]; limit > 0 {
			it.Limit = uint32(min(limit, int64(len(it.Members))))
		}
	}
	for guid := range k.of {
		l.unused(k.table[guid], unpooled)
	}
	return index
}

// unused counts a row that was taken for executed, and is not.
func (l *loader) unused(table, reason string) {
	u := l.of(table)
	u.Executed--
	u.Not[reason]++
}

// placeCreatures gives maps the pools of creatures, and has those follow their events.
func (p *pools) placeCreatures(l *loader) {
	index := p.place(l, &p.creatures, unpooled, func(on *place) *[]defs.Pool { return &on.Pools })
	for _, pool := range slices.Sorted(maps.Keys(p.events)) {
		p.follow(l, pool, index)
	}
}

// placeObjects gives maps the pools of game objects, which come last, and counts the pools that have nothing.
func (p *pools) placeObjects(l *loader) {
	p.place(l, &p.objects, noObjectAddons, func(on *place) *[]defs.Pool { return &on.ObjectPools })
	for pool := range p.limit {
		if !p.used[pool] {
			l.unused("pool_template", emptyPool)
		}
	}
	for pool := range p.mother {
		if !p.used[pool] {
			l.unused(l.poolTable(), emptyPool)
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
			why = "no creature of the pool is executed"
		case nested:
			why = "its pool lies in another, which chooses"
		}
		if why != "" {
			l.unused("game_event_pool", why)
			continue
		}
		on := l.maps[p.creatures.on[pool]]
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
