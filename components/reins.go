package components

// Reins are what a player's client was told about its own movement and has not answered yet. An order is
// known by its counter, which the answer repeats.
type Reins struct {
	Orders uint32         // how many were given, and so the counter of the last; the first has 1
	Open   [Orders]uint32 // of each kind, the counter of the one that waits for its answer; 0 none
	Rooted uint32         // 1 while it was told to stand
	MayFly uint32         // 1 while it was told that it can
	Throw  Throw          // of the open knock back
}

// The kinds of orders: one for each of Speeds, SpeedWalk and following, and these.
const (
	OrderRoot     = len(Speeds{}) + iota // to stand, or no longer
	OrderFly                             // that it can fly, or no longer
	OrderThrow                           // a knock back
	OrderTeleport                        // to be somewhere else, on the same map
	Orders                               // how many kinds there are
)

// A Throw is how somebody is thrown.
type Throw struct {
	Sin, Cos float32 // direction over ground
	Speed    float32 // over ground, yards per second
	Up       float32 // yards per second
}

// Give notes an order and returns its counter.
func (r *Reins) Give(kind int) (counter uint32) {
	r.Orders++
	r.Open[kind] = r.Orders
	return r.Orders
}

// Answer closes an order. It reports whether there was one to close.
func (r *Reins) Answer(kind int, counter uint32) bool {
	if r.Open[kind] == 0 || r.Open[kind] != counter {
		return false
	}
	r.Open[kind] = 0
	return true
}
