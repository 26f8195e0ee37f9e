package systems

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/frame"
	"muster/systems/respawn"
)

// Positions that a game master adds become a path. The creature that has it goes it from its beginning, and goes it again
// when it is to after it has stood. A world that reads the same inboxes has the creature at the same places.
//
// Source: HandleWpAddCommand, cs_wp.cpp, AzerothCore.
func TestWayAdd(t *testing.T) {
	c := newCourt(t)
	wolf := components.CreatureGUID(7, respawn.FirstCounter)
	n := len(ecs.Shared[defs.Map](c.world.ecs).Paths)
	positions := ecs.NewAccessor[components.Position](c.world.ecs)
	says := func(verb, want string) {
		t.Helper()
		if got := fmt.Sprint(c.do(verb)); got != want {
			t.Errorf("%s: %s, want %s", verb, got, want)
		}
	}
	stands := func(x, y float32) {
		c.do(fmt.Sprintf(".go xyz %g %g 0", x, y))
		c.step()
	}
	nodes := []components.Vec{{X: 10}, {X: 10, Y: 8}, {X: 18, Y: 8}}
	// visits is the nodes that the wolf comes to in a time, in order, from 1 on.
	visits := func(ticks int) (order []int) {
		for range ticks {
			c.step()
			p := positions.Get(c.world.Find(wolf))
			for i, at := range nodes {
				if near := math.Hypot(float64(p.X-at.X), float64(p.Y-at.Y)) < 0.4; near && (len(order) == 0 || order[len(order)-1] != i+1) {
					order = append(order, i+1)
				}
			}
		}
		return order
	}

	stands(10, 0)
	says(".wp add", fmt.Sprintf("[Node 1 of way %d is here.]", n))
	stands(10, 8)
	says(fmt.Sprintf(".wp add %d", n), fmt.Sprintf("[Node 2 of way %d is here.]", n))
	says(fmt.Sprintf(".wp add %d", n+1), "[There is no such way on this map.]")
	says(".wp add 1 2", "[Use: wp add [$pathid]]")
	c.selects(wolf)
	says(".wp add", "[It has no way of its own.]")
	says(fmt.Sprintf(".wp load %d", n), fmt.Sprintf("[Wolf goes way %d.]", n))
	if got := visits(20 * 6); len(got) < 3 || !slices.Equal(got[:3], []int{1, 2, 1}) {
		t.Errorf("the wolf comes to the nodes %v, want 1, 2 and 1", got)
	}
	stands(18, 8)
	routes := ecs.NewAccessor[components.Route](c.world.ecs)
	if set := routes.Get(c.world.Find(wolf)).Node; set < 3 {
		t.Errorf("the wolf has set out for %d nodes", set)
	}
	says(".wp add", fmt.Sprintf("[Node 3 of way %d is here.]", n))
	c.step()
	if set := routes.Get(c.world.Find(wolf)).Node; set != 1 {
		t.Errorf("the wolf has set out for %d nodes since its path is longer, want the first", set)
	}
	if got := visits(20 * 12); len(got) < 5 || !slices.Equal(got[:5], []int{1, 2, 3, 1, 2}) && !slices.Equal(got[:5], []int{2, 1, 2, 3, 1}) {
		t.Errorf("the wolf comes to the nodes %v, want 1, 2, 3, 1 and 2", got)
	}
	says(".wp show", fmt.Sprintf("[Wolf has way %d, which has 3 nodes. 1: X: 10.0 Y: 0.0 Z: 0.0, waits 0 ms 2: X: 10.0 Y: 8.0 Z: 0.0, waits 0 ms 3: X: 18.0 Y: 8.0 Z: 0.0, waits 0 ms]", n))
	says(".npc set movetype stay", "[Wolf has something else to do.]")
	visits(20 * 10) // on its way back
	if got := visits(20 * 10); len(got) != 0 {
		t.Errorf("a wolf that is to stay comes to the nodes %v", got)
	}
	says(".npc set movetype way", "[Wolf has something else to do.]")
	if got := visits(20 * 8); len(got) < 3 || !slices.Equal(got[:3], []int{1, 2, 3}) {
		t.Errorf("the wolf that goes again comes to the nodes %v, want 1, 2 and 3", got)
	}

	again := newCourt(t)
	for i, in := range c.inboxes {
		if i < len(again.inboxes) {
			if !bytes.Equal(in, again.inboxes[i]) {
				t.Fatalf("tick %d has another inbox", i+1)
			}
			continue
		}
		if err := again.world.Inbox().UnmarshalBinary(in); err != nil {
			t.Fatal(err)
		}
		var f frame.Frame
		again.world.Tick(uint64(i+1), &f)
	}
	others := ecs.NewAccessor[components.Position](again.world.ecs)
	there := others.Get(again.world.Find(wolf))
	if here := positions.Get(c.world.Find(wolf)); *here != *there || c.world.Hash() != again.world.Hash() {
		t.Errorf("the wolf is at %+v, and the same inboxes bring it to %+v", *here, *there)
	}

	says(".wp unload", "[Wolf goes no way.]")
	says(".npc set movetype way", "[It has no way of its own.]")
}

