package components

// A Voice remembers when a player last spoke, so that it cannot flood those who hear it. The zero Voice
// has said nothing.
type Voice struct {
	AtMs  [VoiceWords]uint32 // world time of the last words; those said n-th, from 0, are at n modulo VoiceWords
	Count uint32             // so many were said; it goes round
}

// VoiceWords is how often a player may speak in VoiceMs of world time.
//
// Source: ChatFlood.MessageCount and ChatFlood.MessageDelay, worldserver.conf.dist, AzerothCore (10 in 1 s).
const (
	VoiceWords = 10
	VoiceMs    = 1000
)

// Speak reports whether there is breath for more words at nowMs, world time, which never goes back; if so
// they count. Words that are refused do not, so a player who never stops is heard at the full rate.
func (v *Voice) Speak(nowMs uint32) bool {
	at := &v.AtMs[v.Count%VoiceWords]
	if v.Count >= VoiceWords && nowMs-*at < VoiceMs {
		return false
	}
	*at = nowMs
	v.Count++
	return true
}
