package gate

import (
	"muster/internal/limit"
	"muster/net/frame"
	"muster/net/session"
)

// MaxMemory bounds what is kept for one connection here, in bytes: its session, what it does not take, what it has for
// its world until that is posted, and itself. What the kernel keeps comes besides, and what worlds have of players.
const MaxMemory = 2 << 20

// Limits lists what a gateway bounds.
func Limits() []limit.Limit {
	var c Config
	c.setDefaults()
	closed := func(reason string) string { return "closed." + reason }
	return []limit.Limit{
		{Name: "from the connection to the login", Value: c.Handshake, Breach: "closed", Counter: closed(HandshakeTimeout), Test: "net/gate TestHalfOpen"},
		{Name: "silence of those who do not wait in the queue", Value: c.Idle, Breach: "closed", Counter: closed(Idle), Test: "net/gate TestIdle"},
		{Name: "connections, or what descriptors allow if that is less", Value: mostConnections, Breach: "closed at once", Counter: closed(Full), Test: "net/gate TestFull"},
		{Name: "connections of an address; not of loopback without --limit-loopback", Value: c.MaxPerAddress, Setting: "max-per-address", Breach: "closed at once", Counter: closed(AddressFull), Test: "net/gate TestAddressFull"},
		{Name: "players on the character screen or in a world", Value: "all connections", Setting: "max-players", Breach: "wait in the queue", Counter: QueueWaited, Test: "net/gate TestQueue"},
		{Name: "players in the queue", Value: c.MaxQueue, Setting: "max-queue", Breach: "refused with AUTH_REJECT, and closed", Counter: closed(session.QueueFull), Test: "net/gate TestQueue"},
		{Name: "bytes of a player for its world, until they are posted", Value: limit.Bytes(maxPassed), Breach: "dropped", Counter: session.Flood, Test: "net/gate TestFloodOfBytes"},
		{Name: "inbox of a world", Value: limit.Bytes(frame.MaxInbox), Breach: "packets are dropped, then nobody enters", Counter: InboxFull, Test: "net/gate TestFullInboxes"},
		{Name: "bytes that the kernel keeps for a client that does not take them", Value: limit.Bytes(sendBuffer), Breach: "kept here", Test: "cmd/muster TestFaultSlowReader"},
		{Name: "bytes that a client does not take", Value: limit.Bytes(maxRest), Breach: "closed", Counter: closed(SlowReader), Test: "net/gate TestRestIsBounded"},
		{Name: "time that a client takes to take them", Value: c.Stall, Breach: "closed", Counter: closed(SlowReader), Test: "net/gate TestStall"},
		{Name: "frames that a client lags behind", Value: frame.LagFrames, Unit: "ticks", Breach: "heartbeats that later ones supersede are left out", Counter: Superseded, Test: "net/frame TestSupersededHeartbeats"},
		{Name: "frames that are kept for those who lag", Value: frame.RingFrames, Unit: "ticks", Breach: "closed", Counter: closed(SlowReader), Test: "net/gate TestSlowReader"},
		{Name: "what clients ask of the store, until a worker does it", Value: c.Requests, Breach: "answered with an error, or closed", Counter: closed(session.Busy), Test: "net/gate TestBusyStore"},
		{Name: "time of the store for one client", Value: c.StoreTime, Breach: "answered with an error, or closed", Counter: closed(session.Busy), Test: "net/gate TestSickStore"},
		{Name: "channels", Value: maxChannels, Breach: "not joined", Counter: ChannelRefused, Test: "net/gate TestChannelsAreBounded"},
		{Name: "channels of a player", Value: maxJoined, Breach: "not joined", Counter: ChannelRefused, Test: "net/gate TestChannelsAreBounded"},
		{Name: "members of a channel", Value: maxMembers, Breach: "not joined", Counter: ChannelRefused, Test: "net/gate TestChannelsAreBounded"},
		{Name: "players that CMSG_WHO is shown", Value: maxWho, Breach: "only counted", Test: "net/gate TestWhoIsBounded"},
		{Name: "memory of a connection", Value: limit.Bytes(MaxMemory), Breach: "closed before", Counter: closed(SlowReader), Test: "net/gate TestMemory"},
	}
}