// A game master moves the nodes of the way of a selected creature, has it wait at them, and removes them. The creature begins anew; the path
// of the map, which other worlds share, stays as it is.
//
// Source: HandleWpModifyCommand, cs_wp.cpp, AzerothCore.
func TestWayModify(t *testing.T) {
	c := newCourt(t)
	wolf := components.CreatureGUID(7, respawn.FirstCounter)
	shared := []defs.Node{{X: 10, Z: 1}, {X: 10, Y: 8, Z: 2}, {X: 18, Y: 8, Z: 3}}
	ecs.Shared[defs.Map](c.world.ecs).Paths = []defs.Path{{Nodes: slices.Clone(shared)}}
	routes := ecs.NewAccessor[components.Route](c.world.ecs)
	says := func(verb, want string) {
		t.Helper()
		if got := fmt.Sprint(c.do(verb)); got != want {
			t.Errorf("%s: %s, want %s", verb, got, want)
		}
	}
	c.selects(wolf)
	says(".wp modify 1 delay 5", "[It has no way of its own.]")
	says(".wp load 0", "[Wolf goes way 0.]")
	for range 20 * 6 {
		c.step()
	}
	if set := routes.Get(c.world.Find(wolf)).Node; set < 2 {
		t.Errorf("the wolf has set out for %d nodes", set)
	}
	says(".wp modify 2 delay 1500", "[Node 2 of way 0 waits 1500 ms.]")
	c.step()
	if set := routes.Get(c.world.Find(wolf)).Node; set != 1 {
		t.Errorf("the wolf has set out for %d nodes since its path is another, want the first", set)
	}
	c.do(".go xyz 12 4 0")
	c.step()
	says(".wp modify 3 move", "[Node 3 of way 0 is here.]")
	says(".wp show", "[Wolf has way 0, which has 3 nodes. 1: X: 10.0 Y: 0.0 Z: 1.0, waits 0 ms 2: X: 10.0 Y: 8.0 Z: 2.0, waits 1500 ms 3: X: 12.0 Y: 4.0 Z: 0.0, waits 0 ms]")
	says(".wp delete 1", "[Node 1 of way 0 is gone. It has 2.]")
	says(".wp modify 3 del", "[Way 0 has 2 nodes.]")
	says(".wp modify 1 del", "[Node 1 of way 0 is gone. It has 1.]")
	says(".wp show", "[Wolf has way 0, which has 1 nodes. 1: X: 12.0 Y: 4.0 Z: 0.0, waits 0 ms]")
	for range 20 * 6 {
		c.step()
	}
	positions := ecs.NewAccessor[components.Position](c.world.ecs)
	if p := positions.Get(c.world.Find(wolf)); math.Hypot(float64(p.X-12), float64(p.Y-4)) > 0.4 {
		t.Errorf("the wolf stands at %+v, want the one node that is left", p)
	}
	says(".wp delete 1", "[Way 0 has no other node.]")
	for _, bad := range []string{"", "1", "x delay 1", "0 delay 1", "1 delay", "1 delay -1", "1 delay 3600001", "1 move 1", "1 action 5"} {
		says(".wp modify "+bad, "[Use: wp modify #node delay/move/del [#ms]]")
	}
	says(".wp delete", "[Use: wp delete #node]")
	if got := ecs.Shared[defs.Map](c.world.ecs).Paths[0].Nodes; !slices.Equal(got, shared) {
		t.Errorf("the path of the map is %+v, want %+v", got, shared)
	}
}

// The nodes of a path are shown by creatures, until they are taken away or five minutes are over.
//
// Source: HandleWpShowCommand, cs_wp.cpp, AzerothCore.
func TestWayShow(t *testing.T) {
	c := newCourt(t)
	wolf := components.CreatureGUID(7, respawn.FirstCounter)
	ecs.Shared[defs.Map](c.world.ecs).Paths = []defs.Path{{Nodes: []defs.Node{{X: 10, Z: 1}, {X: 10, Y: 8, Z: 2}}}}
	objects := ecs.NewFilter2[components.Object, components.Position](c.world.ecs)
	shown := func() (at []components.Vec) {
		for q := objects.Iter(); q.Next(); {
			if o, p := q.Get(); o.Entry == 8 {
				at = append(at, p.Vec())
			}
		}
		return at
	}
	says := func(verb, want string) {
		t.Helper()
		if got := fmt.Sprint(c.do(verb)); got != want {
			t.Errorf("%s: %s, want %s", verb, got, want)
		}
		c.step()
		c.step()
	}
	c.selects(wolf)
	c.do(".wp load 0")
	says(".wp show on", "[There is nothing in this world to show it with.]")
	d := ecs.Shared[defs.World](c.world.ecs)
	peg := d.Creatures[0]
	peg.Entry, peg.Name, peg.ReactState = 8, "Peg", defs.Passive
	d.Creatures, d.Marker = append(d.Creatures, peg), 8
	want := []components.Vec{{X: 10, Z: 1}, {X: 10, Y: 8, Z: 2}}
	says(".wp show on", "[Way 0 is shown by 2 of Peg.]")
	if got := shown(); !slices.Equal(got, want) {
		t.Errorf("they stand at %v, want %v", got, want)
	}
	says(".wp show off", "[2 of them are gone.]")
	if got := shown(); len(got) != 0 {
		t.Errorf("%v are left", got)
	}
	says(".wp show off", "[0 of them are gone.]")
	says(".wp show always", "[Use: wp show [on/off/info]]")
	says(".wp show on", "[Way 0 is shown by 2 of Peg.]")
	for range 5*60*20 - 10 {
		c.step()
	}
	if got := shown(); !slices.Equal(got, want) {
		t.Errorf("shortly before the end they stand at %v, want %v", got, want)
	}
	for range 20 {
		c.step()
	}
	if got := shown(); len(got) != 0 {
		t.Errorf("%v are left after five minutes", got)
	}
}
