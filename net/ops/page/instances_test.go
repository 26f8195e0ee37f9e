package page

import (
	"testing"

	"muster/components/defs"
	"muster/net/replication/inspect"
	"muster/sched/tickstats"
)

// An instance has its number, which a request need not name where it is the only one of its map, unless a cluster may have others.
func TestInstanceIsHere(t *testing.T) {
	plain, dungeon := &defs.Map{ID: 0}, &defs.Map{ID: 3, Instanced: true}
	world := func(m *defs.Map, instance uint32) World {
		return World{Map: m, Inspector: inspect.NewInspector(), Stats: &tickstats.Stats{Instance: instance}}
	}
	all := []World{world(plain, 0), world(dungeon, 4), world(dungeon, 9)}
	for _, c := range []struct {
		config       Config
		id, instance uint32
		want         int // in all; -1: none
	}{
		{Config{Worlds: all}, 3, 4, 1}, {Config{Worlds: all}, 3, 9, 2}, {Config{Worlds: all}, 3, 5, -1}, {Config{Worlds: all}, 3, 0, -1},
		{Config{Worlds: all[:2]}, 3, 0, 1}, {Config{Worlds: all[:2], Cluster: new(realm)}, 3, 0, -1}, {Config{Worlds: all[:2], Cluster: new(realm)}, 3, 4, 1},
		{Config{Worlds: all}, 0, 0, 0}, {Config{Worlds: all}, 0, 4, -1},
	} {
		got := New(c.config).here(c.id, c.instance)
		if (got == nil) != (c.want < 0) || got != nil && got.Inspector != all[c.want].Inspector {
			t.Errorf("of %d worlds, map %d, instance %d: %+v", len(c.config.Worlds), c.id, c.instance, got)
		}
	}
}
