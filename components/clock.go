package components

// Clock relates a player's own milliseconds to those of the world. Differences wrap around, as the
// clocks themselves do.
type Clock struct {
	Asked    uint32 // how many time requests were made
	AskedMs  uint32 // world time of the last
	OffsetMs uint32 // world minus client; valid if Known
	Known    uint32 // 1 after the first answer
}

// maxClockErrorMs is the largest difference between a translated time and the arrival that is accepted: a client's
// clock that jumps must not move its relayed movement by seconds.
const maxClockErrorMs = 1000

// Ask notes a time request and returns its counter, from 0.
func (c *Clock) Ask(nowMs uint32) (counter uint32) {
	c.Asked++
	c.AskedMs = nowMs
	return c.Asked - 1
}

// Answer sets the offset by the response to a request. The client read its clock half-way between request and
// response; a response to an older request, or one from before the request, is ignored.
//
// Source: WorldSession::HandleTimeSyncResp, AzerothCore.
func (c *Clock) Answer(counter, clientMs, atMs uint32) {
	if c.Asked == 0 || counter != c.Asked-1 || int32(atMs-c.AskedMs) < 0 {
		return
	}
	c.OffsetMs, c.Known = c.AskedMs+(atMs-c.AskedMs)/2-clientMs, 1
}

// World is the world time of an event with a client's time that arrived at atMs.
func (c *Clock) World(clientMs, atMs uint32) uint32 {
	at := clientMs + c.OffsetMs
	if d := int32(atMs - at); c.Known == 0 || d < -maxClockErrorMs || d > maxClockErrorMs {
		return atMs
	}
	return at
}
