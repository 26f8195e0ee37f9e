package gateway

import "muster/net/gateway/session"

// counted are the names of all that a gateway and its sessions count.
func counted() []string {
	names := append(session.Counted(),
		AcceptError, Unsynced, Panicked, InboxFull, Superseded, SaveFailed, BanFailed, LeaseFailed, BatchFailed, TraceFull, QueueWaited, PlacesFailed, ChannelRefused,
		ClaimHeld, ClaimLost, ReturnFailed, ReturnGivenUp,
		HandoverBegun, HandoverDone, HandoverRefused, HandoverDropped, HandoverReturned, LeftTwice)
	for _, reason := range append(session.Closing(),
		Peer, HandshakeTimeout, Idle, IdleActive, SlowReader, Replaced, Panic, MapPanic, WorldMoved, Shutdown, Reset, Full, AddressFull, Kicked, cheat) {
		names = append(names, "closed."+reason)
	}
	return names
}
