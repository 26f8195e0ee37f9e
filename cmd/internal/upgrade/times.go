package upgrade

import "time"

// Times of a world that is handed over, our own choices. The world stands still meanwhile: less than gateways bear.
const (
	GiftTime  = 6 * time.Second // in which it must be done, or the old process goes on
	GiftFence = 2 * time.Second // to find out which process has the world after that
)
