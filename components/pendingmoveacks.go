package components

// PendingMoveAcks are what a player's client was told about its own movement and has not answered yet. An order is
// known by its counter, which the answer repeats.
type PendingMoveAcks struct {
	LastCounter uint32         // how many were given, and so the counter of the last; the first has 1
	Pending     [Orders]uint32 // of each kind, the counter of the one that waits for its answer; 0 none
	Rooted      uint32         // 1 while it was told to stand
	MayFly      uint32         // 1 while it was told that it can
	KnockBack   KnockBack      // of the open knock back
}

// The kinds of orders: one for each of Speeds, SpeedWalk and following, and these.
const (
	OrderRoot      = len(Speeds{}) + iota // to stand, or no longer
	OrderFly                              // that it can fly, or no longer
	OrderKnockBack                        // a knock back
	OrderTeleport                         // to be somewhere else, on the same map
	Orders                                // how many kinds there are
)

// A KnockBack is how somebody is thrown.
type KnockBack struct {
	Sin, Cos float32 // direction over ground
	Speed    float32 // over ground, yards per second
	Up       float32 // yards per second
}

// Add notes an order and returns its counter.
func (r *PendingMoveAcks) Add(kind int) (counter uint32) {
	r.LastCounter++
	r.Pending[kind] = r.LastCounter
	return r.LastCounter
}

// Ack closes an order. It reports whether there was one to close.
func (r *PendingMoveAcks) Ack(kind int, counter uint32) bool {
	if r.Pending[kind] == 0 || r.Pending[kind] != counter {
		return false
	}
	r.Pending[kind] = 0
	return true
}
