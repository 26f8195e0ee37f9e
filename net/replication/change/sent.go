package change

import "muster/ecs"

// Sent is a message from a player's client, in the queue of its type.
type Sent[M any] struct {
	By   ecs.Entity // exists until the tick ends: players are despawned by fan-out, at its end
	AtMs uint32     // world time of its arrival
	Op   uint16     // where several opcodes share the message
	N    uint32     // its place among all that arrived for the tick
	Msg  M
}
