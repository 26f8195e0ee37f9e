package ecs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

// ErrTables is the error of bytes that are not what AppendTables writes for a world of these archetypes.
var ErrTables = errors.New("ecs: not the tables of this world")

// tables are the numbers of the archetypes that ever had an entity, in the order of a walk.
func (w *World) tables() (used []int) {
	for _, node := range w.arche.Stats().Nodes {
		if !node.IsActive || len(node.ComponentTypes) == 0 {
			continue
		}
		i := slices.IndexFunc(w.archetypes, func(k *Archetype) bool {
			return len(k.ids) == len(node.ComponentTypes) && !slices.ContainsFunc(k.parts, func(t Type) bool {
				return !slices.Contains(node.ComponentTypes, t)
			})
		})
		if i < 0 {
			panic(fmt.Sprintf("ecs: entities of no archetype: %v", node.ComponentTypes))
		}
		used = append(used, i)
	}
	return used
}

// Parts returns the components of an archetype, in the order in which AppendTables has them.
func (k *Archetype) Parts() []Type { return k.parts }

// AppendTables appends all entities, also despawned ones, with all components as they lie in memory: their rows, and
// the order in which free rows are reused.
func (w *World) AppendTables(b []byte) []byte {
	return w.appendTables(b, nil)
}

// CopyTables appends what AppendTables appends, but for the rows of large components. Of these the world keeps a copy, into which it copies
// only the rows that may have changed since it was last called: Parts returns it in its place between the bytes.
func (w *World) CopyTables(b []byte) ([]byte, LargeRows) {
	var large LargeRows
	b = w.appendTables(b, &large)
	w.clearMarks()
	return b, large
}

// appendTables appends all tables, or leaves the large components out and lists them.
func (w *World) appendTables(b []byte, large *LargeRows) []byte {
	dump := w.arche.DumpEntities()
	put := func(n int) { b = binary.LittleEndian.AppendUint32(b, uint32(n)) }
	put(len(dump.Entities))
	b = append(b, bytesOf(unsafe.SliceData(dump.Entities), len(dump.Entities))...)
	put(int(dump.Next))
	put(int(dump.Available))
	put(len(dump.Alive))
	b = append(b, bytesOf(unsafe.SliceData(dump.Alive), len(dump.Alive))...)
	tables := w.tables()
	put(len(tables))
	var c columnCopy
	for _, i := range tables {
		k := w.archetypes[i]
		put(i)
		put(k.Count())
		var s *shadow
		if large != nil {
			s = shadowOf(w.shadows, k)
			s.begin(k)
		}
		k.columns(func(t Type, column []byte) {
			at := len(b)
			if s != nil && t.Size() >= largeBytes {
				*large = append(*large, largeColumn{at, s.copy(t, column, w.marks[t])})
				return
			}
			b = slices.Grow(b, len(column))[:at+len(column)]
			c.add(at, column)
		})
	}
	c.run(b)
	return b
}

// TableBytes is how many bytes CopyTables appends now, or a few more.
func (w *World) TableBytes() int {
	n := 64 + w.arche.Stats().Entities.Total*(int(unsafe.Sizeof(ecs.Entity{}))+4)
	for _, k := range w.archetypes {
		row := 0
		for _, t := range k.parts {
			if t.Size() < largeBytes {
				row += int(t.Size())
			}
		}
		n += 8 + k.Count()*row
	}
	return n
}

// A columnCopy is columns that are to be copied into a slice, in pieces.
type columnCopy struct {
	pieces []columnPiece
	bytes  int
}

// A columnPiece is memory of a column, and where in the slice it is to be.
type columnPiece struct {
	at   int
	from []byte
}

// Bounds of copies by several goroutines.
const (
	pieceBytes = 1 << 20 // of a column in one piece
	aloneBytes = 4 << 20 // that one goroutine copies alone: some hundred microseconds
	maxCopiers = 8       // goroutines: memory is not faster for more
)

