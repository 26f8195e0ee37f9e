package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"muster/components/defs"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// enter posts that a player comes in at a point.
func enter(w *World, session uint32, x, y float32) {
	w.Inbox().Add(frame.Item{Session: session, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
		GUID: uint64(session), Name: "Watcher", Race: 1, Class: 1, Level: 1, X: x, Y: y, SecurityLevel: 1,
	})})
}

// A creature that cannot walk, or has nowhere to go, costs next to nothing.
func TestStuckCreaturesThinkSeldom(t *testing.T) {
	here := []defs.Node{{X: 5}, {X: 5}}
	for _, c := range []struct {
		speed float32
		nodes []defs.Node
	}{
		{0, []defs.Node{{X: 5}, {X: 50}}}, {-1, nil}, {2.5, here},
	} {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		d.Creatures[0].WalkSpeed = c.speed
		m := &d.Maps[0]
		m.Spawns = []defs.Spawn{{Entry: 7, X: 5, Wander: 10, Path: -1}}
		if c.nodes != nil {
			m.Paths = []defs.Path{{Nodes: c.nodes}}
			m.Spawns[0].Path = 0
		}
		var counts metric.Table
		w := New(Config{Defs: d, Map: m, Metric: &counts})
		enter(w, 1, 0, 0)
		var f frame.Frame
		for n := uint64(1); n <= 1200; n++ { // a minute
			w.Tick(n, &f)
		}
		if n := counts.Value("ai.stuck"); n < 4 || n > 6 {
			t.Errorf("%+v: stuck %d times in a minute, want about 5", c, n)
		}
		counts.Each(func(name string, n uint64) {
			if n > 0 && name != "ai.stuck" {
				t.Errorf("%+v: counts %s %d times", c, name, n)
			}
		})
	}
}

// Defs that name what is not there end the start, and say where.
func TestBadSpawns(t *testing.T) {
	for _, c := range []struct {
		spawn defs.Spawn
		path  defs.Path
		want  string
	}{
		{defs.Spawn{Entry: 8, Path: -1}, defs.Path{}, `respawn: spawn point 1 of map 3 "Lea": no creature has entry 8`},
		{defs.Spawn{Entry: 7, Path: 1}, defs.Path{}, `respawn: spawn point 1 of map 3 "Lea": no path has number 1`},
		{defs.Spawn{Entry: 7, Path: -1}, defs.Path{}, `respawn: path 0 of map 3 "Lea" has no nodes`},
		{defs.Spawn{Entry: 7}, defs.Path{Nodes: make([]defs.Node, 1)}, "<nil>"},
	} {
		d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
		m := &d.Maps[0]
		m.ID, m.Name, m.Paths = 3, "Lea", []defs.Path{c.path}
		m.Spawns = []defs.Spawn{{Entry: 7, Path: -1}, c.spawn}
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("panics with %q, want %q", got, c.want)
				}
			}()
			New(Config{Defs: d, Map: m})
		}()
	}
}
