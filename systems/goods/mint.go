package goods

// A Mint gives the counters for GUIDs of new items, out of ranges that the gateway has leased for this world. It is a
// shared value. An empty Mint gives none.
type Mint struct {
	ranges [4]lease // the first is in use
	count  int
	asked  bool
}

type lease struct{ next, left uint32 }

// Lot is the number of counters that a world requests at a time, and Low the number left at which it does.
const (
	Lot = 4096
	Low = Lot / 2
)

// Lease adds a range of counters. It reports false for an empty one, or when there are too many.
func (m *Mint) Lease(first, count uint32) bool {
	m.asked = false
	if first == 0 || count == 0 || first+count < first || m.count == len(m.ranges) {
		return false
	}
	m.ranges[m.count] = lease{first, count}
	m.count++
	return true
}

// Left is the number of counters left.
func (m *Mint) Left() (n uint64) {
	for _, r := range m.ranges[:m.count] {
		n += uint64(r.left)
	}
	return n
}

// Wants is the number of counters to request in this tick: a Lot once when they run low, 0 until that is answered.
func (m *Mint) Wants() uint32 {
	if m.asked || m.Left() >= Low {
		return 0
	}
	m.asked = true
	return Lot
}

// Take returns the next counter, 0 if there is none.
func (m *Mint) Take() uint32 {
	if m.count == 0 {
		return 0
	}
	r := &m.ranges[0]
	counter := r.next
	r.next++
	if r.left--; r.left == 0 {
		copy(m.ranges[:], m.ranges[1:])
		m.count--
		m.ranges[m.count] = lease{}
	}
	return counter
}
