package synth

import (
	"cmp"
	"math"
	"testing"

	"muster/components/defs"
)

func TestInvariants(t *testing.T) {
	for _, c := range []Config{{}, {Seed: 2, Creatures: 5000}, {Seed: math.MaxUint64, Creatures: 5000}, {Creatures: 17}, {Creatures: -1}} {
		checkWorld(t, newWorld(t, c), c)
	}
}

func TestMillion(t *testing.T) {
	c := Config{Creatures: 1_000_000}
	checkWorld(t, newWorld(t, c), c)
}

func checkWorld(t *testing.T, w *defs.World, c Config) {
	t.Helper()
	want := max(cmp.Or(c.Creatures, 20_000), 0) + garrisonSize
	settled := settledOf(w)
	total, onPlain, standing, strolling := 0, 0, 0, 0
	for i := range w.Maps {
		m := &w.Maps[i]
		if m.ID != uint32(i) || m.Name == "" {
			t.Errorf("map %d is %d %q", i, m.ID, m.Name)
		}
		walked := 0
		for k := range m.Spawns {
			s := &m.Spawns[k]
			if !checkSpawn(w, m, s) {
				t.Fatalf("seed %d, map %d, spawn %d is wrong: %+v", w.Seed, i, k, *s)
			}
			if i == 0 && k < settled {
				continue
			}
			total++
			switch {
			case s.Path >= 0:
				if int(s.Path) != walked || !checkPath(m, s) {
					t.Fatalf("seed %d, map %d, spawn %d walks a wrong path: %+v", w.Seed, i, k, m.Paths[s.Path])
				}
				walked++
			case s.Wander > 0:
				strolling++
			default:
				standing++
			}
			if i == 0 && distance(s.X, s.Y, 0, 0) <= 4000 {
				onPlain++
			}
		}
		if walked != len(m.Paths) {
			t.Errorf("map %d has %d paths and %d creatures that walk them", i, len(m.Paths), walked)
		}
	}
	if total != want {
		t.Errorf("%d creatures, want %d", total, want)
	}
	if total < 1000 {
		return
	}
	for _, share := range []struct {
		of        string
		got       int
		low, high float64
	}{{"live on the plain", onPlain, 0.58, 0.65}, {"stand", standing, 0.31, 0.38}, {"stroll", strolling, 0.46, 0.53}} {
		if f := float64(share.got) / float64(total); f < share.low || f > share.high {
			t.Errorf("%.3f of all %s, want %v to %v", f, share.of, share.low, share.high)
		}
	}
}

func checkSpawn(w *defs.World, m *defs.Map, s *defs.Spawn) bool {
	limit := m.Half - s.Wander
	if s.Path >= 0 && s.Leader > 0 {
		return false
	}
	return abs(s.X) <= limit && abs(s.Y) <= limit && s.Z == m.Height(s.X, s.Y) && abs(s.Z) < 1000 &&
		s.O >= 0 && s.O < 2*math.Pi &&
		(s.Wander == 0 || s.Wander >= 5 && s.Wander <= 15 && s.Path < 0) &&
		s.Path >= -1 && int(s.Path) < len(m.Paths) &&
		w.Creature(s.Entry) != nil && m.Zone(s.X, s.Y) != 0 &&
		(m.ID != 0 || s.Entry == uint32(spiritKind) || stepFromHub(s.X, s.Y, s.X, s.Y) >= 10+float64(s.Wander)) &&
		(s.Leader == 0 || checkLeader(m, s))
}

func checkLeader(m *defs.Map, s *defs.Spawn) bool {
	l := &m.Spawns[s.Leader-1]
	return l.Path >= 0 && l.Leader == 0 && l.Entry == s.Entry && distance(l.X, l.Y, s.X, s.Y) < 10 && s.BesideYards > 0
}

func checkPath(m *defs.Map, s *defs.Spawn) bool {
	nodes := m.Paths[s.Path].Nodes
	if len(nodes) < 3 || len(nodes) > 10 || nodes[0].X != s.X || nodes[0].Y != s.Y {
		return false
	}
	for i, n := range nodes {
		next := nodes[(i+1)%len(nodes)]
		leg := distance(n.X, n.Y, next.X, next.Y)
		if leg < 10 || leg > 60 || abs(n.X) > m.Half || abs(n.Y) > m.Half || n.Z != m.Height(n.X, n.Y) ||
			n.PauseMs > 10_000 || n.PauseMs%1000 != 0 ||
			m.ID == 0 && stepFromHub(n.X, n.Y, next.X, next.Y) < 9.99 {
			return false
		}
	}
	return true
}

// stepFromHub is how near a step comes to any hub, found by trying points of it.
func stepFromHub(ax, ay, bx, by float32) float64 {
	if distance(ax, ay, 0, 0) > 3000 {
		return math.Inf(1)
	}
	nearest := math.Inf(1)
	const parts = 64
	for i := range parts + 1 {
		f := float32(i) / parts
		x, y := ax+(bx-ax)*f, ay+(by-ay)*f
		hx := float32(min(max(math.Round(float64(x)/200), -10), 10) * 200)
		hy := float32(min(max(math.Round(float64(y)/200), -10), 10) * 200)
		nearest = min(nearest, distance(x, y, hx, hy))
		if ax == bx && ay == by {
			break
		}
	}
	return nearest
}

