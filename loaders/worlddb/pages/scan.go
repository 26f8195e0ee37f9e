package pages

import (
	"encoding/binary"
	"errors"
	"io"
)

// errTree is a tree that is none, as of a file that is written meanwhile.
var errTree = errors.New("pages: no tree of a table")

// maxDepth is how many levels a tree has at most: one of SQLite's has no more than 20.
const maxDepth = 20

// Scan gives f the rows of a tree with that root, in the order of their keys, until f fails. The record is good until f returns. Number
// is that of a row, and 0 in a table without row numbers. The file has pages of Size, and nothing writes to it.
func Scan(file io.ReaderAt, root uint32, f func(number int64, record []byte) error) error {
	s := &scan{file: file, f: f}
	return s.page(root, 0)
}

type scan struct {
	file   io.ReaderAt
	f      func(number int64, record []byte) error
	levels [maxDepth][Size]byte
	long   []byte // a record of several pages
}

func (s *scan) page(n uint32, depth int) error {
	if n == 0 || depth == maxDepth {
		return errTree
	}
	p := s.levels[depth][:]
	if _, err := s.file.ReadAt(p, int64(n-1)*Size); err != nil {
		return err
	}
	head := p
	if n == 1 {
		head = p[headSize:]
	}
	kind, size := head[0], 8
	switch kind {
	case interiorIndex, interiorTable:
		size = 12
	case leafIndex, leafTable:
	default:
		return errTree
	}
	cells := int(binary.BigEndian.Uint16(head[3:]))
	if size+2*cells > len(head) {
		return errTree
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(head[size+2*i:]))
		if at+minCell > Size {
			return errTree
		}
		cell := p[at:]
		if size == 12 {
			if err := s.page(binary.BigEndian.Uint32(cell), depth+1); err != nil {
				return err
			}
			cell = cell[4:]
		}
		if kind == interiorTable {
			continue
		}
		if err := s.row(kind, cell); err != nil {
			return err
		}
	}
	if size == 12 {
		return s.page(binary.BigEndian.Uint32(head[8:]), depth+1)
	}
	return nil
}

// row reads a cell without the child in front.
func (s *scan) row(kind byte, cell []byte) error {
	length, n := varint(cell)
	cell = cell[n:]
	number, most := uint64(0), maxLocalIndex
	if kind == leafTable {
		var m int
		number, m = varint(cell)
		cell, most = cell[m:], maxLocalTable
		n = min(n, m)
	}
	if n == 0 || length > maxRecord {
		return errTree
	}
	local := local(int(length), most)
	if local > len(cell) {
		return errTree
	}
	if local == int(length) {
		return s.f(int64(number), cell[:local])
	}
	if local+4 > len(cell) {
		return errTree
	}
	s.long = append(s.long[:0], cell[:local]...)
	next := binary.BigEndian.Uint32(cell[local:])
	var p [Size]byte
	for len(s.long) < int(length) {
		if next == 0 {
			return errTree
		}
		if _, err := s.file.ReadAt(p[:], int64(next-1)*Size); err != nil {
			return err
		}
		next = binary.BigEndian.Uint32(p[:])
		s.long = append(s.long, p[4:4+min(Size-4, int(length)-len(s.long))]...)
	}
	return s.f(int64(number), s.long)
}
