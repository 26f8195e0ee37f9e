package session

import (
	"fmt"

	"muster/components"
	"muster/internal/limit"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// MaxMemory bounds what a session keeps, in bytes: what it has not read, in up to twice the room that it needs, the
// addons of a client whose key is requested, and itself.
const MaxMemory = 2*(maxUnread+MaxFeed) + wire.MaxClientPayload + 4<<10

// MaxFeed is how many bytes a session may be fed at once, so that MaxMemory holds.
const MaxFeed = 16 << 10

// Limits lists what a session bounds.
func Limits() []limit.Limit {
	c := new(Config)
	return []limit.Limit{
		{Name: "body of a packet", Value: limit.Bytes(wire.MaxClientPayload), Breach: "closed", Counter: closed(BadHeader), Test: "net/gateway/session TestHeaders"},
		{Name: "opcode", Value: fmt.Sprintf("%#x", noOpcode-1), Breach: "closed", Counter: closed(BadHeader), Test: "net/gateway/session TestHeaders"},
		{Name: "opcode before the login", Value: "CMSG_AUTH_SESSION, CMSG_PING", Breach: "closed", Counter: closed(BeforeLogin), Test: "net/gateway/session TestMatrix"},
		{Name: "packets from one drain point to the next", Value: c.packetsPerDrain(), Breach: "dropped", Counter: Flood, Test: "net/gateway/session TestFlood"},
		{Name: "the same, of what came while nothing was read", Value: c.packetsPerDrain(), Breach: "read after the next one", Counter: Deferred, Test: "net/gateway/session TestBacklog"},
		{Name: "bytes that wait so", Value: limit.Bytes(maxBacklog), Breach: "dropped", Counter: Flood, Test: "net/gateway/session TestBacklogIsBounded"},
		{Name: "bytes that come while an answer is open, or a class waits", Value: limit.Bytes(maxUnread), Breach: "closed", Counter: closed(TooMuchInput), Test: "net/gateway/session TestWaiting"},
		{Name: "block of addons, inflated", Value: limit.Bytes(msg.MaxAddonBlock), Breach: "taken for empty", Counter: BadAddons, Test: "net/gateway/session TestAddons"},
		{Name: "block of addons, inflated, for each byte of it", Value: limit.Bytes(addonRatio), Breach: "taken for empty", Counter: BadAddons, Test: "net/gateway/session TestAddons"},
		{Name: "addons", Value: msg.MaxAddons, Breach: "taken for none", Counter: BadAddons, Test: "net/gateway/session TestAddons"},
		{Name: "account data, inflated", Value: limit.Bytes(maxCacheSize), Breach: "dropped", Counter: BadAccountData, Test: "net/gateway/session TestBadCaches"},
		{Name: "account data that is kept", Value: "what the store has room for", Breach: "not kept, nor confirmed", Counter: CacheRefused, Test: "net/gateway TestCacheQuota"},
		{Name: "words in " + fmt.Sprint(components.ChatThrottleMs) + " ms, however they are said", Value: components.ChatThrottleMessages, Breach: "mute for " + fmt.Sprint(muteTime), Counter: ChatFlood, Test: "net/gateway/session TestMute"},
		{Name: "what is said at once", Value: limit.Bytes(msg.MaxChat), Breach: "dropped", Counter: BadBody, Test: "net/gateway/session TestWhereWordsGo"},
		{Name: "memory of a session", Value: limit.Bytes(MaxMemory), Breach: "closed before", Counter: closed(TooMuchInput), Test: "net/gateway/session TestMemory"},
	}
}

func closed(reason string) string { return "closed." + reason }