func (c *columnCopy) add(at int, column []byte) {
	c.bytes += len(column)
	for piece := range slices.Chunk(column, pieceBytes) {
		c.pieces = append(c.pieces, columnPiece{at, piece})
		at += len(piece)
	}
}

// run copies all pieces, on as many processors as there are if that is worth it.
func (c *columnCopy) run(b []byte) {
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(c.pieces) {
				return
			}
			copy(b[c.pieces[i].at:], c.pieces[i].from)
		}
	}
	var helpers sync.WaitGroup
	if c.bytes > aloneBytes {
		for range min(runtime.GOMAXPROCS(0), maxCopiers) - 1 {
			helpers.Go(work)
		}
	}
	work()
	helpers.Wait()
}

// columns visits the components of all entities of an archetype, as they lie in memory.
func (k *Archetype) columns(visit func(Type, []byte)) {
	q := k.world.arche.Query(&k.exact)
	defer q.Close()
	n := q.Count()
	if n == 0 || !q.Next() {
		return
	}
	for i, t := range k.parts {
		visit(t, bytesOf((*byte)(q.Get(k.ids[i])), n*int(t.Size())))
	}
}

func bytesOf[T any](p *T, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), n*int(reflect.TypeFor[T]().Size()))
}

// RestoreTables replaces a world's entities and components by those of another world of the same archetypes, and
// returns the bytes that follow them. If it fails, the world must not be used any more.
func (w *World) RestoreTables(b []byte) (rest []byte, err error) {
	short := false
	take := func(n, size int) []byte {
		if short = short || n < 0 || n > len(b)/size; short {
			return nil
		}
		taken := b[:n*size]
		b = b[n*size:]
		return taken
	}
	next := func() int {
		if four := take(1, 4); four != nil {
			return int(binary.LittleEndian.Uint32(four))
		}
		return 0
	}
	var dump ecs.EntityDump
	dump.Entities = copied[ecs.Entity](take(next(), int(unsafe.Sizeof(ecs.Entity{}))))
	dump.Next, dump.Available = uint32(next()), uint32(next())
	dump.Alive = copied[uint32](take(next(), 4))
	var tables, counts []int
	var columns [][]byte
	all := 0
	for n := next(); len(tables) < n; {
		i, count := next(), next()
		if short || i >= len(w.archetypes) || n > len(w.archetypes) {
			return nil, ErrTables
		}
		tables, counts = append(tables, i), append(counts, count)
		for _, t := range w.archetypes[i].parts {
			if count > 0 {
				columns = append(columns, take(count*int(t.Size()), 1))
			}
		}
		all += count
	}
	if short || all != len(dump.Alive) || dump.Next > uint32(len(dump.Entities)) || slices.ContainsFunc(dump.Alive, func(i uint32) bool { return int(i) >= len(dump.Entities) }) {
		return nil, ErrTables
	}
	clear(w.shadows)
	for i := range w.occupied { // what is in the queues is not known
		w.occupied[i] = ^uint64(0)
	}
	w.emitted++
	w.arche.Reset()
	for _, i := range tables { // in their order, also those that are empty
		w.archetypes[i].Spawn()
	}
	w.arche.Reset()
	if !slices.Equal(w.tables(), tables) {
		return nil, fmt.Errorf("%w: they lie in another order", ErrTables)
	}
	w.arche.LoadEntities(&dump)
	for i, rows := 0, dump.Alive; i < len(tables); i++ {
		k := w.archetypes[tables[i]]
		for _, row := range rows[:counts[i]] {
			w.arche.Add(dump.Entities[row], k.ids...)
		}
		rows = rows[counts[i]:]
		k.columns(func(_ Type, column []byte) {
			copy(column, columns[0])
			columns = columns[1:]
		})
	}
	return b, nil
}

// copied returns memory as values.
func copied[T any](b []byte) []T {
	values := make([]T, len(b)/int(reflect.TypeFor[T]().Size()))
	copy(bytesOf(unsafe.SliceData(values), len(values)), b)
	return values
}
