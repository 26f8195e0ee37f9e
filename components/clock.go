package components

// Clock relates a player's own milliseconds to those of the world. Differences wrap around, as the
// clocks themselves do.
type Clock struct {
	Asked    uint32 // how many time requests were made
	AskedMs  uint32 // world time of the last
	OffsetMs uint32 // world minus client; good if Known
	Known    uint32 // 1 after the first answer
}

// maxClockErrorMs is how far a translated time may be from that of its arrival before it is not
// believed: a client's clock that jumps must not move its relayed steps by seconds.
const maxClockErrorMs = 1000

// Ask notes a time request and is its counter, from 0.
func (c *Clock) Ask(nowMs uint32) (counter uint32) {
	c.Asked++
	c.AskedMs = nowMs
	return c.Asked - 1
}

// Answer learns from the answer to a request. The client read its clock half-way between request and
// answer; an answer to an older request, or one that came before the request was made, tells nothing.
//
// Source: WorldSession::HandleTimeSyncResp, AzerothCore.
func (c *Clock) Answer(counter, clientMs, atMs uint32) {
	if c.Asked == 0 || counter != c.Asked-1 || int32(atMs-c.AskedMs) < 0 {
		return
	}
	c.OffsetMs, c.Known = c.AskedMs+(atMs-c.AskedMs)/2-clientMs, 1
}

// World is the world's time of something that a client dates clientMs and that arrived at atMs.
func (c *Clock) World(clientMs, atMs uint32) uint32 {
	at := clientMs + c.OffsetMs
	if d := int32(atMs - at); c.Known == 0 || d < -maxClockErrorMs || d > maxClockErrorMs {
		return atMs
	}
	return at
}
