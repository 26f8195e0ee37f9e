package visibility

import (
	"muster/ecs/grid"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// op is that of a heartbeat: any will do.
const op = 0xEE

// Cells is muster's way: the packet of an object is written once, under its home cell, and gathered for each
// observer from the cells of its view. Nothing is remembered per pair.
type Cells struct {
	places  []Place
	homes   []grid.Cell
	order   grid.Order[uint32]
	draft   frame.Builder
	port    *frame.Exchange
	replay  frame.Replayer
	cursors []frame.Cursor
	tick    uint64
	out     []byte

	Crossed int // how often an object has come into another cell
}

// NewCells adds an object for each place.
func NewCells(places []Place) *Cells {
	c := &Cells{places: places, homes: make([]grid.Cell, len(places)), port: frame.NewExchange()}
	c.cursors = make([]frame.Cursor, len(places))
	for i, p := range places {
		c.homes[i] = p.home()
		c.cursors[i] = frame.Cursor{Session: uint32(i), GUID: guid(i), View: grid.ViewFrom(c.homes[i])}
	}
	return c
}

// Tick moves all, and finds for each the objects that it sees: a packet with the GUID of each. visit gets the packets of
// one after the other, which are good until it returns; it may be nil.
func (c *Cells) Tick(visit func(observer int, packets []byte)) (bytes int) {
	c.tick++
	for i, p := range c.places {
		x, y := p.stroll(c.tick)
		if home := c.homes[i].Track(x, y); home != c.homes[i] {
			c.homes[i], c.cursors[i].View = home, grid.ViewFrom(home)
			c.Crossed++
		}
		c.order.Put(c.homes[i], uint32(i))
	}
	c.order.Sort()
	d := &c.draft
	for _, id := range c.order.All() {
		at := len(d.Bytes)
		d.Bytes = wire.AppendPackedGUID(append(d.Bytes, 0, 0, 0, 0), guid(int(id)))
		wire.PutServerHeader(d.Bytes[at:], op)
		d.AddOwnDelta(id, c.homes[id], frame.Beats, d.Cut())
	}
	f := c.port.Write()
	d.Build(f, c.tick)
	c.port.Publish(f)
	var w frame.Window
	w.Open(c.port)
	defer w.Close()
	for _, id := range c.order.All() { // neighbours one after another, as a gateway has them
		i := int(id)
		c.out, _ = c.replay.Replay(c.out[:0], &w, &c.cursors[i])
		bytes += len(c.out)
		if visit != nil {
			visit(i, c.out)
		}
	}
	return bytes
}

// Find is a Tick that says which pairs there are.
func (c *Cells) Find() (found Pairs) {
	c.Tick(func(observer int, packets []byte) {
		for len(packets) > 0 {
			_, payload, header, _ := wire.ServerHeader(packets)
			subject, _ := wire.ReadPackedGUID(packets[header:])
			found.add(observer, subject)
			packets = packets[header+payload:]
		}
	})
	return found
}
