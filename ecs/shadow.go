package ecs

import (
	"bytes"
	"fmt"

	"github.com/mlange-42/arche/ecs"
)

// largeBytes is the least size of a large component, in bytes: two cache lines. A Write marks the entities whose large components it
// gives out, which costs less than to reach one line of them, and CopyTables copies those only. A smaller component is copied
// as a whole, and is not marked.
const largeBytes = 128

// shadowRows is how many rows of a shadow are in one block of memory. A block stays where it is when others follow.
const shadowRows = 256

// Marks are the entities of which a component may have changed since the last CopyTables.
type marks struct {
	ids []uint64 // bits, by Entity.ID
	all bool
}

// mark marks one entity.
func (m *marks) mark(e Entity) {
	word := int(e.ID() / 64)
	if word >= len(m.ids) {
		m.grow(word)
	}
	m.ids[word] |= 1 << (e.ID() % 64)
}

func (m *marks) grow(word int) {
	m.ids = append(m.ids, make([]uint64, max(word+1, 2*len(m.ids))-len(m.ids))...)
}

func (m *marks) has(id uint32) bool {
	word := int(id / 64)
	return m != nil && (m.all || word < len(m.ids) && m.ids[word]>>(id%64)&1 != 0)
}

// add adds the marks of another.
func (m *marks) add(other *marks) {
	if len(other.ids) > len(m.ids) {
		m.grow(len(other.ids) - 1)
	}
	for i, word := range other.ids {
		m.ids[i] |= word
	}
	m.all = m.all || other.all
}

func (m *marks) clear() {
	clear(m.ids)
	m.all = false
}

func (w *World) clearMarks() {
	for _, m := range w.marks {
		m.clear()
	}
}

// marksOf returns the marks of a component, which all Writes of it share.
func (w *World) marksOf(t Type) *marks {
	m := w.marks[t]
	if m == nil {
		m = new(marks)
		w.marks[t] = m
	}
	return m
}

// A shadow is a copy of the large components of an archetype, as of the last CopyTables.
type shadow struct {
	was, is []ecs.Entity // by row, at the last CopyTables and at this one
	columns map[Type]*shadowColumn
}

// A shadowColumn is the copy of one component.
type shadowColumn struct {
	rows, size int // of each row in bytes
	blocks     [][]byte
}

// shadowOf returns the shadow of an archetype among those that there are.
func shadowOf(shadows map[*Archetype]*shadow, k *Archetype) *shadow {
	s := shadows[k]
	if s == nil {
		s = &shadow{columns: make(map[Type]*shadowColumn)}
		shadows[k] = s
	}
	return s
}

// begin begins a CopyTables of an archetype.
func (s *shadow) begin(k *Archetype) {
	s.was, s.is = s.is, s.was[:0]
	for q := k.world.arche.Query(&k.exact); q.Next(); {
		s.is = append(s.is, q.Entity())
	}
	if len(s.is) == 0 {
		clear(s.columns)
	}
}

// copy copies the rows of a component that may have changed: those of marked entities, and those that another entity or none had before.
// Marks may be nil: there are none.
func (s *shadow) copy(t Type, column []byte, m *marks) *shadowColumn {
	c := s.columns[t]
	if c == nil {
		c = &shadowColumn{size: int(t.Size())}
		s.columns[t] = c
	}
	c.resize(len(s.is))
	for i, e := range s.is {
		from := column[i*c.size:][:c.size]
		if i >= len(s.was) || s.was[i] != e || m.has(e.ID()) {
			copy(c.row(i), from)
		} else if verify && !bytes.Equal(c.row(i), from) {
			panic(fmt.Sprintf("ecs: the %v of entity %d has changed without a Write", t, e.ID()))
		}
	}
	return c
}

// resize makes room for n rows, and frees what is not needed.
func (c *shadowColumn) resize(n int) {
	c.rows = n
	blocks := (n + shadowRows - 1) / shadowRows
	for len(c.blocks) < blocks {
		c.blocks = append(c.blocks, make([]byte, shadowRows*c.size))
	}
	clear(c.blocks[blocks:])
	c.blocks = c.blocks[:blocks]
}

// row returns the copy of a row.
func (c *shadowColumn) row(i int) []byte {
	return c.blocks[i/shadowRows][i%shadowRows*c.size:][:c.size]
}

// CheckWrites calls run, and panics in a build with the tag verify if run has changed a large component that no Write gave out: a snapshot
// would miss that. It is for tests: it copies all large components twice, into shadows of its own, and leaves marks and snapshots as they are.
func (w *World) CheckWrites(run func()) {
	for t, m := range w.marks {
		earlier := w.earlier[t]
		if earlier == nil {
			earlier = new(marks)
			w.earlier[t] = earlier
		}
		earlier.ids, earlier.all = append(earlier.ids[:0], m.ids...), m.all
	}
	w.clearMarks()
	for _, s := range w.checked {
		s.is = s.is[:0] // a test may have written to components by other ways
	}
	w.checkLarge()
	run()
	w.checkLarge()
	for t, m := range w.earlier {
		w.marks[t].add(m)
	}
}

// checkLarge copies all large components into the shadows of CheckWrites.
func (w *World) checkLarge() {
	for _, k := range w.archetypes {
		s := shadowOf(w.checked, k)
		s.begin(k)
		k.columns(func(t Type, column []byte) {
			if t.Size() >= largeBytes {
				s.copy(t, column, w.marks[t])
			}
		})
	}
}

// LargeRows are the large components that CopyTables has left out of its bytes.
type LargeRows []largeColumn

// A largeColumn is a component of the entities of an archetype, and where in the bytes it belongs.
type largeColumn struct {
	at   int
	from *shadowColumn
}

// Parts returns the bytes that CopyTables has returned, and whatever was appended to them, with the large components in between: together
// they are what AppendTables would have returned. Nothing is copied. Any goroutine may read them while the world goes on, until the next CopyTables.
func (l LargeRows) Parts(b []byte) (parts [][]byte) {
	done := 0
	for _, c := range l {
		parts = append(parts, b[done:c.at])
		done = c.at
		left := c.from.rows * c.from.size
		for _, block := range c.from.blocks {
			n := min(left, len(block))
			parts = append(parts, block[:n])
			left -= n
		}
	}
	return append(parts, b[done:])
}
