package naive

import "encoding/binary"

// An observer is a player whose client knows a unit, since a tick.
type observer struct {
	*Player
	since uint64
}

// List has a world keep, for each unit, the players whose clients know it, which packets about it then go to without a range
// query; and encode what has changed of a unit once for each class of viewers, with the one value that differs within a
// class put in for each. It begins or ends between two ticks. What is sent is the same as long as players look around
// whenever a unit may have come or gone.
//
// Source: ObjectVisibilityContainer::LinkWorldObjectVisibility, MessageDistDeliverer::Visit, Unit::BuildValuesUpdate and
// Unit::PatchValuesUpdate, AzerothCore, which has both for its players.
func (w *World) List(on bool) {
	w.listed = on
	for _, b := range w.units {
		b.base().observers = nil
	}
	if !on {
		return
	}
	for _, p := range w.players {
		for u, since := range p.known {
			u.observers = append(u.observers, observer{p, since})
		}
	}
}

// Lists reports whether the world does so.
func (w *World) Lists() bool { return w.listed }

// receivers visits the players that are sent what happens to a unit, itself among them.
func (w *World) receivers(u *Unit, visit func(*Player)) {
	if !w.listed {
		w.grid.playersNear(u, visit)
		return
	}
	if p := u.self.player(); p != nil {
		visit(p)
	}
	for _, o := range u.observers {
		visit(o.Player)
	}
}

// link and unlink note that a player's client knows a unit, and does no more.
func (w *World) link(p *Player, u *Unit) {
	if w.listed {
		u.observers = append(u.observers, observer{p, w.tick.N})
	}
}

func (w *World) unlink(p *Player, u *Unit) {
	if !w.listed {
		return
	}
	last := len(u.observers) - 1
	for i, o := range u.observers {
		if o.Player == p {
			u.observers[i] = u.observers[last]
			u.observers[last] = observer{}
			u.observers = u.observers[:last]
			return
		}
	}
}

// A valuesBlock is the block of what has changed of a unit for one class of viewers. Dynamic is where the value lies that
// differs within a class, 0 if it has not changed; no bytes are no block. Memory is used again.
type valuesBlock struct {
	made    bool
	bytes   []byte
	dynamic int
}

// Classes of viewers of a unit.
const (
	others = iota
	itself
	classes
)

// appendShared adds the block of what has changed for a player, as appendValues does, from that of its class.
func (u *Unit) appendShared(d *updateData, p *Player) {
	b := &u.shared[others]
	if &p.Unit == u {
		b = &u.shared[itself]
	}
	if !b.made {
		alone := updateData{blocks: b.bytes[:0]}
		u.encodeValues(&alone, p)
		b.made, b.bytes, b.dynamic = true, alone.blocks, alone.dynamic
	}
	if len(b.bytes) == 0 {
		return
	}
	at := len(d.blocks)
	d.count++
	d.blocks = append(d.blocks, b.bytes...)
	if b.dynamic > 0 {
		binary.LittleEndian.PutUint32(d.blocks[at+b.dynamic:], u.valueFor(p, fieldDynamicFlags))
	}
}
