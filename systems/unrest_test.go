package systems

import (
	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/systems/respawn"
)

// ask puts a request into its queue, as a system would.
func ask[T any](w *World, request T) { *ecs.QueueOf[T](w.ecs).Next() = request }

// unrest teleports, hurries, roots and knocks back some of the crowd and of the creatures before tick n. A client
// acknowledges a teleport at once, and is where it was put.
func (c *crowd) unrest(w *World, n uint64) {
	for range 3 {
		e := w.space.Find(components.CreatureGUID(7, respawn.FirstCounter+uint32(c.r.IntN(300))))
		ask(w, move.Teleport{Entity: e, To: c.anywhere(0)})
		ask(w, move.SetSpeed{Entity: e, Which: uint32(c.r.IntN(10)), Speed: c.r.Float32() * 20})
		ask(w, move.Root{Entity: e, On: c.r.IntN(2) == 0})
	}
	for i := range c.players {
		p := &c.players[i]
		e := w.space.Find(p.guid)
		if !p.here || p.going || !w.ecs.Exists(e) {
			continue
		}
		switch c.r.IntN(60) {
		case 0, 1:
			to := c.anywhere(0)
			ask(w, move.Teleport{Entity: e, To: to})
			c.post(w.Inbox(), p, n, msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: p.guid})
			p.at.X, p.at.Y, p.at.Z = to.X, to.Y, to.Z
			p.at.O, _ = components.Facing(to.O)
		case 2:
			ask(w, move.SetSpeed{Entity: e, Which: uint32(c.r.IntN(10)), Speed: c.r.Float32() * 20})
		case 3:
			ask(w, move.Root{Entity: e, On: true})
			ask(w, move.Root{Entity: e})
		case 4:
			ask(w, move.Fly{Entity: e, On: c.r.IntN(2) == 0})
		case 5:
			ask(w, move.KnockBack{Entity: e, Angle: c.r.Float32() * 6, Speed: c.r.Float32() * 20, Up: c.r.Float32() * 20})
		}
	}
}

// emigrate sends a player to another map.
func (c *crowd) emigrate(w *World) {
	p := &c.players[c.r.IntN(len(c.players))]
	if e := w.space.Find(p.guid); p.here && !p.going && w.ecs.Exists(e) {
		p.going = true
		ask(w, move.Teleport{Entity: e, To: c.anywhere(1)})
	}
}

func (c *crowd) anywhere(on uint32) life.Place {
	x, y := somewhere(c.r, c.reach)
	return life.Place{Map: on, X: x, Y: y, Z: c.r.Float32(), O: between(c.r, 20)}
}
