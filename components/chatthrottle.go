package components

// A ChatThrottle remembers when a player last sent chat messages, to limit their rate. The zero ChatThrottle has
// none.
type ChatThrottle struct {
	AtMs  [ChatThrottleMessages]uint32 // world time of the last messages; the n-th, from 0, is at n modulo ChatThrottleMessages
	Count uint32                       // number of messages; it wraps around
}

// ChatThrottleMessages is the most messages of a player within ChatThrottleMs of world time.
//
// Source: ChatFlood.MessageCount and ChatFlood.MessageDelay, worldserver.conf.dist, AzerothCore (10 in 1 s).
const (
	ChatThrottleMessages = 10
	ChatThrottleMs       = 1000
)

// Allow reports whether a player may send a message at nowMs, world time, which never goes back; if so it is counted.
// Refused messages are not, so a player that never stops sends at the full rate.
func (v *ChatThrottle) Allow(nowMs uint32) bool {
	at := &v.AtMs[v.Count%ChatThrottleMessages]
	if v.Count >= ChatThrottleMessages && nowMs-*at < ChatThrottleMs {
		return false
	}
	*at = nowMs
	v.Count++
	return true
}
