package gateway

import (
	"muster/internal/limit"
	"muster/net/gateway/session"
	"muster/net/replication/frame"
)

// MaxMemory bounds what is kept for one connection here, in bytes: its session, what the client has not taken, its
// input for the world until that is posted, and itself. The kernel's buffers come besides, and the players of the
// worlds.
const MaxMemory = 2 << 20

// Limits lists what a gateway bounds.
func Limits() []limit.Limit {
	var c Config
	c.setDefaults()
	closed := func(reason string) string { return "closed." + reason }
	return []limit.Limit{
		{Name: "from the connection to the login", Value: c.Handshake, Breach: "closed", Counter: closed(HandshakeTimeout), Test: "net/gateway TestHalfOpen"},
		{Name: "silence, but for pings, of clients on the character screen", Value: c.Idle, Setting: "socket-time-out-time", Breach: "closed", Counter: closed(Idle), Test: "net/gateway TestIdle"},
		{Name: "silence, but for pings, of clients in a world", Value: c.IdleActive, Setting: "socket-time-out-time-active", Breach: "closed", Counter: closed(IdleActive), Test: "net/gateway TestIdleActive"},
		{Name: "connections, or what descriptors allow if that is less", Value: mostConnections, Breach: "closed at once", Counter: closed(Full), Test: "net/gateway TestFull"},
		{Name: "connections of an address; not of loopback without --limit-loopback", Value: c.MaxPerAddress, Setting: "max-per-address", Breach: "closed at once", Counter: closed(AddressFull), Test: "net/gateway TestAddressFull"},
		{Name: "players on the character screen or in a world", Value: "all connections", Setting: "max-players", Breach: "wait in the queue", Counter: QueueWaited, Test: "net/gateway TestQueue"},
		{Name: "players in the queue", Value: c.MaxQueue, Setting: "max-queue", Breach: "refused with AUTH_REJECT, and closed", Counter: closed(session.QueueFull), Test: "net/gateway TestQueue"},
		{Name: "bytes of a player for its world, until the next tick of it", Value: limit.Bytes(maxPassed), Breach: "dropped", Counter: session.Flood, Test: "net/gateway TestFloodOfBytes"},
		{Name: "inbox of a world", Value: limit.Bytes(frame.MaxInbox), Breach: "packets are dropped, then entering is refused", Counter: InboxFull, Test: "net/gateway TestFullInboxes"},
		{Name: "bytes that the kernel keeps for a client that does not take them", Value: limit.Bytes(sendBuffer), Breach: "kept here", Test: "cmd/muster TestFaultSlowReader"},
		{Name: "bytes that a client does not take", Value: limit.Bytes(maxRest), Breach: "closed", Counter: closed(SlowReader), Test: "net/gateway TestRestIsBounded"},
		{Name: "time that a client takes to take them", Value: c.Stall, Breach: "closed", Counter: closed(SlowReader), Test: "net/gateway TestStall"},
		{Name: "frames that a client lags behind", Value: frame.LagFrames, Unit: "ticks of 50 ms", Breach: "heartbeats that later ones supersede are left out", Counter: Superseded, Test: "net/replication/frame TestSupersededHeartbeats"},
		{Name: "frames that are kept for clients that lag", Value: frame.RingFrames, Unit: "ticks of 50 ms, or as many shorter ones", Breach: "closed", Counter: closed(SlowReader), Test: "net/gateway TestSlowReader"},
		{Name: "what clients ask of the store, until a worker does it", Value: c.Requests, Breach: "answered with an error, or closed", Counter: closed(session.Busy), Test: "net/gateway TestBusyStore"},
		{Name: "time of the store for one client", Value: c.StoreTime, Breach: "answered with an error, or closed", Counter: closed(session.Busy), Test: "net/gateway TestSickStore"},
		{Name: "time that a client is not told that its character has left, until it is saved", Value: c.SaveWait, Breach: "told before", Test: "net/gateway TestUnsavedLogout"},
		{Name: "time that a client waits for an account that another gateway has", Value: c.ClaimTime, Breach: "answered with an error", Counter: ClaimLost, Test: "net/gateway TestClaimIsLost"},
		{Name: "channels", Value: maxChannels, Breach: "not joined", Counter: ChannelRefused, Test: "net/gateway TestChannelsAreBounded"},
		{Name: "channels of a player", Value: maxJoined, Breach: "not joined", Counter: ChannelRefused, Test: "net/gateway TestChannelsAreBounded"},
		{Name: "members of a channel", Value: maxMembers, Breach: "not joined", Counter: ChannelRefused, Test: "net/gateway TestChannelsAreBounded"},
		{Name: "players that CMSG_WHO is shown", Value: maxWho, Breach: "only counted", Test: "net/gateway TestWhoIsBounded"},
		{Name: "traces at a time", Value: maxTraces, Breach: "refused with 503", Test: "net/gateway TestTracesAreBounded"},
		{Name: "what waits for the reader of a trace", Value: limit.Bytes(maxTraceBytes), Breach: "packets are left out, and how many is in the trace", Counter: TraceFull, Test: "net/gateway TestTraceIsBounded"},
		{Name: "memory of a connection", Value: limit.Bytes(MaxMemory), Breach: "closed before", Counter: closed(SlowReader), Test: "net/gateway TestMemory"},
	}
}
