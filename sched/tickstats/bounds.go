package tickstats

import "time"

// tickBounds are the bounds of the histogram of ticks: finely around the step, where players notice.
var tickBounds = []time.Duration{
	100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond,
	40 * time.Millisecond, 50 * time.Millisecond, 75 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	500 * time.Millisecond, time.Second, 5 * time.Second,
}

// systemBounds are those of the histograms of systems.
var systemBounds = []time.Duration{
	10 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond,
	time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond, time.Second,
}