// TestPaths wants both kinds of paths, every length, and pauses on the way.
func TestPaths(t *testing.T) {
	var back, nodes, rests int
	var lengths [maxNodes + 1]int
	paths := newWorld(t, Config{}).Maps[0].Paths
	for _, p := range paths {
		n := len(p.Nodes)
		lengths[n]++
		nodes += n
		mirrored := n%2 == 0
		for i := 1; i < n && mirrored; i++ {
			a, b := p.Nodes[i], p.Nodes[n-i]
			mirrored = a.X == b.X && a.Y == b.Y
		}
		if mirrored {
			back++
		}
		for _, node := range p.Nodes {
			if node.PauseMs > 0 {
				rests++
			}
		}
	}
	if f := float64(back) / float64(len(paths)); f < 0.3 || f > 0.7 {
		t.Errorf("%.2f of all paths go there and back, want about half", f)
	}
	if f := float64(rests) / float64(nodes); f < 0.23 || f > 0.27 {
		t.Errorf("%.3f of all nodes have a pause, want a quarter", f)
	}
	for n := 3; n <= 10; n++ {
		if lengths[n] == 0 {
			t.Errorf("no path has %d nodes", n)
		}
	}
}

// TestDensity wants the dome: around the n-th ring of hubs there are fewer than around the one before.
func TestDensity(t *testing.T) {
	w := newWorld(t, Config{Creatures: 100_000})
	var rings [8]float64
	for _, s := range w.Maps[0].Spawns[settledOf(w):] {
		if k := int(distance(s.X, s.Y, 0, 0) / 500); k < len(rings) {
			rings[k] += 1 / (math.Pi * 500 * 500 * float64(2*k+1)) // per square yard
		}
	}
	for k := 1; k < len(rings); k++ {
		if rings[k] >= rings[k-1] {
			t.Errorf("ring %d has %g creatures per square yard, the one inside it %g", k, rings[k], rings[k-1])
		}
	}
	// A dome of 60,000 on a disc of 4,000 yards is twice the mean high in the middle.
	if want := 2 * 60_000 / (math.Pi * 4000 * 4000); math.Abs(rings[0]/want-1) > 0.1 {
		t.Errorf("in the middle %g creatures per square yard, want about %g", rings[0], want)
	}
}

func TestCreatures(t *testing.T) {
	w := newWorld(t, Config{Creatures: 50_000})
	used := make(map[uint32]int)
	for i := range w.Maps {
		spawns := w.Maps[i].Spawns
		if i == 0 {
			spawns = spawns[settledOf(w):]
		}
		for _, s := range spawns {
			used[s.Entry]++
		}
	}
	names := make(map[string]bool)
	friendly := 0
	for i := range w.Creatures {
		c := &w.Creatures[i]
		if i > 0 && c.Entry <= w.Creatures[i-1].Entry {
			t.Errorf("entry %d comes after %d", c.Entry, w.Creatures[i-1].Entry)
		}
		if c.Entry&0xFF == 0 || c.Entry >= 1<<24 || c.DisplayID == 0 || names[c.Name] ||
			c.MinLevel < 1 || c.MinLevel > c.MaxLevel || c.MaxLevel > 60 ||
			c.MinHealth < 1 || c.MinHealth > c.MaxHealth || c.AttackTimeMs == 0 ||
			!(c.Scale > 0.4 && c.BoundingRadius > 0 && c.CombatReach > 0 && c.WalkSpeed > 0 && c.RunSpeed > c.WalkSpeed) {
			t.Errorf("template %+v", *c)
		}
		names[c.Name] = true
		if used[c.Entry] == 0 && c.Entry < uint32(spiritKind) {
			t.Errorf("nowhere lives %s", c.Name)
		}
		if c.Faction == defs.FactionFriendly {
			friendly += used[c.Entry]
		} else if c.Faction != defs.FactionHostile {
			t.Errorf("%s has faction %d", c.Name, c.Faction)
		}
	}
	if len(w.Creatures) != 48 {
		t.Errorf("%d templates, want 48", len(w.Creatures))
	}
	if friendly < 5_000 || friendly > 7_500 {
		t.Errorf("%d of 50000 are friendly, want about an eighth", friendly)
	}
}

// TestPlainIsForBeginners: clients that fight look for creatures that are at most six levels above them.
func TestPlainIsForBeginners(t *testing.T) {
	w := newWorld(t, Config{})
	for _, s := range w.Maps[0].Spawns {
		c := w.Creature(s.Entry)
		if distance(s.X, s.Y, 0, 0) < 3999 && c.Faction == defs.FactionHostile && c.MaxLevel > 6 {
			t.Fatalf("%s, level %d, lives at (%v, %v)", c.Name, c.MaxLevel, s.X, s.Y)
		}
	}
}

func TestZones(t *testing.T) {
	w := newWorld(t, Config{Empty: true})
	ids := make(map[uint32]bool)
	for i := range w.Maps {
		m := &w.Maps[i]
		for _, z := range m.Zones {
			if z.ID == 0 || ids[z.ID] || z.Name == "" || z.MinX >= z.MaxX || z.MinY >= z.MaxY {
				t.Errorf("map %d has zone %+v", i, z)
			}
			ids[z.ID] = true
		}
		for _, x := range []float32{-m.Half, -1, 0, m.Half / 3, m.Half} {
			for _, y := range []float32{-m.Half, 1, m.Half / 3, m.Half} {
				if m.Zone(x, y) == 0 {
					t.Errorf("map %d at (%v, %v) is in no zone", i, x, y)
				}
			}
		}
	}
	plain := w.Maps[0].Zones[0].ID
	for n := range PerHub * len(w.Hubs) {
		if h := Hub(w, n); w.Map(h.Map).Zone(h.X, h.Y) != plain {
			t.Fatalf("character %d begins outside the plain", n)
		}
	}
}
