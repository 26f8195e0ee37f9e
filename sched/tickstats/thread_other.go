//go:build !linux

package tickstats

import "time"

// threadTime is not known here.
func threadTime() (spent time.Duration, ok bool) { return 0, false }
