package replica

// A gift is what the process that has a world tells the one that is to have it, as JSON after gives.
type gift struct {
	ID       uint64 `json:"id"`
	From, To string
	Number   uint64 // of the last entry of the log
	Tick     uint64 // after which there is a snapshot
	ClockMs  int64  // of the world, now
	WithinMs int64  // in which it can be taken
}

// A giftAnswer is what that answers, as JSON after givesBack: it has the world, or why not.
type giftAnswer struct {
	ID  uint64 `json:"id"`
	Why string `json:"why,omitempty"`
}

// What messages on remote.Address.Lead begin with besides a life.
const (
	gives     = "give "
	givesBack = "gave "
)
