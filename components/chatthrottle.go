package components

// A ChatThrottle remembers when a player last spoke, so that it cannot flood those who hear it. The zero Voice
// has said nothing.
type ChatThrottle struct {
	AtMs  [ChatThrottleMessages]uint32 // world time of the last words; those said n-th, from 0, are at n modulo ChatThrottleMessages
	Count uint32                       // so many were said; it goes round
}

// ChatThrottleMessages is how often a player may speak in ChatThrottleMs of world time.
//
// Source: ChatFlood.MessageCount and ChatFlood.MessageDelay, worldserver.conf.dist, AzerothCore (10 in 1 s).
const (
	ChatThrottleMessages = 10
	ChatThrottleMs       = 1000
)

// Allow reports whether there is breath for more words at nowMs, world time, which never goes back; if so
// they count. Words that are refused do not, so a player who never stops is heard at the full rate.
func (v *ChatThrottle) Allow(nowMs uint32) bool {
	at := &v.AtMs[v.Count%ChatThrottleMessages]
	if v.Count >= ChatThrottleMessages && nowMs-*at < ChatThrottleMs {
		return false
	}
	*at = nowMs
	v.Count++
	return true
}
