package components

// PendingMoveAcks are the orders to a player's client about its own movement that it has not acknowledged yet. An
// order is identified by its counter, which the acknowledgement repeats.
type PendingMoveAcks struct {
	LastCounter uint32         // number of orders, and so the counter of the last; the first has 1
	Pending     [Orders]uint32 // of each kind, the counter of the order without acknowledgement; 0 none
	Rooted      uint32         // 1 while the last order was to root
	MayFly      uint32         // 1 while the last order was that it can fly
	WaterWalks  uint32         // 1 while the last order was that it walks on water
	Away        uint32         // 1 once it is on its way to another map: it is sent no more orders
	KnockBack   KnockBack      // of the pending order
}

// The kinds of orders: one for each of Speeds, SpeedWalk and following, and these.
const (
	OrderRoot      = len(Speeds{}) + iota // root or unroot
	OrderFly                              // can fly, or cannot
	OrderKnockBack                        // knock-back
	OrderTeleport                         // teleport on the same map
	OrderWaterWalk                        // walk on water, or not
	Orders                                // number of kinds
)

// A KnockBack is the velocity of a knock-back.
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
