package goods

// A Mint gives new items the counters of their GUIDs, out of ranges that the gateway has leased for this world. It
// is a shared value. An empty Mint gives none.
type Mint struct {
	ranges [4]lease // in use is the first
	count  int
	asked  bool
}

type lease struct{ next, left uint32 }

// Lot is how many counters a world asks for at a time, and Low below how many it asks.
const (
	Lot = 4096
	Low = Lot / 2
)

// Lease takes a range of counters over. It reports false for one that is none, or when there are too many.
func (m *Mint) Lease(first, count uint32) bool {
	m.asked = false
	if first == 0 || count == 0 || first+count < first || m.count == len(m.ranges) {
		return false
	}
	m.ranges[m.count] = lease{first, count}
	m.count++
	return true
}

// Left is how many counters there are.
func (m *Mint) Left() (n uint64) {
	for _, r := range m.ranges[:m.count] {
		n += uint64(r.left)
	}
	return n
}

// Wants is how many counters to ask for in this tick: a Lot once when they run low, 0 until that is answered.
func (m *Mint) Wants() uint32 {
	if m.asked || m.Left() >= Low {
		return 0
	}
	m.asked = true
	return Lot
}

// take is the next counter, 0 if there is none.
func (m *Mint) take() uint32 {
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
