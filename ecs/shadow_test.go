package ecs

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A trunk is a large component.
type trunk [largeBytes / 4]uint32

// A crate is another one, of an odd size.
type crate [largeBytes + 6]byte

// storage is a world of two archetypes that have a large component in common.
type storage struct {
	w        *World
	some     Spawn[trunks]
	both     Spawn[trunksAndCrates]
	trunks   Write[trunk]
	crates   Write[crate]
	bodies   Write[body]
	rows     Write[trunk] // of which whole columns are written
	entities Entities
	remove   Despawn
}

type trunks struct{}

func (trunks) Components() []Type { return Of2[body, trunk]() }

type trunksAndCrates struct{}

func (trunksAndCrates) Components() []Type { return Of3[crate, trunk, body]() }

func newStorage() *storage {
	s := &storage{w: NewWorld(2)}
	Bind(s.w, s)
	return s
}

// copied returns what CopyTables and Parts make, in memory that was used before.
func (s *storage) copied() []byte {
	b, large := s.w.CopyTables(append(make([]byte, 0, 1<<10), bytes.Repeat([]byte{0xAA}, 1<<10)...)[:6])
	return bytes.Join(large.Parts(b), nil)[6:]
}

// Whatever is spawned, written and despawned between two snapshots, and whichever world goes on with one, CopyTables and Parts make what AppendTables makes.
func TestCopiedTablesAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStorage()
		var all []Entity
		n := uint32(0)
		write := func(e Entity, what int) {
			n++
			switch what {
			case 0:
				s.bodies.Get(e).X = float32(n)
			case 1:
				s.trunks.Get(e)[n%uint32(len(trunk{}))] = n
			case 2:
				if c := s.crates.Get(e); c != nil {
					c[n%uint32(len(crate{}))] = byte(n)
				}
			}
		}
		some := func() Entity { return rapid.SampledFrom(all).Draw(t, "entity") }
		spawn := func(t *rapid.T) {
			for range rapid.SampledFrom([]int{1, 2, 3 * shadowRows / 2}).Draw(t, "n") {
				e := s.some.Spawn()
				if len(all)%3 == 0 {
					e = s.both.Spawn()
				}
				all = append(all, e)
				write(e, 1)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"spawn": spawn,
			"write": func(t *rapid.T) {
				if len(all) > 0 {
					write(some(), rapid.IntRange(0, 2).Draw(t, "component"))
				}
			},
			"write all": func(t *rapid.T) {
				for _, table := range s.entities.Archetypes() {
					for i, rows := 0, s.rows.Rows(table); i < len(rows); i++ {
						n++
						rows[i][1] = n
					}
				}
			},
			"despawn": func(t *rapid.T) {
				for range min(len(all), rapid.IntRange(1, 3).Draw(t, "n")) {
					i := rapid.IntRange(0, len(all)-1).Draw(t, "place")
					s.remove.Despawn(all[i])
					all[i] = all[len(all)-1]
					all = all[:len(all)-1]
				}
				s.w.EndStage()
			},
			"restore": func(t *rapid.T) {
				b := s.w.AppendTables(nil)
				if rapid.Bool().Draw(t, "another world") {
					s = newStorage()
				} else {
					for _, e := range all { // the same entities had other values
						write(e, 1)
					}
					s.copied()
				}
				if rest, err := s.w.RestoreTables(b); err != nil || len(rest) != 0 {
					t.Fatalf("%v, and %d bytes are left", err, len(rest))
				}
				if !bytes.Equal(s.w.AppendTables(nil), b) {
					t.Fatal("it is another world")
				}
			},
			"": func(t *rapid.T) {
				if rapid.IntRange(0, 2).Draw(t, "later") > 0 {
					return
				}
				if got, want := s.copied(), s.w.AppendTables(nil); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes differ from %d", len(got), len(want))
				}
			},
		})
	})
}

// What was copied does not change with the world, and is there beside it.
func TestLargeRowsAreOfTheirTick(t *testing.T) {
	s := newStorage()
	e := s.some.Spawn()
	s.trunks.Get(e)[3] = 7
	want := s.w.AppendTables(nil)
	b, large := s.w.CopyTables(nil)
	s.trunks.Get(e)[3] = 8
	s.w.Despawn(e)
	s.w.EndStage()
	if b := append(b, "after"...); string(bytes.Join(large.Parts(b), nil)) != string(want)+"after" {
		t.Error("a write after CopyTables is in what it has copied")
	}
}

// Only rows that may have changed are copied: a row that is written without a Write is as it was, and a build that verifies says which.
func TestUnmarkedRowsAreNotCopied(t *testing.T) {
	s := newStorage()
	first, second := s.some.Spawn(), s.some.Spawn()
	before := s.copied()
	behind := NewAccessor[trunk](s.w)
	behind.Get(first)[0] = 1
	if verify {
		defer func() {
			if why, _ := recover().(string); !strings.Contains(why, "the ecs.trunk of entity 1 has changed without a Write") {
				t.Errorf("it panics with %q", why)
			}
		}()
	}
	if !bytes.Equal(s.copied(), before) {
		t.Error("a row without a mark was copied")
	}
	s.trunks.Get(first)
	if !bytes.Equal(s.copied(), s.w.AppendTables(nil)) {
		t.Error("a row with a mark was not")
	}
	if behind.Get(second)[0] != 0 {
		t.Error("another row was written")
	}
}

// To mark costs no allocation once there is room for the bits, and blocks of a shadow are freed with their rows.
func TestMarksAndShadowsAreBounded(t *testing.T) {
	s := newStorage()
	var all []Entity
	for range 4 * shadowRows {
		all = append(all, s.some.Spawn())
	}
	s.trunks.Get(all[len(all)-1])
	if n := testing.AllocsPerRun(10, func() {
		for _, e := range all {
			s.trunks.Get(e)[0]++
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	s.copied()
	blocks := func() (n int) {
		for _, shadow := range s.w.shadows {
			for _, c := range shadow.columns {
				n += len(c.blocks)
			}
		}
		return n
	}
	if n := blocks(); n != 4 {
		t.Errorf("%d blocks, want 4", n)
	}
	for _, e := range all[1:] {
		s.w.Despawn(e)
	}
	s.w.EndStage()
	s.copied()
	if n := blocks(); n != 1 {
		t.Errorf("%d blocks of one row", n)
	}
	s.w.Despawn(all[0])
	s.w.EndStage()
	s.copied()
	if n := blocks(); n != 0 {
		t.Errorf("%d blocks of no rows", n)
	}
}
