package intake

// rememberedArrivals is how many hand-overs a world remembers. A message that comes twice comes soon after the first: within seconds, while
// that many players in as short a time would be all of a large realm.
const rememberedArrivals = 1024

// arrivals are the numbers of the last hand-overs of players from other worlds, which gateways never use twice.
type arrivals struct {
	last [rememberedArrivals]uint64
	next uint32 // where the next one is written
}

// take notes a hand-over. It is not ok if that has been taken before. Zero is none.
func (a *arrivals) take(number uint64) (ok bool) {
	if number == 0 {
		return true
	}
	for _, n := range a.last {
		if n == number {
			return false
		}
	}
	a.last[a.next%rememberedArrivals] = number
	a.next++
	return true
}
