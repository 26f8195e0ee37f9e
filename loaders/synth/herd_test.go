package synth

import (
	"slices"
	"testing"

	"muster/components/defs"
)

// herdOf is how many of the first spawn points of the first map are those of the herd, and settledOf how many there
// are before those that Config.Creatures counts.
func herdOf(w *defs.World) int {
	m := w.Maps[0]
	m.Spawns = nil
	graze(&m, w.Seed)
	return len(m.Spawns)
}

func settledOf(w *defs.World) int { return herdOf(w) + len(w.Hubs) + 2*rarePlaces*len(rare) }

// fair reports whether a client of level 1 attacks a creature by its own rules.
//
// Source: protocol.md 3.1.3.
func fair(c *defs.Creature) bool {
	return c.MinLevel >= 1 && c.MaxLevel <= 3 && c.Faction == defs.FactionHostile && c.NPCFlags == 0 &&
		c.MinHealth > 8 && c.Type != defs.TypeCritter && c.ReactState == defs.Neutral
}

// TestFiveNearEverywhere: from any point near a hub there are five to fight, however few creatures there are.
func TestFiveNearEverywhere(t *testing.T) {
	for _, c := range []Config{{Creatures: -1}, {}, {Seed: 9, Creatures: 50_000, Start: One}} {
		w := newWorld(t, c)
		cells := make(map[[2]int][]*defs.Spawn)
		for i := range w.Maps[0].Spawns {
			s := &w.Maps[0].Spawns[i]
			if s.RespawnMs == soonMs && s.Wander == 0 && s.Path < 0 && fair(w.Creature(s.Entry)) {
				k := [2]int{int(s.X+20_000) / 40, int(s.Y+20_000) / 40}
				cells[k] = append(cells[k], s)
			}
		}
		d := newDice(5, 0)
		least, tried := 1000, 0
		for tried < 60_000 {
			const edge = hubRing*hubYards + nearYards
			p := point{d.between(-edge, edge), d.between(-edge, edge)}
			if !near(p) {
				continue
			}
			tried++
			n := 0
			x, y := float32(p.x), float32(p.y)
			for i := -1; i <= 1; i++ {
				for j := -1; j <= 1; j++ {
					for _, s := range cells[[2]int{int(x+20_000)/40 + i, int(y+20_000)/40 + j}] {
						if distance(s.X, s.Y, x, y) <= fiveYards {
							n++
						}
					}
				}
			}
			least = min(least, n)
		}
		if least < 5 {
			t.Errorf("%+v: from some point there are %d to fight, want 5", c, least)
		}
	}
}

// TestNoneAggressiveNearHubs: creatures that live or walk near a hub are not aggressive.
func TestNoneAggressiveNearHubs(t *testing.T) {
	w := newWorld(t, Config{Creatures: 100_000})
	m := &w.Maps[0]
	for _, s := range m.Spawns {
		if w.Creature(s.Entry).ReactState != defs.Aggressive {
			continue
		}
		if p := (point{float64(s.X), float64(s.Y)}); near(p) {
			t.Errorf("%s lives %.0f yards from a hub", w.Creature(s.Entry).Name, fromHub(p))
		}
		if s.Path >= 0 && slices.ContainsFunc(m.Paths[s.Path].Nodes, func(n defs.Node) bool {
			return near(point{float64(n.X), float64(n.Y)})
		}) {
			t.Errorf("%s walks by a hub", w.Creature(s.Entry).Name)
		}
	}
}

// TestGangs: some creatures walk in groups of three.
func TestGangs(t *testing.T) {
	m := &newWorld(t, Config{}).Maps[0]
	of := make(map[uint32]int)
	for _, s := range m.Spawns {
		if s.Leader > 0 {
			of[s.Leader]++
		}
	}
	for leader, n := range of {
		if n > gangMost-1 {
			t.Errorf("%d walk with %d", n, leader-1)
		}
	}
	if len(of) < 20 {
		t.Errorf("%d gangs", len(of))
	}
}
