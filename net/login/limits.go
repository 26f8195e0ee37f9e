package login

import (
	"muster/internal/limit"
)

// Limits lists what a login server bounds.
func Limits() []limit.Limit {
	c, err := Config{}.withDefaults()
	if err != nil {
		panic(err) // there is no realm that could be wrong
	}
	return []limit.Limit{
		{Name: "for a packet, complete, and for a reply to be taken", Value: c.Packet, Breach: "closed", Counter: string(timedOut), Test: "net/login TestDeadlines"},
		{Name: "from the connection to a successful proof", Value: c.Handshake, Breach: "closed", Counter: string(timedOut), Test: "net/login TestDeadlines"},
		{Name: "silence after that", Value: c.Idle, Breach: "closed", Counter: string(idle), Test: "net/login TestDeadlines"},
		{Name: "connections, or a quarter of the descriptors", Value: c.MaxConns, Breach: "closed at once", Counter: string(full), Test: "net/login TestHalfOpen"},
		{Name: "connections of an address; not of loopback without --limit-loopback", Value: c.PerAddress, Setting: "max-per-address", Breach: "closed at once", Counter: string(addressFull), Test: "net/login TestPerAddress"},
		{Name: "packet of a client, and all that is kept of what it sends", Value: limit.Bytes(maxRequest), Breach: "closed", Counter: string(badPacket), Test: "net/login TestBadPackets"},
		{Name: "name of an account", Value: limit.Bytes(MaxName), Breach: "closed", Counter: string(badPacket), Test: "net/login TestBadPackets"},
		{Name: "accounts that are made on their first login", Value: c.MaxOpen, Breach: "refused", Counter: string(openFull), Test: "net/login TestOpenAccounts"},
	}
}
