package synth

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"muster/components/defs"
	"muster/internal/golden"
)

func newWorld(t testing.TB, c Config) *defs.World {
	t.Helper()
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDefault pins the default world, so that a change to it is noticed.
func TestDefault(t *testing.T) {
	w := newWorld(t, Config{})
	var b bytes.Buffer
	fmt.Fprintf(&b, "seed %d, %d hubs\n", w.Seed, len(w.Hubs))
	for i := range w.Maps {
		m := &w.Maps[i]
		fmt.Fprintf(&b, "\nmap %d %s: ±%v yards, %d spawns, %d pools, %d paths, sha256 %x\n",
			m.ID, m.Name, m.Half, len(m.Spawns), len(m.Pools), len(m.Paths), hash(m))
		for _, z := range m.Zones {
			fmt.Fprintf(&b, "zone %2d %-18s x %8.1f … %8.1f, y %8.1f … %8.1f\n", z.ID, z.Name, z.MinX, z.MaxX, z.MinY, z.MaxY)
		}
	}
	b.WriteString("\n")
	for _, c := range w.Creatures {
		name := c.Name
		if c.SubName != "" {
			name += ", " + c.SubName
		}
		fmt.Fprintf(&b, "creature %d %-28s level %2d-%2d, health %4d-%4d, type %d, rank %d, faction %2d, display %2d, scale %v\n",
			c.Entry, name, c.MinLevel, c.MaxLevel, c.MinHealth, c.MaxHealth, c.Type, c.Rank, c.Faction, c.DisplayID, c.Scale)
	}
	describePlayers(&b, &w.Players)
	golden.Compare(t, "testdata/default.txt", b.Bytes())
}

// describePlayers writes the stats of a character of each class without equipment at some levels.
func describePlayers(b *bytes.Buffer, p *defs.Players) {
	fmt.Fprintf(b, "\nplayers display %v, faction %d, radius %v, reach %v, up to level %d\n",
		p.DisplayID, p.Faction, p.BoundingRadius, p.CombatReach, p.MaxLevel)
	for class := range uint8(len(p.Classes)) {
		c := p.Class(class)
		if c == nil {
			continue
		}
		for _, level := range []uint32{1, 20, 60, 80} {
			fmt.Fprintf(b, "class %2d level %2d: health %4.0f, mana %4.0f, stats", class, level, c.Health.At(level), c.Mana.At(level))
			for _, s := range c.Stats {
				fmt.Fprintf(b, " %3.0f", s.At(level))
			}
			fmt.Fprintf(b, ", hit %5.1f, next level %6d\n", c.Damage.At(level), p.Next(level))
		}
	}
}

// hash is of the spawns, the pools, the paths, and the land at some points.
func hash(m *defs.Map) []byte {
	h := sha256.New()
	add := func(v any) {
		if err := binary.Write(h, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	add(m.Spawns)
	for i := range m.Pools {
		add(m.Pools[i].Limit)
		add(m.Pools[i].Members)
	}
	for i := range m.Paths {
		add(m.Paths[i].Nodes)
	}
	for k := range 1000 {
		add(m.Height(m.Half*float32(k-500)/500, m.Half*float32(k*7%1000-500)/500))
	}
	return h.Sum(nil)[:8]
}

func TestSameSeedSameWorld(t *testing.T) {
	a, b := newWorld(t, Config{Seed: 7, Creatures: 3000}), newWorld(t, Config{Seed: 7, Creatures: 3000})
	if !reflect.DeepEqual(a, b) {
		t.Error("two worlds of one seed differ")
	}
	if !reflect.DeepEqual(newWorld(t, Config{}), newWorld(t, Config{Seed: 1, Creatures: 20_000, Start: Spread})) {
		t.Error("the default is not what it says")
	}
	c := newWorld(t, Config{Seed: 8, Creatures: 3000})
	for i := range a.Maps {
		one, other := &a.Maps[i], &c.Maps[i]
		if one.Name == other.Name || one.Zones[0].Name == other.Zones[0].Name || bytes.Equal(hash(one), hash(other)) ||
			one.Height(one.Half, 3) == other.Height(one.Half, 3) {
			t.Errorf("map %d is the same for two seeds", i)
		}
	}
	if reflect.DeepEqual(a.Creatures, c.Creatures) || Hub(a, 0) == Hub(c, 0) {
		t.Error("templates or beginnings are the same for two seeds")
	}
}

func TestMoreIsMoreOfTheSame(t *testing.T) {
	small, large := newWorld(t, Config{Creatures: 1234}), newWorld(t, Config{Creatures: 5000})
	for i := range small.Maps {
		a, b := &small.Maps[i], &large.Maps[i]
		if !reflect.DeepEqual(a.Spawns, b.Spawns[:len(a.Spawns)]) || !reflect.DeepEqual(a.Paths, b.Paths[:len(a.Paths)]) {
			t.Errorf("map %d: the first creatures differ", i)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Creatures: MaxCreatures + 1}, "synth: 8000001 creatures are more than 8000000"},
		{Config{Start: "two"}, `synth: no way to start is called "two"`},
	} {
		if _, err := New(c.config); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.config, err, c.want)
		}
	}
	w := newWorld(t, Config{Empty: true})
	for i := range w.Maps {
		if n := len(w.Maps[i].Spawns); n != 0 {
			t.Errorf("map %d has %d creatures, want none", i, n)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{20_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				newWorld(b, Config{Creatures: n})
			}
		})
	}
}

func BenchmarkHeight(b *testing.B) {
	w := newWorld(b, Config{Empty: true})
	var sum float32
	for b.Loop() {
		sum += w.Maps[0].Height(9000.5, -7000.25)
	}
	_ = sum
}
