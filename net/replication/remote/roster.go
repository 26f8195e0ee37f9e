package remote

import (
	"cmp"
	"slices"

	"muster/net/replication/frame"
)

// A seat is what the log of a world has of a gateway: enough for another process to serve it where the last one has ended.
// It is the body of a frame.OpGateway.
type seat struct {
	number      uint32
	life, birth uint64
	input       uint64 // number of the last message of input that the world has read
	gone        bool
	blocks      []uint32 // of sessions; a gateway that is gone and has none is forgotten
}

func (s *seat) append(w *writer) {
	w.number(uint64(s.number))
	w.u64(s.life)
	w.number(s.birth)
	w.number(s.input)
	w.flag(s.gone)
	w.number(uint64(len(s.blocks)))
	for _, block := range s.blocks {
		w.number(uint64(block))
	}
}

func readSeat(m *reader) (s seat) {
	s.number, s.life, s.birth, s.input, s.gone = uint32(m.number()), m.u64(), m.number(), m.number(), m.flag()
	s.blocks = make([]uint32, m.count())
	for i := range s.blocks {
		if s.blocks[i] = uint32(m.number()); s.blocks[i] >= maxBlocks {
			m.fail("block %d", s.blocks[i])
		}
	}
	return s
}

// A roster is the seats of all gateways, by birth, as of some tick.
type roster struct{ seats []seat }

// set replaces a seat.
func (r *roster) set(s seat) {
	at, ok := slices.BinarySearchFunc(r.seats, s.birth, func(s seat, birth uint64) int { return cmp.Compare(s.birth, birth) })
	switch forgotten := s.gone && len(s.blocks) == 0; {
	case ok && forgotten:
		r.seats = slices.Delete(r.seats, at, at+1)
	case ok:
		r.seats[at] = s
	case !forgotten:
		r.seats = slices.Insert(r.seats, at, s)
	}
}

// of is the seat with a birth, nil if there is none.
func (r *roster) of(birth uint64) *seat {
	for i := range r.seats {
		if r.seats[i].birth == birth {
			return &r.seats[i]
		}
	}
	return nil
}

// visitSeats visits the seats that an inbox has.
func visitSeats(in *frame.Inbox, visit func(seat)) error {
	first := in.Len() // sealed, they are among the last
	for first > 0 && in.At(first-1).Session == frame.NoSession {
		first--
	}
	for i := first; i < in.Len(); i++ {
		it := in.At(i)
		if it.Op != frame.OpGateway {
			continue
		}
		m := reader{b: it.Body}
		s := readSeat(&m)
		if m.err != nil {
			return m.err
		}
		visit(s)
	}
	return nil
}

// append appends the seats after their number.
func (r *roster) append(w *writer) {
	w.number(uint64(len(r.seats)))
	for i := range r.seats {
		r.seats[i].append(w)
	}
}

func readRoster(b []byte) (r roster, err error) {
	m := &reader{b: b}
	for range m.count() {
		r.set(readSeat(m))
	}
	if len(m.b) > 0 {
		m.fail("%d bytes follow", len(m.b))
	}
	return r, m.err
}
