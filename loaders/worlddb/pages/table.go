package pages

import (
	"encoding/binary"
	"slices"
)

// A Table is one of a File: a B-tree, of which the rightmost page of each level is open.
type Table struct {
	file             *File
	name, definition string
	keyed            bool    // the rows are entries of an index
	levels           []*page // from the leaves up
	last             int64   // the number of the last row
	cell             []byte
}

// Kinds of pages.
const (
	interiorIndex = 2
	interiorTable = 5
	leafIndex     = 10
	leafTable     = 13
)

// A page is one that is being filled: cells from its end backwards.
type page struct {
	kind  byte
	data  [Size]byte
	cells []uint16 // where they begin
	used  int      // bytes of cells
	last  int      // bytes of the last cell
	right uint32   // the last child, of an interior page
}

// Row adds a row to a table with row numbers, which is larger than all before. A key that is the row's number is NULL in the record.
func (t *Table) Row(number int64, record []byte) {
	t.cell = appendVarint(t.cell[:0], uint64(len(record)))
	t.cell = appendVarint(t.cell, uint64(number))
	t.payload(record, maxLocalTable)
	t.add(0, t.cell)
	t.last = number
}

// Entry adds a row to a table without row numbers. The columns of its key are the first of the record, and it is behind all before.
func (t *Table) Entry(record []byte) {
	t.cell = appendVarint(t.cell[:0], uint64(len(record)))
	t.payload(record, maxLocalIndex)
	t.add(0, t.cell)
}

// How many bytes of a record are in its cell at most, and how many a longer one has there at least.
const (
	maxLocalTable = Size - 35
	maxLocalIndex = (Size-12)*64/255 - 23
	minLocal      = (Size-12)*32/255 - 23
)

// maxRecord bounds a record. It is SQLite's bound of a row.
const maxRecord = 1_000_000_000

// local is how many bytes of a record are in its cell.
func local(length, most int) int {
	if length <= most {
		return length
	}
	if n := minLocal + (length-minLocal)%(Size-4); n <= most {
		return n
	}
	return minLocal
}

// payload appends a record to the cell: what is longer than some bytes goes to pages of its own.
func (t *Table) payload(record []byte, most int) {
	local := local(len(record), most)
	if local == len(record) {
		t.cell = append(t.cell, record...)
		return
	}
	t.cell = append(t.cell, record[:local]...)
	t.cell = binary.BigEndian.AppendUint32(t.cell, t.file.next)
	for rest := record[local:]; len(rest) > 0; {
		var p [Size]byte
		n := copy(p[4:], rest)
		if rest = rest[n:]; len(rest) > 0 {
			next := t.file.next + 1
			if next == lockPage {
				next++
			}
			binary.BigEndian.PutUint32(p[:], next)
		}
		t.file.write(p[:])
	}
}

// add adds a cell to the open page of a level. If the page has no room for it, it is written, and another one begun.
func (t *Table) add(level int, cell []byte) {
	if level == len(t.levels) {
		t.levels = append(t.levels, &page{kind: t.kind(level)})
	}
	p := t.levels[level]
	if !p.fits(2 + max(len(cell), minCell)) {
		t.turn(level)
	}
	p.put(cell)
}

func (t *Table) kind(level int) byte {
	switch {
	case level == 0 && t.keyed:
		return leafIndex
	case level == 0:
		return leafTable
	case t.keyed:
		return interiorIndex
	}
	return interiorTable
}

// turn writes the page of a level, and tells the level above what divides it from the next: the number of its last row, or its last cell,
// which goes up.
func (t *Table) turn(level int) {
	p := t.levels[level]
	var divider []byte
	if p.kind == leafTable {
		divider = appendVarint(nil, uint64(t.last))
	} else {
		divider = p.pop()
	}
	if level > 0 {
		p.right, divider = binary.BigEndian.Uint32(divider), divider[4:]
	}
	cell := binary.BigEndian.AppendUint32(nil, t.write(p))
	p.reset()
	t.add(level+1, append(cell, divider...))
}

func (t *Table) write(p *page) uint32 {
	p.compose(0)
	return t.file.write(p.data[:])
}

// top is the root, which is not written yet. All other pages are.
func (t *Table) top() *page {
	if len(t.levels) == 0 {
		t.levels = append(t.levels, &page{kind: t.kind(0)})
	}
	for level, p := range t.levels[1:] {
		p.right = t.write(t.levels[level])
	}
	return t.levels[len(t.levels)-1]
}

// finish writes what is open, and returns the number of the root.
func (t *Table) finish() uint32 {
	root := t.write(t.top())
	t.levels = nil
	return root
}

// minCell is how much room the smallest cell takes.
const minCell = 4

// size is that of the page's header.
func (p *page) size() int {
	if p.kind == interiorIndex || p.kind == interiorTable {
		return 12
	}
	return 8
}

// fits reports whether so many bytes more have room.
func (p *page) fits(n int) bool { return p.size()+2*len(p.cells)+p.used+n <= Size }

func (p *page) put(cell []byte) {
	p.last = len(cell)
	p.used += max(len(cell), minCell)
	at := Size - p.used
	copy(p.data[at:], cell)
	p.cells = append(p.cells, uint16(at))
}

// pop takes the last cell.
func (p *page) pop() []byte {
	at := Size - p.used
	cell := slices.Clone(p.data[at : at+p.last])
	p.cells = p.cells[:len(p.cells)-1]
	p.used -= max(p.last, minCell)
	return cell
}

func (p *page) reset() { p.cells, p.used = p.cells[:0], 0 }

// compose writes the header behind what is at the beginning of the page, and where the cells are.
func (p *page) compose(at int) {
	clear(p.data[:Size-p.used])
	head := p.data[at:]
	head[0] = p.kind
	binary.BigEndian.PutUint16(head[3:], uint16(len(p.cells)))
	binary.BigEndian.PutUint16(head[5:], uint16(Size-p.used))
	if p.size() == 12 {
		binary.BigEndian.PutUint32(head[8:], p.right)
	}
	for i, cell := range p.cells {
		binary.BigEndian.PutUint16(head[p.size()+2*i:], cell)
	}
}
