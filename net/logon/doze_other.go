//go:build !linux

package logon

import "time"

// doze sleeps as exactly as timers can.
func doze(d time.Duration) { time.Sleep(d) }
