package tickstats

import "sync/atomic"

// A ring keeps the last rows of numbers. One goroutine writes them; others copy them, and leave out those that were
// overwritten meanwhile.
type ring struct {
	rows, width int // one row more than are kept: the one that is being written
	cells       []atomic.Int64
	done        atomic.Uint64 // rows committed; the n-th, from 0, is at n modulo rows
}

func (r *ring) init(rows, width int) {
	r.rows, r.width = rows+1, width
	r.cells = make([]atomic.Int64, r.rows*width)
}

// next returns the row to be written.
func (r *ring) next() []atomic.Int64 {
	at := int(r.done.Load()%uint64(r.rows)) * r.width
	return r.cells[at : at+r.width]
}

// commit makes it readable.
func (r *ring) commit() { r.done.Add(1) }

// after is how many rows at the end have more than n in their first column, which ascends.
func (r *ring) after(n int64) (rows int) {
	done := r.done.Load()
	for most := int(min(uint64(max(r.rows-1, 0)), done)); rows < most; rows++ {
		if at := int((done-1-uint64(rows))%uint64(r.rows)) * r.width; r.cells[at].Load() <= n {
			break
		}
	}
	return rows
}

// last visits the first columns of the last n rows at most, the oldest first. The row is the visitor's until it returns.
func (r *ring) last(n, columns int, visit func(row []int64)) {
	done := r.done.Load()
	n = int(min(uint64(max(n, 0)), uint64(max(r.rows-1, 0)), done))
	all := make([]int64, n*columns)
	first := done - uint64(n)
	for i := range n {
		at := int((first+uint64(i))%uint64(r.rows)) * r.width
		for k := range columns {
			all[i*columns+k] = r.cells[at+k].Load()
		}
	}
	// The writer may be in row number r.done, whose place was that of the row r.rows before.
	now := r.done.Load()
	for i := range n {
		if first+uint64(i)+uint64(r.rows) > now {
			visit(all[i*columns : (i+1)*columns])
		}
	}
}

// A board has numbers that are written together, and read together.
type board struct {
	version atomic.Uint64 // odd while they are being written
	cells   [crowds * 3]atomic.Int64
}

func (b *board) write(values *[crowds * 3]int64) {
	b.version.Add(1)
	for i, v := range values {
		b.cells[i].Store(v)
	}
	b.version.Add(1)
}

func (b *board) read() (values [crowds * 3]int64) {
	for {
		before := b.version.Load()
		for i := range b.cells {
			values[i] = b.cells[i].Load()
		}
		if before%2 == 0 && b.version.Load() == before {
			return values
		}
	}
}
